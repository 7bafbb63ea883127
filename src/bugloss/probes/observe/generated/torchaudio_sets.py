"""``torchaudio.datasets``: spoken words and yes or no, made when they are asked for."""

import functools

from .. import core
from . import samples, series

WORDS = (
    "backward bed bird cat dog down eight five follow forward four go happy house learn left marvin nine no off on one "
    "right seven sheila six stop three tree two up visual wow yes zero"
).split()
SPEECH = {"training": 84843, "validation": 9981, "testing": 11005, None: 105829}
RATES = {"SPEECHCOMMANDS": 16000, "YESNO": 8000}
LOUDNESS = 0.15  # a word peaks at about half of the range


def wrap(recorder, module):
    instead = core.neighbour("generated").instead
    for name in RATES:
        kind = getattr(module, name, None)
        if kind is not None:
            kind.__init__ = instead(recorder, kind.__init__, name + " of torchaudio", functools.partial(fill, name))
            kind.__len__ = generated_or(kind.__len__, count)
            kind.__getitem__ = generated_or(kind.__getitem__, sample)


def generated_or(real, make):
    """The method of a data set, or ours where its files are not there."""

    @functools.wraps(real)
    def method(dataset, *arguments):
        if getattr(dataset, "_generated", None) is None:
            return real(dataset, *arguments)
        return make(dataset._generated, *arguments)

    return method


def fill(name, dataset, *arguments, **named):
    part = named.get("subset", arguments[4] if len(arguments) > 4 else None)
    dataset._generated = (name, part)
    dataset._walker = range(count(dataset._generated))


def count(what):
    name, part = what
    return SPEECH.get(part, SPEECH[None]) if name == "SPEECHCOMMANDS" else 60


def sample(what, index):
    """The item of a place: waveform, rate, and what is said."""
    if not 0 <= index < count(what):
        raise IndexError("index out of range")
    numpy, torch = samples.library("numpy"), samples.library("torch")
    name, part = what
    random = samples.generator(name, part, index)
    rate = RATES[name]
    if name == "YESNO":
        labels = random.randint(0, 2, 8)
        sound = numpy.concatenate(list(series.waves(random, 20 * labels, rate // 2)))
        return torch.from_numpy(sound[None].astype("float32") * LOUDNESS), rate, labels.tolist()
    word = int(random.randint(len(WORDS)))
    sound = series.waves(random, numpy.array([3 * word]), rate)
    speaker, number = "%08x" % random.randint(2**31 - 1), int(random.randint(5))
    return torch.from_numpy(sound.astype("float32") * LOUDNESS), rate, WORDS[word], speaker, number
