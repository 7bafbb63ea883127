"""Writes the page and the document of a case."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss import __version__
from bugloss.core.codec import encode
from bugloss.core.errors import EnvironmentFailure
from bugloss.core.written_file import write_inside
from bugloss.show.case.view import view_of

if TYPE_CHECKING:
    from bugloss.workflows.investigation import Investigation

_HERE = Path(__file__).parent
# What HTML does not allow, whatever it is escaped to: reports may hold anything.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def case_page(folder: Path, case: Investigation, document: Mapping[str, object]) -> Path:
    """``index.html`` and ``case.json`` in the folder; the path of the page."""
    page = folder / "index.html"
    text = json.dumps(encode({"schema": "bugloss.case/1", **document}), ensure_ascii=False, indent=1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_inside(folder, page.name, render(case, folder))
        write_inside(folder, "case.json", text)
    except OSError as error:
        raise EnvironmentFailure(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another: -o DIR"
        ) from error
    return page


def render(case: Investigation, folder: Path) -> str:
    """The page as one HTML text that needs neither network nor scripts."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader([_HERE / "templates", _HERE.parent / "page" / "templates"]),  # one style for all pages
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = templates.get_template("case.html").render(view=view_of(case, folder, __version__))
    return _FORBIDDEN.sub("\ufffd", text)
