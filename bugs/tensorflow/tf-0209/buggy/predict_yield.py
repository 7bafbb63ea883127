"""Restores the trained graph and estimates the harvest of new fields."""

import os
import tempfile

import tensorflow as tf

import train_yield


def predict(path, rows):
    with tf.Graph().as_default(), tf.Session() as session:
        saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(session, path)
        harvest = tf.get_collection("harvest")[0]
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        return session.run(harvest, feed_dict={x: rows})


def main():
    path = os.path.join(tempfile.mkdtemp(), "yield")
    train_yield.train(path)
    rows, truth = train_yield.fields(5, seed=1)
    for estimate, real in zip(predict(path, rows), truth):
        print("estimated %.2f, real %.2f" % (estimate[0], real[0]))


if __name__ == "__main__":
    main()
