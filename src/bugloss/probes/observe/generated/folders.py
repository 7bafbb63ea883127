"""Well-known archives of texts and images."""

import gzip
import pickle

from . import archives, language, samples

LANGUAGES = ("Arabic", "Czech", "Dutch", "English", "French", "German", "Greek", "Irish", "Italian", "Spanish")
KNOWN = 2000  # words of a language


def prose(name):
    return language.prose(name, "all", 200000).encode("ascii")


def pairs(name):
    """Sentences and what they are in another language."""
    rows = ["%s.\t%s." % (here.capitalize(), there.capitalize()) for here, there in translated(name)]
    folder = name.split(".")[0]
    inside = "spa-eng/spa.txt" if folder == "spa-eng" else folder.split("-")[0] + ".txt"
    return archives.packed(name, [(inside, ("\n".join(rows) + "\n").encode("ascii"))])


def translated(name):
    """Pairs of sentences: word for word another vocabulary."""
    other = dict(zip(language.vocabulary(name, KNOWN), language.vocabulary(name + " other", KNOWN)))
    sentences = language.text(name, "all", 60000, KNOWN)
    return [(" ".join(line), " ".join([other[word] for word in line])) for line in sentences]


def reviews(name):
    """Reviews of films in folders, each a file."""
    files = []
    for part in ("train", "test"):
        rows = zip(*language.labelled("imdb", part, 1000, 2, 150))
        for number, (line, label) in enumerate(rows):
            kind = "pos/%d_9" if label else "neg/%d_2"
            files.append(("aclImdb/%s/%s.txt" % (part, kind % number), line.encode("ascii")))
    files.extend([("aclImdb/train/unsup/%d_0.txt" % number, b"none") for number in range(5)])
    return archives.packed(name, files)


def surnames(name):
    """Names of people by language, and pairs of sentences, as the tutorials of PyTorch use them."""
    files = []
    for origin in LANGUAGES:
        words = [word.capitalize() + origin[-2:] for word in language.vocabulary("names " + origin, 300)]
        files.append(("data/names/%s.txt" % origin, ("\n".join(words) + "\n").encode("ascii")))
    lines = ["i am %s .\tje suis %s ." % pair for pair in translated("tutorial")]
    files.append(("data/eng-fra.txt", ("\n".join(lines) + "\n").encode("ascii")))
    return archives.packed(name, files)


def in_parts(root, parts, kinds):
    return ["%s/%s/%s" % (root, part, kind) for part in parts for kind in kinds]


# Folders of an archive, images in each, height and width.
PHOTOS = {
    "flower_photos.tgz": (
        ["flower_photos/" + kind for kind in ("daisy", "dandelion", "roses", "sunflowers", "tulips")], 80, (120, 160),
    ),
    "cats_and_dogs_filtered.zip": (
        in_parts("cats_and_dogs_filtered", ("train", "validation"), ("cats", "dogs")), 100, (150, 150),
    ),
    "hymenoptera_data.zip": (in_parts("hymenoptera_data", ("train", "val"), ("ants", "bees")), 60, (240, 240)),
    "horse-or-human.zip": (["./horses", "./humans"], 100, (150, 150)),
}  # fmt: skip


def photos(name):
    """Folders of images, one for each class."""
    folders, each, size = PHOTOS[name]
    classes = sorted({folder.rsplit("/", 1)[1] for folder in folders})
    table = samples.patterns(name, size + (3,), len(classes), False)
    random = samples.generator(name, "light")
    files = []
    for folder in folders:
        kind = folder.rsplit("/", 1)[1]
        for number in range(each):
            noise = random.randint(0, 60, size + (3,))
            pixels = table[classes.index(kind), random.randint(samples.SHIFTS)] * random.uniform(0.4, 0.75) + noise
            files.append(("%s/%s.%d.jpg" % (folder, kind, number), archives.image(pixels.astype("uint8"))))
    return archives.packed(name, files)


def digits(name):
    """Images of digits between 0 and 1 in rows of 784, pickled in three parts."""
    parts = []
    for part, count in (("a", 50000), ("v", 10000), ("b", 10000)):
        data, labels = samples.images("mnist", part, count, (28, 28), 10, True)
        parts.append(((data.reshape(count, 784) / 255).astype("float32"), labels.astype("int64")))
    return gzip.compress(pickle.dumps(tuple(parts), 2), 1)
