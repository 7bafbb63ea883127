"""One bad file, bug, blob or report never ends the rest: it is named, and the others' results are there."""

from __future__ import annotations

import errno
import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine
from pace import within
from tiny_corpus import TinyCorpus
from tiny_repository import TinyRepository

from bugloss.check.running import inspection as inspection_module
from bugloss.check.running.inspection import Inspection, all_rules, check_paths, check_text
from bugloss.check.running.selection import Selection
from bugloss.core.documents import DEEPEST, parse_json, parse_toml
from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Standing
from bugloss.core.python_text import parse_python
from bugloss.core.written_file import write_named
from bugloss.corpus.bug_file import read_bug
from bugloss.evaluate.subjects import RankedReport
from bugloss.localize.index import file_corpus as corpus_module
from bugloss.localize.index.fact_store import FactStore
from bugloss.record.trials import TrialArchive
from bugloss.run.environment import Environment
from bugloss.source.program import Program
from bugloss.workflows import evaluation as evaluation_module
from bugloss.workflows import verification as verification_module
from bugloss.workflows.evaluation import EvaluationRequest, evaluate_localization
from bugloss.workflows.localization import LocalizationRequest, localize_report
from bugloss.workflows.verification import VerificationRequest, verify

SOURCE = Path(inspection_module.__file__).parents[2]
RULES = {rule.name: rule for rule in all_rules()}
FAULTY = RULES["missing-zero-grad"].faulty[0]
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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one file that has one finding."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "good.py").write_text(FAULTY)
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def shell(folder: Path, tmp_path: Path) -> CommandLine:
    """The command line in that project."""
    (tmp_path / "home").mkdir()
    return CommandLine(folder, {"HOME": str(tmp_path / "home"), "NO_COLOR": "1"})


def check(jobs: int = 1, **selected: tuple[str, ...]) -> Inspection:
    return check_paths([Path()], Selection(**selected), jobs)  # type: ignore[arg-type]


def found(inspection: Inspection) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for finding in inspection.findings:
        files.setdefault(finding.path, []).append(finding.rule)
    return files


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


# ── check: what comes out ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("format", ["full", "concise", "json", "sarif", "github"])
def test_names_that_are_not_utf8_are_written_in_every_format(folder: Path, shell: CommandLine, format: str) -> None:
    (folder / os.fsdecode(b"d\xff")).mkdir()
    for name in (b"caf\xe9.py", b"d\xff/x.py", b"d\xff/broken.py"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("(" if b"broken" in name else FAULTY)
    done = shell("check", "--no-cache", "--output-format", format)
    saved = shell.inside("check", "--no-cache", "--output-format", format, "-o", "out")
    text = (folder / "out").read_bytes().decode("utf-8")
    assert (done.code, saved.code) == (1, 1)
    assert ("caf%E9.py" if format == "sarif" else "caf\\udce9.py") in done.out
    assert text.count("syntax-error") >= 1
    if format in {"json", "sarif"}:
        json.loads(text)
        json.loads(done.out)
    assert shell.inside("check", "--no-cache", "--write-baseline", "known.json").code == 0
    assert shell.inside("check", "--no-cache", "--baseline", "known.json").code == 0


def test_the_exit_codes_of_files_that_do_not_parse_and_of_other_kinds(shell: CommandLine) -> None:
    (shell.folder / "bad.py").write_text("x = (\n")
    (shell.folder / "data.csv").write_text("a,b\n")
    done = shell.inside("check", "bad.py", "good.py", "--output-format", "concise")
    assert done.code == 1
    assert done.out.splitlines()[0] == "bad.py:1:5: error syntax-error: this file does not parse: '(' was never closed"
    assert "good.py:7:9: error missing-zero-grad" in done.out
    other = shell.inside("check", "data.csv")
    assert other.code == 2
    assert other.err.startswith("bugloss: data.csv is neither a Python file nor a notebook.\n")
    assert shell.inside("check").code == 1  # in a folder, other kinds are not looked at


def test_a_syntax_error_in_a_notebook_is_shown_in_its_cell(shell: CommandLine) -> None:
    cells = [{"cell_type": "code", "source": "x = 1\ny = 2\n"}, {"cell_type": "code", "source": "a = 1\nb = (\n"}]
    (shell.folder / "notes.ipynb").write_text(json.dumps({"cells": cells}))
    (found,) = shell.inside("check", "notes.ipynb", "--json").document["findings"]
    assert (found["rule"], found["cell"], found["line"], found["column"]) == ("syntax-error", 2, 2, 5)
    assert "     2 │ b = (\n" in shell.inside("check", "notes.ipynb").out


def test_one_file_that_cannot_be_written_does_not_keep_others_from_being_fixed(
    shell: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "import numpy as np\n\nx = np.zeros(3).astype(np.float)\n"
    for name in ("a.py", "b.py"):
        (shell.folder / name).write_text(old)
    real = write_named

    def write(path: Path, content: bytes) -> None:
        if path.name == "a.py":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        real(path, content)

    monkeypatch.setattr("bugloss.workflows.checking.write_named", write)
    done = shell.inside("check", "--fix", "--target", "numpy==2.0", "--json")
    messages = {one["message"] for one in done.document["findings"] if one["path"] == "a.py"}
    assert done.code == 1
    assert "the fixes of this file cannot be written: No space left on device" in messages
    assert (shell.folder / "a.py").read_text() == old
    assert "np.float)" not in (shell.folder / "b.py").read_text()


def test_a_full_disk_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "train.py"
    target.write_text("old")
    target.chmod(0o751)

    def full(*places: object, **folders: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            write_named(target, b"new")
    assert (target.read_text(), os.listdir(tmp_path)) == ("old", ["train.py"])
    write_named(target, b"new")
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o751)


# ── documents and programs that others wrote ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500, "9" * 5_000, "\ud800"]
)
def test_json_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(ValueError):
        parse_json(text)


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 5_000, "x = " + "[" * 300 + "]" * 300, "x." * 3_000 + "y = 1", "x = " + "9" * 5_000]
)
def test_toml_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(ValueError):
        parse_toml(text)


