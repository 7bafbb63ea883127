"""A new bug through the browser: sent in, verified, reviewed, added; then one is contested and one removed."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from show.web.conftest import running
from show.web.test_browser import violations
from tiny_corpus import TinyCorpus, write_bug

from bugloss.run.environment import Environment
from bugloss.show.api.settings import ServerSettings

pytestmark = [pytest.mark.browser, pytest.mark.bubblewrap]


@pytest.fixture
def settings(tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServerSettings:
    """A server over two bugs that need no framework."""
    monkeypatch.delenv("BUGLOSS_ISOLATION")
    for name in ("torch-0001", "torch-0002"):
        tiny.add(name)
    return ServerSettings(work=tmp_path / "server", corpus_roots=(tiny.root,), port=0)


def until(tab: Any, words: str, seconds: float = 90) -> None:
    """Loads the page again until it has the words."""
    end = time.monotonic() + seconds
    while words not in tab.inner_text("main"):
        assert time.monotonic() < end, tab.inner_text("main")
        time.sleep(0.5)
        tab.reload()


def test_a_bug_is_sent_in_verified_reviewed_and_added(chromium: Any, settings: ServerSettings, tmp_path: Path) -> None:
    draft = write_bug(tmp_path / "draft" / "my-bug", title="The first item is looked for before the beginning")
    archive = shutil.make_archive(str(tmp_path / "my-bug"), "zip", draft)
    with running(settings) as address:
        context = chromium.new_context(base_url=address, viewport={"width": 390, "height": 844})
        tab = context.new_page()
        tab.goto("/submit")
        tab.set_input_files("#archive", archive)
        tab.fill("#note", "from a test")
        tab.click("text=Send the archive")
        tab.wait_for_url(re.compile(r"/submit/[0-9a-f]{28}$"))
        until(tab, "Decide")
        assert violations(tab) == []
        tab.fill("#reason", "it fails and passes as it must")
        tab.click("button[value=accept]")
        until(tab, "torch-0003")  # verified again, and added under the next id
        tab.goto("/bugs/torch-0003")
        assert "The first item" in tab.inner_text("h1")
        _remove_one(tab)
        context.close()


def _remove_one(tab: Any) -> None:
    """A request to remove a bug takes it out of the count, with the reason."""
    tab.goto("/submit?bug=torch-0002")
    tab.check("input[value=removal]")
    tab.fill("#contest #reason", "the same as torch-0001")
    tab.click("text=Send the request")
    tab.click("#queue td a")
    tab.fill("#reason", "a duplicate")
    tab.click("button[value=accept]")
    until(tab, "accepted")
    tab.goto("/health")
    until(tab, "a duplicate")


def test_a_bug_that_does_not_fail_is_refused_with_what_is_wrong(
    chromium: Any, settings: ServerSettings, tmp_path: Path
) -> None:
    same = "def run():\n    return [1, 2, 3][2]\n"
    draft = write_bug(
        tmp_path / "draft" / "my-bug", files={"buggy/program.py": same + "\n# buggy\n", "fixed/program.py": same}
    )
    archive = shutil.make_archive(str(tmp_path / "my-bug"), "gztar", draft)
    with running(settings) as address:
        context = chromium.new_context(base_url=address)
        tab = context.new_page()
        tab.goto("/submit")
        tab.set_input_files("#archive", archive)
        tab.click("text=Send the archive")
        until(tab, "Problems")
        assert tab.locator("#reason").count() == 0  # there is nothing to decide
        context.close()
