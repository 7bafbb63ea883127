"""The id of a commit is that which git gives."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bugloss.corpus.git_commit import AUTHOR, MAIL, SECONDS, commit_id


def test_the_id_is_that_of_git(tmp_path: Path) -> None:
    files = {"b.py": b"1\n", "a/b.py": b"", "a.py": b"\x00\n", "a-b/c/d.txt": b"x", "a0.py": b"y"}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    moment = f"{SECONDS} +0000"
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    variables |= {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}

    def git(*arguments: str) -> str:
        command = ["git", "-c", f"user.name={AUTHOR}", "-c", f"user.email={MAIL}", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=variables, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "torch-0001")
    assert commit_id(files, "torch-0001") == git("rev-parse", "HEAD").strip()
