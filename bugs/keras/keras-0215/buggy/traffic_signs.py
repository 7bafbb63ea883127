"""Command-line training of a classifier for traffic signs."""

import argparse

from keras.layers import Dense, Dropout
from keras.models import Sequential
from keras.utils.np_utils import to_categorical

from sign_images import signs


def parse(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=25)
    return parser.parse_args(arguments)


def main(arguments=None):
    flags = parse(arguments)
    x_train, y_train = signs(300, seed=0)
    x_val, y_val = signs(100, seed=1)
    model = Sequential()
    model.add(Dense(24, input_dim=144, activation="relu"))
    model.add(Dropout(0.2))
    model.add(Dense(3, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    model.fit(x_train, to_categorical(y_train, 3), epochs=flags.epochs, batch_size=flags.batch_size,
              validation_data=(x_val, to_categorical(y_val, 3)), shuffle=True, verbose=0)
    print("validation accuracy %.2f" % model.evaluate(x_val, to_categorical(y_val, 3), verbose=0)[1])


if __name__ == "__main__":
    main()
