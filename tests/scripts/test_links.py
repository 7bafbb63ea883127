"""Links between documents lead somewhere, files that they name are there, and the glossary stays short."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"`([\w/]+/[\w/]+\.py)`")
ROOM = re.compile(r"^[├└]── (\w+)/", re.MULTILINE)
CONFLICT = re.compile(r"^(?:<{7}|>{7}|={7})(?: .*)?$", re.MULTILINE)
PACKAGE = re.compile(r"[\w.-]+")
MOST_TERMS = 40


def documents() -> Iterator[Path]:
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from sorted((ROOT / "bench" / "notes").glob("*.md"))


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of headings, and those that are written out."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("page", list(documents()), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_document_leads_somewhere(page: Path) -> None:
    broken = []
    for path, anchor in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        goal = (page.parent / path).resolve() if path else page
        if not goal.exists():
            broken.append(path)
        elif anchor and goal.suffix == ".md" and anchor not in anchors(goal.read_text(encoding="utf-8")):
            broken.append(f"{path}#{anchor}")
    assert not broken


def test_the_glossary_has_at_most_forty_terms_each_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = [term for term in re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE) if term not in {"term", "---"}]
    assert 0 < len(terms) <= MOST_TERMS
    assert len(set(terms)) == len(terms)


def test_no_document_has_both_sides_of_a_merge() -> None:
    """A merge once left its markers in the page of dependencies, and every other test passed."""
    assert [page.name for page in documents() if CONFLICT.search(page.read_text(encoding="utf-8"))] == []


def test_every_package_that_we_depend_on_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    packages = {match[0] for group in groups for line in group if (match := PACKAGE.match(line))}
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").lower()
    missing = [name for name in sorted(packages - {"bugloss"}) if name.lower() not in text]
    assert missing == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_modules_that_a_document_names_are_there(name: str) -> None:
    named = MODULE.findall((ROOT / name).read_text(encoding="utf-8"))
    assert named
    roots = (ROOT, ROOT / "src", ROOT / "src" / "bugloss")
    assert [path for path in named if not any((root / path).is_file() for root in roots)] == []


def test_the_architecture_names_every_room() -> None:
    package = ROOT / "src" / "bugloss"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    assert set(ROOM.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))) == rooms
