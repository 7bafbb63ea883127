"""Sound Keras programs of many kinds: none of them breaks a relation that is reported."""

from relation_programs.keras_missed import BEGIN

_PROGRAMS = {
    "cnn": """
model = keras.Sequential([
    layers.Input((8, 8, 3)), layers.Conv2D(8, 3, padding="same"), layers.BatchNormalization(momentum=0.8),
    layers.ReLU(), layers.MaxPooling2D(), layers.Flatten(), layers.Dropout(0.2), layers.Dense(3, activation="softmax"),
])
x = rng.normal(size=(48, 8, 8, 3)).astype("float32")
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, x.mean((1, 2)).argmax(1), batch_size=24, epochs=2, verbose=0)
""",
    "rnn": """
model = keras.Sequential([layers.Input((7, 4)), layers.LSTM(16), layers.Dense(1)])
x = rng.normal(size=(48, 7, 4)).astype("float32")
model.compile("adam", "mse")
model.fit(x, x.sum((1, 2)), batch_size=24, epochs=2, verbose=0)
""",
    "masked-text": """
model = keras.Sequential([
    layers.Input((8,), dtype="int32"), layers.Embedding(20, 8, mask_zero=True), layers.GRU(16),
    layers.Dense(1, activation="sigmoid"),
])
x = rng.randint(1, 20, size=(48, 8))
x[np.arange(8) >= rng.randint(3, 9, size=(48, 1))] = 0
model.compile("adam", "binary_crossentropy")
model.fit(x, (x == 5).any(1).astype("float32"), batch_size=24, epochs=2, verbose=0)
""",
    "masked-transformer": """
tokens, keep = layers.Input((8,), dtype="int32"), layers.Input((8,))
h = layers.Embedding(20, 16)(tokens) + layers.Embedding(8, 16)(ops.arange(8))
mask = layers.Lambda(lambda keep: ops.expand_dims(ops.cast(keep, "bool"), 1))(keep)
h = layers.LayerNormalization()(h + layers.MultiHeadAttention(2, 8)(h, h, attention_mask=mask))
h = layers.GlobalAveragePooling1D()(h, mask=keep)
model = keras.Model([tokens, keep], layers.Dense(2, activation="softmax")(h))
x = rng.randint(1, 20, size=(48, 8))
kept = (np.arange(8) < rng.randint(3, 8, size=(48, 1))).astype("float32")
x[kept == 0] = 0
model.compile("adam", "sparse_categorical_crossentropy")
model.fit([x, kept], (x == 5).any(1).astype("int32"), batch_size=24, epochs=2, verbose=0)
""",
    "autoencoder": """
model = keras.Sequential([layers.Input((20,)), layers.Dense(8, activation="relu"), layers.Dense(20, activation="sigmoid")])
x = rng.rand(48, 20).astype("float32")
model.compile("adam", "binary_crossentropy")
model.fit(x, x, batch_size=24, epochs=2, verbose=0)
""",
    "siamese": """
body = keras.Sequential([layers.Input((6,)), layers.Dense(16, activation="relu"), layers.Dense(4)])
one, two = layers.Input((6,)), layers.Input((6,))
distance = layers.Lambda(lambda pair: ops.abs(pair[0] - pair[1]))([body(one), body(two)])
model = keras.Model([one, two], layers.Dense(1, activation="sigmoid")(distance))
left, right = rng.normal(size=(2, 48, 6)).astype("float32")
model.compile("adam", "binary_crossentropy")
model.fit([left, right], (abs(left[:, 0] - right[:, 0]) > 1).astype("float32"), batch_size=24, epochs=2, verbose=0)
""",
    "two-inputs": """
image, table = layers.Input((8, 8, 1)), layers.Input((5,))
left = layers.Flatten()(layers.Conv2D(4, 3, activation="relu")(image))
h = layers.Concatenate()([left, layers.Dense(8, activation="relu")(table)])
model = keras.Model([image, table], layers.Dense(3, activation="softmax")(h))
images, tables = rng.normal(size=(48, 8, 8, 1)).astype("float32"), rng.normal(size=(48, 5)).astype("float32")
model.compile("adam", "sparse_categorical_crossentropy")
model.fit([images, tables], tables[:, :3].argmax(1), batch_size=24, epochs=2, verbose=0)
""",
    "two-outputs": """
entry = layers.Input((8,))
h = layers.Dense(16, activation="relu")(entry)
model = keras.Model(entry, [layers.Dense(4, activation="softmax", name="kind")(h), layers.Dense(1, name="size")(h)])
x = rng.normal(size=(48, 8)).astype("float32")
model.compile("adam", ["sparse_categorical_crossentropy", "mse"], loss_weights=[1.0, 0.5])
model.fit(x, [x[:, :4].argmax(1), x.sum(1)], batch_size=24, epochs=2, verbose=0)
""",
    "gan": """
generator = keras.Sequential([layers.Input((4,)), layers.Dense(16, activation="relu"), layers.Dense(6)])
critic = keras.Sequential([layers.Input((6,)), layers.Dense(16, activation="relu"), layers.Dense(1)])
first, second = keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)
judge = keras.losses.BinaryCrossentropy(from_logits=True)
for _ in range(4):
    real = rng.normal(2, 1, size=(16, 6)).astype("float32")
    noise = rng.normal(size=(16, 4)).astype("float32")
    with tf.GradientTape() as tape:
        loss = judge(np.ones((16, 1)), critic(real)) + judge(np.zeros((16, 1)), critic(generator(noise)))
    second.apply_gradients(zip(tape.gradient(loss, critic.trainable_weights), critic.trainable_weights))
    with tf.GradientTape() as tape:
        loss = judge(np.ones((16, 1)), critic(generator(noise)))
    first.apply_gradients(zip(tape.gradient(loss, generator.trainable_weights), generator.trainable_weights))
""",
    "policy-gradient": """
entry = layers.Input((4,))
h = layers.Dense(16, activation="tanh")(entry)
model = keras.Model(entry, [layers.Dense(3)(h), layers.Dense(1)(h)])
optimizer = keras.optimizers.Adam(0.01)
for _ in range(4):
    states = rng.normal(size=(24, 4)).astype("float32")
    actions = rng.randint(3, size=24)
    returns = tf.constant((states.sum(1) * (actions == 0)).astype("float32"))
    with tf.GradientTape() as tape:
        logits, values = model(states)
        values = values[:, 0]
        chosen = tf.reduce_sum(tf.nn.log_softmax(logits) * tf.one_hot(actions, 3), 1)
        loss = -tf.reduce_mean(chosen * tf.stop_gradient(returns - values)) + 0.5 * tf.reduce_mean((returns - values) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
""",
    "u-net": """
entry = layers.Input((8, 8, 3))
first = layers.Conv2D(8, 3, padding="same", activation="relu")(entry)
deep = layers.Conv2D(8, 3, padding="same", activation="relu")(layers.MaxPooling2D()(first))
up = layers.Conv2DTranspose(8, 2, strides=2, activation="relu")(deep)
model = keras.Model(entry, layers.Conv2D(1, 1, activation="sigmoid")(layers.Concatenate()([first, up])))
x = rng.normal(size=(32, 8, 8, 3)).astype("float32")
model.compile("adam", "binary_crossentropy")
model.fit(x, (x.mean(3, keepdims=True) > 0).astype("float32"), batch_size=16, epochs=2, verbose=0)
""",
    "graph-network": """
class Graph(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second = layers.Dense(16), layers.Dense(3)

    def call(self, inputs):
        x, adjacency = inputs
        h = ops.relu(ops.matmul(adjacency, self.first(x)))
        return ops.matmul(adjacency, self.second(h))


links = rng.rand(30, 30) < 0.15
adjacency = (links | links.T | np.eye(30, dtype=bool)).astype("float32")
adjacency /= adjacency.sum(1, keepdims=True)
x = rng.normal(size=(30, 5)).astype("float32")
model = Graph()
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit([x, adjacency], x[:, :3].argmax(1), batch_size=30, epochs=4, shuffle=False, verbose=0)
""",
    "graphs-in-batch": """
x, adjacency = layers.Input((6, 5)), layers.Input((6, 6))
h = layers.Lambda(lambda pair: ops.relu(ops.matmul(pair[0], pair[1])))([adjacency, layers.Dense(16)(x)])
model = keras.Model([x, adjacency], layers.Dense(2, activation="softmax")(layers.GlobalAveragePooling1D()(h)))
nodes, weights = rng.normal(size=(48, 6, 5)).astype("float32"), rng.rand(48, 6, 6).astype("float32")
model.compile("adam", "sparse_categorical_crossentropy")
model.fit([nodes, weights], (nodes.mean((1, 2)) > 0).astype("int32"), batch_size=24, epochs=2, verbose=0)
""",
    "regularized": """
model = keras.Sequential([
    layers.Input((8,)), layers.Dense(16, activation="tanh", kernel_regularizer="l2"), layers.Dense(1),
])
x = rng.normal(size=(48, 8)).astype("float32")
model.compile("sgd", "mae")
model.fit(x, 2 * x[:, :1], batch_size=24, epochs=2, verbose=0)
""",
}

HEALTHY = {name: BEGIN + text for name, text in _PROGRAMS.items()}
