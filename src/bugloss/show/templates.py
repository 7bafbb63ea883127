"""Fills a template: the one place that sets up Jinja."""

from __future__ import annotations

from pathlib import Path

from bugloss.core.visible import visible

_SHARED = Path(__file__).parent / "page" / "templates"  # one style for all pages


def fill(folder: Path, template: str, **values: object) -> str:
    """A template of this folder with these values, without characters that hide or reorder text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader([folder, _SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return visible(templates.get_template(template).render(**values))
