"""Findings as a SARIF 2.1.0 log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from bugloss import __version__
from bugloss.check.contract import Rule
from bugloss.check.running.baseline import fingerprint
from bugloss.check.running.inspection import Inspection
from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.finding import Finding, Fix
from bugloss.show.formats.context import Texts
from bugloss.show.formats.explanation import prose, summary

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}


def sarif_log(inspection: Inspection, rules: Sequence[Rule], texts: Texts) -> dict[str, object]:
    """The whole log: every rule that was asked, every finding with a fingerprint that survives moved lines."""
    indices = {rule.name: index for index, rule in enumerate(rules)}
    driver = {
        "name": "bugloss",
        "version": __version__,
        "informationUri": "https://github.com/bugloss/bugloss",
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, indices, texts) for finding in inspection.findings],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(_skipped(inspection))}],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.name,
        "shortDescription": {"text": summary(rule)},
        "fullDescription": {"text": prose(rule, "What it finds")},
        "help": {"text": prose(rule, "Why it hurts")},
        "defaultConfiguration": {"level": _LEVELS[rule.severity.value]},
        "properties": {"tags": list(dict.fromkeys([rule.category.value, rule.fix_pattern.value, *rule.groups]))},
    }


def _result(finding: Finding, indices: dict[str, int], texts: Texts) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": indices[finding.rule],
        "level": _LEVELS[finding.severity.value],
        "message": {"text": finding.message},
        "locations": [_location(finding.path, finding.span)],
        "partialFingerprints": {"bugloss/v1": fingerprint(finding, texts.line(finding))},
        "rank": round(finding.confidence * 100, 1),
    }
    if finding.related:
        related = [{**_location(finding.path, span), "message": {"text": text}} for span, text in finding.related]
        result["relatedLocations"] = related
    if finding.fix is not None and finding.fix.edit is not None:
        result["fixes"] = [_fix(finding.fix, finding.fix.edit)]
    return result


def _location(path: str, span: Span) -> dict[str, object]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(path)}, "region": _region(span)}}


def _uri(path: str) -> str:
    """The bytes of the file's name, also of one that is not UTF-8."""
    return quote(path.encode("utf-8", "surrogateescape"))


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column + 1,
        "endLine": span.end_line,
        "endColumn": span.end_column + 1,
    }


def _fix(fix: Fix, edit: Edit) -> dict[str, object]:
    files = [
        {
            "artifactLocation": {"uri": _uri(path)},
            "replacements": [_replacement(change) for change in edit.changes if change.path == path],
        }
        for path in edit.paths
    ]
    return {"description": {"text": fix.title}, "artifactChanges": files}


def _replacement(change: TextChange) -> dict[str, object]:
    return {"deletedRegion": _region(change.span), "insertedContent": {"text": change.new}}


def _skipped(inspection: Inspection) -> Iterable[dict[str, object]]:
    for skipped in inspection.skipped:
        yield {"level": "note", "message": {"text": f"{skipped.path} was not checked: {skipped.reason}"}}
