import numpy as np
import keras
from keras import layers

texts = np.random.randint(0, 50, (40, 6))
topics = np.random.randint(0, 5, 40)
model = keras.Sequential(
    [keras.Input((6,)), layers.Embedding(50, 8), layers.Flatten(), layers.Dense(5, activation="softmax")]
)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(texts, topics, epochs=1, verbose=0)
