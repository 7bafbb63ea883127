"""Fills a template: the one place that sets up Jinja."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_THEME = Path(__file__).parent / "theme"  # one style for all pages
_SHARED = (_THEME / "templates", _THEME / "static")


def fill(folder: Path | tuple[Path, ...], template: str, *, layout: str = "base.html", **values: object) -> str:
    """A template of these folders with these values, without characters that hide or reorder text.

    ``layout`` is what surrounds the page: that of a single file, or that of the web application.
    """
    folders = (folder,) if isinstance(folder, Path) else folder
    return visible(_templates(folders).get_template(template).render(layout=layout, **values))


@cache
def _templates(folders: tuple[Path, ...]) -> Environment:
    """The templates of some folders, compiled once, and those that all pages share."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader([*folders, *_SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
