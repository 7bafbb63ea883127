"""Sentiment of product reviews with attention pooling (Keras functional API)."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(8)
VOCAB, MAXLEN = 400, 30
rng = np.random.default_rng(8)

# every word has a polarity; most words are neutral
polarity = np.where(rng.random(VOCAB) < 0.15, rng.normal(0, 1.5, VOCAB), 0.0)
polarity[0] = 0.0


def make_reviews(n):
    x = np.zeros((n, MAXLEN), dtype="int32")
    score = np.zeros(n)
    for i in range(n):
        length = rng.integers(10, MAXLEN + 1)
        words = rng.integers(1, VOCAB, size=length)
        x[i, :length] = words
        score[i] = polarity[words].sum()
    y = (score + 0.3 * rng.standard_normal(n) > 0).astype("float32")
    return x, y


def build_model(dim=32):
    tokens = keras.Input((MAXLEN,), dtype="int32")
    x = layers.Embedding(VOCAB, dim)(tokens)
    x = layers.Dropout(0.2)(x)
    # attention weights over the words, padding excluded
    scores = layers.Dense(1)(layers.Dense(dim, activation="tanh")(x))
    is_pad = layers.Lambda(lambda t: keras.ops.cast(keras.ops.equal(t, 0), "float32"))(tokens)
    scores = layers.Reshape((MAXLEN,))(scores) - 1e9 * is_pad
    weights = layers.Softmax(axis=1)(scores)
    pooled = keras.ops.sum(layers.Reshape((MAXLEN, 1))(weights) * x, axis=1)
    h = layers.Dense(32, activation="relu")(pooled)
    out = layers.Dense(1, activation="sigmoid")(h)
    return keras.Model(tokens, out)


x_train, y_train = make_reviews(6000)
x_val, y_val = make_reviews(800)
x_test, y_test = make_reviews(800)

model = build_model()
model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="binary_crossentropy",
              metrics=["accuracy"])
stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True)
model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=10, batch_size=64,
          callbacks=[stop], verbose=2)
loss, acc = model.evaluate(x_test, y_test, verbose=0)
print(f"test loss {loss:.4f}  accuracy {acc:.3f}")
