"""Callbacks of the same names that do nothing; they belong to the Keras that the program has loaded."""

import importlib
import sys

_keras = "tensorflow.keras" if "tensorflow" in sys.modules else "keras"
_Callback = importlib.import_module(_keras + ".callbacks").Callback


class WandbCallback(_Callback):  # type: ignore[misc,valid-type]
    """Accepts every option."""

    def __init__(self, *arguments, **options):
        super(WandbCallback, self).__init__()


WandbMetricsLogger = WandbModelCheckpoint = WandbEvalCallback = WandbCallback
