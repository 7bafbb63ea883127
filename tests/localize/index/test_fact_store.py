"""What is kept: found again, shared between processes, made anew when broken, within its budget."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import FileSelection, open_corpus
from bugloss.localize.index.history import read_changes, summarise
from bugloss.localize.index.source_facts import read_source
from bugloss.localize.repository.objects import Repository


def test_facts_come_back_as_they_went_in(tmp_path: Path) -> None:
    facts = read_source("class A:\n    def go(self):\n        return 'nothing to see here'\n", "a.py")
    FactStore.open(tmp_path).add([("1" * 40, facts)])
    store = FactStore.open(tmp_path)
    assert store.insides(["1" * 40, "2" * 40]) == {"1" * 40: facts.inside}
    lines, phrases = store.marks(["1" * 40])["1" * 40]
    assert (set(lines), set(phrases)) == (facts.lines, facts.phrases)
    ((name, outline),) = store.outlines(["1" * 40])
    assert name == "1" * 40 and list(outline.lengths) == [sum(field.values()) for field in facts.fields]


def test_a_second_look_reads_no_blob_again(
    library: TinyRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, store = Repository(library.folder), FactStore.open(tmp_path / "facts")
    first = open_corpus(repository, repository.resolve("HEAD"), store, FileSelection())
    monkeypatch.setattr(Repository, "contents", lambda self, blobs: pytest.fail("a blob was read again"))
    again = open_corpus(repository, repository.resolve("HEAD"), FactStore.open(tmp_path / "facts"), FileSelection())
    assert again.index == first.index
    assert again.history == first.history


def test_the_next_commit_costs_only_what_changed(
    library: TinyRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, store = Repository(library.folder), FactStore.open(tmp_path / "facts")
    open_corpus(repository, repository.resolve("HEAD"), store, FileSelection())
    library.commit({"pkg/data.py": "changed = 1\n"})
    read: list[str] = []
    plain = Repository.contents
    monkeypatch.setattr(Repository, "contents", lambda self, blobs: plain(self, [read.append(b) or b for b in blobs]))  # type: ignore[func-returns-value]
    open_corpus(repository, repository.resolve("HEAD"), store, FileSelection())
    assert len(read) == 1


def test_a_broken_file_is_made_anew(tmp_path: Path) -> None:
    store = FactStore.open(tmp_path)
    assert store.path is not None
    store.connection.close()
    store.path.write_bytes(b"no database at all, but long enough to be taken for one" * 100)
    for _ in range(2):  # the first one notices, the second one has a new file
        store = FactStore.open(tmp_path)
        store.keep("x", b"y")
        assert store.made("x") == b"y"
    assert store.path is not None


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = FactStore.open(tmp_path / "file" / "below")
    store.keep("x", b"y")
    assert store.path is None and store.made("x") == b"y"


def test_the_oldest_goes_when_the_budget_is_used_up(tmp_path: Path) -> None:
    store = FactStore.open(tmp_path, budget=400_000)
    for number in range(12):
        store.keep(f"tree:{number}", bytes(100_000))
    assert store.made("tree:11") is not None
    assert store.made("tree:0") is None
    assert store.used() <= 500_000


_FILL = """
import sys
from pathlib import Path
from bugloss.localize.index.file_corpus import FileSelection, open_corpus
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.repository.objects import Repository

repository = Repository(Path(sys.argv[1]))
for _ in range(5):
    corpus = open_corpus(repository, repository.resolve("HEAD"), FactStore.open(Path(sys.argv[2])), FileSelection())
    assert corpus.index.size == 4 and corpus.store.path is not None
"""


def test_several_processes_fill_it_at_once(library: TinyRepository, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _FILL, str(library.folder), str(tmp_path / "facts")]
    workers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [(worker.communicate()[1], worker.returncode) for worker in workers] == [("", 0)] * 3


def test_history_stops_at_the_commit_and_at_the_moment(library: TinyRepository) -> None:
    """The fix comes after the commit that is asked about: a ranking that saw it would be cheating."""
    repository, store = Repository(library.folder), FactStore.open(None)
    library.commit({"pkg/loss.py": "a = 1\n"}, "fix the loss")
    before = library.git("rev-parse", "HEAD")
    library.commit({"pkg/data.py": "b = 1\n"}, "fix the loader")
    changes = read_changes(repository, before, store)
    assert [change.message.strip() for change in changes] == ["fix the loss", "first"]
    paths = ("pkg/data.py", "pkg/loss.py")
    whole = summarise(changes, paths, library.now)
    assert whole.of(1).fixes == 1 and whole.of(0).fixes == 0
    earlier = summarise(changes, paths, library.now, until=changes[1].time)
    assert earlier.of(1).fixes == 0 and earlier.commits == 1


def test_a_renamed_file_keeps_its_past(library: TinyRepository) -> None:
    library.commit({"pkg/loss.py": "def focal_loss(): return 3\n"}, "fix it")
    library.git("mv", "pkg/loss.py", "pkg/losses.py")
    library.commit({}, "rename")
    changes = read_changes(Repository(library.folder), library.git("rev-parse", "HEAD"), FactStore.open(None))
    past = summarise(changes, ("pkg/losses.py",), library.now).of(0)
    assert past.changes == 3 - 1 and past.fixes == 1  # the very first commit has no parent and says nothing


def test_files_that_change_together_know_each_other(library: TinyRepository) -> None:
    library.commit({"pkg/loss.py": "x\n", "pkg/data.py": "y\n"}, "both")
    library.commit({"pkg/loss.py": "z\n"}, "one")
    changes = read_changes(Repository(library.folder), library.git("rev-parse", "HEAD"), FactStore.open(None))
    history = summarise(changes, ("pkg/data.py", "pkg/loss.py"), library.now)
    assert history.together == {0: {1: 1.0}, 1: {0: 0.5}}
