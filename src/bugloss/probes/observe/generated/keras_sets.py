"""``keras.datasets``: ``load_data`` of every set, as it is in all releases."""

from .. import core
from . import samples

# Sizes of the training and the test part, shape of an image, number of classes, whether the background is black.
IMAGES = {
    "mnist": (60000, 10000, (28, 28), 10, True),
    "fashion_mnist": (60000, 10000, (28, 28), 10, True),
    "cifar10": (50000, 10000, (32, 32, 3), 10, False),
    "cifar100": (50000, 10000, (32, 32, 3), 100, False),
}
# Sizes of both parts, number of classes, mean length, whether the classes are equally frequent.
TEXTS = {"imdb": (25000, 25000, 2, 235, True), "reuters": (8982, 2246, 46, 145, False)}
# Sizes of both parts, ranges of the columns, range of the target.
TABLES = {
    "boston_housing": (
        404, 102, ((0, 89), (0, 100), (0, 28), (0, 1), (0.38, 0.87), (3.5, 8.8), (3, 100), (1.1, 12), (1, 24),
                   (187, 711), (12, 22), (0, 397), (1.7, 38)), (5.0, 50.0),
    ),
    "california_housing": (
        16512, 4128, ((-124.4, -114.3), (32.5, 42), (1, 52), (2, 39320), (1, 6445), (3, 35682), (1, 6082), (0.5, 15)),
        (15000.0, 500001.0),
    ),
}  # fmt: skip
SETS = tuple(IMAGES) + tuple(TEXTS) + tuple(TABLES)


def wrap(recorder, module, name):
    package = core.neighbour("generated")
    make = images if name in IMAGES else texts if name in TEXTS else numbers
    module.load_data = package.instead(recorder, module.load_data, name, making(make, name))
    if hasattr(module, "get_word_index"):
        module.get_word_index = package.instead(recorder, module.get_word_index, name, word_index)


def making(make, name):
    return lambda *arguments, **named: make(name, *arguments, **named)


def images(name, *arguments, **named):
    train, test, shape, classes, dark = IMAGES[name]
    parts = [samples.images(name, part, count, shape, classes, dark) for part, count in (("a", train), ("b", test))]
    column = name.startswith("cifar")  # their labels are a column
    return tuple([(data, labels.astype("uint8").reshape((-1, 1) if column else -1)) for data, labels in parts])


def texts(name, path=None, num_words=None, skip_top=0, maxlen=None, *more, **named):
    train, test, classes, length, even = TEXTS[name]
    num_words = named.get("nb_words", num_words)  # Keras 1
    marks = named.get("start_char", 1), named.get("oov_char", 2), named.get("index_from", 3)
    parts = [samples.texts(name, part, count, classes, length, even) for part, count in (("a", train), ("b", test))]
    return tuple([fitted(part, num_words, skip_top, maxlen, *marks) for part in parts])


def fitted(part, most, least, longest, begin, unknown, shift):
    """As Keras does: a word for the beginning, the numbers moved up, rare and frequent words replaced or left out."""
    numpy = samples.library("numpy")

    found, labels = [], []
    for words, label in zip(*part):
        line = [begin] + [word + (shift or 0) for word in words] if begin is not None else words
        known = [word if (not most or word < most) and word >= least else unknown for word in line]
        known = [word for word in known if word is not None]
        if not longest or len(known) < longest:
            found.append(known)
            labels.append(label)
    data = numpy.empty(len(found), dtype=object)
    data[:] = found
    return data, numpy.array(labels, dtype="int64")


def word_index(path=None):
    return {"word%d" % number: number for number in range(1, samples.VOCABULARY + 1)}


def numbers(name, *arguments, **named):
    train, test, ranges, target = TABLES[name]
    return tuple([samples.table(name, part, count, ranges, target) for part, count in (("a", train), ("b", test))])
