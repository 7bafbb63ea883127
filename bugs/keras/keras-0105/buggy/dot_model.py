"""Matrix factorisation: the estimate is the product of a reader's and a book's vector."""

import keras
from keras import layers


def side(name, count, size):
    """Input, vector and bias of one side of the table."""
    key = keras.Input(shape=(), dtype="int32", name=name)
    vector = layers.Embedding(count, size, name=name + "_vector")(key)
    bias = layers.Embedding(count, 1, name=name + "_bias")(key)
    return key, vector, bias


def build_model(n_readers, n_books, size=8):
    reader, reader_vector, reader_bias = side("reader", n_readers, size)
    book, book_vector, book_bias = side("book", n_books, size)
    match = layers.Dot(axes=1)([reader_vector, book_vector])
    stars = layers.Add()([match, reader_bias, book_bias])
    stars = layers.Dense(1, name="stars")(stars)
    model = keras.Model([reader, book], stars)
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse", metrics=["mae"])
    return model
