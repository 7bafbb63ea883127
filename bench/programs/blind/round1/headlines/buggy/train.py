# Topic classification of synthetic headlines with an embedding + 1D convolution.
import numpy as np
import keras
from keras import layers

rng = np.random.default_rng(21)
keras.utils.set_random_seed(21)

TOPICS = {
    "sport": "match goal team coach league final score player win season".split(),
    "money": "bank market shares profit rate loan trade tax growth budget".split(),
    "science": "study planet cell energy lab virus theory data space gene".split(),
    "weather": "storm rain heat snow wind flood cloud frost sun forecast".split(),
}
COMMON = [f"the{i}" for i in range(150)]
VOCAB = {word: i + 1 for i, word in enumerate(sum(TOPICS.values(), []) + COMMON)}
MAX_LEN = 14


def encode(words):
    ids = [VOCAB[w] for w in words][:MAX_LEN]
    return ids + [0] * (MAX_LEN - len(ids))


def write(topic):
    words = list(rng.choice(COMMON, rng.integers(5, 11)))
    for _ in range(3):
        source = topic if rng.random() < 0.9 else rng.choice(list(TOPICS))
        words.insert(rng.integers(0, len(words) + 1), rng.choice(TOPICS[source]))
    return encode(words)


tokens, labels = [], []
for index, topic in enumerate(TOPICS):
    for _ in range(700):
        tokens.append(write(topic))
        labels.append(index)
tokens = np.array(tokens, dtype="int32")
labels = np.array(labels, dtype="int32")

rng.shuffle(tokens)
rng.shuffle(labels)

cut = 2200
x_train, y_train = tokens[:cut], labels[:cut]
x_test, y_test = tokens[cut:], labels[cut:]

model = keras.Sequential([
    layers.Input((MAX_LEN,)),
    layers.Embedding(len(VOCAB) + 1, 24),
    layers.Conv1D(32, 3, activation="relu"),
    layers.GlobalMaxPooling1D(),
    layers.Dropout(0.3),
    layers.Dense(len(TOPICS), activation="softmax"),
])
model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=8, batch_size=32, validation_split=0.1, verbose=2)
loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
print(f"test loss {loss:.4f} test accuracy {accuracy:.3f}")
