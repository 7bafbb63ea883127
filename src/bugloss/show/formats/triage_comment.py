"""A triage as the text of a comment on an issue: what is missing, similar solved bugs; short, and without any markup
that the issue's author chose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bugloss.core.visible import visible

if TYPE_CHECKING:
    from bugloss.core.triage import Triage
    from bugloss.workflows.triage import Triaged

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~@$&]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
_MOST_QUESTIONS, _MOST_SIMILAR, _LONGEST = 5, 3, 300


def triage_comment(triaged: Triaged) -> str:
    """The comment in Markdown."""
    return "\n".join(_lines(triaged.result)) + "\n"


def _lines(result: Triage) -> Iterator[str]:
    guess = result.bug_type
    yield f"**{guess.label.title}** ({guess.probability:.0%}): {escaped(guess.label.definition)}"
    if not result.enough:
        yield ""
        yield "The report is very short, so this is hardly more than a guess."
    missing = [kind.title.lower() for kind, state in result.information.items() if not state.present]
    if missing:
        yield ""
        yield f"To reproduce it, the report lacks: {', '.join(missing)}."
    for number, question in enumerate(result.questions[:_MOST_QUESTIONS], 1):
        yield ("\n" if number == 1 else "") + f"{number}. {escaped(question)}"
    if result.similar:
        yield ""
        yield "Similar solved bugs of the bugloss corpus:"
        yield ""
        yield from (f"- {bug.bug}: {escaped(bug.title)}" for bug in result.similar[:_MOST_SIMILAR])
    yield ""
    yield "<sub>Written by bugloss triage, which reads the report and runs nothing.</sub>"


def escaped(text: str) -> str:
    """One line in which nothing is markup, a mention, a reference, a link or HTML."""
    line = " ".join(visible(text).split())
    short = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", short)
