"""One script that shows the bug by itself: dependencies inline, what was assumed as comments, then the program."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bugloss.core.report import Report
from bugloss.core.reproduction import ProgramEdit
from bugloss.core.visible import visible
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.program.draft import parsed
from bugloss.reproduce.program.rewriting import must_stay_first

_WIDTH = 110
_OWN_FOLDER = '__name__ == "__main__" and __import__("os").chdir(__import__("tempfile").mkdtemp(prefix="repro-"))'
_DISTRIBUTIONS = {"tensorflow": "tensorflow-cpu", "sklearn": "scikit-learn"}


@dataclass(frozen=True, slots=True)
class Header:
    """What the script says about itself before its first line of code."""

    report: Report
    expectation: Expectation
    verdict: str
    python: str  # 3.11
    pins: Sequence[str]  # torch==2.13.0
    stack: str


def write_script(text: str, log: Sequence[ProgramEdit], header: Header) -> str:
    """The whole script."""
    lines = [*_metadata(header), *_story(header), *_edits(log), "", ""]
    return "\n".join(lines) + in_own_folder(text.strip("\n")) + "\n"


def in_own_folder(text: str) -> str:
    """The program with a first step that changes into a new folder: relative paths never lead to the user's files.

    The step stands behind what must come first in a file, on the same line, so that no code runs before it; it binds no
    name, so that a program that forgot an import still fails; processes that import the script again skip it.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # as Python counts lines
    tree = parsed(text)
    first = must_stay_first(tree.body) if tree is not None else []
    if not first:
        return f"{_OWN_FOLDER}\n{text}"
    lines = text.split("\n")
    end = (first[-1].end_lineno or 1) - 1
    before = lines[end].encode()[: first[-1].end_col_offset].decode()
    lines[end] = f"{before}; {_OWN_FOLDER}{lines[end][len(before) :]}"
    return "\n".join(lines)


def _metadata(header: Header) -> list[str]:
    """Inline dependencies (PEP 723), so that ``uv run repro.py`` needs nothing else."""
    pins = ", ".join(f'"{pin}"' for pin in header.pins)
    return ["# /// script", f'# requires-python = "=={header.python}.*"', f"# dependencies = [{pins}]", "# ///", "#"]


def _story(header: Header) -> list[str]:
    source = header.report.url or "a report"
    stated = [
        f'Shows the failure of "{_one_line(header.report.title, 90)}" ({source}).',
        f"Expected: {_expected(header.expectation)}",
        f"Verdict of bugloss: {header.verdict}.",
        "It works in a new folder under the system's temporary directory: relative paths do not lead to your files.",
        f"Run it with: uv run repro.py, or with Python {header.python} and {', '.join(header.pins)}.",
    ]
    return [line for part in stated for line in _comment(part)]


def _expected(expectation: Expectation) -> str:
    if expectation.kind is ExpectationKind.EXCEPTION and expectation.exception is not None:
        stated = f"{expectation.exception.kind}: {_one_line(expectation.exception.message, 160)}"
        return stated.removeprefix(": ")
    if expectation.kind is ExpectationKind.SYMPTOM:
        words = f' (the report: "{_one_line(expectation.quotes[0].text, 80)}")' if expectation.quotes else ""
        return f"{expectation.symptoms[0].value}{words}"
    return (
        f"it prints {expectation.value}"
        if expectation.value
        else ("the report does not describe it in a way that can be tested")
    )


def _edits(log: Sequence[ProgramEdit]) -> list[str]:
    if not log:
        return ["#", "# Nothing was edited."]
    lines = ["#", "# Edits:"]
    for number, entry in enumerate(log, start=1):
        words = f' (from the report: "{_one_line(entry.quotes[0].text, 70)}")' if entry.quotes else ""
        needless = " [also shown without it]" if entry.needed is False else ""
        stated = f"{number}. {entry.action.code} {entry.action.value}: {_one_line(entry.why, 200)}{words}{needless}"
        lines += _comment(stated, "   ")
    return lines


def _comment(text: str, indent: str = "") -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(visible(text), _WIDTH, subsequent_indent=indent)]


def _one_line(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def main_pins(packages: Sequence[str], releases: Mapping[str, str]) -> list[str]:
    """The pins of a stack that a script names: its frameworks and NumPy, not all that they bring along."""
    named = {_DISTRIBUTIONS.get(name, name) for name in releases} | set(releases)
    return [pin for pin in packages if pin.split("==")[0].split("[")[0].lower() in named]


def places(log: Sequence[ProgramEdit], script: str) -> list[tuple[int, int]]:
    """The lines of each edit in the finished script; (0, 0) where nothing of it is left."""
    lines = script.split("\n")
    found = []
    for entry in log:
        added = set(entry.code.split("\n"))
        at = [number for number, line in enumerate(lines, start=1) if line.strip() and line in added]
        found.append((at[0], at[-1]) if at else (0, 0))
    return found
