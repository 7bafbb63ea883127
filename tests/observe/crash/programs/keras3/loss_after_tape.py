import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
x = np.random.rand(16, 3).astype("float32")
y = x.sum(1, keepdims=True)
for step in range(3):
    with tf.GradientTape() as tape:
        outputs = model(x, training=True)
    loss = tf.reduce_mean(tf.square(outputs - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
