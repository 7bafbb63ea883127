"""Callbacks of the same names that do nothing; they belong to the Keras that the program has loaded."""

import sys

if "tensorflow" in sys.modules:
    from tensorflow.keras.callbacks import Callback
else:
    from keras.callbacks import Callback


class WandbCallback(Callback):
    """Accepts every option."""

    def __init__(self, *arguments, **options):
        super().__init__()


WandbMetricsLogger = WandbModelCheckpoint = WandbEvalCallback = WandbCallback
