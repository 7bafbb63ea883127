"""Generated samples: images, word sequences and tables in which the target can be learned.

Nothing here touches the program's own random numbers.
"""

import importlib
import zlib

SHIFTS = 25
CHUNK = 5000
WRONG = 0.02  # share of labels; MNIST has about 1 %, CIFAR and IMDB more
DIMMEST = 150  # of 255
VOCABULARY = 20000
TELLING = 400  # words that are more frequent in the texts of one class than in those of the others
TELLING_SHARE = 0.12


def library(name):
    """A package of the program's environment, which is there where its data sets are."""
    return importlib.import_module(name)


def generator(*words):
    """The same numbers in every run, others for every data set and part of it."""
    numpy = library("numpy")

    return numpy.random.RandomState(zlib.crc32(" ".join(map(str, words)).encode("ascii")) & 0x7FFFFFFF)


def images(name, part, count, shape, classes, dark=False):
    """uint8 images and their classes: one pattern for each class, moved, dimmed and with noise.

    ``dark`` leaves the background black, as drawings of digits have it.
    """
    numpy = library("numpy")

    random = generator(name, part)
    labels = random.randint(0, classes, count)
    table = patterns(name, shape, classes, dark)
    found = numpy.empty((count,) + tuple(shape), numpy.uint8)
    for start in range(0, count, CHUNK):
        some = labels[start : start + CHUNK]
        chosen = table[some, random.randint(0, SHIFTS, len(some))].astype(numpy.uint16)
        light = random.randint(DIMMEST, 256, (len(some),) + (1,) * len(shape))
        noise = random.randint(0, 64, chosen.shape)
        lit = (chosen * light) // 255
        lit = numpy.where(chosen > 0, lit - lit // 4 + noise, 0) if dark else lit - lit // 4 + noise
        found[start : start + CHUNK] = lit.clip(0, 255)
    return found, confused(labels, classes, random)


def confused(labels, classes, random):
    """Some wrong labels, as real data have them: a model that makes no error at all would be suspicious."""
    numpy = library("numpy")

    return numpy.where(random.uniform(size=len(labels)) < WRONG, random.randint(0, classes, len(labels)), labels)


def patterns(name, shape, classes, dark):
    """By class and shift, an image: coarse fields of light, smoothed."""
    numpy = library("numpy")

    random = generator(name)
    height, width = shape[:2]
    coarse = random.randint(0, 256, (classes, 7, 7) + tuple(shape[2:]))
    rows, columns = numpy.arange(height) * 7 // height, numpy.arange(width) * 7 // width
    fields = coarse[:, rows][:, :, columns]
    if dark:
        fields = numpy.where(fields > 170, fields, 0)
    moves = [(down, right) for down in range(-2, 3) for right in range(-2, 3)]
    moved = [numpy.roll(numpy.roll(fields, down, 1), right, 2) for down, right in moves]
    return numpy.stack(moved, 1).astype(numpy.uint8)


def texts(name, part, count, classes, mean_length, even=True):
    """Sequences of word numbers by falling frequency, and their classes; some words tell the class."""
    numpy = library("numpy")

    random = generator(name, part)
    shares = numpy.full(classes, 1.0) if even else 0.85 ** numpy.arange(classes)
    labels = random.choice(classes, count, p=shares / shares.sum())
    lengths = numpy.maximum(random.lognormal(numpy.log(mean_length) - 0.18, 0.6, count).astype(int), 10)
    ends = numpy.cumsum(lengths)
    words = numpy.minimum(random.zipf(1.3, ends[-1]), VOCABULARY)
    each = max(TELLING // classes, 8)
    telling = 20 + numpy.repeat(labels, lengths) * each + random.randint(0, each, ends[-1])
    words = numpy.where(random.uniform(size=ends[-1]) < TELLING_SHARE, telling, words)
    flat = words.tolist()
    return [flat[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist())], confused(
        labels, classes, random
    )


def table(name, part, count, ranges, target):
    """Columns within their ranges, and a number within the range of the target that depends on the first ones."""
    numpy = library("numpy")

    random = generator(name, part)
    unit = random.uniform(size=(count, len(ranges)))
    low, high = numpy.array(ranges, float).T
    half = len(ranges) // 2
    wanted = 0.5 * unit[:, 0] + 0.3 * unit[:, 1 : 1 + half].mean(1) + 0.2 * unit[:, 0] * unit[:, -1]
    wanted = wanted + random.normal(0, 0.03, count)
    return low + unit * (high - low), (target[0] + wanted.clip(0, 1) * (target[1] - target[0]))
