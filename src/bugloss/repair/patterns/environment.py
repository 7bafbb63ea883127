"""What the program runs in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.failure.message import missing_module
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator

REQUIREMENTS = "requirements.txt"
_SURE = 0.6  # the package may have another name than the module


class EnvironmentFix(FixGenerator):
    """What it changes
    ---------------
    The file of requirements names a package that the program imports.

    When it is tried
    ----------------
    With a crash about a module that is not installed, where the program has a `requirements.txt` without it.

    Known problems
    --------------
    Patches run in the environment of the program, which is not built again: such a patch is proposed, not run.

    References
    ----------
    A pattern of bugloss, beside the fifteen of "Repairing Deep Neural Networks" (ICSE 2020).
    """

    fix_pattern = FixPattern.ENVIRONMENT
    examples = (
        FixExample(
            """\
import einops

print(einops.__version__)
""",
            """\
torch
einops
""",
            raised="ModuleNotFoundError: No module named 'einops'",
            line=1,
            files={"requirements.txt": "torch\n"},
            changed="requirements.txt",
        ),
    )

    safety = Safety.ADVICE

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        missing = missing_module(case.scene.text).split(".")[0] if case.scene is not None else ""
        text = case.project.read(REQUIREMENTS)
        if not missing or text is None or re.search(rf"^{re.escape(missing)}\b", text, re.MULTILINE):
            return
        lines = text.count("\n") + 1
        last = text.split("\n")[-1]
        at = Span(lines, len(last), lines, len(last))
        added = TextChange(REQUIREMENTS, at, "", f"{chr(10) if last else ''}{missing}\n")
        edit = Edit(f"add `{missing}` to {REQUIREMENTS}", (added,))
        yield self.patch(edit, _SURE, f"The program imports {missing}, which is not installed.")
