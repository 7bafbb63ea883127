"""Writes the page and the document of a case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss import __version__
from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, FileRefused, InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside
from bugloss.show.case.view import CaseView, view_of
from bugloss.show.page.chart import LEFT, TOP, WIDE
from bugloss.show.templates import fill

if TYPE_CHECKING:
    from bugloss.workflows.investigation import Investigation

TEMPLATES = Path(__file__).parent / "templates"
_LARGEST = 20_000_000


PAGE_VALUES = "page.json"  # what the page shows, for whoever shows it in another surrounding


def case_page(folder: Path, case: Investigation, document: Mapping[str, object]) -> Path:
    """``index.html``, ``case.json`` and ``page.json`` in the folder; the path of the page."""
    view = view_of(case, folder, __version__)
    page = write_case(folder, fill(TEMPLATES, "case.html", view=view, left=LEFT, top=TOP, wide=WIDE), document)
    write_inside(folder, PAGE_VALUES, json_text(encode(view)))
    return page


def read_case(folder: Path) -> CaseView | None:
    """What the page of a case shows; None where the folder has none."""
    try:
        return decode(CaseView, parse_json(read_text(folder, PAGE_VALUES, _LARGEST)))
    except (FileRefused, ValueError, InvalidInput):
        return None


def write_case(folder: Path, html: str, document: Mapping[str, object]) -> Path:
    """A page and a document as the case file; the path of the page."""
    page = folder / "index.html"
    text = json_text(encode({"schema": "bugloss.case/1", **document}), indent=1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_inside(folder, page.name, html)
        write_inside(folder, "case.json", text)
    except OSError as error:
        raise EnvironmentFailure(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another: -o DIR"
        ) from error
    return page
