"""Trains a network that reads the mood of drawn faces."""

from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.utils import to_categorical

from drawn_faces import MOODS, faces
from report_table import print_history


def mood_network():
    model = Sequential()
    model.add(Conv2D(8, (3, 3), activation="relu", input_shape=(12, 12, 1)))
    model.add(MaxPooling2D((2, 2)))
    model.add(Flatten())
    model.add(Dense(16, activation="relu"))
    model.add(Dense(len(MOODS), activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


def main():
    x, mood = faces(240)
    model = mood_network()
    history = model.fit(x, to_categorical(mood, 3), validation_split=0.25, epochs=6, batch_size=16, verbose=0)
    print_history(history)


if __name__ == "__main__":
    main()
