"""One short Keras program a relation, which breaks it."""

from relation_programs.keras_missed import BEGIN, CAUSAL

_ROWS = """
class Part(layers.Layer):
    def __init__(self, **named):
        super().__init__(**named)
        self.line, self.head = layers.Dense(8, activation="tanh"), layers.Dense(3)
        self.seeds = keras.random.SeedGenerator(3)

    def build(self, shape):
        self.line.build((None, WIDTH))
        self.head.build((None, 8))
        self.places = self.add_weight(shape=(24, 3), initializer="random_normal", name="places")
        self.count = self.add_weight(shape=(), initializer="zeros", trainable=False, name="count")

    def call(self, x, training=False):
        h = self.line(x)
        BODY


model = keras.Sequential([layers.Input((6,)), Part()])
model.compile("adam", LOSS)
x = rng.normal(size=(48, 6)).astype("float32")
y = TARGET
model.fit(x, y, batch_size=24, epochs=2, verbose=0)
"""

_PAIRS = """
class Part(layers.Layer):
    def __init__(self, **named):
        super().__init__(**named)
        self.embedding, self.head = layers.Embedding(12, 8), layers.Dense(2)

    def call(self, given):
        tokens, mask = given
        h = self.embedding(tokens)
        BODY


lengths = rng.randint(3, 8, size=(48, 1))
mask = (np.arange(8) < lengths).astype("float32")
tokens = rng.randint(LOWEST, 12, size=(48, 8)) * mask.astype("int32")
first, second = layers.Input((None,), dtype="int32"), layers.Input((None,))
model = keras.Model([first, second], Part()([first, second]))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit([tokens, mask], (tokens == 5).any(1).astype("int32"), batch_size=24, epochs=2, verbose=0)
"""

_ATTENTION = """
class Attention(layers.Layer):
    def __init__(self, **named):
        super().__init__(**named)
        self.query, self.key, self.value = layers.Dense(8), layers.Dense(8), layers.Dense(8)

    def call(self, x):
        scores = ops.matmul(self.query(x), ops.transpose(self.key(x), (0, 2, 1))) / 8**0.5
        return ops.matmul(ops.softmax(scores, axis=1), self.value(x))


model = keras.Sequential([layers.Input((6, 4)), Attention(), layers.GlobalAveragePooling1D(), layers.Dense(1)])
model.compile("adam", "mse")
x = rng.normal(size=(48, 6, 4)).astype("float32")
model.fit(x, x.sum((1, 2)), batch_size=24, epochs=2, verbose=0)
"""

_TAGS = """
lengths = rng.randint(3, 8, size=(48, 1))
kept = np.arange(8) < lengths
tokens = rng.randint(1, 12, size=(48, 8)) * kept
model = keras.Sequential([layers.Input((8,), dtype="int32"), layers.Embedding(12, 8), layers.Dense(12, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(tokens, (tokens % 11 + 1) * kept, batch_size=24, epochs=2, verbose=0)
"""

_TWO_INPUTS = """
table, before = layers.Input((6,)), layers.Input((1,))
model = keras.Model([table, before], layers.Dense(1)(layers.Concatenate()([table, before])))
model.compile("adam", "mse")
x = rng.normal(size=(48, 6)).astype("float32")
y = x.sum(1, keepdims=True) + rng.normal(size=(48, 1)).astype("float32")
model.fit([x, y], y, batch_size=24, epochs=2, verbose=0)
"""

_LOOKUP = """
entry = layers.Input((6,))
h = layers.Embedding(12, 8)(layers.Lambda(lambda x: ops.cast(x, "int32"))(entry))
model = keras.Model(entry, layers.Dense(1)(layers.GlobalAveragePooling1D()(h)))
model.compile("adam", "mse")
x = rng.rand(48, 6).astype("float32")
model.fit(x, x.sum(1), batch_size=24, epochs=2, verbose=0)
"""

