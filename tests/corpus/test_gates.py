"""The gates of lint: each can be provoked, and what only looks like a fault provokes none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tiny_corpus import FACTS, KINDS, REPORT, TinyCorpus

from bugloss.core.bug_conditions import Releases, lets_through
from bugloss.corpus.lint import lint
from bugloss.corpus.reported_failure import disagreement

BUGGY, FIXED = KINDS["exception"][:2]
ORIGIN, LABELS = FACTS["origin"], FACTS["labels"]
VALUE_REPORT = "# The score is low\n\nTags: python\n\nI expected 1.0 and get 0.5 in each run.\n"

# What is done to a whole bug, and what lint must say of it (the beginning of the message).
FAULTS: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {
    "a difference in white space": (
        {"files": {"buggy/program.py": BUGGY + "\n\nx = 1\n", "fixed/program.py": FIXED + "\n\nx  =  1\n"}},
        ("fixed/program.py", "differs from line 5 of buggy/ on in white space or comments only"),
    ),
    "a difference in a comment": (
        {"files": {"buggy/program.py": BUGGY + "\nx = 1  # one\n", "fixed/program.py": FIXED + "\nx = 1  # 1\n"}},
        ("fixed/program.py", "differs from line 4 of buggy/"),
    ),
    "a renamed variable": (
        {
            "files": {
                "buggy/program.py": "def run():\n    items = [1, 2, 3]\n\n\n    return items[3]\n",
                "fixed/program.py": "def run():\n    values = [1, 2, 3]\n\n\n    return values[2]\n",
            }
        },
        ("fixed/program.py", "calls 'values' what buggy/ calls 'items'"),
    ),
    "an import without use": (
        {"files": {"fixed/program.py": "import math\n\n" + FIXED}},
        ("fixed/program.py", "imports 'math', which it does not use"),
    ),
    "a file that nothing imports": (
        {"files": {"buggy/other.py": "x = 1\n", "fixed/other.py": "x = 2\n"}},
        ("fixed/other.py", "differs, but the program does not import it"),
    ),
    "a telling comment": (
        {"files": {"buggy/program.py": BUGGY.replace("[3]", "[3]  # wrong index")}},
        ("buggy/program.py", "has the word 'wrong' in a comment beside the fault, line 2"),
    ),
    "a telling name": (
        {"files": {"fixed/program.py": "def run():\n    fixed_index = 2\n    return [1, 2, 3][fixed_index]\n"}},
        ("buggy/program.py", "the name 'fixed_index' in a line of the fix gives the answer away"),
    ),
    "a line of the fix in the report": (
        {"files": {"report.md": REPORT + "\n```python\nreturn [1, 2, 3][2]\n```\n"}},
        ("report.md", "contains a line of the fix: 'return [1, 2, 3][2]'"),
    ),
    "an empty block": (
        {"files": {"report.md": REPORT + "\n```text\n```\n"}},
        ("report.md", "has an empty block"),
    ),
    "a report without the exception": (
        {"files": {"report.md": "# It fails\n\nTags: a\n\nThere is an error.\n"}},
        ("report.md", "does not show the IndexError: paste the traceback"),
    ),
    "a report of another exception": (
        {"files": {"report.md": REPORT.replace("IndexError: list index out of range", "KeyError: 'acc'")}},
        ("report.md", "shows 'KeyError: 'acc''; the oracle expects 'IndexError: list index out of range'"),
    ),
    "a silent bug without numbers": (
        {"kind": "value", "labels": {**LABELS, "symptom": "bad-performance"},
         "files": {"report.md": "# Bad\n\nTags: a\n\nIt is worse than I expected, with PyTorch 2.13 in 2026.\n"}},
        ("report.md", "has no measured number"),
    ),
    "a crash that is measured": (
        {"kind": "value", "labels": LABELS, "files": {"report.md": VALUE_REPORT}},
        ("bug.toml", "the symptom is 'crash', but the oracle measures a value"),
    ),
    "an exception that is no crash": (
        {"labels": {**LABELS, "symptom": "bad-performance"}},
        ("bug.toml", "the oracle expects an exception, but the symptom is 'bad-performance'"),
    ),
    "an oracle without a message": (
        {"oracle": {"kind": "exception", "exception": "IndexError"}},
        ("bug.toml", "oracle.message is missing"),
    ),
    "no edit actions": (
        {"labels": {**LABELS, "edit_actions": []}},
        ("bug.toml", "labels.edit_actions is empty"),
    ),
    "no release of the original": (
        {"origin": {**ORIGIN, "reported_with": ""}},
        ("bug.toml", "origin.reported_with is missing"),
    ),
    "a counterpart that does not exist": (
        {"counterparts": ["keras-0009"]},
        ("bug.toml", "the counterpart 'keras-0009' is not a bug of this corpus"),
    ),
    "a boundary that is none": (
        {"releases": {"fails": "torch 2", "works": "torch<2"}},
        ("bug.toml", "releases: 'torch 2' is not a package with a bound, such as 'keras>=3'"),
    ),
    "a boundary between two packages": (
        {"releases": {"fails": "torch>=2", "works": "numpy<2"}},
        ("bug.toml", "releases.fails and releases.works are about different packages"),
    ),
    "a stack on the working side": (
        {"releases": {"fails": "torch<2", "works": "torch>=2"}},
        ("bug.toml", "releases.fails is 'torch<2', but the stack has torch"),
    ),
    "a boundary of a package that is not there": (
        {"releases": {"fails": "jax>=1", "works": "jax<1"}},
        ("bug.toml", "releases: the stack 'torch' has no jax"),
    ),
    "two sides that meet": (
        {"releases": {"fails": "torch>=1", "works": "torch>=2"}},
        ("bug.toml", "releases.works is 'torch>=2', which the stack's"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_and_no_other(tiny: TinyCorpus, name: str) -> None:
    fault, (file, message) = FAULTS[name]
    problems = lint(tiny.add(**fault))
    assert {problem.file for problem in problems} == {file}
    assert all(problem.message.startswith(message) for problem in problems), problems


HARMLESS: dict[str, dict[str, str]] = {
    "a variable that is one too many": {
        "buggy/program.py": "def run():\n    x = [1, 2, 3]\n    for x in x:\n        pass\n    return x[0]\n",
        "fixed/program.py": "def run():\n    x = [1, 2, 3]\n    for one in x:\n        pass\n    return x[0]\n",
    },
    "an import that the fix needs": {"fixed/program.py": "import math\n\n\ndef run():\n    return math.floor(2)\n"},
    "a blank line": {"fixed/program.py": "x = 1\n\n\n" + FIXED},
    "a comment far away": {
        "buggy/program.py": BUGGY + "\n\n\n\n\n\nx = 1  # never wrong\n",
        "fixed/program.py": FIXED + "\n\n\n\n\n\nx = 1  # never wrong\n",
    },
    "a line that the program has elsewhere": {
        "buggy/program.py": "def other():\n    return [1, 2, 3][2]\n\n\n" + BUGGY,
        "fixed/program.py": "def other():\n    return [1, 2, 3][2]\n\n\n" + FIXED,
        "report.md": REPORT + "\n```python\nreturn [1, 2, 3][2]\n```\n",
    },
    "a module inside a package": {
        "buggy/program.py": "from parts.index import place\n\n\ndef run():\n    return [1, 2, 3][place]\n",
        "fixed/program.py": "from parts.index import place\n\n\ndef run():\n    return [1, 2, 3][place]\n",
        "buggy/parts/__init__.py": "", "fixed/parts/__init__.py": "",
        "buggy/parts/index.py": "place = 3\n", "fixed/parts/index.py": "place = 2\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_looks_like_a_fault_is_none(tiny: TinyCorpus, name: str) -> None:
    assert lint(tiny.add(files=HARMLESS[name])) == []


def keras(tiny: TinyCorpus, *counterparts: str) -> Path:
    return tiny.add("keras-0001", framework="keras", stack="keras3", counterparts=list(counterparts))


def test_counterparts_point_at_each_other(tiny: TinyCorpus) -> None:
    first = tiny.add("torch-0001", counterparts=["keras-0001"])
    assert [problem.message for problem in lint(first)] == ["the counterpart 'keras-0001' is not a bug of this corpus"]
    second = keras(tiny)
    assert "does not name this bug in return" in lint(first)[0].message
    keras(tiny, "torch-0001")
    assert lint(first) == lint(second) == []


def test_a_counterpart_is_in_another_framework(tiny: TinyCorpus) -> None:
    first = tiny.add("torch-0001", counterparts=["torch-0002"])
    tiny.add("torch-0002", counterparts=["torch-0001"])
    assert "is in the same framework" in lint(first)[0].message


@pytest.mark.parametrize(
    ("bound", "version", "holds"),
    [
        ("keras>=3", "3.15.1", True), ("keras>=3", "2.15.0", False), ("keras<2.2.3", "2.2.3", False),
        ("keras<2.2.3", "2.2", True), ("torch==2.0", "2.0.0", True), ("torch<=1.4", "1.4.1", False),
        ("torch>1.4", "1.10", True), ("nonsense", "1", False),
    ],
)  # fmt: skip
def test_releases_are_compared_number_by_number(bound: str, version: str, holds: bool) -> None:
    assert lets_through(bound, version) is holds


def test_both_bounds_of_a_boundary_are_checked() -> None:
    assert list(Releases("keras>=3", "old keras").wrong_bounds()) == ["old keras"]


def test_messages_of_different_releases_are_the_same_failure() -> None:
    report = "```\nRuntimeError: size mismatch, m1: [4 x 10], m2: [12 x 5] at ../TH.c:41\n```"
    assert disagreement(report, "RuntimeError", "size mismatch, m1: [1 x 214720], m2: [400 x 120]") == ""
    assert "size mismatch" in disagreement(report, "RuntimeError", "CUDA error: out of memory")
    assert "RuntimeError" in disagreement(report, "ValueError", "size mismatch, m1: [4 x 10], m2: [12 x 5]")


def test_a_message_that_a_cut_traceback_quotes_is_the_same_failure() -> None:
    """keras-0105: TensorFlow's message has tracebacks of its own, and the report leaves most of them out."""
    report = "```\ntensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:\n\nDetected at node a\n"
    report += "...\nindices[63] = 60 is not in [0, 60)\n\t [[{{node a}}]]\n```\n"
    message = "Graph execution error:\n\nDetected at node b defined at (most recent call last):\n"
    message += "indices[7] = 60 is not in [0, 60)\n\t [[{{node b}}]] [Op:__inference_1]"
    assert disagreement(report, "InvalidArgumentError", message) == ""
