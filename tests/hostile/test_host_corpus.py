"""Bugs, results and data sets name no file that lies elsewhere."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from host_files import (
    KEY,
    assert_clean,
    bounds,
    crash,
    guarded,
    one_sentence,
    recorded,
    sparse,
)
from tiny_corpus import TinyCorpus

from bugloss.core import named_file
from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.corpus.collection import load
from bugloss.evaluate.subjects import read_subjects
from bugloss.workflows.localization_trial import store_below

# ── bugs ────────────────────────────────────────────────────────────────────────────────────────────────────────

PLANTED: dict[str, Callable[[Path, Path], None]] = {
    "a linked file": lambda bug, private: (bug / "buggy" / "key.txt").symlink_to(private / "id_rsa"),
    "a linked module": lambda bug, private: _instead(bug / "buggy" / "program.py", private / "settings.py"),
    "a linked test": lambda bug, private: _instead(bug / "test.py", private / "settings.py"),
    "a linked report": lambda bug, private: _instead(bug / "report.md", private / "id_rsa"),
    "linked facts": lambda bug, private: _instead(bug / "bug.toml", private / "id_rsa"),
    "a linked program": lambda bug, private: _instead(bug / "fixed", private),
    "a device": lambda bug, private: (bug / "buggy" / "zero").symlink_to("/dev/zero"),
    "a pipe": lambda bug, private: os.mkfifo(bug / "buggy" / "pipe"),
    "a loop": lambda bug, private: (bug / "buggy" / "loop").symlink_to(".."),
    "a file of 10 GB": lambda bug, private: sparse(bug / "buggy" / "weights.bin") and None,
    "an escape": lambda bug, private: (bug / "buggy" / "\x1b]52;c;aGk=\x07").write_text("") and None,
}


def _instead(path: Path, target: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.symlink_to(target)


@pytest.mark.parametrize("planted", PLANTED)
def test_a_bug_holds_nothing_that_lies_elsewhere(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path, planted: str, tmp_path: Path
) -> None:
    tiny.add("torch-0002")
    bug = tiny.add("torch-0001")
    PLANTED[planted](bug, secrets)
    shared = ("test", "torch-0001b"), ("info", "torch-0001"), ("diff", "torch-0001"), ("similar", "torch-0001")
    copies = ("checkout", "torch-0001b", "-w", "work"), ("export", "torch-0001", "--format", "swebench")
    for command in (*shared, *copies):
        assert one_sentence(guarded(cli, *command))
    linted = cli.inside("lint", "torch-0001")
    assert linted.code == 1
    others = [cli.inside(*command) for command in (("list",), ("search", "last item"), ("verify", "--runs", "2"))]
    assert "torch-0002" in others[0].out
    draft = shutil.copytree(bug, tmp_path / "torch-0009", symlinks=True, copy_function=_copied)
    sent = cli.inside("submit", str(draft))
    assert sent.code == 1
    assert sorted(path.name for path in (tiny.root / "torch").iterdir()) == ["torch-0001", "torch-0002"]
    assert_clean(cli.folder, linted, sent, *others)


def _copied(source: str, target: str) -> str:
    """A copy that does not open what is no file, for drafts with pipes."""
    place = Path(target)
    if Path(source).is_symlink():
        place.symlink_to(Path(source).readlink())
    elif not Path(source).is_file():
        os.mkfifo(place)
    elif Path(source).stat().st_size > 10**7:
        sparse(place)
    else:
        place.write_bytes(Path(source).read_bytes())
    return target


def test_links_inside_of_a_bug_are_part_of_it(cli: CommandLine, tiny: TinyCorpus) -> None:
    bug = tiny.add()
    for twin in ("buggy", "fixed"):
        (bug / twin / "same.py").symlink_to("program.py")
    before = load(tiny.root)["torch-0001"].digest()
    assert cli.inside("checkout", "torch-0001b", "-w", "work").code == 0
    assert (cli.folder / "work" / "same.py").read_text() == (bug / "buggy" / "program.py").read_text()
    assert not (cli.folder / "work" / "same.py").is_symlink()
    assert load(tiny.root)["torch-0001"].digest() == before
    assert cli.inside("test", "torch-0001f").code == 0


def test_a_working_copy_is_tested_without_what_its_links_bring_in(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path
) -> None:
    tiny.add()
    assert cli.inside("checkout", "torch-0001b", "-w", "work").code == 0
    (cli.folder / "work" / "program.py").write_text("def run():\n    raise ValueError(open('key').read())\n")
    (cli.folder / "work" / "key").symlink_to(secrets / "id_rsa")
    done = cli.inside("test", "torch-0001", "-w", "work", "--verbose")
    assert "key: it is a link that points outside the folder" in done.err
    assert_clean(cli.folder, done, cli.inside("test", "torch-0001", "-w", "work", "--json"))


@pytest.mark.parametrize("entry", ["{private}/settings.py", "../test.py", "sub/../program.py", "program.txt", "/program.py", "", "./program.py", "a\x1b.py"])  # fmt: skip
def test_the_entry_of_a_bug_is_a_program_in_its_folders(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path, entry: str
) -> None:
    tiny.add(entry=entry.format(private=secrets))
    for command in (("info", "torch-0001"), ("checkout", "torch-0001b", "-w", "work"), ("diagnose", "torch-0001")):
        said = one_sentence(cli.inside(*command))
        assert "the entry '" in said
        assert said.isprintable()


def test_a_corpus_that_came_with_a_repository_writes_no_ledger_through_a_link(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path
) -> None:
    tiny.add()
    (secrets / "empty.toml").touch()
    _instead(tiny.root / "register.toml", secrets / "empty.toml")
    for command in (("list",), ("deprecate", "torch-0001", "--why", "x")):
        assert "points outside" in one_sentence(cli.inside(*command))
    assert (secrets / "empty.toml").read_text() == ""
    (tiny.root / "register.toml").unlink()
    (tiny.root / "stability.json").symlink_to(secrets / "pipe")
    assert "points outside" in one_sentence(guarded(cli, "list"))


# ── where results go ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("there", [True, False])
def test_a_checkout_is_not_laid_out_where_a_link_leads(
    cli: CommandLine, tiny: TinyCorpus, tmp_path: Path, there: bool
) -> None:
    tiny.add()
    (cli.folder / "work").symlink_to(tmp_path / "elsewhere")
    if there:
        (tmp_path / "elsewhere").mkdir()
    assert "is a link" in one_sentence(cli.inside("checkout", "torch-0001b", "-w", "work"))
    assert not there or list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("command", [("export", "torch-0001"), ("query", "-q", "id"), ("check", ".", "--json"), ("report",)])  # fmt: skip
def test_a_result_is_not_written_where_a_link_leads(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path, command: tuple[str, ...]
) -> None:
    tiny.add()
    recorded(cli.folder, crash("train.py"))
    (cli.folder / "out").symlink_to(secrets / "id_rsa")
    done = cli.inside(*command, "-o", "out")
    assert (done.code, (secrets / "id_rsa").read_text()) == (2, KEY)
    assert "it is a link" in done.err + done.out
    assert cli.inside(*command, "-o", "fresh").code == (command[0] == "report")  # of a run that crashed
    assert (cli.folder / "fresh").stat().st_size > 0


def test_a_baseline_is_not_written_where_a_link_leads(cli: CommandLine, secrets: Path) -> None:
    (cli.folder / "known.json").symlink_to(secrets / "id_rsa")
    assert "it is a link" in one_sentence(cli.inside("check", ".", "--write-baseline", "known.json"))
    assert (secrets / "id_rsa").read_text() == KEY


def test_the_folder_of_a_verification_appends_to_no_linked_file(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path
) -> None:
    tiny.add()
    (cli.folder / "out").mkdir()
    for name in ("trials.jsonl", "request.json", "request.json.draft"):
        (cli.folder / "out" / name).symlink_to(secrets / "id_rsa")
    cli.inside("verify", "torch-0001", "--runs", "2", "-o", "out")
    assert (secrets / "id_rsa").read_text() == KEY
    assert_clean(cli.folder, cli.inside("regrade", "out"))


def test_a_reproduction_replaces_links_in_its_folder(cli: CommandLine, secrets: Path) -> None:
    (cli.folder / "report.md").write_text("# It fails\n\nNothing to run here.\n")
    (cli.folder / "out").mkdir()
    (cli.folder / "out" / "reproduction.json").symlink_to(secrets / "id_rsa")
    options = ("--offline", "--isolation", "limits", "--budget", "5")
    assert cli.inside("reproduce", "report.md", "-o", "out", *options).code == 1
    assert (secrets / "id_rsa").read_text() == KEY
    assert json.loads((cli.folder / "out" / "reproduction.json").read_text())["schema"] == "bugloss.reproduction/1"
    (cli.folder / ".bugloss").symlink_to(secrets)
    assert "is a link" in one_sentence(cli.inside("reproduce", "report.md", *options))


# ── data sets ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("repository", ["/home", "../private", "a/../../private"])
def test_data_name_no_repository_outside_of_their_folder(tmp_path: Path, repository: str) -> None:
    subject = {"id": "1", "project": "p", "repository": repository, "commit": "HEAD", "title": "t", "truth": ["a.py"]}
    line = json.dumps({**subject, "opened": "2020-01-01", "fixed": "2020-01-02"})
    (tmp_path / "data.jsonl").write_text(line)
    with pytest.raises(InvalidInput, match="is not in the folder of the file"):
        read_subjects(tmp_path / "data.jsonl")


@pytest.mark.parametrize("project", ["../../outside", "/outside", "..", "a/../../../outside"])
def test_the_name_of_a_project_is_one_folder_in_the_cache(tmp_path: Path, project: str) -> None:
    store = tmp_path / "deep" / "store"
    store_below(store)(project if not project.startswith("/") else str(tmp_path / "outside"))
    made = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert made
    assert all(path.is_relative_to(store) for path in made)


def test_data_that_are_a_pipe_are_refused_in_one_sentence(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_file, "_PATIENCE", 0.05)
    with bounds(), pytest.raises(BuglossError, match="it is a pipe without a writer"):
        read_subjects(secrets / "pipe")
