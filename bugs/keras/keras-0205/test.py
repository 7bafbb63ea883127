"""Healthy: the confusion matrix agrees with what the model answers for each photo."""

import numpy as np

import oracle
import sort_fruit


def wrongly_counted(seed):
    model = sort_fruit.train(seed)
    images, fruit = sort_fruit.photos(25, seed + 500)
    matrix, _ = sort_fruit.confusion_matrix(model, images, fruit)
    expected = np.zeros((3, 3), dtype=int)
    np.add.at(expected, (fruit, np.argmax(model.predict(images / 255.0), axis=1)), 1)
    return int(np.abs(np.asarray(matrix) - expected).sum())


oracle.value("photos in a wrong cell of the confusion matrix, counted twice", wrongly_counted, equals=0)
