"""A whole inspection in the format that was asked for."""

from __future__ import annotations

from bugloss.check.running.inspection import Inspection, all_rules
from bugloss.check.running.problems import PROBLEMS
from bugloss.core.codec import encode
from bugloss.core.visible import json_text
from bugloss.show.formats.context import Texts
from bugloss.show.formats.document import findings_document
from bugloss.show.formats.github import workflow_commands
from bugloss.show.formats.sarif import sarif_log
from bugloss.show.formats.text import WIDTH, Paint, concise, full


def write(inspection: Inspection, format: str, texts: Texts, coloured: bool = False, width: int = WIDTH) -> str:
    """The text to print or save, with marks on codes of our own: it leaves through the door, or is quoted first."""
    paint = Paint(coloured)
    match format:
        case "json":
            document = {"schema": "bugloss.findings/1", **findings_document(inspection, texts)}
            return json_text(encode(document)) + "\n"
        case "sarif":
            return json_text(sarif_log(inspection, (*all_rules(), *PROBLEMS), texts), indent=1) + "\n"
        case "github":
            return "".join(f"{line}\n" for line in workflow_commands(inspection.findings, texts))
        case "concise":
            return "".join(f"{concise(finding, texts, paint)}\n" for finding in inspection.findings)
    rules = {rule.name: rule for rule in (*all_rules(), *PROBLEMS)}
    return "".join(f"{full(finding, texts, rules[finding.rule], paint, width)}\n" for finding in inspection.findings)
