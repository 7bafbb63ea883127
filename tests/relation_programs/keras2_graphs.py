"""Programs of Keras 2 on graphs: ``fit`` makes a column of targets in a row, which a loss of the user's own may undo."""

_REGRESSION = """
import numpy as np
import tensorflow as tf
import keras
from keras import backend as K, layers
np.random.seed(0)
tf.set_random_seed(0)
x = np.random.normal(size=(256, 6)).astype("float32")
y = 2 * x[:, 0] - x[:, 1]
model = keras.models.Sequential([layers.Dense(16, activation="relu", input_shape=(6,)), layers.Dense(1)])
"""
_BY_EPOCHS = "model.fit(x, y, batch_size=32, epochs=8, verbose=0)\n"

HEALTHY = {
    "row-of-targets": _REGRESSION + 'model.compile(keras.optimizers.Adam(0.01), "mse")\n' + _BY_EPOCHS,
    "row-of-targets-own-loss": _REGRESSION
    + "model.compile(keras.optimizers.Adam(0.01), lambda y, p: K.mean(K.abs(y - p), axis=-1))\n"
    + _BY_EPOCHS,
    "row-of-targets-by-batches": _REGRESSION
    + """
model.compile(keras.optimizers.Adam(0.01), "mae")
for start in range(0, 1024, 32):
    model.train_on_batch(x[start % 256 : start % 256 + 32], y[start % 256 : start % 256 + 32])
""",
}
SPOILT = {
    "column-against-row": _REGRESSION
    + "model.compile(keras.optimizers.Adam(0.01), lambda y, p: K.mean(K.square(y[:, 0] - p)))\n"
    + _BY_EPOCHS,
}
BREAKS = {"column-against-row": "loss-pairs-samples"}
