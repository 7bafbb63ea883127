"""Route support tickets to a team from their text."""
import numpy as np
import tensorflow as tf
from keras.callbacks import EarlyStopping
from keras.layers import Dense, Dropout, Embedding, GlobalAveragePooling1D
from keras.models import Sequential
from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer

TEAMS = ["billing", "network", "account", "hardware"]
MAX_WORDS = 500
MAX_LEN = 25

TEAM_WORDS = {
    "billing": "invoice charge refund payment card price tax receipt overcharged subscription".split(),
    "network": "wifi router latency packet vpn dns slow disconnect signal bandwidth".split(),
    "account": "password login username reset locked email verify profile token signin".split(),
    "hardware": "screen keyboard battery laptop fan cable printer broken dock mouse".split(),
}
COMMON = ("hello please help the my is not working since yesterday can you thanks "
          "team we have a problem with it again urgent still new old office").split()


def make_tickets(n, rng):
    texts, labels = [], []
    for _ in range(n):
        label = rng.randint(len(TEAMS))
        words = list(rng.choice(COMMON, size=rng.randint(6, 15)))
        words += list(rng.choice(TEAM_WORDS[TEAMS[label]], size=rng.randint(1, 4)))
        # a word of another team now and then
        if rng.rand() < 0.3:
            words.append(rng.choice(TEAM_WORDS[TEAMS[rng.randint(len(TEAMS))]]))
        rng.shuffle(words)
        texts.append(" ".join(words))
        labels.append(label)
    return texts, np.array(labels)


def encode(tokenizer, texts):
    sequences = tokenizer.texts_to_sequences(texts)
    return pad_sequences(sequences, maxlen=MAX_LEN, padding="post")


def build_model():
    model = Sequential([
        Embedding(MAX_WORDS, 24, input_length=MAX_LEN),
        GlobalAveragePooling1D(),
        Dense(32, activation="relu"),
        Dropout(0.2),
        Dense(len(TEAMS), activation="softmax"),
    ])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    np.random.seed(0)
    tf.compat.v1.set_random_seed(0)
    rng = np.random.RandomState(4)
    train_texts, y_train = make_tickets(4000, rng)
    test_texts, y_test = make_tickets(800, rng)

    tokenizer = Tokenizer(num_words=MAX_WORDS)
    tokenizer.fit_on_texts(train_texts)
    x_train = encode(tokenizer, train_texts)
    x_test = encode(tokenizer, test_texts)
    print("vocabulary", len(tokenizer.word_index))

    model = build_model()
    stop = EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True)
    model.fit(x_train, y_train, epochs=15, batch_size=64, validation_split=0.15,
              callbacks=[stop], verbose=2)

    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print("test loss %.4f  accuracy %.3f" % (loss, acc))
    pred = model.predict(x_test).argmax(axis=1)
    for k, team in enumerate(TEAMS):
        print("  %-9s recall %.3f" % (team, (pred[y_test == k] == k).mean()))


if __name__ == "__main__":
    main()
