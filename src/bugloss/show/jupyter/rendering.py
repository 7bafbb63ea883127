"""An answer as a notebook shows it: HTML with the colours of the terminal, and plain text for what shows no HTML."""

from __future__ import annotations

import html
import io
from collections.abc import Callable
from dataclasses import dataclass

from bugloss.show.answer.sheet import Sheet
from bugloss.show.cli.quoting_console import QuotingConsole

_WIDTH = 110
_FRAME = (
    '<pre style="white-space:pre-wrap;line-height:1.45;font-size:13px;padding:.7em 1em;margin:.3em 0;'
    'border-left:4px solid #8a63d2;overflow-x:auto">{code}</pre>'
)
_PAGE = (
    "<details><summary>{title}</summary>"
    '<iframe sandbox="" srcdoc="{page}" style="width:100%;height:42em;border:1px solid #8888" title="{title}"></iframe>'
    "</details>"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What the front end gets; it chooses the richest form that it can show."""

    text: str
    html: str

    @property
    def bundle(self) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}


def rendered(
    show: Callable[[Sheet], None], reword: Callable[[str], str] = str, page: str = "", title: str = ""
) -> Shown:
    """What ``show`` puts on a sheet; ``page`` is folded below it, without scripts."""
    screen = QuotingConsole(
        file=io.StringIO(),
        record=True,
        width=_WIDTH,
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
        force_jupyter=False,
    )
    show(Sheet(screen, reword))
    code = screen.export_html(inline_styles=True, code_format="{code}", clear=False)
    below = _PAGE.format(title=html.escape(title), page=html.escape(page, quote=True)) if page else ""
    return Shown(screen.export_text().rstrip() + "\n", _FRAME.format(code=code.strip("\n")) + below)
