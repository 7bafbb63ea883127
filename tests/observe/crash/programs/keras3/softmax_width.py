import numpy as np
import keras
from keras import layers

images = np.random.rand(32, 8, 8, 1).astype("float32")
labels = keras.utils.to_categorical(np.random.randint(0, 4, 32), 4)
model = keras.Sequential(
    [
        keras.Input((8, 8, 1)),
        layers.Conv2D(4, 3, activation="relu"),
        layers.Flatten(),
        layers.Dense(3, activation="softmax"),
    ]
)
model.compile(optimizer="adam", loss="categorical_crossentropy")
model.fit(images, labels, epochs=1, verbose=0)
