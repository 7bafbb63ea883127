"""What a user may call a report: a file, standard input, a question's or an issue's number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.report import Report
from bugloss.core.standard_input import read_standard_input
from bugloss.intake.html_text import html_to_markdown, looks_like_html
from bugloss.intake.markdown import parse_markdown
from bugloss.intake.remote import Library, is_reference
from bugloss.intake.text_limits import MOST_BYTES, decode, shorten

_HINT = "A report is a file (.md, .txt, .json, .html, .ipynb), - for standard input, so:NUMBER or gh:OWNER/REPO#NUMBER."


def read_report(given: str, library: Library) -> Report:
    """The report that a user named; ``library`` fetches what lies elsewhere."""
    if is_reference(given):
        return _shortened(library.fetch(given))
    content = _standard_input() if given == "-" else _file(Path(given))
    return parse_report(content, "standard input" if given == "-" else given)


def parse_report(content: bytes, name: str) -> Report:
    """The report that a file's content stands for; its form decides, not its name alone."""
    text = decode(content, name)
    if not text.strip():
        raise InvalidInput(f"{name} is empty.", hint=_HINT)
    if name.endswith((".json", ".ipynb")) or _is_object(text):
        from bugloss.intake.json_report import parse_json

        return _shortened(parse_json(text, name))
    text = shorten(text)
    return _shortened(parse_markdown(html_to_markdown(text) if looks_like_html(text) else text))


def _is_object(text: str) -> bool:
    """Text that opens with a brace may still be a pasted log; JSON closes with one, too."""
    return text.lstrip().startswith("{") and text.rstrip().endswith("}") and '"' in text[:200]


def _shortened(report: Report) -> Report:
    return replace(report, title=report.title[:500], body=shorten(report.body))


def _standard_input() -> bytes:
    return read_standard_input(MOST_BYTES)


def _file(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MOST_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(f"{path} cannot be read: {reason}.", hint=_HINT) from error
