"""The ledgers: retirements are added and never lost, and the record of verifications is replaced whole."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.bug import Status
from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.corpus.register import Retirement, Verified, read_retirements, read_verified, retire, write_verified

VERIFIED = Verified("d1", "5/5 fail", "5/5 pass", "active", "2026-01-01", "Linux", "bubblewrap", "e1", 1.5)


def test_a_retirement_is_read_back_with_its_reason(tmp_path: Path) -> None:
    entry = retire(tmp_path, "torch-0001", Status.DEPRECATED, 'the "origin" is gone\n\\ for good ✗')
    assert read_retirements(tmp_path) == {"torch-0001": entry}
    assert entry.status is Status.DEPRECATED


def test_what_stands_in_the_register_stays_there(tmp_path: Path) -> None:
    (tmp_path / "register.toml").write_text("# a remark without an end of line")
    retire(tmp_path, "torch-0001", Status.FLAKY, "threads")
    retire(tmp_path, "torch-0002", Status.DEPRECATED, "gone")
    assert (tmp_path / "register.toml").read_text().startswith("# a remark without an end of line\n")
    assert list(read_retirements(tmp_path)) == ["torch-0001", "torch-0002"]


def test_a_bug_is_retired_once(tmp_path: Path) -> None:
    retire(tmp_path, "torch-0001", Status.FLAKY, "threads")
    before = (tmp_path / "register.toml").read_bytes()
    with pytest.raises(InvalidInput, match="torch-0001 is already in the register"):
        retire(tmp_path, "torch-0001", Status.DEPRECATED, "again")
    assert (tmp_path / "register.toml").read_bytes() == before


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_any_reason_leaves_a_register_that_can_be_read(tmp_path_factory: pytest.TempPathFactory, why: str) -> None:
    """A delete character, typed by accident, once made the whole corpus unreadable."""
    root = tmp_path_factory.mktemp("ledger")
    retire(root, "torch-0001", Status.FLAKY, why)
    assert read_retirements(root)["torch-0001"].why == why.encode(errors="replace").decode()


def test_a_corpus_without_ledgers_has_empty_ones(tmp_path: Path) -> None:
    assert read_retirements(tmp_path) == {}
    assert read_verified(tmp_path) == {}


@pytest.mark.parametrize(
    "content",
    [
        b"[[retired",
        b"retired = 5",
        b'retired = "torch-0001"',
        b'[[retired]]\nbug = "torch-0001"\n',
        b'[[retired]]\nbug = "torch-0001"\nstatus = "asleep"\nsince = "now"\nwhy = "x"\n',
        b'[[retired]]\nwhy = "x"\n',
        b"\xff\xfe\x00",
    ],
)
def test_a_broken_register_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "register.toml").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"register\.toml cannot be read"):
        read_retirements(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"5", b'{"torch-0001": 5}', b'{"torch-0001": {}}', b"\xff"])
def test_a_broken_record_is_one_sentence_with_a_way_out(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "stability.json"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"stability\.json cannot be read") as refused:
        read_verified(tmp_path)
    assert refused.value.hint == f"Remove {path}, then create it again: bugloss verify --record"


@pytest.mark.parametrize("name", ["register.toml", "stability.json"])
def test_a_folder_in_the_place_of_a_ledger_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_retirements(tmp_path) if name == "register.toml" else read_verified(tmp_path)


def test_new_results_replace_old_ones_of_the_same_bug_and_leave_the_others(tmp_path: Path) -> None:
    other = Verified("d2", "4/5 fail", "5/5 pass", "flaky", "2026-01-02", "Linux", "limits", "e2", 2.0, 0.01, 0.9)
    write_verified(tmp_path, {"torch-0002": VERIFIED, "torch-0001": VERIFIED})
    write_verified(tmp_path, {"torch-0002": other})
    assert read_verified(tmp_path) == {"torch-0001": VERIFIED, "torch-0002": other}
    assert list(json.loads((tmp_path / "stability.json").read_text())) == ["torch-0001", "torch-0002"]
    assert [path.name for path in tmp_path.iterdir()] == ["stability.json"]


def test_a_ledger_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for write in (
        lambda: retire(tmp_path / "none", "torch-0001", Status.FLAKY, "x"),
        lambda: write_verified(tmp_path / "none", {"torch-0001": VERIFIED}),
    ):
        with pytest.raises(BuglossError, match="cannot be written: No such file or directory"):
            write()


def test_the_register_is_plain_toml(tmp_path: Path) -> None:
    retire(tmp_path, "torch-0001", Status.FLAKY, "threads")
    (entry,) = tomllib.loads((tmp_path / "register.toml").read_text())["retired"]
    assert Retirement(entry["bug"], Status(entry["status"]), entry["since"], entry["why"]).why == "threads"
