"""A real server on a free port, and a real chromium, for the tests of pages."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from show.web.finished_case import store_case
from show.web.finished_evaluation import store_evaluation
from stored_runs import healthy_events, stored_run

from bugloss.corpus.roots import shipped_root
from bugloss.show.api.app import create_app
from bugloss.show.api.serving import address_of, bind
from bugloss.show.api.settings import ServerSettings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-extensions"),
    *("--disable-dev-shm-usage", "--disable-component-update", "--disable-sync", "--mute-audio"),
)


@dataclass(frozen=True)
class Served:
    """Where a server answers, its folder, and what it has: a case, a run, an evaluation of a job."""

    address: str
    folder: Path
    case: str = ""
    run: str = ""
    evaluation: str = ""


@contextmanager
def running(settings: ServerSettings) -> Iterator[str]:
    """A server in a thread, on a free port; its address."""
    listening = bind(settings)
    server = uvicorn.Server(uvicorn.Config(create_app(settings), log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield address_of(settings, listening).rstrip("/")
    server.should_exit = True
    thread.join(10)
    listening.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over the shipped corpus, started in a folder of its own."""
    folder = tmp_path_factory.mktemp("served")
    before = Path.cwd()
    os.chdir(folder)
    settings = ServerSettings(work=folder / "server", corpus_roots=(shipped_root(),), port=0)
    case, evaluation, run = store_case(settings), store_evaluation(settings), stored_run(folder, healthy_events())
    with running(settings) as address:
        yield Served(address, folder, case, run.id, evaluation)
    os.chdir(before)


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    """A browser, where this machine has one; while it is open, no other test can start an event loop."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium; Debian: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield browser
        browser.close()
