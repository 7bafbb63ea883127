"""A model that is handed to an estimator of TensorFlow 2."""

import numpy as np
import tensorflow as tf

columns = [tf.feature_column.numeric_column("x", shape=[3])]


def input_fn():
    x = np.random.rand(60, 3).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, (x.sum(axis=1) > 1.5).astype("int64"))).batch(10)


classifier = tf.estimator.DNNClassifier(feature_columns=columns, hidden_units=[8], n_classes=2)
classifier.train(input_fn=input_fn, steps=5)
tf.compat.v1.logging.set_verbosity("ERROR")
print(tf.executing_eagerly())
