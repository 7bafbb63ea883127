"""Public example scripts and notebooks: how many run to a diagnosis without a change of theirs.

``bench/truth/running.toml`` lists them. ``BUGLOSS_MIRRORS`` names a folder with bare clones, ``owner+name/repo`` each;
``BUGLOSS_RUNNING`` limits the measurement to paths that contain one of these words, separated by commas.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from bench.measurement import BUGLOSS, ROOT

SECONDS = 75  # for one program; one that is stopped then has shown its training


@dataclass(frozen=True, slots=True)
class PublicProgram:
    """A program of a repository, and the arguments that shorten it.

    ``first`` is the script beside it that its documentation tells to run before, because it writes the data.
    """

    repository: str
    commit: str
    path: str
    arguments: tuple[str, ...]
    kind: str
    first: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What ``bugloss diagnose`` said of a program."""

    path: str
    kind: str
    diagnosed: bool  # a training was observed, to its end or to the time limit
    outcome: str
    why: str
    causes: tuple[str, ...] = ()
    environment: str = ""


def measure() -> dict[str, object]:
    mirrors = os.environ.get("BUGLOSS_MIRRORS")
    if not mirrors or not Path(mirrors).is_dir():
        print("   not run: set BUGLOSS_MIRRORS to a folder with clones of the repositories", file=sys.stderr)
        return {"not_run": "BUGLOSS_MIRRORS is not set"}
    answers = []
    for program in chosen_programs():
        answers.append(ask(program, Path(mirrors)))
        print(f"   {'yes' if answers[-1].diagnosed else 'no ':<3} {program.path}: {answers[-1].why}", flush=True)
    reached = sum(answer.diagnosed for answer in answers)
    print(f"   {reached} of {len(answers)} programs run to a diagnosis")
    kinds = {kind: [0, count] for kind, count in Counter(answer.kind for answer in answers).items()}
    for answer in answers:
        kinds[answer.kind][0] += answer.diagnosed
    return {"diagnosed": reached, "programs": len(answers), "kinds": kinds, "answers": [asdict(one) for one in answers]}


def chosen_programs() -> list[PublicProgram]:
    listed = tomllib.loads((ROOT / "bench" / "truth" / "running.toml").read_text(encoding="utf-8"))["program"]
    programs = [PublicProgram(**{**row, "arguments": tuple(row["arguments"])}) for row in listed]
    words = [word for word in os.environ.get("BUGLOSS_RUNNING", "").split(",") if word]
    return [program for program in programs if not words or any(word in program.path for word in words)]


def ask(program: PublicProgram, mirrors: Path) -> Answer:
    """Runs one in a folder of its own, as a user who has cloned the repository would."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = lay_out(program, mirrors, Path(scratch))
        if program.first:
            subprocess.run([stack_python(), program.first], cwd=folder, capture_output=True, check=True)
        options = ["--json", "-t", str(SECONDS), "--", *program.arguments]
        command = [BUGLOSS, "diagnose", PurePosixPath(program.path).name, *options]
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return Answer(program.path, program.kind, False, "no document", done.stderr.strip()[-300:])
    return read_answer(program, document)


def stack_python() -> str:
    """The interpreter of the stack ``torch``."""
    listed = subprocess.run([BUGLOSS, "env", "list", "--json"], capture_output=True, text=True, check=True)
    return next(str(row["python"]) for row in json.loads(listed.stdout)["environments"] if row["stack"] == "torch")


def lay_out(program: PublicProgram, mirrors: Path, scratch: Path) -> Path:
    """The folder of the program at its commit; files that a clone lacks, such as large ones, stay away."""
    parent = PurePosixPath(program.path).parent
    git = ["git", f"--git-dir={mirrors / program.repository.replace('/', '+') / 'repo'}"]
    # A folder of examples holds hundreds of them, each on its own.
    wanted = program.path if "keras-io" in program.repository else str(parent)
    listed = subprocess.run(
        [*git, "ls-tree", "-r", "--name-only", program.commit, wanted], capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        blob = subprocess.run([*git, "cat-file", "blob", f"{program.commit}:{name}"], capture_output=True, check=False)
        if blob.returncode == 0:
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            (scratch / name).write_bytes(blob.stdout)
    return scratch / parent


def read_answer(program: PublicProgram, document: dict[str, object]) -> Answer:
    if "message" in document:
        return Answer(program.path, program.kind, False, "error", str(document["message"]))
    ending, environment = document["ending"], document.get("environment")
    assert isinstance(ending, dict)
    gaps = [str(gap) for gap in document.get("gaps") or ()]  # type: ignore[attr-defined]
    trained = not any("no training step" in gap or "neither PyTorch" in gap for gap in gaps)
    ended = ending["outcome"] in {"finished", "timed-out"}
    why = str(ending.get("message") or "")[:200] or "; ".join(gaps) or str(ending["outcome"])
    causes = tuple(cause["cause"] for cause in document.get("causes") or ())  # type: ignore[attr-defined]
    stack = str(environment.get("stack") or environment.get("python")) if isinstance(environment, dict) else ""
    return Answer(program.path, program.kind, trained and ended, str(ending["outcome"]), why, causes, stack)
