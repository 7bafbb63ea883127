"""What the tests of bad files share."""

from __future__ import annotations

from bugloss.check.running.inspection import Inspection, all_rules

RULES = {rule.name: rule for rule in all_rules()}


FAULTY = RULES["missing-zero-grad"].faulty[0]


def found(inspection: Inspection) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for finding in inspection.findings:
        files.setdefault(finding.path, []).append(finding.rule)
    return files
