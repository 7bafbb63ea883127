"""The report holds the facts that a reporter had: the exception with its message, or what was measured."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.bug import Bug, OracleKind
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.corpus.reported_failure import disagreement, reports_failure
from bugloss.corpus.scaffold import PLACEHOLDER

Problems = Iterator[tuple[str, str]]

_BLOCK = re.compile(r"^```\w*\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
# A measured number is one that is neither a release nor part of a name, such as 0.35, 12 s, 1.8e-3 or nan.
_RELEASE = re.compile(
    r"\b(?:[A-Z][A-Za-z]+(?: \([^)]*\))?|version|python|numpy|torch|keras|tensorflow) v?\d+(?:\.\d+)*"
)
_NUMBER = re.compile(r"(?<![\w./-])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w/])|\bnan\b|\binf\b", re.IGNORECASE)


def check_reported_facts(bug: Bug) -> Problems:
    try:
        text = read_text(bug.folder, "report.md")
    except FileRefused:
        return  # another check says so
    if PLACEHOLDER in text:
        return
    if any(not block["body"].strip() for block in _BLOCK.finditer(text)):
        yield "report.md", "has an empty block: paste what the program printed, or remove the block"
    oracle = bug.oracle
    if oracle.kind is OracleKind.EXCEPTION:
        if not reports_failure(text):
            yield "report.md", f"does not show the {oracle.exception}: paste the traceback with its message"
        elif problem := disagreement(text, oracle.exception, oracle.message):
            yield "report.md", f"{problem}; the oracle expects '{oracle.exception}: {oracle.message}'"
    elif not _measured(text):
        yield "report.md", "has no measured number: say what the program printed, such as the last loss"


def _measured(text: str) -> bool:
    """Whether a number stands outside of code and is not a release."""
    printed = "".join(block["body"] for block in _BLOCK.finditer(text) if block[0].startswith("```text"))
    prose = _BLOCK.sub("", text)
    return any(_NUMBER.search(_RELEASE.sub("", part)) for part in (printed, _without_dates(prose)))


def _without_dates(prose: str) -> str:
    return re.sub(r"\b(?:19|20)\d\d\b", "", prose)
