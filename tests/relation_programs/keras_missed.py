"""Keras programs with a fault that raises nothing; the line at fault ends in ``# here``."""

BEGIN = """
import numpy as np
import keras
import tensorflow as tf
from keras import layers, ops
keras.utils.set_random_seed(0)
rng = np.random.RandomState(0)

"""

VAE = (
    BEGIN
    + """
encoder = keras.Sequential([layers.Input((20,)), layers.Dense(16, activation="relu"), layers.Dense(6)])
decoder = keras.Sequential([layers.Input((3,)), layers.Dense(16, activation="relu"), layers.Dense(20)])
optimizer = keras.optimizers.Adam(0.01)
x = tf.constant(rng.rand(24, 20).astype("float32"))
for _ in range(4):
    with tf.GradientTape() as tape:
        code = encoder(x)
        mean, log = code[:, :3], code[:, 3:]
        output = decoder(mean + tf.random.normal(tf.shape(mean)) * tf.exp(0.5 * log))
        RECONSTRUCTION
        KL
        loss = reconstruction + kl
    weights = encoder.trainable_weights + decoder.trainable_weights
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
"""
)

ADDED = (
    BEGIN
    + """
class Sampling(layers.Layer):
    def __init__(self, **named):
        super().__init__(**named)
        self.seeds = keras.random.SeedGenerator(3)

    def call(self, code):
        mean, log = code[:, :3], code[:, 3:]
        KL
        self.add_loss(kl)
        return mean + keras.random.normal(ops.shape(mean), seed=self.seeds) * ops.exp(0.5 * log)


model = keras.Sequential([
    layers.Input((20,)), layers.Dense(16, activation="relu"), layers.Dense(6), Sampling(),
    layers.Dense(16, activation="relu"), layers.Dense(20),
])
model.compile("adam", LOSS)
x = rng.rand(48, 20).astype("float32")
model.fit(x, x, batch_size=24, epochs=2, verbose=0)
"""
)

OWN_STEP = (
    BEGIN
    + """
class VAE(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(6)])
        self.decoder = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(20)])

    def call(self, x):
        return self.decoder(self.encoder(x)[:, :3])

    def train_step(self, data):
        x = data[0] if isinstance(data, tuple) else data
        with tf.GradientTape() as tape:
            code = self.encoder(x)
            mean, log = code[:, :3], code[:, 3:]
            output = self.decoder(mean + tf.random.normal(tf.shape(mean)) * tf.exp(0.5 * log))
            RECONSTRUCTION
            KL
            loss = reconstruction + kl
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        return {"loss": loss}


model = VAE()
model.compile("adam")
x = rng.rand(48, 20).astype("float32")
model.fit(x, batch_size=24, epochs=2, verbose=0)
"""
)

RECONSTRUCTION_SUM = "reconstruction = tf.reduce_sum(tf.square(output - x))"
RECONSTRUCTION_MEAN = "reconstruction = tf.reduce_mean(tf.square(output - x))"
KL_SUM = "kl = -0.5 * tf.reduce_sum(1 + log - tf.square(mean) - tf.exp(log))"
KL_MEAN = "kl = -0.5 * tf.reduce_mean(1 + log - tf.square(mean) - tf.exp(log))"


def vae(reconstruction: str, divergence: str, program: str = VAE) -> str:
    return program.replace("RECONSTRUCTION", reconstruction).replace("KL", divergence)


CAUSAL = (
    BEGIN
    + """
class Attention(layers.Layer):
    def __init__(self, **named):
        super().__init__(**named)
        self.query, self.key, self.value = layers.Dense(16), layers.Dense(16), layers.Dense(16)

    def call(self, x):
        steps = x.shape[1]
        scores = ops.matmul(self.query(x), ops.transpose(self.key(x), (0, 2, 1))) / 4.0
        mask = MASK
        scores = ops.where(mask, -1e9, scores)
        weights = ops.softmax(scores, axis=-1)  # here
        return ops.matmul(weights, self.value(x))


entry = layers.Input((9,), dtype="int32")
h = layers.Embedding(11, 16)(entry) + layers.Embedding(9, 16)(ops.arange(9))
h = Attention()(h)
model = keras.Model(entry, layers.Dense(11, activation="softmax")(h))
model.compile("adam", "sparse_categorical_crossentropy")
tokens = (rng.randint(11, size=(32, 1)) + np.arange(10) * rng.randint(1, 3, size=(32, 1))) % 11
model.fit(tokens[:, :-1], tokens[:, 1:], batch_size=16, epochs=2, verbose=0)
"""
)

