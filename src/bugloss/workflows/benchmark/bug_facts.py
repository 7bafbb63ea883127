"""What an evaluation must know about a bug: its labels, and the lines of the buggy program that the fix changes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from bugloss.core.bug import Twin
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.evaluate.matrix.cell import ClaimedLine
from bugloss.evaluate.matrix.truth import BugFacts


def facts_of(entry: Entry) -> BugFacts:
    """The facts of one bug."""
    bug, labels = entry.bug, entry.bug.labels
    return BugFacts(
        bug=bug.id,
        title=bug.title,
        kind=bug.kind.value,
        source=bug.origin.kind.value,
        framework=bug.framework.value,
        stack=bug.stack,
        category=labels.category.value,
        bug_type=labels.bug_type.value,
        general_type=labels.general_type.value,
        symptom=labels.symptom.value,
        violated_property=labels.property.value,
        fix_pattern=labels.fix_pattern.value,
        oracle=bug.oracle.kind.value,
        digest=entry.digest(),
        changed=tuple(changed_lines(entry)),
        files=tuple(name for name in _texts(entry, Twin.BUGGY) if name.endswith(".py")),
        aliases=bug.origin.aliases,
    )


def changed_lines(entry: Entry) -> Iterator[ClaimedLine]:
    """Lines of the buggy program that the fix changes; where it only adds, the line that follows."""
    buggy, fixed = _texts(entry, Twin.BUGGY), _texts(entry, Twin.FIXED)
    for name, text in buggy.items():
        old, new = text.splitlines(), fixed.get(name, "").splitlines()
        for kind, start, end, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind != "equal":
                yield from (ClaimedLine(name, line) for line in range(start + 1, max(end, start + 1) + 1))


def _texts(entry: Entry, side: Twin) -> dict[str, str]:
    return {file.name: file.read_bytes().decode("utf-8", "replace") for file, _ in bug_files(entry.program(side)).files}
