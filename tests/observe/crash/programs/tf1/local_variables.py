import numpy as np
import tensorflow as tf

labels = tf.placeholder(tf.int64, [None])
logits = tf.placeholder(tf.float32, [None, 3])
accuracy, update = tf.metrics.accuracy(labels, tf.argmax(logits, 1))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run(update, {labels: np.random.randint(0, 3, 6), logits: np.random.rand(6, 3)})
    print(session.run(accuracy))
