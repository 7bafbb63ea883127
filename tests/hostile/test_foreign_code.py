"""Repositories that came with a ``.git`` of their own: nothing that they name is run, and they are ranked all the same.

Every trap is a program that a repository's configuration names. It would leave a file with its name among the canaries.
"""

from __future__ import annotations

import ast
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import CommandLine
from tiny_repository import TinyRepository

from bugloss.localize.repository.git_view import READING, open_view
from bugloss.workflows.benchmark.scratch_repository import lay_out_program

SOURCE = Path(__file__).resolve().parents[2] / "src" / "bugloss"
FILES = {
    "pkg/trainer.py": "from pkg.loss import focal_loss\n\n\ndef fit_model(batches):\n    return focal_loss(batches)\n",
    "pkg/loss.py": "def focal_loss(predictions):\n    return predictions.mean()\n",
    "notes.txt": "filtered by a process\n",
    "setup.cfg": "[metadata]\n",
    "README.md": "focal loss\n",
    ".gitattributes": "*.py filter=clean\n*.txt filter=process\n*.cfg filter=included\n*.md diff=converted\n",
}
REPORT = "# focal_loss fails in fit_model\n\nThe loss of `pkg/loss.py` is wrong.\n"


@dataclass(frozen=True)
class Hostile:
    """A repository, and the folder where its traps leave their marks."""

    repository: TinyRepository
    canaries: Path

    def program(self, name: str) -> str:
        """A program that leaves its mark and then behaves like a filter."""
        path = self.canaries.parent / "programs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\ntouch "{self.canaries / name}"\ncat "$@"\n')
        path.chmod(0o755)
        return str(path)

    def sprung(self) -> list[str]:
        return sorted(path.name for path in self.canaries.iterdir())

    def configure(self, key: str, value: str) -> None:
        self.repository.git("config", key, value)


def in_a_filter(hostile: Hostile) -> None:
    hostile.configure("filter.clean.clean", hostile.program("filter-clean"))


def in_a_filter_process(hostile: Hostile) -> None:
    hostile.configure("filter.process.process", hostile.program("filter-process"))


def in_a_submodule(hostile: Hostile) -> None:
    program = hostile.program("submodule")
    inside = TinyRepository(hostile.repository.folder / "third_party")
    inside.git("config", "filter.clean.clean", program)
    os.utime(inside.folder / "other.py", (1, 1))


def in_a_monitor(hostile: Hostile) -> None:
    hostile.configure("core.fsmonitor", hostile.program("fsmonitor"))


def in_a_hook(hostile: Hostile) -> None:
    program = Path(hostile.program("hook"))
    hooks = program.with_name("hooks")
    hooks.mkdir()
    (hooks / "post-index-change").symlink_to(program)
    hostile.configure("core.hooksPath", str(hooks))


def in_an_external_diff(hostile: Hostile) -> None:
    hostile.configure("diff.external", hostile.program("external-diff"))


def in_a_text_conversion(hostile: Hostile) -> None:
    hostile.configure("diff.converted.textconv", hostile.program("textconv"))


def in_a_pager(hostile: Hostile) -> None:
    hostile.configure("core.pager", hostile.program("pager"))


