"""A patch is applied exactly or refused with the reason; what ``git diff`` writes is understood."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.applied_patch import apply_patch, patched_paths
from bugloss.core.text_diff import text_diff

LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "  c\n", "-d\n", "+e\n", "@@\n"]), max_size=30).map("".join)


@given(LINES, LINES, st.booleans())
def test_a_difference_of_ours_applied_gives_the_other_text(before: str, after: str, cut: bool) -> None:
    after = after.rstrip("\n") if cut else after
    patch = text_diff(before, after, "a/f.py", "b/f.py")
    if before != after:
        assert apply_patch({"f.py": before}, patch) == {"f.py": after}


def test_what_git_writes_is_understood(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    before = {"kept.py": "1\n2\n3\n", "gone.py": "x\n", "old.py": "y\n" * 20}
    for name, text in before.items():
        (tmp_path / name).write_text(text)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "a")
    (tmp_path / "kept.py").write_text("1\ntwo\n3")
    (tmp_path / "gone.py").unlink()
    (tmp_path / "old.py").rename(tmp_path / "new.py")
    (tmp_path / "added.py").write_text("z\n")
    git("add", "-A")
    patch = git("diff", "--cached", "-M")
    assert "rename from" in patch
    expected = {"kept.py": "1\ntwo\n3", "gone.py": None, "old.py": None, "new.py": "y\n" * 20, "added.py": "z\n"}
    assert apply_patch(before, patch) == expected
    assert set(patched_paths(patch)) == {"kept.py", "new.py", "added.py"}


def test_a_hunk_is_found_at_the_one_other_place_that_has_its_lines() -> None:
    patch = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"
    assert apply_patch({"f": "1\n2\nx\ny\n"}, patch) == {"f": "1\n2\nx\nz\n"}
    with pytest.raises(ValueError, match="does not fit f at line 1"):
        apply_patch({"f": "1\nx\ny\nx\ny\n"}, patch)


@pytest.mark.parametrize("name", ["../f", "/etc/f", "a/../../f", "b//f"])
def test_paths_that_lead_out_of_the_program_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a path inside the program"):
        apply_patch({}, f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n")


def test_binary_changes_are_refused() -> None:
    with pytest.raises(ValueError, match="binary file"):
        apply_patch({}, "diff --git a/f b/f\nGIT binary patch\nliteral 3\n")
