"""Writes the page and the document of a case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss import __version__
from bugloss.core.codec import encode
from bugloss.core.errors import EnvironmentFailure
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside
from bugloss.show.case.view import view_of
from bugloss.show.page.chart import LEFT, TOP, WIDE
from bugloss.show.templates import fill

if TYPE_CHECKING:
    from bugloss.workflows.investigation import Investigation

_TEMPLATES = Path(__file__).parent / "templates"


def case_page(folder: Path, case: Investigation, document: Mapping[str, object]) -> Path:
    """``index.html`` and ``case.json`` in the folder; the path of the page."""
    return write_case(folder, render(case, folder), document)


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


def render(case: Investigation, folder: Path) -> str:
    """The page as one HTML text that needs neither network nor scripts."""
    view = view_of(case, folder, __version__)
    return fill(_TEMPLATES, "case.html", view=view, left=LEFT, top=TOP, wide=WIDE)
