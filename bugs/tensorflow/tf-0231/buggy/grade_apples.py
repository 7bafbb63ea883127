"""Grades apples by weight, colour and firmness; written for TensorFlow 1."""

import collections

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
GRADES = 3
Graph = collections.namedtuple("Graph", "apples grades training correct update")


def pick(count, seed):
    rng = np.random.RandomState(seed)
    apples = rng.normal(size=(count, 3))
    quality = apples @ [1.0, 0.7, -0.5] + rng.normal(0, 0.2, count)
    return apples.astype("float32"), np.digitize(quality, [-0.6, 0.6])


def build(rate=0.5):
    apples = v1.placeholder(tf.float32, [None, 3])
    grades = v1.placeholder(tf.int64, [None])
    kernel = v1.get_variable("kernel", [3, GRADES], initializer=v1.zeros_initializer())
    bias = v1.get_variable("bias", [GRADES], initializer=v1.zeros_initializer())
    scores = tf.matmul(apples, kernel) + bias
    loss = v1.losses.sparse_softmax_cross_entropy(labels=grades, logits=scores)
    training = v1.train.GradientDescentOptimizer(rate).minimize(loss)
    correct, update = v1.metrics.accuracy(labels=grades, predictions=tf.argmax(scores, axis=1))
    return Graph(apples, grades, training, correct, update)


def train(session, graph, apples, grades, epochs):
    for _ in range(epochs):
        for start in range(0, len(apples), 30):
            rows = slice(start, start + 30)
            session.run(graph.training, {graph.apples: apples[rows], graph.grades: grades[rows]})


def evaluate(session, graph, apples, grades):
    for start in range(0, len(apples), 30):
        rows = slice(start, start + 30)
        session.run(graph.update, {graph.apples: apples[rows], graph.grades: grades[rows]})
    return float(session.run(graph.correct))


def main(seed=0):
    with tf.Graph().as_default(), v1.Session() as session:
        graph = build()
        session.run(v1.global_variables_initializer())
        train(session, graph, *pick(300, seed), epochs=10)
        accuracy = evaluate(session, graph, *pick(100, seed + 1))
    print("right: %.2f" % accuracy)
    return accuracy


if __name__ == "__main__":
    main()
