"""Where the cache lies, and what is said when it cannot be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bugloss.core.cache import cache_errors, cache_folder, writable
from bugloss.core.errors import CacheUnusable


def test_the_variable_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BUGLOSS_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"


def test_a_relative_folder_and_a_tilde_are_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BUGLOSS_CACHE", "~/mine")
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.setenv("BUGLOSS_CACHE", "beside")
    assert cache_folder() == Path.cwd() / "beside"


def test_without_the_variable_it_is_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BUGLOSS_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == tmp_path / ".cache" / "bugloss"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "bugloss"


def test_a_user_without_a_home_is_asked_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUGLOSS_CACHE", "~no-such-user-here/cache")
    with pytest.raises(CacheUnusable) as caught:
        cache_folder()
    assert "BUGLOSS_CACHE=" in caught.value.hint


def test_a_folder_is_made_when_it_is_missing(tmp_path: Path) -> None:
    assert writable(tmp_path / "a" / "b").is_dir()


def test_a_file_in_the_place_of_the_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    for folder in (tmp_path / "taken", tmp_path / "taken" / "below"):
        with pytest.raises(CacheUnusable) as caught:
            writable(folder)
        assert str(folder) in caught.value.message
        assert "export BUGLOSS_CACHE=" in caught.value.hint


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_without_permission_is_a_clear_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        for folder in (tmp_path, tmp_path / "below"):
            with pytest.raises(CacheUnusable, match="Permission denied"):
                writable(folder)
    finally:
        tmp_path.chmod(0o700)


def test_what_the_file_system_says_is_in_the_sentence(tmp_path: Path) -> None:
    with pytest.raises(CacheUnusable, match="No space left on device"), cache_errors(tmp_path):
        raise OSError(28, os.strerror(28))
