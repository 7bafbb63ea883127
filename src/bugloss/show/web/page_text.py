"""The text of a page of the application: header and navigation are the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bugloss import __version__
from bugloss.show.page.rendering import DRAWING
from bugloss.show.templates import fill

_HERE = Path(__file__).parent
FOLDERS = (_HERE / "templates", _HERE.parent / "page" / "templates", _HERE.parent / "case" / "templates")


def page_text(
    template: str, address: str, sections: Iterable[tuple[str, str]], *, served: bool, **values: object
) -> str:
    """A page at an address; ``served`` is false in a static export, where nothing can be asked or run."""
    given: dict[str, object] = {"asked_text": "", "csrf_token": "", **values}
    return fill(
        FOLDERS,
        template,
        layout="layout.html",
        sections=[(section, title, address.startswith(section)) for section, title in sections],
        installed=__version__,
        served=served,
        **DRAWING,
        **given,
    )
