"""Fruit classifier with a confusion matrix at the end."""

import numpy as np
from keras.layers import Conv2D, Dense, GlobalAveragePooling2D
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator
from keras.utils import to_categorical

FRUITS = ["apple", "banana", "plum"]
COLOURS = np.array([[0.9, 0.2, 0.2], [0.9, 0.8, 0.2], [0.5, 0.2, 0.6]])


def photos(per_fruit, seed):
    """Photos of one fruit after the other."""
    rng = np.random.RandomState(seed)
    fruit = np.repeat(np.arange(3), per_fruit)
    images = rng.uniform(0.4, 0.6, size=(3 * per_fruit, 10, 10, 3))
    for image, colour in zip(images, COLOURS[fruit]):
        top, left = rng.randint(0, 5, size=2)
        image[top:top + 5, left:left + 5] = colour + rng.normal(0, 0.05, (5, 5, 3))
    return 255 * images, fruit


def train(seed=0, epochs=25):
    images, fruit = photos(60, seed)
    model = Sequential([
        Conv2D(8, 3, activation="relu", input_shape=(10, 10, 3)),
        GlobalAveragePooling2D(),
        Dense(3, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    generator = ImageDataGenerator(rescale=1 / 255.0, horizontal_flip=True)
    flow = generator.flow(images, to_categorical(fruit, 3), batch_size=6)
    model.fit_generator(flow, epochs=epochs, verbose=0)
    return model


def confusion_matrix(model, images, fruit):
    """Rows are the real fruits, columns the predicted ones; also the accuracy that Keras reports."""
    generator = ImageDataGenerator(rescale=1 / 255.0)
    flow = generator.flow(images, to_categorical(fruit, 3), batch_size=15)
    accuracy = model.evaluate_generator(flow)[1]
    flow.reset()
    predicted = np.argmax(model.predict_generator(flow), axis=1)
    matrix = np.zeros((3, 3), dtype=int)
    np.add.at(matrix, (fruit, predicted), 1)
    return matrix, accuracy


if __name__ == "__main__":
    network = train()
    matrix, accuracy = confusion_matrix(network, *photos(30, seed=1))
    print("accuracy by evaluate_generator: %.2f" % accuracy)
    print(matrix)
    print("accuracy by the matrix: %.2f" % (np.trace(matrix) / float(matrix.sum())))
