"""Whether a program fails for the reason that its report gives."""

from __future__ import annotations

from bugloss.core.failure.essence import essence
from bugloss.core.failure.failure import Failure
from bugloss.core.failure.message import similarity, template
from bugloss.core.failure.traceback_text import read_failures
from bugloss.core.raised import RaisedException

_SHORT = 12  # characters of a sentence that may stand in a report by chance

LEAST_SIMILAR = 0.6  # of two messages of one fault in different releases; those of different faults share few words


def reports_failure(report: str) -> bool:
    """Whether the report shows an exception."""
    return bool(read_failures(report))


def disagreement(report: str, kind: str, message: str) -> str:
    """How the exceptions of a report differ from this one; empty where one of them is this one."""
    found = read_failures(report)
    if not found or any(_is_same(failure, kind, message) for failure in found) or _is_quoted(report, kind, message):
        return ""
    last = found[-1]
    return f"shows '{last.kind}: {last.text.strip()[:120]}'"


def _is_quoted(report: str, kind: str, message: str) -> bool:
    """Whether a line of the report is the telling sentence: a traceback that was cut may no longer be read as one."""
    telling = template(essence(message).text)
    if len(telling) <= _SHORT or kind.rsplit(".", 1)[-1] not in report:
        return False
    return any(template(line) == telling for line in report.splitlines())


def _is_same(reported: Failure, kind: str, message: str) -> bool:
    own = Failure.of(RaisedException(kind, kind, message))
    kinds = {name.rsplit(".", 1)[-1] for name in (kind, own.kind)}
    if not kinds & {reported.kind.rsplit(".", 1)[-1], reported.exception.kind}:
        return False
    reported_message = reported.exception.message
    if (
        announces_only(message)
        or template(reported_message) == template(message)
        or message.strip() in reported_message
    ):
        return True
    return max(similarity(reported_message, message), similarity(reported.text, own.text)) >= LEAST_SIMILAR


def announces_only(message: str) -> bool:
    """Whether a message is empty or, such as ``in user code:``, the line before what it is about."""
    return not message.strip() or (message.strip().endswith(":") and "\n" not in message.strip())
