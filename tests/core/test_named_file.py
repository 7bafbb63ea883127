"""Files that the user named: links and pipes work, devices and what has no end do not."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core import named_file
from bugloss.core.errors import FileRefused, Refusal
from bugloss.core.named_file import Keep, read_named, read_named_text


def test_a_file_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a\r\nb")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_named(tmp_path / "link", 100) == b"a\r\nb"
    assert read_named_text(tmp_path / "link") == "a\nb"


@given(content=st.binary(max_size=300), limit=st.integers(1, 200))
def test_what_is_kept_of_more_than_the_limit_is_what_was_asked_for(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, limit: int
) -> None:
    path = tmp_path_factory.mktemp("named") / "file"
    path.write_bytes(content)
    assert read_named(path, limit, Keep.BEGINNING) == content[:limit]
    assert read_named(path, limit, Keep.END) == content[-limit:]
    if len(content) > limit:
        with pytest.raises(FileRefused, match="larger than"):
            read_named(path, limit)
    else:
        assert read_named(path, limit) == content


@pytest.mark.parametrize(
    ("name", "reason"),
    [("", Refusal.NOT_A_FILE), ("nothing", Refusal.MISSING), ("\0", Refusal.UNREADABLE), ("pipe", Refusal.NOT_A_FILE)],
)
def test_what_is_no_file_is_one_sentence(
    tmp_path: Path, name: str, reason: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_file, "_PATIENCE", 0.01)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileRefused) as caught:
        read_named(tmp_path / name, 100)
    assert caught.value.reason is reason
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_devices_are_refused(device: str) -> None:
    with pytest.raises(FileRefused, match="it is a device, not a file"):
        read_named(Path(device), 100, Keep.END)


@pytest.mark.parametrize("keep", Keep)
def test_a_pipe_is_read_while_somebody_writes_however_slowly(tmp_path: Path, keep: Keep) -> None:
    os.mkfifo(tmp_path / "pipe")
    gate = threading.Event()

    def write() -> None:
        with (tmp_path / "pipe").open("wb", buffering=0) as pipe:
            pipe.write(b"first ")
            gate.wait(30)
            pipe.write(b"second")

    writer = threading.Thread(target=write)
    writer.start()
    threading.Timer(0.05, gate.set).start()
    assert read_named(tmp_path / "pipe", 100, keep) == b"first second"
    writer.join()


@pytest.mark.parametrize(("keep", "kept"), [(Keep.BEGINNING, b"a" * 10), (Keep.END, b"b" * 10)])
def test_a_pipe_without_end_is_held_to_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: Keep, kept: bytes
) -> None:
    read, write = os.pipe()
    os.write(write, b"a" * 1000 + b"b" * 1000)
    os.close(write)
    assert read_named(Path(f"/dev/fd/{read}"), 10, keep) == kept
    os.close(read)


def test_a_stream_that_never_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_file, "LARGEST_DATA", 500)
    read, write = os.pipe()
    os.write(write, b"a" * 1000)
    with pytest.raises(FileRefused, match="larger than"):
        read_named(Path(f"/dev/fd/{read}"), 10, Keep.END)
    os.close(read)
    os.close(write)
