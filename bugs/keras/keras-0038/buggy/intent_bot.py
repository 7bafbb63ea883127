"""A chat bot that recognises the intent of a sentence from the words in it."""

import numpy as np
from tensorflow.keras.layers import Dense, Dropout
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import SGD

INTENTS, WORDS = 4, 40


def make_sentences(count=320):
    random = np.random.RandomState(11)
    intents = random.randint(0, INTENTS, count)
    sentences = (random.uniform(size=(count, WORDS)) < 0.05).astype("float32")
    for sentence, intent in zip(sentences, intents):
        sentence[intent * 10 + random.randint(0, 10, 4)] = 1.0
    return sentences, np.eye(INTENTS, dtype="float32")[intents]


def train(epochs=3):
    sentences, intents = make_sentences()
    model = Sequential([Dense(32, input_shape=(WORDS,), activation="relu"), Dropout(0.3), Dense(INTENTS, activation="softmax")])
    optimizer = SGD(learning_rate=0.05, decay=1e-6, momentum=0.9, nesterov=True)
    model.compile(loss="categorical_crossentropy", optimizer=optimizer, metrics=["accuracy"])
    return model.fit(sentences, intents, epochs=epochs, batch_size=16, verbose=2)


def main():
    train()


if __name__ == "__main__":
    main()
