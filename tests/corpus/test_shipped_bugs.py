"""Every bug of the repository: it lints, its fix applies, and its checkout does not hold the fix."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from bugloss.core.bug import Twin
from bugloss.corpus.checkout import checkout
from bugloss.corpus.collection import load
from bugloss.corpus.lint import lint
from bugloss.corpus.unified_diff import text_files

ROOT = Path(__file__).parents[2] / "bugs"
CORPUS = load(ROOT)

every_bug = pytest.mark.parametrize("bug", list(CORPUS))
# The programs of the others are not part of the repository; tests/workflows/upstream has bugs of their kind.
every_bug_with_programs = pytest.mark.parametrize("bug", [bug for bug in CORPUS if CORPUS[bug].bug.upstream is None])


def test_no_id_is_given_out_twice() -> None:
    folders = Counter(path.parent.name for path in ROOT.glob("*/*/bug.toml"))
    assert [bug for bug, count in folders.items() if count > 1] == []
    assert len(CORPUS) == len(folders)


@every_bug
def test_it_lints(bug: str) -> None:
    assert lint(CORPUS.folder(bug)) == []


@every_bug
def test_it_has_a_reporters_text_that_names_neither_the_label_nor_the_link(bug: str) -> None:
    entry = CORPUS[bug]
    text = (entry.bug.folder / "original.md").read_text(encoding="utf-8")
    assert entry.bug.origin.url not in text
    assert entry.bug.title not in text


@every_bug_with_programs
def test_its_fix_turns_the_one_program_into_the_other(bug: str, tmp_path: Path) -> None:
    entry = CORPUS[bug]
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(entry.program(Twin.BUGGY), tmp_path / "work", ignore=ignore)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path / "work", input=entry.diff().encode(), check=True)
    for name in text_files(entry.program(Twin.FIXED)):
        assert (tmp_path / "work" / name).read_bytes() == (entry.program(Twin.FIXED) / name).read_bytes()


@every_bug_with_programs
def test_its_checkout_holds_the_program_and_not_the_fix(bug: str, tmp_path: Path) -> None:
    entry = CORPUS[bug]
    names = set(checkout(entry, Twin.BUGGY, tmp_path / "work"))
    assert names == {*text_files(entry.program(Twin.BUGGY)), "test.py", "oracle.py", "report.md", "requirements.txt"}
    fixed = {(entry.program(Twin.FIXED) / name).read_bytes() for name in text_files(entry.program(Twin.FIXED))}
    buggy = {(entry.program(Twin.BUGGY) / name).read_bytes() for name in text_files(entry.program(Twin.BUGGY))}
    seen = {(tmp_path / "work" / name).read_bytes() for name in names}
    assert not seen & (fixed - buggy)
    shown = b"\n".join(sorted(seen))
    assert entry.bug.origin.url.encode() not in shown
    assert entry.bug.labels.bug_type.value.encode() not in shown
