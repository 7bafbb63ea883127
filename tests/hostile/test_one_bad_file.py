"""One bad file, bug, blob or report never ends the rest: it is named, and the others' results are there."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from bad_files import FAULTY, RULES, found
from command_line import CommandLine
from pace import within

from bugloss.check.running import inspection as inspection_module
from bugloss.check.running.inspection import Inspection, check_paths, check_text
from bugloss.check.running.selection import Selection
from bugloss.core.documents import DEEPEST
from bugloss.source.program import Program

SOURCE = Path(inspection_module.__file__).parents[2]
IMPORTS = "import numpy as np\nimport tensorflow as tf\nimport torch\n"
HUGE = "0x" + "f" * 5_000

# Programs that compute with what they should not: each is answered at once, and nothing in it fails.
HUNGRY = {
    "a range that no list holds": "for i in range(10**20):\n    pass\nx = [torch.log(i) for i in range(10**30)]\nlen(range(10**30))\n",
    "a range that goes down": "for i in range(10**30, -(10**30), -(10**29)):\n    pass\nfor a in enumerate(range(10**25)): pass\n",
    "powers of powers": "x = 10**10**10\ny = 10**5000\nz = 2**-(10**9)\nw = (10**100)**0.5\n",
    "shifts": "x = 1 << 10**10\ny = 1 >> 10**10\n",
    "repetitions": "x = [0] * 10**12\ny = (1,) * 10**12\nz = 'a' * 10**12\nw = 10**12 * b'a'\nv = [] * 10**12\n",
    "format widths": "x = '%*d' % (10**9, 3)\ny = f'{1:>{10**9}}'\nz = '%1000000000d' % 1\n",
    "numbers that are infinite": "x = np.arange(1e999)\ny = np.arange(0, 1, 1e-320)\nz = torch.randn(int(1e300))\nnp.arange(float('nan'))\n"
    "w = 1e999 // 1\ntorch.zeros(3) * 1e999\nnp.linspace(-1e999, 1e999, 10**40)\nint(float('inf'))\n",
    "a number that cannot be written in decimal": f"a = {HUGE}\nfor i in range(a): pass\nprint(a == a)\nx = torch.zeros(a, a)\n"
    f"y = torch.softmax(torch.zeros({HUGE}, 3), dim={HUGE})\nloss = torch.log(x + {HUGE})\n",
    "dimensions that square": "n = 2**127\nx = np.zeros((n, n)).flatten()\n" + "x = np.zeros((len(x), len(x))).flatten()\n" * 40,
    "lists that double by spreading": "x = [1, 2]\n" + "x = [*x, *x]\n" * 60 + "np.array(x)\n",
    "lists that hold themselves twice": "x = [1, 2]\n" + "x = [x, x]\n" * 60 + "np.array(x)\ntorch.tensor(x)\ntf.constant(x)\n",
    "texts that are joined again and again": f"x = '{'a' * 500_000}'\n" + "y = x + x\n" * 5_000,
    "slices of what is too long": "x = np.zeros(2**100)[5 : 2**90 : 3]\nrange(10**30)[5]\n",
}  # fmt: skip

NOT_PYTHON = {
    "an open bracket": (b"x = 1\ny = (\n", 2, 5),
    "Python 2": (b"x = 1\nprint 'hello'\n", 2, 1),
    "a null byte": (b"x = 1\n\x00y = 2\n", 2, 1),
    "UTF-16": ("import torch\n".encode("utf-16"), 1, 1),
    "bytes that are not UTF-8": (b"x = '\xff'\n", 1, 1),
    "an unknown encoding": (b"# coding: no-such\nx = 1\n", 1, 1),
    "an encoding for domain names": (b"# coding: punycode\nx = 1\n" + b"a" * 200_000, 1, 1),
    "an encoding that always fails": (b"# coding: undefined\nx = 1\n", 1, 1),
    "half a surrogate": ("x = '\ud800'\n".encode("utf-8", "surrogatepass"), 1, 1),
    "signs without end": (b"x = " + b"-" * 100_000 + b"1\n", 1, 1),
    "brackets without end": (b"x = " + b"[" * 100_000 + b"\n", 1, None),
}
NOT_NOTEBOOKS = ("", "{}", "[]", "3", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{"cell_type": "code", "source": [1]}]}',
                 '{"cells": {"a": 1}}', '{"cells": [{"cell_type": "code"}]}', "[" * 100_000, '{"cells": ' + "9" * 5000 + "}")  # fmt: skip


def check(jobs: int = 1, **selected: tuple[str, ...]) -> Inspection:
    return check_paths([Path()], Selection(**selected), jobs)  # type: ignore[arg-type]


# ── check: what a file can do to it ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", HUNGRY)
def test_computing_with_literals_is_bounded(folder: Path, name: str) -> None:
    (folder / "bad.py").write_text(IMPORTS + HUNGRY[name])
    with within(4):
        inspection = check()
    assert found(inspection)["good.py"] == ["missing-zero-grad"]
    assert "check-failed" not in [finding.rule for finding in inspection.findings]


@pytest.mark.parametrize("name", NOT_PYTHON)
def test_a_file_that_does_not_parse_is_an_error_with_its_place(folder: Path, name: str) -> None:
    content, line, column = NOT_PYTHON[name]
    (folder / "bad.py").write_bytes(content)
    with within(4):
        inspection = check(select=("loop",))  # whatever is selected
    assert found(inspection) == {"bad.py": ["syntax-error"], "good.py": ["missing-zero-grad"]}
    problem = inspection.findings[0]
    assert (problem.severity.value, problem.span.line) == ("error", line)
    assert column is None or problem.span.column + 1 == column


@pytest.mark.parametrize("content", NOT_NOTEBOOKS, ids=range(len(NOT_NOTEBOOKS)))
def test_a_notebook_of_wrong_types_is_an_error(folder: Path, content: str) -> None:
    (folder / "notes.ipynb").write_text(content)
    assert found(check()) == {"notes.ipynb": ["syntax-error"], "good.py": ["missing-zero-grad"]}


@pytest.mark.parametrize(
    "content",
    [
        FAULTY.encode("utf-8-sig"), FAULTY.replace("\n", "\r\n").encode(), FAULTY.replace("\n", "\r").encode(),
        b"# coding: latin-1\n# \xe9\n" + FAULTY.encode(), ("# " + "é" * 300_000 + "\n" + FAULTY).encode(),
    ],
    ids=["BOM", "CRLF", "CR", "latin-1", "a long line"],
)  # fmt: skip
def test_odd_but_valid_files_are_checked(folder: Path, content: bytes) -> None:
    (folder / "odd.py").write_bytes(content)
    (folder / "empty.py").write_bytes(b"")
    (folder / "package.py").mkdir()
    assert found(check()) == {"odd.py": ["missing-zero-grad"], "good.py": ["missing-zero-grad"]}


def test_a_rule_that_fails_is_named_with_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, program: Program) -> Iterator[object]:
        if program.source.path == "bad.py":
            raise KeyError("units")
        yield from ()

    (folder / "bad.py").write_text(FAULTY)
    monkeypatch.setattr(type(RULES["missing-seed"]), "check", fail)
    inspection = check()
    assert found(inspection) == {"bad.py": ["check-failed", "missing-zero-grad"], "good.py": ["missing-zero-grad"]}
    assert inspection.findings[0].message == "the rule missing-seed failed on this file: KeyError: 'units'"
    assert inspection.findings[0].severity.value == "error"


class Notes(dict[str, inspection_module.FileCheck]):
    """A memory of outcomes."""

    def recall(self, names: Sequence[str]) -> Mapping[str, inspection_module.FileCheck]:
        return {name: self[name] for name in names if name in self}

    def keep(self, outcomes: Mapping[str, inspection_module.FileCheck]) -> None:
        self.update(outcomes)


def test_a_failure_is_not_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that ran out today may be there tomorrow."""

    def fail(self: object, program: Program) -> Iterator[object]:
        raise MemoryError

    notes = Notes()
    with monkeypatch.context() as patched:
        patched.setattr(type(RULES["missing-seed"]), "check", fail)
        assert found(check_paths([folder], Selection(), memory=notes)).popitem()[1] == [
            "check-failed",
            "missing-zero-grad",
        ]
    assert notes == {}
    assert found(check_paths([folder], Selection(), memory=notes)).popitem()[1] == ["missing-zero-grad"]
    assert len(notes) == 1


