"""A report taken apart: blocks, facts, failures, and remarks about what could not be read."""

from __future__ import annotations

from dataclasses import replace

from bugloss.core.bounded_text import bounded
from bugloss.core.long_numbers import cut_long_numbers
from bugloss.core.report import Reading, Report
from bugloss.intake.blocks import split_blocks
from bugloss.intake.facts import find_facts
from bugloss.intake.failures import find_failures
from bugloss.intake.text_limits import LONGEST_BODY

_LEFT_OUT = "characters left out …]"


def take_apart(report: Report) -> Reading:
    """The report with its blocks, facts and failures."""
    readable = replace(report, title=_readable(report.title), body=_readable(report.body))
    blocks = split_blocks(readable.body)
    remarks = _remarks(report)
    if readable.body != report.body:
        remarks.append("Very long words, numbers, blanks and lines, such as base64 data, were shortened.")
    facts, failures = find_facts(readable.body, blocks), tuple(find_failures(readable.body, blocks))
    return Reading(readable, blocks, facts, tuple(remarks), failures)


def _readable(text: str) -> str:
    """The text without what no person writes: tokens, numbers and lines that go on for ever."""
    return cut_long_numbers(bounded(text))


def _remarks(report: Report) -> list[str]:
    remarks = []
    if len(report.body) > LONGEST_BODY and _LEFT_OUT in report.body:
        remarks.append(
            f"The report is very long: only {LONGEST_BODY} characters, its beginning and its end, were read."
        )
    if "\ufffd" in report.body:
        remarks.append("Some bytes of the report are not valid UTF-8; they are shown as �.")
    return remarks
