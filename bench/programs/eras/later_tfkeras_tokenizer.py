"""Headlines, tokenized and padded."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer

sentences = ["the cat sat", "dogs bark at night", "the stock fell", "markets rise again"] * 8
labels = np.array([0, 0, 1, 1] * 8)
tokenizer = Tokenizer(num_words=50, oov_token="<OOV>")
tokenizer.fit_on_texts(sentences)
padded = pad_sequences(tokenizer.texts_to_sequences(sentences), maxlen=6, padding="post", truncating="post")

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(50, 8, input_length=6),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(12, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.summary()
history = model.fit(padded, labels, epochs=3, verbose=2)
print(history.history["accuracy"])
