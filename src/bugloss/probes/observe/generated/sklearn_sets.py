"""``sklearn.datasets``: functions that fetch a set; those that come with the package need no stand-in."""

from .. import core
from . import samples, tables

CALIFORNIA = (
    ("MedInc", 0.5, 15), ("HouseAge", 1, 52), ("AveRooms", 0.8, 20), ("AveBedrms", 0.3, 5), ("Population", 3, 35682),
    ("AveOccup", 0.7, 12), ("Latitude", 32.5, 42), ("Longitude", -124.4, -114.3),
)  # fmt: skip


def wrap(recorder, module):
    instead = core.neighbour("generated").instead
    for name, make in MAKERS:
        function = getattr(module, "fetch_" + name, None)
        if function is not None:
            setattr(module, "fetch_" + name, instead(recorder, function, name, make))
    if hasattr(module, "fetch_openml"):
        module.fetch_openml = instead(recorder, module.fetch_openml, openml_name, openml)


def bunch(as_pair, **fields):
    pair = fields["data"], fields["target"]
    return pair if as_pair else samples.library("sklearn.utils").Bunch(**fields)


def california(*arguments, **named):
    names = [row[0] for row in CALIFORNIA]
    data, target = samples.table("california", "all", 20640, [row[1:] for row in CALIFORNIA], (0.15, 5.0))
    frame = None
    if named.get("as_frame"):
        pandas = samples.library("pandas")

        data, target = pandas.DataFrame(data, columns=names), pandas.Series(target, name="MedHouseVal")
        frame = data.join(target)
    fields = {"data": data, "target": target, "frame": frame, "feature_names": names, "target_names": ["MedHouseVal"]}
    return bunch(named.get("return_X_y", False), **fields)


def faces(*arguments, **named):
    images, target = samples.images("faces", "all", 400, (64, 64), 40)
    images = (images / 255).astype("float32")
    fields = {"data": images.reshape(400, -1), "images": images, "target": target, "DESCR": "generated"}
    return bunch(named.get("return_X_y", False), **fields)


def news(data_home=None, subset="train", categories=None, *arguments, **named):
    kinds = sorted(categories) if categories else ["group%d" % number for number in range(20)]
    count = {"train": 11314, "test": 7532}.get(subset, 18846)
    lines, target = samples.texts("news", subset, count * len(kinds) // 20 or 1, len(kinds), 180)
    data = [" ".join(["word%d" % word for word in line]) for line in lines]
    return bunch(named.get("return_X_y", False), data=data, target=target, target_names=kinds, DESCR="generated")


def covertype(*arguments, **named):
    """54 columns of a forest, ten numbers and 44 marks, and its kind from 1 to 7; a tenth of the real rows."""
    numpy = samples.library("numpy")

    random = samples.generator("covtype")
    target = random.choice(7, 58101, p=(0.365, 0.488, 0.061, 0.005, 0.016, 0.03, 0.035)) + 1
    data = numpy.zeros((len(target), 54))
    data[:, :10] = random.normal(1000, 300, (len(target), 10)) + 150 * numpy.outer(target, numpy.arange(10) % 3)
    data[numpy.arange(len(target)), 10 + random.randint(0, 4, len(target))] = 1
    data[numpy.arange(len(target)), 14 + random.randint(0, 40, len(target))] = 1
    return bunch(named.get("return_X_y", False), data=data, target=target.astype("int32"), DESCR="generated")


def people(*arguments, **named):
    """Faces of well-known people, 62 x 47 grey values."""
    images, target = samples.images("lfw", "all", 1288, (62, 47), 7)
    images = (images / 255).astype("float32")
    names = samples.library("numpy").array(["person %d" % number for number in range(7)])
    fields = {"data": images.reshape(len(images), -1), "images": images, "target": target, "target_names": names}
    return bunch(named.get("return_X_y", False), **fields)


def openml_name(name=None, *arguments, **named):
    return name if name == "mnist_784" or name in OPENML else None


def openml(name=None, *arguments, **named):
    return mnist(name, *arguments, **named) if name == "mnist_784" else frame(name, **named)


def frame(name, **named):
    """A table with columns of numbers and of categories; the target is a category."""
    pandas = samples.library("pandas")

    columns, rows = OPENML[name]
    cells = tables.columns_of(name, columns, rows)
    made = {column[0]: kept(pandas, column, words) for column, words in zip(columns, cells)}
    target = made.pop(columns[-1][0])
    data = pandas.DataFrame(made)
    names = list(data.columns)
    fields = {"data": data, "target": target, "frame": data.join(target), "feature_names": names, "DESCR": "generated"}
    return bunch(named.get("return_X_y", False), **fields)


def kept(pandas, column, words):
    if len(column) == 2:
        return pandas.Series(words, name=column[0], dtype="category")
    return pandas.Series([float(word) for word in words], name=column[0])


def mnist(name=None, *arguments, **named):
    images, target = samples.images("mnist", "all", 70000, (28, 28), 10, True)
    data, target = images.reshape(70000, 784).astype("float64"), target.astype(str).astype(object)
    if named.get("as_frame", "auto") is not False:
        pandas = samples.library("pandas")

        data, target = pandas.DataFrame(data), pandas.Series(target, name="class", dtype="category")
    return bunch(named.get("return_X_y", False), data=data, target=target, DESCR="generated")


OPENML = {"adult": (tables.ADULT, 48842), "titanic": (tables.TITANIC, 1309), "diabetes": (tables.PIMA, 768)}
MAKERS = (
    ("california_housing", california), ("olivetti_faces", faces), ("20newsgroups", news), ("covtype", covertype),
    ("lfw_people", people),
)  # fmt: skip
