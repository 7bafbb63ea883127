"""Where the parts of a repository lie: every layout that git makes, and pointers that lead to somebody else's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.core.errors import InvalidInput
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import FileSelection, open_corpus
from bugloss.localize.repository.objects import Repository

SECRET = "def secret_of_the_host():\n    pass\n"


@pytest.fixture
def made(tmp_path: Path) -> TinyRepository:
    repository = TinyRepository.at(tmp_path / "r")
    repository.commit({"a.py": "one = 1\n", "b.py": "two = 2\n"})
    repository.commit({"a.py": "one = 11\n"})
    return repository


@pytest.fixture
def private(tmp_path: Path) -> TinyRepository:
    """Another repository of the user."""
    repository = TinyRepository.at(tmp_path / "private")
    repository.commit({"secret.py": SECRET})
    return repository


def read(folder: Path) -> tuple[dict[str, str], int, bool]:
    """The texts of HEAD by path, the number of its commits, and whether the work tree differs."""
    repository = Repository(folder)
    corpus = open_corpus(repository, repository.resolve("HEAD"), FactStore.open(None), FileSelection())
    texts = dict(repository.contents(file.blob for file in corpus.tree.files))
    found = {file.path: texts[file.blob] for file in corpus.tree.files if file.blob in texts}
    return found, corpus.history.commits, repository.is_dirty(corpus.tree)


WHOLE = ({"a.py": "one = 11\n", "b.py": "two = 2\n"}, 2, False)


def test_a_work_tree_and_its_git_folder_are_the_same_repository(made: TinyRepository) -> None:
    assert read(made.folder) == WHOLE
    assert read(made.folder / ".git") == WHOLE


def test_a_linked_work_tree_has_a_head_and_an_index_of_its_own(made: TinyRepository, tmp_path: Path) -> None:
    made.git("worktree", "add", "-q", str(tmp_path / "linked"), "HEAD~1")
    linked = tmp_path / "linked"
    assert read(linked) == ({"a.py": "one = 1\n", "b.py": "two = 2\n"}, 1, False)
    (linked / "a.py").write_text("one = 5\n")
    assert read(linked)[2]
    assert read(made.folder) == WHOLE


def test_a_submodule_is_a_repository_of_its_own(made: TinyRepository, private: TinyRepository) -> None:
    made.git("submodule", "--quiet", "add", str(private.folder), "deep/sub")
    assert read(made.folder / "deep" / "sub") == ({"secret.py": SECRET}, 1, False)


def test_a_git_folder_that_lies_apart_is_followed_where_it_points_back(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    tree = TinyRepository(tmp_path / "tree")
    tree.git("init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "apart"))
    tree.commit({"a.py": "one = 1\n"})
    tree.git("config", "core.worktree", str(tree.folder))
    assert read(tree.folder) == ({"a.py": "one = 1\n"}, 1, False)


def test_packed_refs_and_packed_objects_are_read(made: TinyRepository) -> None:
    made.git("tag", "v1")
    made.git("gc", "-q")
    assert read(made.folder) == WHOLE
    assert Repository(made.folder).resolve("v1") == made.git("rev-parse", "HEAD")


def test_a_repository_that_names_objects_by_sha256_is_read(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    repository = TinyRepository(tmp_path / "r")
    repository.git("init", "-q", "-b", "main", "--object-format=sha256")
    repository.commit({"a.py": "one = 1\n"})
    os.utime(repository.folder / "a.py", (1, 1))
    assert read(repository.folder) == ({"a.py": "one = 1\n"}, 1, False)


def test_a_head_that_is_a_link_is_read_as_git_once_wrote_it(made: TinyRepository) -> None:
    head = made.folder / ".git" / "HEAD"
    head.unlink()
    head.symlink_to("refs/heads/main")
    assert read(made.folder) == WHOLE


@pytest.mark.parametrize("revision", ["HEAD@{1}", "ORIG_HEAD", "main~1", "HEAD^", "refs/heads/main~1"])
def test_revisions_are_named_as_git_names_them(made: TinyRepository, revision: str) -> None:
    first = made.git("rev-parse", "HEAD~1")
    made.git("update-ref", "ORIG_HEAD", first)
    assert Repository(made.folder).resolve(revision) == first


@pytest.mark.parametrize(
    ("kept", "texts", "commits"), [("blob:none", {}, 2), ("tree:0", {}, 0)], ids=["no blobs", "no trees"]
)
def test_a_partial_clone_is_read_as_far_as_it_goes(
    made: TinyRepository, tmp_path: Path, kept: str, texts: dict[str, str], commits: int
) -> None:
    made.git("config", "uploadpack.allowFilter", "true")
    made.git("clone", "-q", "--bare", f"--filter={kept}", f"file://{made.folder}", str(tmp_path / "partial"))
    if kept == "tree:0":  # as a checkout would have: the tree of HEAD alone
        TinyRepository(tmp_path / "partial").git("cat-file", "-p", "HEAD^{tree}")
    made.folder.rename(tmp_path / "away")
    assert read(tmp_path / "partial") == (texts, commits, False)
    assert Repository(tmp_path / "partial").is_partial()


# Pointers of a repository that came from elsewhere.


def test_a_git_file_that_leads_to_another_repository_is_refused(private: TinyRepository, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / ".git").write_text(f"gitdir: {private.folder / '.git'}\n")
    with pytest.raises(InvalidInput, match="does not point back") as raised:
        read(tmp_path / "given")
    assert str(private.folder / ".git") in raised.value.hint


def test_a_git_folder_that_is_a_link_is_refused(private: TinyRepository, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / ".git").symlink_to(private.folder / ".git")
    with pytest.raises(InvalidInput, match="does not point back"):
        read(tmp_path / "given")


def test_a_git_file_that_leads_nowhere_says_where(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    with pytest.raises(InvalidInput, match="points to /nowhere, which is not a git folder"):
        read(tmp_path)


def test_a_common_folder_of_another_repository_is_refused(made: TinyRepository, private: TinyRepository) -> None:
    (made.folder / ".git" / "commondir").write_text(f"{private.folder / '.git'}\n")
    with pytest.raises(InvalidInput, match="is not a work tree of it"):
        read(made.folder)


def test_objects_of_another_repository_are_read_only_if_the_user_says_so(
    made: TinyRepository, private: TinyRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = private.folder / ".git" / "objects"
    (made.folder / ".git" / "objects" / "info" / "alternates").write_text(f"{store}\n")
    secret = private.git("rev-parse", "HEAD")
    (made.folder / ".git" / "refs" / "heads" / "main").write_text(f"{secret}\n")
    with pytest.raises(InvalidInput, match="borrows objects from") as raised:
        read(made.folder)
    assert f"GIT_ALTERNATE_OBJECT_DIRECTORIES={store}" in raised.value.hint
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(store))
    assert read(made.folder)[0] == {"secret.py": SECRET}


@pytest.mark.parametrize("place", ["objects", "refs"])
def test_a_store_that_is_a_link_is_not_a_repository(made: TinyRepository, private: TinyRepository, place: str) -> None:
    shutil.rmtree(made.folder / ".git" / place)
    (made.folder / ".git" / place).symlink_to(private.folder / ".git" / place)
    with pytest.raises(InvalidInput, match="not a git repository"):
        read(made.folder)


@pytest.mark.parametrize("place", ["objects/pack/pack-1.idx", "objects/aa/bb", "refs/heads/other", "refs/tags/v1"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_pipes_and_links_among_objects_and_refs_are_refused(made: TinyRepository, place: str, kind: str) -> None:
    """Git would wait for ever at a pipe, and follow a link."""
    path = made.folder / ".git" / place
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    with pytest.raises(InvalidInput, match="neither a file nor a folder"):
        read(made.folder)


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "shallow", "index", "commondir", "FETCH_HEAD"])
def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(made: TinyRepository, name: str) -> None:
    path = made.folder / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    if name == "HEAD":
        with pytest.raises(InvalidInput, match="not a git repository"):
            read(made.folder)
    else:
        assert read(made.folder)[:2] == WHOLE[:2]


def test_the_work_tree_is_the_folder_that_was_given(made: TinyRepository, tmp_path: Path) -> None:
    """``core.worktree`` may name any folder of the machine."""
    made.git("config", "core.worktree", str(tmp_path / "nowhere"))
    assert read(made.folder) == WHOLE


def test_a_format_of_refs_that_is_not_read_is_named(made: TinyRepository) -> None:
    made.git("config", "extensions.refStorage", "reftable")
    with pytest.raises(InvalidInput, match="keeps its refs in a format"):
        read(made.folder)


def test_nothing_is_left_in_the_folder_for_scratch(
    made: TinyRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    repository = Repository(made.folder)
    repository.resolve("HEAD")
    assert len(list(scratch.iterdir())) == 1
    del repository
    assert list(scratch.iterdir()) == []
