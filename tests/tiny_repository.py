"""A git repository that a test makes for itself, commit by commit, at times that it chooses."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DAY = 86_400
START = 1_500_000_000
_WHO = {
    f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "A"), ("EMAIL", "a@b"))
}


@dataclass
class TinyRepository:
    """A work tree; every commit is a day younger than the one before."""

    folder: Path
    now: int = START

    @classmethod
    def at(cls, folder: Path) -> TinyRepository:
        folder.mkdir(parents=True)
        made = cls(folder)
        made.git("init", "-q", "-b", "main")
        return made

    def git(self, *arguments: str) -> str:
        moment = f"{self.now} +0000"
        variables = {**os.environ, **_WHO, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        variables |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=variables, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self, files: Mapping[str, str], message: str = "change") -> str:
        for path, text in files.items():
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        self.now += DAY
        return self.git("rev-parse", "HEAD")