@pytest.mark.parametrize(
    "text", ["\0", "\ud800", "-" * 100_000 + "1", "(" * 10_000, "x = " + "9" * 5_000, "1" + "+1" * 100_000]
)
def test_python_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(SyntaxError):
        parse_python(text)


# Readers of what bugloss itself wrote or ships: nobody else's text comes there.
_OWN_DATA = {
    "core/documents.py", "core/python_text.py", "corpus/failure_index.py", "localize/index/file_corpus.py", "localize/index/fact_store.py",
    "localize/ranker/forest.py", "localize/index/history.py", "localize/index/tree_index.py", "localize/techniques/dnnloc.py", "adapters/graph_network.py",
    "triage/head_file.py", "workflows/check_memory.py", "corpus/dataset.py", "corpus/index/answers.py", "corpus/swebench.py",
}  # fmt: skip


def test_only_the_doors_call_the_parsers_of_the_standard_library() -> None:
    calling = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if re.search(r"\b(?:json|tomllib)\.loads?\(", path.read_text(encoding="utf-8"))
    }
    foreign = {
        name for name in calling if not name.startswith(("probes/", "check/rules/", "corpus/template/", "reproduce/"))
    }
    assert foreign <= _OWN_DATA


# ── bugs, blobs and reports ─────────────────────────────────────────────────────────────────────────────────────────

BROKEN_TOML = (
    "x = " + "[" * 5_000,
    "\0",
    "seconds = " + "9" * 5_000,
    "seconds = 1e999",
    '[[origin]]\nkind = "x"\n',
    "title = 3",
)


@pytest.mark.parametrize("content", BROKEN_TOML, ids=range(len(BROKEN_TOML)))
def test_a_broken_bug_is_named_and_the_others_are_listed(cli: CommandLine, tiny: TinyCorpus, content: str) -> None:
    tiny.add("torch-0001")
    (tiny.add("torch-0002") / "bug.toml").write_text(content)
    listed = cli.inside("list", "--json")
    assert listed.code == 2
    assert [bug["id"] for bug in listed.document["bugs"]] == ["torch-0001"]
    assert list(listed.document["broken"]) == ["torch-0002"]
    linted = cli.inside("lint", "--json")
    assert linted.code == 1
    assert {problem["bug"] for problem in linted.document["problems"]} == {"torch-0002"}
    assert cli.inside("search", "item").code == 0
    with pytest.raises(InvalidInput):
        read_bug(tiny.root / "torch" / "torch-0002")


