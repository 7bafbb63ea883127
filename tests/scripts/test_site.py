"""The documentation as static pages: strict, complete, and without anything from other servers."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("site_links", ROOT / "scripts" / "site_links.py")
assert SPEC is not None and SPEC.loader is not None
LINKS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(LINKS)
FOREIGN = re.compile(
    r'<(?:script|img|iframe)[^>]*\ssrc="?https?:|<link[^>]*rel="?(?:stylesheet|preload)"?[^>]*https?:|@import'
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_every_document_is_a_page(site: Path) -> None:
    for document in (ROOT / "docs").rglob("*.md"):
        place = document.relative_to(ROOT / "docs")
        page = place.with_name("index.html") if place.stem == "README" else place.with_suffix(".html")
        assert (site / page).is_file(), place


@pytest.mark.slow
def test_no_page_loads_anything_from_another_server(site: Path) -> None:
    assert [page.name for page in site.rglob("*.html") if FOREIGN.search(page.read_text())] == []


@pytest.mark.slow
def test_code_blocks_and_tables_are_rendered(site: Path) -> None:
    page = re.sub("<[^>]+>", "", (site / "tutorials" / "maintainer.html").read_text())
    assert "$ bugloss localize report.md --repo lib" in page
    assert "````" not in page  # the fence around the report, which contains fences of its own
    assert "<table" in (site / "guide" / "elsewhere.html").read_text()


def test_links_out_of_the_documents_lead_to_the_repository() -> None:
    moved = LINKS.outward("[a](../../README.md#install), [b](engineers.md)", PurePosixPath("docs/guide"), "https://x")
    assert moved == "[a](https://x/blob/main/README.md#install), [b](engineers.md)"
    assert LINKS.outward("![i](../images/a.svg)", PurePosixPath("docs/guide"), "https://x") == "![i](../images/a.svg)"


def test_a_link_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(SystemExit, match=r"missing\.md"):
        LINKS.outward("[a](../../missing.md)", PurePosixPath("docs/guide"), "https://x")


def test_code_is_left_alone() -> None:
    class Page:
        class file:  # noqa: N801 - as mkdocs calls it
            src_uri = "guide/a.md"

    text = "```python\nx = a[0](../nowhere)\n```\n"
    assert LINKS.on_page_markdown(text, page=Page, config={"repo_url": "https://x"}) == text
