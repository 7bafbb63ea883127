"""Findings as the document ``bugloss.findings/1``."""

from __future__ import annotations

from bugloss.check.running.inspection import Inspection
from bugloss.core.finding import Finding, Fix
from bugloss.core.text_diff import text_diff
from bugloss.show.formats.context import Texts


def findings_document(inspection: Inspection, texts: Texts) -> dict[str, object]:
    """The keys that ``interfaces.md`` fixes; lines and columns from 1."""
    return {
        "files": inspection.files,
        "lines": inspection.lines,
        "seconds": round(inspection.seconds, 3),
        "findings": [finding_document(finding, texts) for finding in inspection.findings],
        "skipped": [{"path": skipped.path, "reason": skipped.reason} for skipped in inspection.skipped],
    }


def finding_document(finding: Finding, texts: Texts) -> dict[str, object]:
    place = texts.place(finding)
    return {
        "rule": finding.rule,
        "path": finding.path,
        **place,
        "message": finding.message,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "category": finding.category,
        "fix_pattern": finding.fix_pattern,
        "layer": finding.layer,
        "fix": fix_document(finding, finding.fix, texts) if finding.fix else None,
    }


def fix_document(finding: Finding, fix: Fix, texts: Texts) -> dict[str, object]:
    text = texts.text(finding.path)
    edit = fix.edit
    diff = _diff(finding.path, text, edit.apply(finding.path, text)) if edit and text else ""
    return {"safety": fix.safety, "title": fix.title, "diff": diff, "edit": edit.document if edit else None}


def _diff(path: str, before: str, after: str) -> str:
    return text_diff(before, after, f"a/{path}", f"b/{path}")