def test_a_rule_keeps_what_it_found_before_it_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = RULES["missing-zero-grad"]
    real = type(rule).check

    def fail(self: object, program: Program) -> Iterator[object]:
        yield from real(rule, program)
        raise MemoryError

    monkeypatch.setattr(type(rule), "check", fail)
    assert [one.rule for one in check_text(FAULTY, Selection())] == ["missing-zero-grad", "check-failed"]


def test_a_statement_that_cannot_be_followed_is_named_and_the_next_one_is_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from bugloss.source.semantics import all_semantics

    def fail(call: object) -> object:
        raise AttributeError("ours")

    monkeypatch.setitem(all_semantics(), "torch.exp", fail)
    findings = check_text("import torch\ny = torch.exp(x)\ntorch.zeros(2, 3) @ torch.zeros(4, 5)\n", Selection())
    assert {(one.rule, one.span.line) for one in findings} >= {("check-failed", 2), ("shape-conflict", 3)}
    (failed,) = [one.message for one in findings if one.rule == "check-failed"]
    assert failed == "this statement could not be analysed: AttributeError: ours"


@pytest.mark.parametrize("error", [RecursionError, MemoryError, OverflowError, ValueError, OSError])
def test_whatever_a_file_raises_is_a_finding_of_that_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    (folder / "bad.py").write_text("import torch\n")
    real = inspection_module.parse_content

    def parse(content: bytes, path: Path, shown: str) -> object:
        if shown == "bad.py":
            raise error
        return real(content, path, shown)

    monkeypatch.setattr(inspection_module, "parse_content", parse)
    inspection = check()
    assert found(inspection) == {"bad.py": ["check-failed"], "good.py": ["missing-zero-grad"]}
    assert error.__name__ in inspection.findings[0].message


