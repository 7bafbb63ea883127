"""``sklearn.datasets``: functions that fetch a set; those that come with the package need no stand-in."""

from .. import core
from . import samples

CALIFORNIA = (
    ("MedInc", 0.5, 15), ("HouseAge", 1, 52), ("AveRooms", 0.8, 20), ("AveBedrms", 0.3, 5), ("Population", 3, 35682),
    ("AveOccup", 0.7, 12), ("Latitude", 32.5, 42), ("Longitude", -124.4, -114.3),
)  # fmt: skip


def wrap(recorder, module):
    instead = core.neighbour("generated").instead
    for name, make in (("california_housing", california), ("olivetti_faces", faces), ("20newsgroups", news)):
        function = getattr(module, "fetch_" + name, None)
        if function is not None:
            setattr(module, "fetch_" + name, instead(recorder, function, name, make))
    if hasattr(module, "fetch_openml"):
        module.fetch_openml = instead(recorder, module.fetch_openml, openml_name, mnist)


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


def openml_name(name=None, *arguments, **named):
    return name if name == "mnist_784" else None


def mnist(name=None, *arguments, **named):
    images, target = samples.images("mnist", "all", 70000, (28, 28), 10, True)
    data, target = images.reshape(70000, 784).astype("float64"), target.astype(str).astype(object)
    if named.get("as_frame", "auto") is not False:
        pandas = samples.library("pandas")

        data, target = pandas.DataFrame(data), pandas.Series(target, name="class", dtype="category")
    return bunch(named.get("return_X_y", False), data=data, target=target, DESCR="generated")
