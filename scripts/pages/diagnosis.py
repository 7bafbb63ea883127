"""One page per detector, the list of them, and the causes that a diagnosis names."""

from __future__ import annotations

from collections.abc import Mapping

from bugloss.check.running.inspection import all_rules
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.causes.source import SourceFault
from bugloss.observe.contract import Detector
from bugloss.observe.fault import Fault
from bugloss.show.formats.explanation import markdown, summary

DETECTORS = """\
# Detectors

What `bugloss run` and `bugloss diagnose` look for while a program trains. A symptom says what was seen, not why;
*advice* is only used as a clue for causes. Each page says how the detector decides and which problems it has.
"""
CAUSES = """\
# Causes

The faults that `bugloss diagnose` names. Each cause adds up clues: symptoms that detectors saw, findings of
`bugloss check` (listed below), and facts of the run. The sum gives the `confidence`; only an experiment makes a cause
`confirmed`. What finds which fault: [fault catalogue](fault-catalogue.md).
"""


def pages() -> dict[str, str]:
    """File name to text: both lists, then a page for each detector."""
    detectors = [detector for _, detector in sorted(load(PluginGroup.DETECTOR, Detector).items())]
    faults = [fault for _, fault in sorted(load(PluginGroup.FAULT, Fault).items())]
    return {
        "detectors/README.md": index(detectors),
        "causes.md": causes(faults),
        **{f"detectors/{detector.name}.md": page(detector) for detector in detectors},
    }


def index(detectors: list[Detector]) -> str:
    rows = [
        f"| [{one.name}]({one.name}.md) | {one.severity.value} | {one.category.value} | {summary(one)} |"
        for one in detectors
    ]
    table = ["| symptom | severity | category | what it finds |", "| --- | --- | --- | --- |", *rows]
    return "\n".join([DETECTORS, f"{len(detectors)} detectors.", "", *table, ""])


def page(detector: Detector) -> str:
    facts = f"{detector.severity.value} · {detector.category.title}"
    return f"# {detector.name}\n\n{facts}\n\n{markdown(detector)}\n"


def causes(faults: list[Fault]) -> str:
    titles = {rule.name: summary(rule) for rule in all_rules()}
    rows = [
        (one.name, one.fix_pattern.value, _what_is_wrong(one, titles), one.advice, ", ".join(one.rules))
        for one in faults
    ]
    table = [
        "| cause | fix pattern | what is wrong | what to try | rules of check |",
        "| --- | --- | --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    return "\n".join([CAUSES, f"{len(faults)} causes.", "", *table, ""])


def _what_is_wrong(fault: Fault, titles: Mapping[str, str]) -> str:
    """A fault that only a rule finds is described by the rule."""
    return titles.get(fault.name, fault.explanation) if isinstance(fault, SourceFault) else fault.explanation
