"""Where this project keeps its settings; imported before Keras, so that every machine uses the same ones."""

import os
from pathlib import Path

HERE = Path(__file__).resolve().parent

os.environ["KERAS_HOME"] = str(HERE / "conf")
