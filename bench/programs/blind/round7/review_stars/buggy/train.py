# Regress the star rating (1..5) of short reviews, with an own training loop on the TF backend.
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

VOCAB = 300
LENGTH = 24
BATCH = 64
EPOCHS = 12


def write_reviews(n, seed):
    rng = np.random.default_rng(seed)
    mood = np.random.default_rng(0).normal(0, 1, VOCAB) * (np.arange(VOCAB) % 3 == 0)
    tokens = np.zeros((n, LENGTH), dtype="int32")
    stars = np.zeros(n, dtype="float32")
    for i in range(n):
        k = rng.integers(8, LENGTH + 1)
        words = rng.integers(1, VOCAB, k)
        tokens[i, :k] = words
        stars[i] = np.clip(3 + 2.2 * mood[words].mean() * np.sqrt(k) / 2 + rng.normal(0, 0.3), 1, 5)
    return tokens, stars


def build():
    words = keras.Input((LENGTH,), dtype="int32")
    h = layers.Embedding(VOCAB, 32, mask_zero=True)(words)
    h = layers.GlobalAveragePooling1D()(h)
    h = layers.Dense(32, activation="relu")(h)
    h = layers.Dropout(0.1)(h)
    return keras.Model(words, layers.Dense(1)(h))


class Loop:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = keras.optimizers.Adam(lr)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            pred = self.model(x, training=True)
            loss = ops.mean(ops.square(y - pred))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply(grads, self.model.trainable_variables)
        return loss

    def validate(self, x, y):
        pred = self.model.predict(x, batch_size=256, verbose=0)[:, 0]
        return np.abs(pred - y).mean(), np.corrcoef(pred, y)[0, 1], pred.std()

    def run(self, train, val):
        ds = (tf.data.Dataset.from_tensor_slices(train)
              .shuffle(len(train[1]), seed=1).batch(BATCH).prefetch(2))
        for epoch in range(EPOCHS):
            losses = [float(self.train_step(x, y)) for x, y in ds]
            mae, corr, spread = self.validate(*val)
            print(f"epoch {epoch + 1:2d}  mse {np.mean(losses):.3f}  val mae {mae:.3f}  "
                  f"corr {corr:.3f}  spread {spread:.3f}")


keras.utils.set_random_seed(17)
train, val = write_reviews(4000, 1), write_reviews(1000, 2)
print(f"stars: mean {train[1].mean():.2f}, std {train[1].std():.2f}")
print(f"mae of the mean rating: {np.abs(val[1] - train[1].mean()).mean():.3f}")
Loop(build(), lr=3e-3).run(train, val)
