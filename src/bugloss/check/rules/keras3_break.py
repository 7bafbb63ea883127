"""keras3-break."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.releases.removal import is_keras3, removals
from bugloss.check.releases.renaming import report
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class Keras3Break(Rule):
    """A Keras name is used that Keras 3 removed.

    ## What it finds
    Imports, dotted names and methods that Keras 1 or 2 had and Keras 3 lacks: most of ``keras.backend``, modules such
    as ``keras.layers.core`` and ``keras.utils.np_utils``, ``keras.wrappers``, ``fit_generator``, ``predict_classes``.

    ## Why it hurts
    The program stops with an ImportError or AttributeError with Keras 3, which TensorFlow 2.16 and later install.

    ## Example
    ```python
    from keras.utils.np_utils import to_categorical
    model.fit_generator(batches, epochs=10)
    ```

    ## Use instead
    ```python
    from keras.utils import to_categorical
    model.fit(batches, epochs=10)
    ```

    ## Known problems
    Without a ``--target`` or a pin the newest release is assumed, and the finding is a warning. ``tf_keras``, the
    package that continues Keras 2, is never reported.

    ## Fix safety
    Safe where the new name takes the same arguments; otherwise the message names the replacement and no fix is
    offered.

    ## References
    Keras documentation, "Migrating Keras 2 code to Keras 3"; the catalogues made by ``scripts/catalogue.py``.
    """

    name = "keras3-break"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    words = ("keras",)
    faulty = (
        "from keras.utils.np_utils import to_categorical\n\nlabels = to_categorical([0, 1, 2])\n",
        """\
import keras
from keras import backend as K


def dice(y_true, y_pred):
    return 2 * K.sum(y_true * y_pred) / (K.sum(y_true) + K.sum(y_pred))
""",
        """\
import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit_generator(batches, steps_per_epoch=10, epochs=3)
""",
        "from keras.preprocessing.image import ImageDataGenerator\n",
        "from tensorflow.keras.wrappers.scikit_learn import KerasClassifier\n",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: "from keras.utils import to_categorical\n\nlabels = to_categorical([0, 1, 2])\n",
        1: """\
import keras
from keras import backend as K


def dice(y_true, y_pred):
    return 2 * keras.ops.sum(y_true * y_pred) / (keras.ops.sum(y_true) + keras.ops.sum(y_pred))
""",
        2: """\
import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(batches, steps_per_epoch=10, epochs=3)
""",
    }
    clean = (
        """\
from keras.utils import to_categorical
from keras import backend as K

K.clear_session()
labels = to_categorical([0])
""",
        "from tf_keras.preprocessing.image import ImageDataGenerator\n",
        "from tensorflow.keras.preprocessing.image import ImageDataGenerator\n",
        """\
try:
    from keras.utils import np_utils
except ImportError:
    from keras import utils as np_utils
""",
        """\
import keras


class Learner:
    def fit_generator(self, data):
        return data


Learner().fit_generator([1])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for removal in removals(program):
            if is_keras3(removal):
                yield report(self, program, removal)
