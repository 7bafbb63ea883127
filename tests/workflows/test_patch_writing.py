"""Writing a patch into the user's files."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import pytest

from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch, PatchVerdict, TriedPatch
from bugloss.core.taxonomy import FixPattern
from bugloss.workflows.patch_writing import apply_patch, patch_for_git, refuse_uncommitted

CHANGE = TextChange("train.py", Span(1, 5, 1, 7), "10", "0.1")
TRIED = TriedPatch(Patch(Edit.of(CHANGE), FixPattern.OPTIMIZER, 0.9, Safety.SUGGESTED, "why"), PatchVerdict.FIXED)


def test_the_file_is_changed_and_its_old_content_kept(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(b"lr = 10\r\n")
    written = apply_patch(TRIED, tmp_path, tmp_path / "backup")
    assert (tmp_path / "train.py").read_bytes() == b"lr = 0.1\r\n"
    assert (written.backup / "train.py").read_bytes() == b"lr = 10\r\n"


def test_a_file_that_has_changed_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("rate = 10\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="has changed since"):
        apply_patch(TRIED, tmp_path, tmp_path / "backup")


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def test_uncommitted_changes_are_refused_unless_forced(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("lr = 1\n", encoding="utf-8")
    git(tmp_path, "init")
    git(tmp_path, "add", "train.py")
    git(tmp_path, "commit", "-m", "begin")
    refuse_uncommitted(file)
    file.write_text("lr = 10\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="not committed"):
        refuse_uncommitted(file)
    with pytest.raises(InvalidInput, match="not committed"):
        apply_patch(TRIED, tmp_path, tmp_path / "backup")
    apply_patch(TRIED, tmp_path, tmp_path / "backup", force=True)
    assert file.read_text(encoding="utf-8") == "lr = 0.1\n"


def test_the_patch_of_a_file_with_windows_line_ends_applies_with_git(tmp_path: Path) -> None:
    """``git apply`` refused such patches: their context lines ended otherwise than the file's."""
    (tmp_path / "train.py").write_bytes(b"rate = 1\r\nprint(rate)\r\n")
    diff = "--- a/train.py\n+++ b/train.py\n@@ -1,2 +1,2 @@\n-rate = 1\n+rate = 2\n print(rate)\n"
    (tmp_path / "fix.patch").write_bytes(patch_for_git(diff, tmp_path).encode())
    subprocess.run(["git", "apply", "fix.patch"], cwd=tmp_path, check=True)
    assert (tmp_path / "train.py").read_bytes() == b"rate = 2\r\nprint(rate)\r\n"


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_bytes(b"lr = 10\n")
    file.chmod(0o444)
    with pytest.raises(InvalidInput, match="read-only"):
        apply_patch(TRIED, tmp_path, tmp_path / "backup")
    assert file.read_bytes() == b"lr = 10\n"


def test_where_one_file_cannot_be_written_none_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk was full after the first of two files, and the program was left half patched."""
    for name in ("model.py", "train.py"):
        (tmp_path / name).write_bytes(b"lr = 10\n")
    changes = [TextChange(name, Span(1, 5, 1, 7), "10", "0.1") for name in ("model.py", "train.py")]
    both = TriedPatch(
        Patch(Edit("two", tuple(changes)), FixPattern.OPTIMIZER, 0.9, Safety.SUGGESTED, "why"), PatchVerdict.FIXED
    )

    def write(path: Path, content: bytes) -> None:
        if path.name == "train.py" and b"0.1" in content:
            raise OSError(errno.ENOSPC, "No space left on device")
        path.write_bytes(content)

    monkeypatch.setattr("bugloss.workflows.patch_writing.write_named", write)
    with pytest.raises(EnvironmentFailure, match="nothing was changed"):
        apply_patch(both, tmp_path, tmp_path / "backup")
    assert {(tmp_path / name).read_bytes() for name in ("model.py", "train.py")} == {b"lr = 10\n"}
