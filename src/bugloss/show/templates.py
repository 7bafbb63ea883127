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

    environment = Environment(
        loader=FileSystemLoader([*folders, *_SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["ticks"] = _ticks
    return environment


def _ticks(text: str) -> str:
    """Escaped text in which words between backticks are code."""
    from markupsafe import Markup, escape

    parts = text.split("`")
    whole = len(parts) % 2 == 1  # an odd backtick is only a character
    pieces = (Markup("<code>{}</code>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts))
    return Markup("").join(pieces) if whole else escape(text)
