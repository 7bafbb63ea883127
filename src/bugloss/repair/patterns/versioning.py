"""Names and parameters of another release."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.repair.other_release import rewritings


class VersioningFix(FixGenerator):
    """What it changes
    ---------------
    Modules, functions and parameters are written as the installed release has them.

    When it is tried
    ----------------
    With findings of the API catalogues, and crashes about names that do not exist. Where a name has no equal, what
    comes closest is tried, and for TensorFlow 1 its old interface.

    Known problems
    --------------
    A function of the same name may behave otherwise in another release.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.VERSIONING
    examples = (
        FixExample(
            """\
import keras

optimizer = keras.optimizers.Adam(lr=0.001)
""",
            """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=0.001)
""",
        ),
        FixExample(
            """\
import tensorflow as tf

weights = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.train.GradientDescentOptimizer(0.1)
""",
            """\
import tensorflow as tf

weights = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)
""",
            raised="AttributeError: module 'tensorflow._api.v2.train' has no attribute 'GradientDescentOptimizer'",
            line=4,
            releases={"tensorflow": "2.15.0"},
        ),
        FixExample(
            """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
with tf.Session() as session:
    print(session.run(tf.reduce_sum(x), {x: [[1.0, 2.0, 3.0, 4.0]]}))
""",
            """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None, 4])
with tf.Session() as session:
    print(session.run(tf.reduce_sum(x), {x: [[1.0, 2.0, 3.0, 4.0]]}))
""",
            raised="AttributeError: module 'tensorflow' has no attribute 'placeholder'",
            line=3,
            releases={"tensorflow": "2.15.0"},
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for module in case.project.modules() if case.crash is not None else ():
            for edit, confidence, reason in rewritings(module.source, case.releases):
                yield self.patch(edit, confidence, reason)