NAMED = (
    BEGIN
    + """
entry = layers.Input((8,))
h = layers.Dense(16, activation="relu")(entry)
model = keras.Model(entry, {"kind": layers.Dense(5, KIND name="kind")(h), "flags": layers.Dense(3, FLAGS name="flags")(h)})
model.compile("adam", loss={  # here
    "kind": keras.losses.SparseCategoricalCrossentropy(from_logits=KLOGITS),
    "flags": keras.losses.BinaryCrossentropy(from_logits=FLOGITS),
})
x = rng.normal(size=(48, 8)).astype("float32")
model.fit(x, {"kind": x[:, :5].argmax(1), "flags": (x[:, 5:] > 0).astype("float32")}, batch_size=24, epochs=2, verbose=0)
"""
)


def named(kind: str, kind_logits: bool, flags: str, flag_logits: bool) -> str:
    text = NAMED.replace("KIND", kind).replace("FLAGS", flags)
    return text.replace("KLOGITS", str(kind_logits)).replace("FLOGITS", str(flag_logits))


NAMED_LOOP = (
    BEGIN
    + """
entry = layers.Input((8,))
h = layers.Dense(16, activation="relu")(entry)
model = keras.Model(entry, [layers.Dense(5)(h), layers.Dense(3, FLAGS)(h)])
optimizer = keras.optimizers.Adam(0.01)
first = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
second = keras.losses.BinaryCrossentropy(from_logits=True)
x = rng.normal(size=(24, 8)).astype("float32")
kinds, flags = x[:, :5].argmax(1), (x[:, 5:] > 0).astype("float32")
for _ in range(4):
    with tf.GradientTape() as tape:
        one, other = model(x, training=True)
        loss = first(kinds, one) + second(flags, other)  # here
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
"""
)

SHAPES = (
    BEGIN
    + """
class Turn(layers.Layer):
    def call(self, x):
        return TURN


model = keras.Sequential([
    layers.Input((3, 10)), Turn(), layers.Conv1D(8, 3, padding="same", activation="relu"), layers.Flatten(),
    layers.Dense(3),
])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
x = rng.normal(size=(48, 3, 10)).astype("float32")
model.fit(x, x.mean(2).argmax(1), batch_size=24, epochs=2, verbose=0)
"""
)

HEADS = (
    BEGIN
    + """
class Attention(layers.Layer):
    def __init__(self, **named):
        super().__init__(**named)
        self.query, self.key, self.value = layers.Dense(16), layers.Dense(16), layers.Dense(16)

    def split(self, x):
        SPLIT

    def call(self, x):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        weights = ops.softmax(ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) / 2.0, axis=-1)
        h = ops.transpose(ops.matmul(weights, v), (0, 2, 1, 3))
        return ops.reshape(h, (-1, 6, 16))


model = keras.Sequential([layers.Input((6, 16)), Attention(), layers.GlobalAveragePooling1D(), layers.Dense(4)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
x = rng.normal(size=(48, 6, 16)).astype("float32")
model.fit(x, x.mean(1)[:, :4].argmax(1), batch_size=24, epochs=2, verbose=0)
"""
)

BROADCAST = (
    BEGIN
    + """
model = keras.Sequential([layers.Input((6,)), layers.Dense(16, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.01)
x = rng.normal(size=(24, 6)).astype("float32")
y = tf.constant(x.sum(1))
for _ in range(5):
    with tf.GradientTape() as tape:
        output = model(x, training=True)
        LOSS
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
"""
)

