"""The static export: every link leads to a file of it, and Explore filters without a server."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.corpus.catalogue import Catalogue, Filters
from bugloss.corpus.collection import load
from bugloss.corpus.roots import shipped_root
from bugloss.show.site.addresses import file_of, with_relative_links
from bugloss.show.site.export import write_site

_LINK = re.compile(r'\b(?:href|src|action)="([^"]*)"')


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """Every fifth bug: all of them take twelve seconds, and tests of views make the page of each."""
    return Catalogue(tuple(load(shipped_root()).readable()[0])[::5])


@pytest.fixture(scope="module")
def site(catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write_site(catalogue, folder, lambda text: None)
    return folder


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/", "index.html"),
        ("/explore?framework=torch", "explore.html"),
        ("/bugs/torch-0003", "bugs/torch-0003.html"),
        ("/bugs/torch-0003?code=whole#fix", "bugs/torch-0003-whole.html"),
        ("/studies/information/by-type.csv", "studies/information/by-type.csv"),
        ("/static/theme.css?1.0", "static/theme.css"),
    ],
)
def test_an_address_of_the_application_is_a_file(address: str, file: str) -> None:
    assert file_of(address) == file


@pytest.mark.parametrize("address", ["/ask", "/bugs/../secret", "/jobs/1", "/static/../x"])
def test_what_needs_a_server_has_no_file(address: str) -> None:
    with pytest.raises(InvalidInput, match="static site"):
        file_of(address)


def test_links_are_relative_to_the_page_and_text_stays_as_it_is() -> None:
    page = '<a href="/bugs/tf-0001#fix">x</a> href=&#34;/ask&#34; <a href="/explore?q=a&amp;stack=b">y</a>'
    changed = with_relative_links(page, "bugs/torch-0001.html")
    assert changed == (
        '<a href="../bugs/tf-0001.html#fix">x</a> href=&#34;/ask&#34; <a href="../explore.html?q=a&amp;stack=b">y</a>'
    )


def test_every_link_of_every_page_leads_to_a_file(site: Path, catalogue: Catalogue) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 2 * len(catalogue)
    for page in pages:
        for link in map(unescape, _LINK.findall(page.read_text("utf-8"))):
            parts = urlsplit(link)
            if parts.scheme not in {"http", "https"} and parts.path:
                assert (page.parent / parts.path).is_file(), f"{page.name}: {link}"


@pytest.mark.browser
def test_facets_words_and_the_address_work_from_a_file(chromium: Any, site: Path, catalogue: Catalogue) -> None:
    page = chromium.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    start = (site / "explore.html").as_uri()
    page.goto(start + "?framework=torch")
    torch = catalogue.select(Filters(chosen={"framework": ("torch",)}))
    shown = page.locator("[data-bug]:visible")
    assert shown.count() == len(torch.entries) < len(catalogue)
    for box in page.locator("input[name=category]").all():
        label = box.locator("xpath=ancestor::label")
        value = box.get_attribute("value")
        assert int(label.locator(".count").text_content()) == torch.counts["category"].get(value, 0)
    page.locator("input[name=category][value=tensor]").check()
    both = catalogue.select(Filters(chosen={"framework": ("torch",), "category": ("tensor",)}))
    assert shown.count() == len(both.entries)
    assert "category=tensor" in page.url
    page.reload()
    assert shown.count() == len(both.entries)
    page.goto(start + "?q=" + catalogue.entries[3].id)
    assert shown.count() == 1
    shown.first.locator("a.bug").click()
    assert page.locator("h1").inner_text().startswith(catalogue.entries[3].bug.title)
    assert not problems
    page.close()