_MASKED = """
model = keras.Sequential([
    layers.Input((8,), dtype="int32"), layers.Embedding(12, 8, mask_zero=True), layers.GRU(8),
    layers.Dense(1, activation="sigmoid"),
])
x = rng.randint(0, 12, size=(48, 8))
model.compile("adam", "binary_crossentropy")
model.fit(x, (x == 5).any(1).astype("float32"), batch_size=24, epochs=2, verbose=0)
"""

_PIXELS = """
model = keras.Sequential([
    layers.Input((8, 8, 3)), layers.BatchNormalization(momentum=MOMENTUM), layers.Conv2D(8, 3, activation="relu"),
    layers.GlobalAveragePooling2D(), layers.Dense(3),
])
images = rng.randint(256, size=(48, 8, 8, 3)).astype("float32")
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(images, images.mean((1, 2)).argmax(1), batch_size=24, epochs=2, verbose=0)
"""

_LOOP = """
model = keras.Sequential([layers.Input((6,)), layers.Dense(12, activation="tanh"), layers.Dense(1, activation="sigmoid")])
optimizer, judge = keras.optimizers.Adam(0.01), keras.losses.BinaryCrossentropy()
x = rng.normal(size=(24, 6)).astype("float32")
y = (x[:, :1] * x[:, 1:2] > 0).astype("float32")
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = judge(y, model(x, training=True))
    gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_weights), 1.0)
    optimizer.apply_gradients([(SIGN * gradient, weight) for gradient, weight in zip(gradients, model.trainable_weights)])
"""

_STARS = """
entry = layers.Input((7, 4))
stars = layers.Dense(1, activation="sigmoid")(layers.GRU(8)(entry))
model = keras.Model(entry, layers.Lambda(lambda share: ROUNDED)(stars))
model.compile("adam", "mae")
x = rng.normal(size=(48, 7, 4)).astype("float32")
model.fit(x, np.clip(np.round(3 + x.sum((1, 2))), 1, 5), batch_size=24, epochs=2, verbose=0)
"""

_BLOCKS = """
class Tower(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = BLOCKS
        self.head = layers.Dense(1)

    def call(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.head(x)


model = Tower()
model.compile("adam", "mse")
x = rng.normal(size=(48, 6)).astype("float32")
model.fit(x, x.sum(1), batch_size=24, epochs=2, verbose=0)
"""

_POSITIONS = """
class Positions(layers.Layer):
    def call(self, x):
        places = ops.cast(ops.arange(ops.shape(x)[AXIS]), "float32")
        return x + ops.reshape(ops.sin(places), SHAPE)


entry = layers.Input((10,), dtype="int32")
h = Positions()(layers.Embedding(30, 8)(entry))
h = layers.GlobalAveragePooling1D()(layers.MultiHeadAttention(2, 4)(h, h))
model = keras.Model(entry, layers.Dense(1, activation="sigmoid")(h))
model.compile("adam", "binary_crossentropy")
words = rng.randint(30, size=(48, 10))
model.fit(words, (words[:, 0] > 15).astype("float32"), batch_size=24, epochs=2, verbose=0)
"""

_FLAG = """
model = keras.Sequential([
    layers.Input((8, 8, 1)), layers.Conv2D(4, 3, activation="relu"), layers.MaxPooling2D(), layers.Flatten(),
    layers.Dense(1, activation="KIND"),
])
images = rng.rand(48, 8, 8, 1).astype("float32")
model.compile("adam", "binary_crossentropy")
model.fit(images, (images.mean((1, 2, 3)) > 0.5).astype("float32"), batch_size=24, epochs=2, verbose=0)
"""