BROADCAST_FUNCTION = (
    BEGIN
    + """
model = keras.Sequential([layers.Input((6,)), layers.Dense(16, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.01)
x = rng.normal(size=(24, 6)).astype("float32")
y = x.sum(1)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        output = model(x, training=True)
        LOSS
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
    return loss


for _ in range(5):
    step(tf.constant(x), tf.constant(y))
"""
)

SPLIT = "return ops.transpose(ops.reshape(x, (-1, 6, 4, 4)), (0, 2, 1, 3))"
SPOILT = {
    "tape-kl-sum": vae(RECONSTRUCTION_MEAN, KL_SUM + "  # here"),
    "tape-kl-mean": vae(RECONSTRUCTION_SUM + "  # here", KL_MEAN),
    "step-kl-sum": vae(RECONSTRUCTION_MEAN, KL_SUM + "  # here", OWN_STEP),
    "added-kl-sum": ADDED.replace("KL", KL_SUM.replace("tf.", "ops.").replace("reduce_", "")).replace("LOSS", '"mse"'),
    "mask-sees-next": CAUSAL.replace("MASK", "np.triu(np.ones((steps, steps)), 2).astype(bool)"),
    "mask-hides-itself": CAUSAL.replace(
        "MASK", "np.triu(np.ones((steps, steps)), 0).astype(bool) & (np.arange(steps) > 0)"
    ),
    "softmax-kind": named('activation="softmax",', True, "", True),
    "sigmoid-flags": named("", True, 'activation="sigmoid",', True),
    "sigmoid-flags-loop": NAMED_LOOP.replace("FLAGS", 'activation="sigmoid"'),
    "reshape-channels": SHAPES.replace("TURN", "ops.reshape(x, (-1, 10, 3))  # here"),
    "reshape-channels-tf": SHAPES.replace("TURN", "tf.reshape(x, (-1, 10, 3))  # here"),
    "reshape-heads": HEADS.replace("SPLIT", "return ops.reshape(x, (-1, 4, 6, 4))  # here"),
    "broadcast-by-hand": BROADCAST.replace("LOSS", "loss = tf.reduce_mean((output - y) ** 2)  # here"),
    "broadcast-square": BROADCAST.replace("LOSS", "loss = tf.reduce_mean(tf.square(y - output))  # here"),
    "broadcast-function": BROADCAST_FUNCTION.replace("LOSS", "loss = tf.reduce_mean(tf.square(y - output))  # here"),
}
HEALTHY = {
    "tape-vae-sums": vae(RECONSTRUCTION_SUM, KL_SUM),
    "tape-vae-means": vae(RECONSTRUCTION_MEAN, KL_MEAN),
    "step-vae": vae(RECONSTRUCTION_SUM, KL_SUM, OWN_STEP),
    "added-vae": ADDED.replace("KL", KL_MEAN.replace("tf.", "ops.").replace("reduce_", "")).replace("LOSS", '"mse"'),
    "causal": CAUSAL.replace("MASK", "np.triu(np.ones((steps, steps)), 1).astype(bool)"),
    "named": named("", True, "", True),
    "named-probabilities": named('activation="softmax",', False, 'activation="sigmoid",', False),
    "named-loop": NAMED_LOOP.replace("FLAGS", ""),
    "transposed": SHAPES.replace("TURN", "ops.transpose(x, (0, 2, 1))"),
    "heads": HEADS.replace("SPLIT", SPLIT),
    "regression": BROADCAST.replace("LOSS", "loss = tf.reduce_mean((output[:, 0] - y) ** 2)"),
    "regression-function": BROADCAST_FUNCTION.replace("LOSS", "loss = tf.reduce_mean(tf.square(y - output[:, 0]))"),
}
BREAKS = {
    "added-kl-sum": "loss-terms-scale-alike",
    "mask-sees-next": "causality",
    "mask-hides-itself": "own-step-used",
    "reshape-channels": "reshape-keeps-axes",
    "reshape-channels-tf": "reshape-keeps-axes",
    "reshape-heads": "reshape-keeps-axes",
}
