"""Version migration (A10)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.releases.removal import removals
from bugloss.check.releases.renaming import renaming
from bugloss.check.releases.target import with_companions
from bugloss.core.edit import apply_changes
from bugloss.core.python_text import parse_python
from bugloss.core.run import RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.words import rows
from bugloss.source.program import Program
from bugloss.source.text.source_file import Skipped, parse_source

_KERAS3 = {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}
_NEEDED = re.compile(
    r"has no attribute|No module named|cannot import name|object is not callable|invalid index of a 0-dim"
    r"|is not a package|unexpected keyword|removed|got an unexpected|deprecated|takes \d+ positional"
)


class VersionMigration(Action):
    """Rewrites a snippet for the release in use where the reported one cannot be had.

    ## What it does
    Renames what only moved or got another name, by the table of replacements; rewrites a few idioms that no table can
    express; lets TensorFlow 1 code run on its compatibility layer.

    ## When it applies
    The release in use lacks a name that the program uses, or the last run failed for such a reason; never where the
    report itself is about that name. The reported era's own stack is always tried first.

    ## What it rests on
    The API catalogues of releases and the table of replacements.

    ## Example
    `from keras.layers.core import Dense` becomes `from keras.layers import Dense`.

    ## Known problems
    Behaviour may have changed under the same name.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A10.
    """

    action = EditAction.VERSION_MIGRATION
    examples = (
        EditExample(
            "from keras.layers.core import Dense\nlayer = Dense(3)\n",
            "from keras.layers import Dense\nlayer = Dense(3)\n",
            releases=_KERAS3,
            modules=frozenset(_KERAS3),
        ),
        EditExample(
            "import torch\nloss = torch.ones(())\nprint(loss.data[0])\n",
            "import torch\nloss = torch.ones(())\nprint(loss.item())\n",
            failure=RaisedException("IndexError", "builtins.IndexError", "invalid index of a 0-dim tensor."),
        ),
        EditExample(
            "import numpy as np\nx = np.zeros(3, dtype=np.float)\n",
            "import numpy as np\nx = np.zeros(3, dtype=float)\n",
            failure=RaisedException(
                "AttributeError", "builtins.AttributeError", "module 'numpy' has no attribute 'float'."
            ),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        if parsed(program.text) is None:
            return
        yield from self._renamed(program, evidence)
        failure = evidence.failure
        if failure is not None and _NEEDED.search(failure.message):
            yield from self._idioms(program, evidence)
            yield from self._compatibility(program, evidence)

    def _renamed(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        source = parse_source(program.text, "report.py")
        if isinstance(source, Skipped):
            return
        followed = Program(source, with_companions(dict(evidence.releases)))
        for removal in removals(followed):
            last = removal.name.rsplit(".", 1)[-1]
            if evidence.expectation.speaks_of(last) or evidence.expectation.speaks_of(removal.name):
                continue
            fix = renaming(followed, removal)
            if fix is not None and fix.edit is not None:
                new = removal.instead.new if removal.instead is not None else ""
                yield Proposal(
                    apply_changes(program.text, fix.edit.changes),
                    f"{removal.name} {removal.when}: {new}",
                    origin=LineOrigin.CHANGED,
                )
                return

    def _idioms(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        for why, new, pattern in rows("idioms", 3):
            changed = re.sub(pattern, new, program.text)
            spoken_of = any(evidence.expectation.speaks_of(word) for word in re.findall(r"[a-z_]{6,}", pattern))
            if changed != program.text and not spoken_of and parsed(changed) is not None:
                yield Proposal(changed, why, origin=LineOrigin.CHANGED)

    def _compatibility(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """TensorFlow 1 code on TensorFlow 2: its compatibility layer under the same name."""
        failure = evidence.failure
        missing = (
            re.search(r"module 'tensorflow' has no attribute '(\w+)'", failure.message) if failure is not None else None
        )
        if missing is None or evidence.expectation.speaks_of(missing[1]) or "compat.v1" in program.text:
            return
        for node in ast.walk(parse_python(program.text)):
            if isinstance(node, ast.Import) and any(
                alias.name == "tensorflow" and alias.asname == "tf" for alias in node.names
            ):
                text = program.text.replace(
                    "import tensorflow as tf", "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()", 1
                )
                yield Proposal(
                    text,
                    f"tf.{missing[1]} exists only in TensorFlow 1 and in tf.compat.v1",
                    origin=LineOrigin.CHANGED,
                )
                return
