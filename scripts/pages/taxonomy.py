"""The page of all labels, from ``bugloss.core.taxonomy``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bugloss.core.taxonomy import BugType, EditAction, Information, Label, Origin, Source, facets

HEADER = """\
# Taxonomy

The words in which bugloss describes bugs and bug reports. The label is what is written in JSON, in `bug.toml` and on
the command line. The definitions are ours; the source is where the label comes from.
"""

EXTRA_COLUMNS: dict[type[Label], dict[str, Callable[[Any], str]]] = {
    BugType: {"Category": lambda label: f"`{label.category}`"},
    EditAction: {"Code": lambda label: label.code, "Letter": lambda label: label.letter},
    Information: {"Letter": lambda label: label.letter},
    Origin: {"Extrinsic": lambda label: "yes" if label.extrinsic else "no"},
}


def document() -> str:
    """The whole page."""
    sections = [HEADER, *(section(name, facet) for name, facet in facets().items()), sources()]
    return "\n".join(sections)


def section(name: str, facet: type[Label]) -> str:
    """One facet: heading, introduction, table."""
    introduction = inspect.getdoc(facet) or ""
    return f"## {name}\n\n{introduction}\n\n" + "\n".join(table(facet)) + "\n"


def table(facet: type[Label]) -> Iterator[str]:
    """The rows of a facet's table."""
    extra = EXTRA_COLUMNS.get(facet, {})
    columns = ["Label", "Title", *extra, "Definition", "Source"]
    yield row(columns)
    yield row(["---"] * len(columns))
    for label in facet:
        yield row(
            [
                f"`{label}`",
                label.title,
                *(show(label) for show in extra.values()),
                label.definition,
                f"[{label.source.citation}](#source-{label.source})",
            ]
        )


def row(cells: Sequence[str]) -> str:
    """One line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def sources() -> str:
    """The list of sources that the tables link to."""
    return "## Sources\n\n" + "".join(f"- {reference(source)}\n" for source in Source)


def reference(source: Source) -> str:
    """One entry of the list of sources."""
    entry = f'<a id="source-{source}"></a>{source.authors}: *{source.title}*'
    published = " ".join(str(part) for part in (source.venue, source.year) if part)
    link = f"<{source.url}>" if source.url else ""
    return ", ".join(part for part in (entry, published, link) if part) + "."
