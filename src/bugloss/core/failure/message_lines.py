"""The further lines of a message: frameworks write several paragraphs, most others end at a blank line."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 200  # lines
_END = re.compile(
    r"^(?:During handling of the above exception|The above exception was the direct cause|>>> |\$ |```|\"\"\"|'''"
    r"|Process finished with|\[Finished in|make(?:\[\d+\])?: \*\*\*|srun: error|Exception ignored in)"
)
# Messages that list frames or arguments, how their last paragraph begins, and paragraphs that belong to any message.
_WRAPPING = ("Graph execution error", "in user code", "in converted code", "Exception encountered", "Caught ")
_ARGUMENTS = re.compile(r"\s*(?:Arguments received by|Call arguments received)")
_PART = re.compile(
    r"Original stack|Caused by op|Errors may have originated|Originally defined|List of objects|Hint|from user code"
    r"|Set TORCH|You can suppress|Exception raised from|frame #|C\+\+ Captured"
)


def lines_of_message(head: str, following: Sequence[str]) -> list[str]:
    """Those of the lines below the first line of a message that still belong to it."""
    wrapped = head.startswith(_WRAPPING)
    blank, more = False, []
    for line in following[:LONGEST]:
        if _END.match(line):
            break
        if blank and not wrapped and line.strip() and not line.startswith((" ", "\t")) and not _PART.match(line):
            break
        if _ARGUMENTS.match(line):
            wrapped, blank = False, False
        blank = blank or not line.strip()
        more.append(line)
    return more
