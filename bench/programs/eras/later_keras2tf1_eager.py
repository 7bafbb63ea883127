"""Eager execution, switched on by hand."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()

dataset = tf.data.Dataset.from_tensor_slices((np.random.rand(64, 3).astype("float32"), np.random.randint(0, 2, 64)))
dataset = dataset.shuffle(64).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation=tf.nn.relu, input_shape=(3,)), tf.keras.layers.Dense(2)])
optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.05)


def loss(model, x, y):
    return tf.losses.sparse_softmax_cross_entropy(labels=y, logits=model(x))


for epoch in range(3):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            value = loss(model, x, y)
        grads = tape.gradient(value, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables), global_step=tf.train.get_or_create_global_step())
    print("epoch", epoch, "loss", value.numpy())
