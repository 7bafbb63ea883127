"""Ways to train and to use Keras 3 other than compile and fit."""

from __future__ import annotations

from forked_programs import Program

HEADER = """
import hashlib
import numpy as np
import tensorflow as tf
import keras
from keras import layers
keras.utils.set_random_seed(0)
rng = np.random.RandomState(0)
x = rng.normal(size=(128, 8)).astype("float32")
y = (x[:, 0] + x[:, 1] > 0).astype("int32")

def net(units=2):
    return keras.Sequential([layers.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(units)])

def compiled(model, **settings):
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=keras.optimizers.Adam(0.02), loss=loss, metrics=["accuracy"], **settings)
    return model

def show(*models):
    values = b"".join(np.asarray(weight, "float64").tobytes() for model in models for weight in model.get_weights())
    print(hashlib.sha1(values).hexdigest(), np.random.rand())
"""

PROGRAMS = {
    "tape": Program(
        HEADER
        + """
model, optimizer = net(), keras.optimizers.Adam(0.02)
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
for number in range(40):
    part = slice(number * 32 % 128, number * 32 % 128 + 32)
    with tf.GradientTape() as tape:
        loss = loss_of(y[part], model(x[part], training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
print(float(loss))
show(model)
"""
    ),
    "graph-tape": Program(
        HEADER
        + """
model, optimizer = net(), keras.optimizers.Adam(0.02)
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
@tf.function
def step(inputs, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(inputs, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss
for inputs, labels in tf.data.Dataset.from_tensor_slices((x, y)).shuffle(128, seed=1).batch(32).repeat(10):
    loss = step(inputs, labels)
print(float(loss))
show(model)
"""
    ),
    "part-of-a-pipeline": Program(
        HEADER
        + """
model = compiled(net())
rows = tf.data.Dataset.from_tensor_slices((x, y))
model.fit(rows.skip(28).shard(2, 1).shuffle(64, seed=1).repeat().batch(10), steps_per_epoch=20, epochs=3, verbose=0)
model.fit(rows.shuffle(128, seed=1).batch(32).take(2), epochs=15, verbose=0)
model.fit(rows.take(90).map(lambda a, b: (a + 0.0, b)).batch(32), epochs=10, verbose=0)
show(model)
"""
    ),
    "gan": Program(
        HEADER
        + """
generator = keras.Sequential([layers.Input((4,)), layers.Dense(16, activation="relu"), layers.Dense(2)])
judge = keras.Sequential([layers.Input((2,)), layers.Dense(16), layers.LeakyReLU(negative_slope=0.2), layers.Dense(1)])
first, second = keras.optimizers.Adam(2e-3, 0.5), keras.optimizers.Adam(2e-3, 0.5)
bce = keras.losses.BinaryCrossentropy(from_logits=True)
for _ in range(40):
    real = rng.normal(1, 0.5, size=(32, 2)).astype("float32")
    noise = rng.normal(size=(32, 4)).astype("float32")
    with tf.GradientTape() as one, tf.GradientTape() as two:
        fake = generator(noise, training=True)
        said, told = judge(fake, training=True), judge(real, training=True)
        judged = bce(tf.ones_like(told), told) + bce(tf.zeros_like(said), said)
        fooled = bce(tf.ones_like(said), said)
    first.apply_gradients(zip(one.gradient(judged, judge.trainable_variables), judge.trainable_variables))
    second.apply_gradients(zip(two.gradient(fooled, generator.trainable_variables), generator.trainable_variables))
show(generator, judge)
"""
    ),
    "gan-compiled": Program(
        HEADER
        + """
generator = keras.Sequential([layers.Input((4,)), layers.Dense(16, activation="relu"), layers.Dense(2)])
judge = keras.Sequential([layers.Input((2,)), layers.Dense(16, activation="relu"), layers.Dense(1, activation="sigmoid")])
judge.compile(optimizer=keras.optimizers.Adam(2e-3, 0.5), loss="binary_crossentropy")
judge.trainable = False
both = keras.Sequential([generator, judge])
both.compile(optimizer=keras.optimizers.Adam(2e-3, 0.5), loss="binary_crossentropy")
judge.trainable = True
judge.compile(optimizer=keras.optimizers.Adam(2e-3, 0.5), loss="binary_crossentropy")
for _ in range(25):
    real = rng.normal(1, 0.5, size=(16, 2)).astype("float32")
    noise = rng.normal(size=(16, 4)).astype("float32")
    fake = generator.predict_on_batch(noise)
    judge.train_on_batch(np.concatenate([real, fake]), np.r_[np.ones(16), np.zeros(16)].reshape(-1, 1))
    judge.trainable = False
    both.train_on_batch(noise, np.ones((16, 1)))
    judge.trainable = True
show(generator, judge)
"""
    ),
    "bfloat16": Program(
        HEADER
        + """
keras.mixed_precision.set_global_policy("mixed_bfloat16")
model = compiled(keras.Sequential([
    layers.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(2), layers.Activation("linear", dtype="float32")
]))
print(model.fit(x, y, epochs=10, batch_size=16, verbose=0).history["loss"][-1])
show(model)
"""
    ),
    "own-step": Program(
        HEADER
        + """
class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.body, self.head = layers.Dense(16, activation="relu"), layers.Dense(2)
    def call(self, inputs):
        return self.head(self.body(inputs))
    def train_step(self, data):
        inputs, labels = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=labels, y_pred=self(inputs, training=True))
        slopes = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(slopes, self.trainable_variables))
        return {"loss": loss}
model = Own()
model.compile(optimizer=keras.optimizers.Adam(0.02), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
print(model.fit(x, y, epochs=10, batch_size=16, verbose=0).history["loss"][-1])
show(model)
"""
    ),
    "on-batch": Program(
        HEADER
        + """
model = compiled(net())
for number in range(40):
    part = slice(number * 32 % 128, number * 32 % 128 + 32)
    told = model.train_on_batch(x[part], y[part])
print(told, model.test_on_batch(x, y))
show(model)
"""
    ),
    "saved": Program(
        HEADER
        + """
import os
class Save(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch == 3:
            self.model.save("whole.keras")
            self.model.save_weights("w.weights.h5")
            self.model.export("exported", verbose=False)
model = compiled(net())
model.fit(x, y, epochs=8, batch_size=16, verbose=0, callbacks=[Save(), keras.callbacks.ModelCheckpoint("best.keras", monitor="loss", save_best_only=True)])
again = keras.models.load_model("whole.keras")
print(again.evaluate(x, y, verbose=0), sorted(os.listdir(".")))
again.fit(x, y, epochs=4, batch_size=16, verbose=0)
twin = keras.models.clone_model(model)
twin.set_weights(model.get_weights())
print(type(model).__name__, keras.models.model_from_json(model.to_json()).count_params())
show(model, again, twin)
"""
    ),
    "predicts": Program(
        HEADER
        + """
model = net()
print(model.predict(x, verbose=0).sum(), model(x[:3]).shape)
show(model)
"""
    ),
    "generator": Program(
        HEADER
        + """
def rows():
    for one, label in zip(x, y):
        yield one, label
data = tf.data.Dataset.from_generator(rows, output_signature=(tf.TensorSpec((8,), tf.float32), tf.TensorSpec((), tf.int32)))
model = compiled(net())
print(model.fit(data.shuffle(128, seed=3).batch(16).repeat(), epochs=5, steps_per_epoch=8, verbose=0).history["loss"][-1])
def batches():
    while True:
        for start in range(0, 128, 32):
            yield x[start:start + 32], y[start:start + 32]
print(model.fit(batches(), epochs=4, steps_per_epoch=4, verbose=0).history["loss"][-1])
class Rows(keras.utils.PyDataset):
    def __len__(self): return 8
    def __getitem__(self, place): return x[place * 16:place * 16 + 16], y[place * 16:place * 16 + 16]
print(model.fit(Rows(workers=2), epochs=3, verbose=0).history["loss"][-1])
show(model)
"""
    ),
    "plain-tensorflow": Program(
        HEADER
        + """
weight, bias = tf.Variable(rng.normal(size=(8, 2)).astype("float32") * 0.1), tf.Variable(tf.zeros(2))
for _ in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x @ weight + bias))
    for variable, slope in zip((weight, bias), tape.gradient(loss, (weight, bias))):
        variable.assign_sub(0.5 * slope)
print(float(loss), float(tf.reduce_sum(weight)))
"""
    ),
    "attack": Program(
        HEADER
        + """
model = net()
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
for _ in range(20):
    inputs = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        loss = loss_of(y, model(inputs))
    inputs += 0.05 * tf.sign(tape.gradient(loss, inputs))
print(float(tf.reduce_sum(inputs)))
show(model)
"""
    ),
    "penalty": Program(
        HEADER
        + """
model, optimizer = net(1), keras.optimizers.Adam(0.02)
target = (0.5 * x[:, :1]).astype("float32")
for _ in range(40):
    inputs = tf.constant(x)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(inputs)
            out = model(inputs)
        slope = inner.gradient(out, inputs)
        loss = tf.reduce_mean((out - target) ** 2) + 0.1 * tf.reduce_mean(tf.reduce_sum(slope ** 2, 1))
    optimizer.apply_gradients(zip(outer.gradient(loss, model.trainable_variables), model.trainable_variables))
print(float(loss))
show(model)
"""
    ),
    "threads": Program(
        HEADER
        + """
import threading
models = [net(), net()]
for model in models: model.build((None, 8))
answers = [None, None]
together = threading.Barrier(2)
def work(place):
    optimizer, model = keras.optimizers.SGD(0.3), models[place]
    for number in range(30):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x)))
        gradients = tape.gradient(loss, model.trainable_variables)
        if number == 0: together.wait()
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    answers[place] = float(loss)
workers = [threading.Thread(target=work, args=(place,)) for place in (0, 1)]
for worker in workers: worker.start()
for worker in workers: worker.join()
print(answers)
show(*models)
"""
    ),
    "raised": Program(
        HEADER
        + """
model = compiled(net())
model.fit(x, y, epochs=5, batch_size=16, verbose=0)
show(model)
model.fit(x[:, :3], y, verbose=0)
""",
        code=1,
    ),
}
