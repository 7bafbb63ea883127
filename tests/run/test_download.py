"""A large download is announced, and an index that does not tell its sizes stops nothing."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bugloss.run.download import download_megabytes, large_download

SIZES = {"/big.whl": "1500000000", "/small.whl": "2000000", "/odd.whl": "many"}


class Index(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_response(200 if self.path in SIZES else 404)
        if self.path in SIZES:
            self.send_header("Content-Length", SIZES[self.path])
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def index() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def lock(folder: Path, *packages: str) -> Path:
    path = folder / "pylock.toml"
    path.write_text('lock-version = "1.0"\n' + "".join(f"\n[[packages]]\n{package}\n" for package in packages))
    return path


def test_sizes_in_the_lock_are_added_up_and_nobody_is_asked(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9/x.whl"
    path = lock(
        tmp_path,
        f'name = "a"\nwheels = [{{ url = "{nowhere}", size = 1000000 }}]',
        f'name = "b"\nsdist = {{ url = "{nowhere}", size = 500000 }}',
    )
    assert download_megabytes(path) == 1.5


def test_the_index_is_asked_for_sizes_that_the_lock_does_not_state(tmp_path: Path, index: str) -> None:
    path = lock(tmp_path, f'name = "a"\nwheels = [{{ url = "{index}/small.whl" }}]')
    assert download_megabytes(path) == 2.0


def test_only_the_wheel_that_will_be_fetched_is_counted(tmp_path: Path) -> None:
    wheels = ", ".join(f'{{ url = "http://127.0.0.1:9/{n}.whl", size = 1000000 }}' for n in range(3))
    assert download_megabytes(lock(tmp_path, f'name = "a"\nwheels = [{wheels}]')) == 1.0


def test_files_on_this_machine_cost_no_download(tmp_path: Path) -> None:
    path = lock(
        tmp_path,
        'name = "a"\nwheels = [{ path = "/opt/wheels/a.whl", size = 9000000 }]',
        'name = "b"\nwheels = [{ url = "file:///opt/b.whl", size = 9000000 }]',
        'name = "c"',
    )
    assert download_megabytes(path) == 0


@pytest.mark.parametrize(
    "address", ["{index}/missing.whl", "{index}/odd.whl", "http://127.0.0.1:{closed}/x.whl", "http://a b/"]
)
def test_an_index_that_does_not_tell_counts_as_nothing(tmp_path: Path, index: str, address: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = free.getsockname()[1]
    url = address.format(index=index, closed=closed)
    assert download_megabytes(lock(tmp_path, f'name = "a"\nwheels = [{{ url = "{url}" }}]')) == 0


def test_an_index_that_answers_with_garbage_counts_as_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"garbage\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x.whl"
        assert download_megabytes(lock(tmp_path, f'name = "a"\nwheels = [{{ url = "{url}" }}]')) == 0
        thread.join()


def test_more_than_a_gigabyte_is_said_and_less_is_not(tmp_path: Path, index: str) -> None:
    big = f'name = "a"\nwheels = [{{ url = "{index}/big.whl" }}]'
    small = f'name = "b"\nwheels = [{{ url = "{index}/small.whl" }}]'
    sentence = large_download(lock(tmp_path, big, small))
    assert sentence is not None
    assert "1.5 GB" in sentence
    assert large_download(lock(tmp_path, small)) is None
    assert large_download(lock(tmp_path)) is None
