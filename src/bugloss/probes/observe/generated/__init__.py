"""Stand-ins for data sets that a program wants to download where there is no network.

The data have the shapes, types and ranges of the real ones, and what is to be predicted depends on them, so that a
healthy model learns. They are used only where the real function failed for want of the network or of its files, and
each use is written down.
"""

import functools

from .. import core, imports

# What the functions of the libraries say where a file is neither there nor can be fetched.
WORDS = ("url fetch failure", "not found", "download", "name or service", "name resolution", "unreachable", "urlopen")
KERAS = (
    "keras.datasets.", "keras.src.datasets.", "tensorflow.python.keras.datasets.",
    "tensorflow_core.python.keras.datasets.", "tensorflow.python.keras._impl.keras.datasets.",
)  # fmt: skip


def install(recorder):
    """Follows imports of the libraries that fetch data sets."""
    keras = core.neighbour("generated.keras_sets")
    for name in keras.SETS:
        for place in KERAS:
            imports.watch_import(place + name, wrapping(recorder, keras.wrap, name))
    imports.watch_import("torchvision.datasets", wrapping(recorder, core.neighbour("generated.torchvision_sets").wrap))
    imports.watch_import("sklearn.datasets", wrapping(recorder, core.neighbour("generated.sklearn_sets").wrap))
    imports.watch_import("torchaudio.datasets", wrapping(recorder, core.neighbour("generated.torchaudio_sets").wrap))
    imports.watch_import("datasets.load", wrapping(recorder, core.neighbour("generated.huggingface_sets").wrap))
    for name in ("web", "weights"):
        core.neighbour("generated." + name).install(recorder, wrapping, imports.watch_import)


def wrapping(recorder, wrap, *words):
    def callback(module):
        with recorder.guard("stand-ins for data sets"):
            wrap(recorder, module, *words)

    return callback


def instead(recorder, function, name, make):
    """The function; where it cannot get its files, what ``make`` returns for the same arguments.

    ``name`` is that of the data set, or a function that returns it from the arguments; None means that there is none.
    """

    @functools.wraps(function)
    def fetch(*arguments, **named):
        try:
            return function(*arguments, **named)
        except Exception as error:
            called = name(*arguments, **named) if callable(name) else name
            if called is None or not lacks_files(error):
                raise
        recorder.emit("stand-in", name=called)
        return make(*arguments, **named)

    return fetch


def lacks_files(error):
    """Whether an exception, or one that led to it, comes from the network or from a missing file."""
    while error is not None:
        if isinstance(error, (OSError, EOFError)) or any(word in str(error).lower() for word in WORDS):
            return True
        error = error.__cause__ or error.__context__
    return False
