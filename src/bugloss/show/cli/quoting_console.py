"""The rich console of all verbs: foreign text is quoted before styles are added, and brackets in it are not markup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from bugloss.core.visible import visible


class QuotingConsole(Console):
    """Writes our own styles and cursor movements, and no others."""

    def __init__(self, *, stderr: bool = False, width: int | None = None, **settings: Any) -> None:
        super().__init__(stderr=stderr, width=width, highlight=False, markup=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """A string as text. Rich would drop some control characters, and measure the others as nothing."""
        return super().render_str(visible(text), **settings)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """What a renderable comes to; movements of the cursor are rich's own and marked as such."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)