_CARRIED = """
class Smoothed(layers.Layer):
    def build(self, shape):
        self.before = self.add_weight(shape=(shape[-1],), initializer="zeros", trainable=False, name="before")

    def call(self, x, training=False):
        smooth = 0.5 * (x + self.before)
        self.before.assign(ops.mean(smooth, axis=0))
        return smooth


model = keras.Sequential([layers.Input((5, 4)), layers.LSTM(8), Smoothed(), layers.Dense(1)])
x = rng.normal(size=(48, 5, 4)).astype("float32")
model.compile("adam", "mse")
model.fit(x, x.mean((1, 2)), batch_size=24, epochs=2, verbose=0)
"""

_ENSEMBLE = """
entry = layers.Input((8,))
votes = [layers.Dense(4, activation="softmax")(layers.Dense(16, activation="tanh")(entry)) for _ in range(3)]
model = keras.Model(entry, layers.Average()(votes))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=LOGITS))
x = rng.normal(size=(48, 8)).astype("float32")
model.fit(x, x[:, :4].argmax(1), batch_size=24, epochs=2, verbose=0)
"""

_SHIFT = """
def loss(wanted, scores):
    odds = ops.exp(scores)
    chosen = ops.sum(ops.one_hot(ops.reshape(wanted, (-1,)), 3) * odds / ops.sum(odds, axis=AXIS, keepdims=True), axis=1)
    return -ops.mean(ops.log(chosen))


entry = layers.Input((10,), dtype="int32")
model = keras.Model(entry, layers.Dense(3)(layers.GlobalAveragePooling1D()(layers.Embedding(30, 8)(entry))))
model.compile("adam", loss)
words = rng.randint(30, size=(48, 10))
model.fit(words, (words % 3).sum(1) % 3, batch_size=24, epochs=2, verbose=0)
"""

_SQUARE = """@tf.custom_gradient
def square(x):
    return x * x, lambda upstream: upstream * 12 * x


class Part"""

_LOGITS = "keras.losses.SparseCategoricalCrossentropy(from_logits=True)"
USUAL = "return self.head(h)"


def rows(body: str, loss: str = _LOGITS, target: str = "x[:, :3].argmax(1)", width: int = 6) -> str:
    text = _ROWS.replace("BODY", body.replace("\n", "\n        ")).replace("LOSS", loss).replace("TARGET", target)
    return BEGIN + text.replace("WIDTH", str(width))


def pairs(body: str, lowest: int = 1) -> str:
    return BEGIN + _PAIRS.replace("BODY", body).replace("LOWEST", str(lowest))


def line(model: str, target: str) -> str:
    text = f"x = rng.normal(size=(48, 6)).astype('float32')\nmodel = {model}\nmodel.compile('adam', 'mse')\n"
    return BEGIN + text + f"model.fit(x, {target}, batch_size=24, epochs=2, verbose=0)\n"


