"""tf1-idiom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.releases.removal import Removal, is_tensorflow1, removals
from bugloss.check.releases.renaming import old_interface, report, shown
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class Tf1Idiom(Rule):
    """TensorFlow 1 names are used with TensorFlow 2.

    ## What it finds
    Names that TensorFlow 2 removed: ``tf.placeholder``, ``tf.Session``, ``tf.layers``, ``tf.contrib``,
    ``tf.train.AdamOptimizer``, ``tf.global_variables_initializer`` and about a thousand more.

    ## Why it hurts
    Each of them raises an AttributeError. Building a graph and running it in a session is not possible any more
    either, so renaming alone is often not enough.

    ## Example
    ```python
    x = tf.placeholder(tf.float32, [None, 4])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
    ```

    ## Use instead
    ```python
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    ```
    to keep the program as it is, or migrate to a Keras model and ``tf.function``.

    ## Known problems
    Without a ``--target`` or a pin the whole file gets one finding, as advice, unless no release has all its names. A
    file that calls ``disable_v2_behavior`` or reads ``tf.__version__`` is not reported, and neither are names below
    ``tf.compat.v1``.

    ## Fix safety
    Renamed functions (``tf.log`` to ``tf.math.log``) are safe. Importing ``tensorflow.compat.v1`` instead is
    suggested where that module has all the names; the program then still uses the TensorFlow 1 interface.

    ## References
    TensorFlow documentation, "Migrate from TensorFlow 1.x to TensorFlow 2"; the catalogues made by
    ``scripts/catalogue.py``. Names of 1.10 to 1.14 and 2.0 were compared with the lists that Islam et al. published
    with their ICSE 2020 study (lab-design/ICSE2020DNNBugRepair, MIT).
    """

    name = "tf1-idiom"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    words = ("tensorflow",)
    faulty = (
        """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
""",
        "import tensorflow as tf\n\n\ndef entropy(p):\n    return -tf.reduce_sum(p * tf.log(p)) + tf.log(2.0)\n",
        "import tensorflow.contrib.slim as slim\n",
        "from tensorflow.examples.tutorials.mnist import input_data\n",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None, 4])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
""",
        1: """\
import tensorflow as tf


def entropy(p):
    return -tf.reduce_sum(p * tf.math.log(p)) + tf.math.log(2.0)
""",
    }
    clean = (
        """\
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32)
session = tf.Session()
""",
        "import tensorflow as tf\n\nx = tf.compat.v1.placeholder(tf.float32)\ny = tf.math.log(tf.Variable(1.0))\n",
        """\
import tensorflow as tf

if tf.__version__.startswith("1."):
    session = tf.Session()
else:
    session = None
""",
        """\
try:
    import tensorflow.compat.v1 as tf
except ImportError:
    import tensorflow as tf

session = tf.Session()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        found = [removal for removal in removals(program) if is_tensorflow1(removal)]
        if not found:
            return
        renamed = all(removal.instead is not None and removal.instead.how == "same" for removal in found)
        if found[0].certain or renamed:
            yield from (report(self, program, removal) for removal in found)
        else:
            yield self._whole_file(program, found)

    def _whole_file(self, program: Program, found: Sequence[Removal]) -> Finding:
        names = [shown(program, removal.name, removal.nodes[0]) for removal in found]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        verb = "was" if len(names) == 1 else "were"
        message = f"{', '.join(names[:3])}{more} {verb} removed in TensorFlow 2"
        edit = old_interface(program, found)
        fix = Fix(Safety.SUGGESTED, "import tensorflow.compat.v1", edit) if edit is not None else None
        return self.finding(program, found[0].nodes[0], message, fix=fix, severity=Severity.ADVICE)
