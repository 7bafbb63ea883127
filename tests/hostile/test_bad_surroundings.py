"""Closed and full streams, a folder that is gone, variables that make no sense: one sentence, the right exit code."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bugloss.check.running.inspection import all_rules
from bugloss.show.cli import main as main_module

FAULTY = next(rule for rule in all_rules() if rule.name == "missing-zero-grad").faulty[0]


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "good.py").write_text(FAULTY)
    return folder


def shell(project: Path, line: str, **variables: str | None) -> Ended:
    """A line for the shell, in which ``bugloss`` is this one; no traceback and no crash of Python may show."""
    known = {**os.environ, "HOME": str(project.parent), **variables}
    command = f'bugloss() {{ {shlex.quote(sys.executable)} -m bugloss "$@"; }}\n{line}'
    environment = {name: value for name, value in known.items() if value is not None}
    done = subprocess.run(
        ["/bin/bash", "-c", command], cwd=project, env=environment, capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    for text in (done.stdout, done.stderr):
        assert not re.search(r"Traceback|Fatal Python|Exception ignored", text), text
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("line", "code", "sentence"),
    [
        ("bugloss lookup <&-", 2, "bugloss: standard input is empty."),
        ("bugloss triage - <&-", 2, "bugloss: standard input is empty."),
        ("bugloss lookup 0>written", 2, "bugloss: standard input cannot be read: Bad file descriptor."),
        ("bugloss triage - 0>written", 2, "bugloss: standard input cannot be read: Bad file descriptor."),
        ("bugloss check good.py >&-", 1, "1 file in "),
        ("bugloss check good.py <&- >&- 2>&-", 1, None),
        ("bugloss lookup <&- >&-", 2, "bugloss: standard input is empty."),
        ("bugloss list > /dev/full", 3, "bugloss: the output cannot be written: No space left on device."),
        ("bugloss check good.py --json > /dev/full", 3, "bugloss: the output cannot be written: No space left on device."),
        ("bugloss --help > /dev/full", 3, "bugloss: the output cannot be written: No space left on device."),
        ("bugloss list > /dev/full 2> /dev/full", 3, None),
        ("bugloss nonsense 2> /dev/full", 2, None),
        ("bugloss check good.py -o /dev/full", 2, "bugloss: /dev/full cannot be written: No space left on device."),
        ("mkdir gone; cd gone; rmdir ../gone; bugloss check", 2, "bugloss: the current folder no longer exists."),
        ("mkdir gone; cd gone; rmdir ../gone; bugloss --version", 0, None),
    ],
)  # fmt: skip
def test_streams_that_are_closed_or_full_and_a_folder_that_is_gone(
    project: Path, line: str, code: int, sentence: str | None
) -> None:
    done = shell(project, line)
    assert done.code == code
    assert not sentence or done.err.count(sentence) == 1, done.err


def test_an_error_in_a_folder_that_is_gone_is_a_document_where_that_was_asked_for(project: Path) -> None:
    done = shell(project, "mkdir gone; cd gone; rmdir ../gone; bugloss list --json")
    document = json.loads(done.out)
    assert (done.code, document["schema"], document["error"]) == (2, "bugloss.error/1", "invalid-input")


@pytest.mark.parametrize(
    "variables",
    [
        {"HOME": None, "XDG_CACHE_HOME": None}, {"TMPDIR": "/nowhere/at/all"}, {"LANG": "C", "LC_ALL": "C"}, {"TERM": "dumb"},
        {"COLUMNS": "1"}, {"COLUMNS": "0"}, {"COLUMNS": "wide"}, {"LINES": "-1", "TERM": "no-such-terminal"},
        {"PYTHONIOENCODING": "ascii"}, {f"V{number}": "x" * 100_000 for number in range(10)},
    ],
    ids=["no home", "no temporary folder", "LANG=C", "dumb", "one column", "no column", "odd columns", "odd terminal", "ascii", "huge"],
)  # fmt: skip
def test_odd_variables_change_nothing(project: Path, variables: dict[str, str | None]) -> None:
    (project / "café.py").write_text(FAULTY + "# é\n")
    done = shell(project, "bugloss check --output-format concise", **variables)
    assert done.code == 1
    assert done.out.count("error missing-zero-grad") == 2


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KB, with a file to fix in it; only root may make one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() != 0 or not mount or not unmount:
        pytest.skip("only root may mount a small file system")
    made = subprocess.run([mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False)
    if made.returncode:
        pytest.skip(f"no file system can be mounted here: {made.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run([unmount, "-l", folder], check=True)


def fill(folder: Path) -> None:
    with (folder / "filling").open("wb", buffering=0) as filling:
        try:
            while filling.write(b"x" * 4096):
                pass
        except OSError:
            return


OLD = "import numpy as np\n\nx = np.zeros(3).astype(np.float)\n"


def test_a_full_disk_costs_what_is_kept_and_nothing_else(project: Path, small: Path) -> None:
    (small / "old.py").write_text(OLD)
    (small / "good.py").write_text(FAULTY)
    (small / "known.json").write_text("{}")
    fill(small)
    cache = {"BUGLOSS_CACHE": str(small / "cache")}
    assert shell(small, "bugloss check good.py", **cache).code == 1
    assert shell(small, "bugloss list | tail -1", **cache).out.strip().endswith("bugs")
    done = shell(small, "bugloss check --fix --target numpy==2.0 old.py --output-format concise", **cache)
    assert (done.code, (small / "old.py").read_text()) == (1, OLD)
    assert "the fixes of this file cannot be written: No space left on device" in done.out
    for line in (
        "check -o out good.py",
        "check --write-baseline known.json good.py",
        "export torch-0003 --format conda -o e.yml",
    ):
        done = shell(small, f"bugloss {line}", BUGLOSS_CACHE=str(project / "cache"))
        assert (done.code, done.err.count("cannot be written: No space left on device")) == (2, 1), done
    assert (small / "known.json").read_text() == "{}"
    assert not (small / "out").exists()
    done = shell(small, "bugloss run good.py", BUGLOSS_CACHE=str(project / "cache"))
    assert (done.code, done.err.count("No space left on device")) == (3, 1), done


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (MemoryError(), 3, "bugloss: not enough memory.\n"),
        (OSError(28, "No space left on device", "/data/x"), 3, "bugloss: /data/x: No space left on device.\n"),
        (OSError("odd"), 3, "bugloss: OSError: odd.\n"),
        (RecursionError("too\ndeep"), 3, "bugloss: bugloss itself failed: RecursionError: too deep.\n"),
        (UnicodeEncodeError("utf-8", "\udcff", 0, 1, "x"), 3, "bugloss: bugloss itself failed: UnicodeEncodeError: "),
    ],
)
def test_whatever_a_verb_raises_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, code: int, sentence: str
) -> None:
    def fail(given: list[str]) -> int:
        raise error

    monkeypatch.setattr(main_module, "_run_verb", fail)
    assert main_module.main(["list"]) == code
    assert capsys.readouterr().err.startswith(sentence)