def test_a_bug_that_cannot_be_read_is_not_run_and_the_others_are_verified(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    (tiny.add("torch-0002") / "bug.toml").write_text("title = 3\n")
    done = cli.inside("verify", "--runs", "1", "--json")
    assert done.code == 3
    assert {bug["bug"]: bug["status"] for bug in done.document["bugs"]} == {
        "torch-0001": "active",
        "torch-0002": "not-run",
    }


class Silent:
    """A watcher that looks the other way."""

    def note(self, text: str) -> None: ...
    def planned(self, trials: int, kept: int) -> None: ...
    def tried(self, trial: object) -> None: ...
    def verified(self, result: object) -> None: ...


def test_a_trial_that_fails_is_not_run_and_the_others_go_on(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bug in ("torch-0001", "torch-0002"):
        tiny.add(bug)
    real = verification_module.run_trial

    def run(entry: object, *given: object, **named: object) -> object:
        if getattr(entry, "id", "") == "torch-0001":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(entry, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(verification_module, "run_trial", run)
    request = VerificationRequest(("torch-0001", "torch-0002"), runs=1)
    results = verify(tiny.load(), request, TrialArchive(tmp_path / "v"), Silent(), jobs=2)
    standings = {result.bug: result.stability.standing for result in results}
    assert standings == {"torch-0001": Standing.NOT_RUN, "torch-0002": Standing.ACTIVE}
    assert "No space left on device" in results[0].stability.reason


def ranked(repository: Path, tmp_path: Path) -> list[str]:
    report = tmp_path / "report.md"
    report.write_text("# load fails\n\nThe loader of the model fails in `load_model`.\n")
    return [file.path for file in localize_report(str(report), LocalizationRequest(repository)).files]


def test_a_blob_that_cannot_be_read_is_ranked_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = TinyRepository.at(tmp_path / "r")
    repository.commit({"a.py": "def load_model(): pass\n", "bad.py": "boom = 1\n"})
    real = corpus_module.read_source

    def read(text: str, path: str) -> object:
        if "boom" in text:
            raise RecursionError
        return real(text, path)

    monkeypatch.setattr(corpus_module, "read_source", read)
    assert ranked(repository.folder, tmp_path) == ["a.py", "bad.py"]


@pytest.mark.parametrize("method", ["keep", "add", "made"])
def test_an_index_that_cannot_be_kept_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    repository = TinyRepository.at(tmp_path / "r")
    repository.commit({"a.py": "def load_model(): pass\n"})
    real = getattr(FactStore, method)

    def full(self: FactStore, *given: object) -> object:
        if self.path is not None:
            raise sqlite3.OperationalError("database or disk is full")
        return real(self, *given)

    monkeypatch.setattr(FactStore, method, full)
    assert ranked(repository.folder, tmp_path) == ["a.py"]


def test_a_report_on_which_a_method_fails_is_left_out_of_an_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = TinyRepository.at(tmp_path / "r")
    commit = repository.commit({"a.py": "def load(): pass\n", "b.py": "x = 1\n"})
    day = {"opened": "2030-01-02", "fixed": "2030-02-03"}
    lines = [
        {
            "id": name,
            "project": "p",
            "repository": "r",
            "commit": commit,
            "title": "load fails",
            "body": "",
            "truth": ["a.py"],
            **day,
        }
        for name in ("one", "two")
    ]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    real = evaluation_module.predict

    def predict(case: object, technique: object) -> object:
        subject: RankedReport = case.subject  # type: ignore[attr-defined]
        if subject.id == "one":
            raise ZeroDivisionError("ours")
        return real(case, technique)  # type: ignore[arg-type]

    monkeypatch.setattr(evaluation_module, "predict", predict)
    outcome = evaluate_localization(EvaluationRequest((data,), methods=("bm25",)))
    assert outcome.evaluation.reports == 1
    assert outcome.left_out == ("one: a method failed: ZeroDivisionError: ours.",)
