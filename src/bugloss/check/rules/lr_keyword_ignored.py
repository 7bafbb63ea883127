"""lr-keyword-ignored."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, rename_keyword
from bugloss.check.releases.checked_release import keras_release
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

CHANGED = (2, 11)


class LrKeywordIgnored(Rule):
    """The learning rate is passed as ``lr``, which Keras no longer reads.

    ## What it finds
    A Keras optimizer that is called with ``lr=`` instead of ``learning_rate=``.

    ## Why it hurts
    Keras 2.11 to 2.15 warn and train with the default rate; Keras 3 refuses the argument. Before 2.3 ``lr`` was the
    only name.

    ## Example
    ```python
    optimizer = keras.optimizers.Adam(lr=0.0001)
    ```

    ## Use instead
    ```python
    optimizer = keras.optimizers.Adam(learning_rate=0.0001)
    ```

    ## Known problems
    If the release is not known, the finding is advice; for releases before 2.11 nothing is reported.

    ## Fix safety
    Suggested: releases before 2.3 accept only the old name.

    ## References
    keras-io issue 1441; Keras 2.11 release notes.
    """

    name = "lr-keyword-ignored"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    words = ("optim",)
    faulty = (
        """\
import keras

optimizer = keras.optimizers.Adam(lr=0.0001)
""",
    )
    clean = (
        """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=0.0001)
""",
        """\
import torch

def make(model):
    return torch.optim.Adam(model.parameters(), lr=0.0001)
""",
        """\
from tensorflow.keras.optimizers.legacy import Adam

optimizer = Adam(lr=0.0001)
""",
    )
    fixed = {  # noqa: RUF012
        0: """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=0.0001)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        release = keras_release(program)
        if release is not None and release < CHANGED:
            return
        for optimizer in program.optimizers:
            keyword = next((part for part in optimizer.node.keywords if part.arg == "lr"), None)
            written = program.names.raw(optimizer.node.func) or ""
            if optimizer.framework != "keras" or keyword is None or "legacy" in written:
                continue
            fix = rename_keyword(program, keyword, "learning_rate", "pass learning_rate")
            message = f"{optimizer.name} ignores lr since Keras 2.11: pass learning_rate"
            severity = Severity.ERROR if release is not None else Severity.ADVICE
            yield self.finding(program, optimizer.node, message, fix=fix, severity=severity)
