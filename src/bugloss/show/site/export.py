"""Writes a static site into a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.core.written_file import write_inside
from bugloss.corpus.catalogue import Catalogue
from bugloss.show.site.addresses import file_of, with_relative_links
from bugloss.show.site.pages import all_pages

_SHOW = Path(__file__).parent.parent
_STATIC = {
    "theme/static": ("theme.css",),
    "web/static": ("icon.svg", "page.js", "static_explore.js", "web.css"),
}


@dataclass(frozen=True, slots=True)
class WrittenSite:
    """What was written: the folder, how many bugs, files and bytes."""

    folder: Path
    bugs: int
    files: int
    megabytes: float


def write_site(catalogue: Catalogue, folder: Path, notify: Callable[[str], None]) -> WrittenSite:
    """All pages below ``folder``; files that are there are replaced, others stay."""
    written: dict[str, int] = {}

    def write(name: str, text: str) -> None:
        content = text.encode()
        write_inside(folder, name, content)
        written[name] = len(content)

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for place, names in _STATIC.items():
            for name in names:
                write(f"static/{name}", read_text(_SHOW / place, name))
        part = ""
        for address, text in all_pages(catalogue):
            name = file_of(address)
            if (now := name.partition("/")[0]) != part:
                part = now
                notify(f"writing {folder / part}")
            write(name, with_relative_links(text, name) if name.endswith(".html") else text)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be written: {error.strerror}.", hint="Choose another -o DIR.") from error
    return WrittenSite(folder, len(catalogue), len(written), round(sum(written.values()) / 1e6, 1))
