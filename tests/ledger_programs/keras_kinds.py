"""Relations of data flow, copies and optimizers in Keras."""

from __future__ import annotations

from ledger_programs.relation import Relation

HEADER = """
import numpy as np
import tensorflow as tf
import keras

keras.utils.set_random_seed(3)
x = np.random.randn(600, 10).astype("float32")
y = (x[:, :3].sum(1) > 0).astype("int64")

def net(inputs=10, outputs=2, activation="softmax"):
    model = keras.Sequential([
        keras.layers.Input((inputs,)),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(outputs, activation=activation),
    ])
    return model
"""
FIT = """
model = net()
model.compile(optimizer=keras.optimizers.Adam(0.005), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
"""

RELATIONS = {
    "keras-rows-in-step": Relation(
        "labels-do-not-fit-inputs",
        "labels-do-not-fit-inputs",
        HEADER
        + FIT
        + """
order = np.random.permutation(600)
@@
model.fit(x[:480], y[:480], validation_data=(x[480:], y[480:]), epochs=30, batch_size=32, verbose=0)
""",
        "x, y = x[order], y[order]",
        "x = x[order]",
        "model.fit(",
    ),
    "keras-zip-in-step": Relation(
        "targets-change-places",
        "labels-do-not-fit-inputs",
        HEADER
        + FIT
        + """
inputs, labels = tf.data.Dataset.from_tensor_slices(x), tf.data.Dataset.from_tensor_slices(y)
@@
model.fit(data.batch(32), epochs=8, verbose=0)
""",
        "data = tf.data.Dataset.zip((inputs, labels)).shuffle(600)",
        "data = tf.data.Dataset.zip((inputs.shuffle(600), labels.shuffle(600)))",
        "model.fit(",
    ),
    "keras-split-stays": Relation(
        "split-overlap",
        "leaked-validation-data",
        HEADER
        + FIT
        + """
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(600, seed=1, reshuffle_each_iteration=@@)
train, valid = data.take(480).batch(32), data.skip(480).batch(32)
model.fit(train, validation_data=valid, epochs=8, verbose=0)
""",
        "False",
        "True",
        "model.fit(",
    ),
    "keras-no-overflow": Relation(
        "values-wrap-around",
        "wrapped-integers",
        HEADER
        + """
base = np.random.randint(60, 190, (400, 12, 12, 1))
labels = np.random.randint(0, 2, 400)
base[labels == 1, 3:9, 3:9] += 50
images = base.astype("uint8")
@@
ready = centred.astype("float32") / 255.0
model = keras.Sequential([
    keras.layers.Input((12, 12, 1)), keras.layers.Conv2D(8, 3, activation="relu"), keras.layers.MaxPooling2D(),
    keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax"),
])
model.compile(optimizer=keras.optimizers.Adam(0.003), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ready[:320], labels[:320], validation_data=(ready[320:], labels[320:]), epochs=12, verbose=0)
""",
        "centred = images.astype('float32') - images.mean().astype('uint8')",
        "centred = images - images.mean().astype('uint8')",
        "model.fit(",
    ),
    "keras-target-follows": Relation(
        "copy-never-updated",
        "stale-copy",
        HEADER
        + """
policy, target = net(10, 2, None), net(10, 2, None)
target.set_weights(policy.get_weights())
policy.compile(optimizer=keras.optimizers.Adam(0.005), loss="mse")
for number in range(40):
    rows = np.random.randint(0, 600, 32)
    after = x[rows] * 0.8
    wanted = policy.predict_on_batch(x[rows])
    actions = np.random.randint(0, 2, 32)
    reward = (actions == y[rows]).astype("float32")
    wanted[np.arange(32), actions] = reward + 0.9 * target.predict_on_batch(after).max(1)
    policy.train_on_batch(x[rows], wanted)
    if number % 8 == 7:
        @@
""",
        "target.set_weights(policy.get_weights())",
        "pass",
        "target.predict_on_batch(after)",
    ),
    "keras-statistics-of-training": Relation(
        "validation-scaled-by-itself",
        "preprocessing-mismatch",
        HEADER
        + FIT
        + """
raw = 5 * x + 2
train, valid = raw[:480], raw[480:]
mean, deviation = train.mean(0), train.std(0)
ready = (train - mean) / deviation
@@
model.fit(ready, y[:480], validation_data=(held_out, y[480:]), epochs=12, verbose=0)
""",
        "held_out = (valid - mean) / deviation",
        "held_out = (valid - valid.mean(0)) / valid.std(0)",
        "model.fit(",
    ),
    "keras-betas-in-order": Relation(
        "optimizer-arguments-swapped",
        "swapped-optimizer-arguments",
        HEADER
        + """
model = net()
optimizer = keras.optimizers.Adam(0.005, @@)
model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x[:480], y[:480], validation_data=(x[480:], y[480:]), epochs=12, batch_size=32, verbose=0)
""",
        "0.9, 0.999",
        "0.999, 0.9",
        "optimizer = keras.optimizers.Adam(",
    ),
    "keras-batches-differ": Relation(
        "samples-repeated-in-epoch",
        "wrong-sampling",
        HEADER
        + FIT
        + """
class Rows(keras.utils.Sequence):
    def __init__(self):
        super().__init__()
    def __len__(self):
        return 20
    def __getitem__(self, number):
        first = @@
        return x[first:first + 24], y[first:first + 24]

model.fit(Rows(), validation_data=(x[480:], y[480:]), epochs=10, verbose=0)
""",
        "24 * number",
        "0 * number",
        "model.fit(",
    ),
}
