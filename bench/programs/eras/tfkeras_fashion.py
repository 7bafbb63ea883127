"""A classifier with tf.keras, as the basic tutorial writes it."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

train_images = np.random.rand(200, 28, 28)
train_labels = np.random.randint(0, 10, 200)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Flatten(input_shape=(28, 28)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(10),
    ]
)
model.compile(
    optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"]
)
model.fit(train_images, train_labels, epochs=2)
probability_model = keras.Sequential([model, keras.layers.Softmax()])
print(probability_model.predict(train_images[:1]))
