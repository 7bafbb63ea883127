"""The stack for a program: by how it is written."""

from __future__ import annotations

from bugloss.core.errors import InvalidInput
from bugloss.workflows.subject import ProgramText

FRAMEWORKS = frozenset({"torch", "keras", "tensorflow"})
_STACKS = {"torch": "torch", "torchvision": "torch", "keras": "keras3", "tensorflow": "tf2"}


def stack_for(program: ProgramText) -> tuple[str, str]:
    """The stack whose framework the program imports, and why."""
    for package, stack in _STACKS.items():
        if package in program.imports:
            return stack, f"the program imports {package}"
    raise InvalidInput(
        "the script imports neither torch nor keras nor tensorflow.", hint="Name the stack to run it in: --stack torch"
    )