def in_a_fetch(hostile: Hostile) -> None:
    """A partial clone that lacks an object would fetch it, by a command of its own."""
    blob = hostile.repository.git("rev-parse", "HEAD:README.md")
    hostile.configure("core.repositoryFormatVersion", "1")
    hostile.configure("extensions.partialClone", "origin")
    hostile.configure("remote.origin.url", "ssh://nowhere.invalid/x")
    hostile.configure("remote.origin.promisor", "true")
    hostile.configure("core.sshCommand", hostile.program("fetch"))
    (hostile.repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def in_an_included_file(hostile: Hostile) -> None:
    (hostile.repository.folder / ".git" / "more").write_text(
        f'[filter "included"]\n\tclean = {hostile.program("included")}\n'
    )
    hostile.configure("include.path", "more")


# Each trap with the git command of an ordinary day that springs it.
TRAPS: dict[str, tuple[Callable[[Hostile], None], tuple[str, ...]]] = {
    "filter-clean": (in_a_filter, ("status",)),
    "filter-process": (in_a_filter_process, ("status",)),
    "submodule": (in_a_submodule, ("status",)),
    "fsmonitor": (in_a_monitor, ("status",)),
    "hook": (in_a_hook, ("update-index", "--refresh")),
    "external-diff": (in_an_external_diff, ("diff", "HEAD~1")),
    "textconv": (in_a_text_conversion, ("show", "--textconv", "HEAD:README.md")),
    "pager": (in_a_pager, ("log",)),
    "fetch": (in_a_fetch, ("cat-file", "-p", "HEAD:README.md")),
    "included": (in_an_included_file, ("status",)),
}


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    """A repository with a submodule and two commits; every file was touched since, so that git must look at it."""
    other = TinyRepository.at(tmp_path / "other")
    other.commit({"other.py": "three = 3\n", ".gitattributes": "*.py filter=clean\n"})
    repository = TinyRepository.at(tmp_path / "library")
    repository.commit({**FILES, "README.md": "a library\n"})
    repository.git("submodule", "--quiet", "add", str(other.folder), "third_party")
    repository.commit(FILES, "fix the focal loss")
    for name in FILES:
        os.utime(repository.folder / name, (1_600_000_000, 1_600_000_000))
    (tmp_path / "canaries").mkdir()
    return Hostile(repository, tmp_path / "canaries")


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text(REPORT)
    return path


@pytest.mark.parametrize("name", TRAPS)
def test_the_trap_springs_under_git_itself(hostile: Hostile, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests below would prove nothing with traps that do not work."""
    set_trap, command = TRAPS[name]
    set_trap(hostile)
    monkeypatch.delenv("GIT_PAGER", raising=False)
    reader, terminal = os.openpty()  # a pager is started for terminals only
    subprocess.run(
        ["git", *command],
        cwd=hostile.repository.folder,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    os.close(terminal)
    os.close(reader)
    assert name in hostile.sprung()


def set_all(hostile: Hostile) -> None:
    for set_trap, _ in TRAPS.values():
        set_trap(hostile)


def test_localize_runs_nothing_that_a_repository_names(cli: CommandLine, hostile: Hostile, report: Path) -> None:
    set_all(hostile)
    done = cli("localize", str(report), "--repo", str(hostile.repository.folder), "--offline", "--json")
    assert hostile.sprung() == []
    assert done.code == 0
    assert done.document["ranking"][0]["path"] == "pkg/loss.py"
    assert not any("uncommitted" in remark for remark in done.document["remarks"]), "touched is not changed"


def test_investigate_runs_nothing_that_a_repository_names(
    cli: CommandLine, hostile: Hostile, report: Path, tmp_path: Path
) -> None:
    set_all(hostile)
    case = tmp_path / "case"
    repository = str(hostile.repository.folder)
    done = cli("investigate", str(report), "--repo", repository, "--offline", "-o", str(case), "--json")
    assert hostile.sprung() == []
    assert done.document["ranking"]["ranking"][0]["path"] == "pkg/loss.py"


def test_a_changed_file_is_noticed_and_no_trap_springs(cli: CommandLine, hostile: Hostile, report: Path) -> None:
    set_all(hostile)
    (hostile.repository.folder / "pkg" / "loss.py").write_text("def focal_loss(predictions):\n    return 0\n")
    done = cli("localize", str(report), "--repo", str(hostile.repository.folder), "--offline", "--json")
    assert hostile.sprung() == []
    assert any("uncommitted" in remark for remark in done.document["remarks"])


def test_a_submodule_given_as_the_repository_runs_nothing_either(
    cli: CommandLine, hostile: Hostile, report: Path
) -> None:
    in_a_submodule(hostile)
    folder = hostile.repository.folder / "third_party"
    done = cli("localize", str(report), "--repo", str(folder), "--offline", "--json")
    assert hostile.sprung() == []
    assert [file["path"] for file in done.document["ranking"]] == ["other.py"]


# So that it stays: one door, and what goes through it.


def starts_git(node: ast.AST) -> bool:
    """A tuple, a list or a call's arguments that begin with the word git."""
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else node.args if isinstance(node, ast.Call) else []
    return bool(items) and isinstance(items[0], ast.Constant) and items[0].value == "git"


def test_one_module_starts_git_on_repositories_of_others() -> None:
    """Others make repositories of their own: from files without a git folder, and bare ones without a work tree."""
    starting = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if '"git"' in (text := path.read_text(encoding="utf-8")) and any(map(starts_git, ast.walk(ast.parse(text))))
    }
    own = {"workflows/benchmark/scratch_repository.py", "workflows/upstream/clone.py"}
    assert starting == {"localize/repository/git_view.py", *own}


def test_a_program_does_not_bring_its_own_git_folder_into_our_repository(tmp_path: Path) -> None:
    program, folder = tmp_path / "program", tmp_path / "laid-out"
    (program / ".git").mkdir(parents=True)
    folder.mkdir()
    (program / ".git" / "config").write_text("[core]\n\tfsmonitor = touch /tmp/harm\n")
    (program / "train.py").write_text("import torch\n")
    lay_out_program(program, folder)
    assert [path.name for path in folder.iterdir()] == ["train.py"]


@pytest.mark.parametrize("command", ["status", "diff", "-c"])
def test_only_commands_that_read_objects_are_started(hostile: Hostile, command: str) -> None:
    with pytest.raises(ValueError, match="more than read"):
        open_view(hostile.repository.folder).start((command,), None)
    assert command not in READING


def test_git_sees_no_variable_of_the_user(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    """``GIT_EXTERNAL_DIFF``, ``GIT_SSH_COMMAND`` and tokens are all the user's, and nobody else's."""
    for name in ("GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "canary")
    seen = hostile.canaries / "seen"
    program = hostile.canaries.parent / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nenv > {seen}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    open_view(hostile.repository.folder).start(("rev-parse", "HEAD"), None)
    assert "GIT_DIR=" in seen.read_text()
    assert "canary" not in seen.read_text()
