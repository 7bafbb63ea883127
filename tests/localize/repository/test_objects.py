"""Repositories in every state that people keep them in."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.core.errors import InvalidInput
from bugloss.localize.repository.objects import Repository


@pytest.fixture
def made(tmp_path: Path) -> TinyRepository:
    repository = TinyRepository.at(tmp_path / "r")
    repository.commit({"a.py": "one = 1\n", "größe/b c.py": "two = 2\n"})
    return repository


def test_a_tree_names_its_files_whatever_they_are_called(made: TinyRepository) -> None:
    repository = Repository(made.folder)
    tree = repository.tree(repository.resolve("HEAD"))
    assert [file.path for file in tree.files] == ["a.py", "größe/b c.py"]
    assert dict(repository.contents([file.blob for file in tree.files])).keys() == {file.blob for file in tree.files}
    assert tree.time == 1_500_000_000


def test_an_earlier_commit_is_read_without_touching_the_work_tree(made: TinyRepository) -> None:
    first = made.git("rev-parse", "HEAD")
    made.commit({"a.py": "one = 11\n"})
    repository = Repository(made.folder)
    blob = repository.tree(first).files[0].blob
    assert dict(repository.contents([blob])) == {blob: "one = 1\n"}
    assert (made.folder / "a.py").read_text() == "one = 11\n"


def test_a_bare_repository_is_as_good_as_a_work_tree(made: TinyRepository, tmp_path: Path) -> None:
    made.git("clone", "-q", "--bare", str(made.folder), str(tmp_path / "bare"))
    bare = Repository(tmp_path / "bare")
    assert bare.tree(bare.resolve("HEAD")).files == Repository(made.folder).tree(bare.resolve("main")).files
    assert not bare.is_dirty(bare.tree(bare.resolve("HEAD")))


def test_a_folder_below_the_top_gives_the_whole_tree(made: TinyRepository) -> None:
    repository = Repository(made.folder / "größe")
    assert len(repository.tree(repository.resolve("HEAD")).files) == 2


def test_a_detached_head_is_a_commit_like_any_other(made: TinyRepository) -> None:
    first = made.git("rev-parse", "HEAD")
    made.commit({"a.py": "x"})
    made.git("checkout", "-q", first)
    assert Repository(made.folder).resolve("HEAD") == first


def test_links_are_left_out_and_submodules_are_named(made: TinyRepository, tmp_path: Path) -> None:
    other = TinyRepository.at(tmp_path / "other")
    other.commit({"c.py": "three = 3\n"})
    (made.folder / "link.py").symlink_to("a.py")
    made.git("submodule", "--quiet", "add", str(other.folder), "third_party/other")
    made.commit({})
    repository = Repository(made.folder)
    tree = repository.tree(repository.resolve("HEAD"))
    assert tree.submodules == ("third_party/other",)
    assert "link.py" not in {file.path for file in tree.files}


def test_a_shallow_clone_says_what_it_lacks(made: TinyRepository, tmp_path: Path) -> None:
    first = made.git("rev-parse", "HEAD")
    made.commit({"a.py": "x"})
    made.git("clone", "-q", "--depth", "1", f"file://{made.folder}", str(tmp_path / "shallow"))
    shallow = Repository(tmp_path / "shallow")
    assert shallow.is_shallow()
    with pytest.raises(InvalidInput, match="no commit") as raised:
        shallow.resolve(first)
    assert "unshallow" in raised.value.hint


@pytest.mark.parametrize("revision", ["nothing", "--help", "-x", "HEAD~9", "a.py"])
def test_an_unknown_revision_is_an_error_in_one_sentence(made: TinyRepository, revision: str) -> None:
    with pytest.raises(InvalidInput, match="has no commit"):
        Repository(made.folder).resolve(revision)


def test_what_is_no_repository_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder, reason in (
        (tmp_path, "not a git repository"),
        (tmp_path / "gone", "no folder"),
        (tmp_path / "file", "not a folder"),
    ):
        with pytest.raises(InvalidInput, match=reason):
            Repository(folder).resolve("HEAD")


def test_a_repository_without_a_commit_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no commit yet"):
        Repository(TinyRepository.at(tmp_path / "empty").folder).resolve("HEAD")


def test_variables_of_a_git_hook_do_not_lead_elsewhere(made: TinyRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert Repository(made.folder).resolve("HEAD") == made.git(
        "--git-dir", str(made.folder / ".git"), "rev-parse", "HEAD"
    )


def test_a_blob_that_the_store_lacks_is_passed_over(made: TinyRepository) -> None:
    repository = Repository(made.folder)
    blob = repository.tree(repository.resolve("HEAD")).files[0].blob
    assert [name for name, _ in repository.contents(["0" * 40, blob])] == [blob]
