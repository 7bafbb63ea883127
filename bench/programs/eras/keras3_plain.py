"""Plain modern Keras: an Input object in a Sequential model."""

import keras
import numpy as np
from keras import layers

x_train = np.random.rand(100, 28, 28, 1).astype("float32")
y_train = keras.utils.to_categorical(np.random.randint(0, 10, 100), 10)
model = keras.Sequential(
    [
        keras.Input(shape=(28, 28, 1)),
        layers.Conv2D(8, kernel_size=(3, 3), activation="relu"),
        layers.MaxPooling2D(pool_size=(2, 2)),
        layers.Flatten(),
        layers.Dense(10, activation="softmax"),
    ]
)
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=16, epochs=1, validation_split=0.1)