def test_a_process_that_dies_takes_one_file_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool is broken for all files that are not done by then; they are checked again, and one is to blame."""
    for number in range(20):
        (folder / f"m{number:02}.py").write_text(FAULTY)
    real = inspection_module.parse_content

    def parse(content: bytes, path: Path, shown: str) -> object:
        if shown == "m07.py":
            os._exit(9)
        return real(content, path, shown)

    monkeypatch.setattr(inspection_module, "parse_content", parse)
    inspection = check(jobs=2)
    files = found(inspection)
    assert files.pop("m07.py") == ["check-failed"]
    assert len(files) == 20
    assert set(map(tuple, files.values())) == {("missing-zero-grad",)}


def test_an_ignored_problem_is_still_said(folder: Path) -> None:
    (folder / "old.py").write_text("print 'x'\n")
    inspection = check(ignore=("syntax-error",))
    assert found(inspection) == {"good.py": ["missing-zero-grad"]}
    assert [skipped.path for skipped in inspection.skipped] == ["old.py"]


def test_what_the_system_does_not_hand_out_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so the refusals are made up: a file, and a folder that cannot be listed."""
    (folder / "secret.py").write_text(FAULTY)
    (folder / "locked").mkdir()
    real_open, real_scan = os.open, os.scandir

    def opened(path: Any, *rest: Any, **options: Any) -> int:
        if Path(str(path)).name == "secret.py":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real_open(path, *rest, **options)

    def scan(place: str | Path) -> object:
        if Path(place).name == "locked":
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return real_scan(place)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "scandir", scan)
    inspection = check()
    assert found(inspection) == {
        "good.py": ["missing-zero-grad"], "locked": ["unreadable-file"], "secret.py": ["unreadable-file"],
    }  # fmt: skip
    assert inspection.findings[-1].message == "this file cannot be read: Permission denied"


def test_folders_deeper_than_the_stack_are_walked(folder: Path) -> None:
    """Python 3.11 walks folders by recursion: a thousand levels ended the whole check."""
    place = os.open(folder, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    try:
        assert found(check()) == {"good.py": ["missing-zero-grad"]}
    finally:  # pytest's own clean-up walks by recursion, too
        subprocess.run(["rm", "-rf", str(folder / "d")], check=True)


def test_a_project_file_that_is_nested_too_deeply_is_one_sentence(shell: CommandLine) -> None:
    (shell.folder / "pyproject.toml").write_text("x = " + "[" * 5_000 + "]" * 5_000 + "\n")
    done = shell.inside("check")
    assert (done.code, done.out) == (2, "")
    assert (
        done.err
        == f"bugloss: {shell.folder}/pyproject.toml cannot be read: it is nested more than {DEEPEST} levels deep.\n"
    )


def test_versions_with_thousands_of_digits_do_no_harm(folder: Path) -> None:
    (folder / "requirements.txt").write_text(f"torch=={'9' * 5_000}.{'1' * 5_000}\nnumpy>={'8' * 5_000}\n")
    assert found(check()) == {"good.py": ["missing-zero-grad"]}