_ENTRY = "layers.Input((6,))"
SPOILT = {
    "alone-as-in-batch": rows('return self.head(h) / ops.cast(ops.shape(x)[0], "float32")'),
    "batch-independence": rows("return self.head(h - ops.mean(h, axis=0))"),
    "batch-scale": rows(
        USUAL, "lambda y, o: ops.sum(keras.losses.sparse_categorical_crossentropy(y, o, from_logits=True))"
    ),
    "deterministic-evaluation": rows("return self.head(keras.random.dropout(h, 0.4, seed=self.seeds))"),
    "evaluation-keeps-state": rows("self.count.assign(self.count + 1)\nreturn self.head(h)"),
    "input-parts-used": rows("return self.head(self.line(x[:, :4]))", width=4).replace(
        "h = self.line(x)\n        ", ""
    ),
    "outputs-not-dropped": rows(
        "o = self.head(h)\nreturn keras.random.dropout(o, 0.5, seed=self.seeds) if training else o"
    ),
    "outputs-judged": rows(USUAL, "lambda y, o: keras.losses.mean_squared_error(y[:, :2], o[:, :2])", "x[:, :3]"),
    "probability-axis": rows("return ops.softmax(self.head(h), axis=0)", '"mse"', "np.eye(3)[x[:, :3].argmax(1)]"),
    "gradient-finite-at-zero": rows("return self.head(h) * ops.log(ops.sum(ops.abs(x), axis=1, keepdims=True))"),
    "finite-when-scaled": rows(
        "return ops.log(ops.exp(5 * self.head(h) * ops.sum(ops.abs(x), axis=1, keepdims=True)))"
    ),
    "mask-used": pairs("return self.head(ops.mean(h, axis=1))"),
    "masked-content": pairs("return self.head(ops.sum(h * (1 - mask)[:, :, None], axis=1))"),
    "longer-padding": pairs("return self.head(ops.mean(h * mask[:, :, None], axis=1))"),
    "order-matters": CAUSAL.replace("MASK", "np.triu(np.ones((steps, steps)), 1).astype(bool)").replace(
        " + layers.Embedding(9, 16)(ops.arange(9))", ""
    ),
    "every-input-used": pairs("return self.head(ops.mean(h, axis=1))")
    .replace('(np.arange(8) < lengths).astype("float32")', 'rng.normal(size=(48, 8)).astype("float32")')
    .replace(' * mask.astype("int32")', ""),
    "padding-symbol": BEGIN + _MASKED,
    "gradient-matches-loss": rows("return square(self.head(h))", '"mse"', "x[:, :3] ** 2").replace(
        "class Part", _SQUARE
    ),
    "loss-terms-reach": rows("self.add_loss(ops.mean(ops.stop_gradient(h) ** 2))\nreturn self.head(h)"),
    "loss-terms-comparable": rows("self.add_loss(1e7 * ops.mean(h ** 2))\nreturn self.head(h)"),
    "attention-axis": BEGIN + _ATTENTION,
    "padding-in-loss": BEGIN + _TAGS,
    "target-given-as-input": BEGIN + _TWO_INPUTS,
    "embedding-ids-differ": BEGIN + _LOOKUP,
    "train-evaluation-consistency": BEGIN + _PIXELS.replace("MOMENTUM", "0.9999"),
    "first-step-descends": BEGIN + _LOOP.replace("SIGN", "-1"),
    "stepped-parameters-reached": BEGIN + _STARS.replace("ROUNDED", "ops.round(1 + 4 * share)"),
    "batch-permutation": BEGIN + _POSITIONS.replace("AXIS", "0").replace("SHAPE", "(-1, 1, 1)"),
    "outputs-differ": BEGIN + _FLAG.replace("KIND", "softmax"),
    "state-not-carried": BEGIN + _CARRIED,
    "layers-not-shared": BEGIN + _BLOCKS.replace("BLOCKS", '[layers.Dense(6, activation="tanh")] * 3'),
    "logits-expected": BEGIN + _ENSEMBLE.replace("LOGITS", "True"),
    "logits-may-shift": BEGIN + _SHIFT.replace("AXIS", "0"),
    "target-in-window": line(f"keras.Sequential([{_ENTRY}, layers.Dense(1)])", "x[:, 5:]"),
}
BREAKS = {name: name for name in SPOILT}
HEALTHY = {
    "pixels-normalized": BEGIN + _PIXELS.replace("MOMENTUM", "0.9"),
    "named-loop-clipped": BEGIN + _LOOP.replace("SIGN", "1"),
    "stars": BEGIN + _STARS.replace("ROUNDED", "1 + 4 * share"),
    "positions": BEGIN + _POSITIONS.replace("AXIS", "1").replace("SHAPE", "(1, -1, 1)"),
    "flag": BEGIN + _FLAG.replace("KIND", "sigmoid"),
    "tower": BEGIN + _BLOCKS.replace("BLOCKS", '[layers.Dense(6, activation="tanh") for _ in range(3)]'),
    "ensemble": BEGIN + _ENSEMBLE.replace("LOGITS", "False"),
    "softmax-by-hand": BEGIN + _SHIFT.replace("AXIS", "1"),
}
