import keras
import numpy as np
from keras import layers

texts = ["good film", "bad and long film", "fine"]
ids = {word: at + 1 for at, word in enumerate(sorted({w for t in texts for w in t.split()}))}
tokens = [[ids[word] for word in text.split()] for text in texts]
x = np.array(tokens)
y = np.array([1, 0, 1])
model = keras.Sequential([layers.Embedding(len(ids) + 1, 4), layers.GlobalAveragePooling1D(), layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(x, y, epochs=1, verbose=0)
