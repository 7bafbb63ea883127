"""The fault catalogue: every fault that bugloss can name, and which rule, detector or crash pattern finds it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from bugloss.check.contract import Rule
from bugloss.check.running.inspection import all_rules
from bugloss.core.registry import load
from bugloss.core.taxonomy import Category
from bugloss.observe.case import Case
from bugloss.observe.contract import Detector
from bugloss.observe.crash.catalogue import patterns
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.fault import Fault
from bugloss.show.formats.explanation import prose, summary

HEADER = """\
# Fault catalogue

Every fault that bugloss can name, and what finds it: a rule of `bugloss check` (from the source), a detector of
`bugloss run` and `bugloss diagnose` (from a training), or a crash pattern of `bugloss diagnose` and `bugloss lookup`
(from an exception). Fix patterns are those of the [taxonomy](taxonomy.md). Detectors and causes are the same for
PyTorch and Keras; for a rule, the framework is the one that its own faulty examples are written in.
"""
CAUSES = """\
## Faults that a training shows

A cause is what `bugloss diagnose` names; [causes](causes.md) says what is wrong and what to try. *Detectors* are those
whose symptom alone counts for the cause in the detector's own examples, the strongest first. Where none is listed, the
cause is named from settings of the run together with other symptoms.
"""
SOURCE_ONLY = """\
## Faults that only the source shows

Rules that no cause above builds on.
"""
SYMPTOMS = """\
## Symptoms that count only together with others

Detectors whose symptom alone speaks for no cause.
"""
CRASHES = """\
## Faults that stop the program

By the kind of the crash.
"""
CITED = """\
## Rows that rules and detectors cite

The names that the references of rules and detectors use ("the catalogue's row batch-size"), by the part of the
catalogue where it is given.
"""
FRAMEWORKS = {"torch": "PyTorch", "keras": "Keras", "tensorflow": "TensorFlow", "sklearn": "scikit-learn"}
NO_FRAMEWORK = "any"
ROW_OF_THE_CATALOGUE = re.compile(r"\brow ([\w-]+) of the catalogue|catalogue's row ([\w-]+)")
PARTS = ("training dynamics", "model structure", "API misuse", "numeric", "data")
PART = re.compile(rf"\b({'|'.join(PARTS)}): ([^;.]+)")


def document() -> str:
    """The whole page."""
    rules = {rule.name: rule for rule in all_rules()}
    detectors = dict(sorted(load("detector", Detector).items()))
    faults = [fault for _, fault in sorted(load("fault", Fault).items())]
    speaking = symptoms_by_fault(detectors.values(), faults)
    parts = [
        HEADER,
        *causes(faults, speaking),
        *source_only(rules, faults),
        *lone_symptoms(detectors, speaking),
        *crashes(),
        *cited([*rules.values(), *detectors.values()]),
    ]
    return "\n".join([*parts, ""])


def symptoms_by_fault(detectors: Iterable[Detector], faults: list[Fault]) -> dict[str, dict[str, float]]:
    """Fault to the symptoms that alone speak for it, with their weight: asked with every detector's own recordings."""
    found: dict[str, dict[str, float]] = {fault.name: {} for fault in faults}
    for detector in detectors:
        for recording in detector.faulty:
            case = Case(recording, tuple(detector.detect(recording)))
            for fault in faults:
                for clue in fault.clues(case):
                    weight = fault.weights.of(clue.name)
                    if weight > 0 and clue.symptom:
                        weights = found[fault.name]
                        weights[clue.symptom] = max(weights.get(clue.symptom, 0.0), weight)
    return found


def causes(faults: list[Fault], speaking: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield CAUSES
    yield from head("fault", "rules of check", "detectors", "fix pattern")
    for fault in faults:
        weights = speaking[fault.name]
        strongest = sorted(weights, key=lambda name: (-weights[name], name))
        rules = ", ".join(rule_link(name) for name in fault.rules)
        seen = ", ".join(detector_link(name) for name in strongest)
        yield row(fault.name, rules, seen, fault.fix_pattern.value)
    yield ""


def source_only(rules: Mapping[str, Rule], faults: list[Fault]) -> Iterator[str]:
    known = {name for fault in faults for name in fault.rules}
    yield SOURCE_ONLY
    yield from head("rule", "category", "what it finds", "fix pattern", "framework")
    order = list(Category)
    for rule in sorted(rules.values(), key=lambda rule: (order.index(rule.category), rule.name)):
        if rule.name not in known:
            link = rule_link(rule.name)
            yield row(link, rule.category.value, summary(rule), rule.fix_pattern.value, frameworks(rule))
    yield ""


def lone_symptoms(detectors: Mapping[str, Detector], speaking: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    weighed = {name for weights in speaking.values() for name in weights}
    yield SYMPTOMS
    yield from head("detector", "category", "what it finds")
    for name, detector in detectors.items():
        if name not in weighed:
            yield row(detector_link(name), detector.category.value, summary(detector))
    yield ""


def crashes() -> Iterator[str]:
    by_cause = {pattern.cause: pattern for pattern in reversed(patterns())}
    yield CRASHES
    yield from head("fault", "kind of crash", "fix pattern")
    order = list(CrashKind)
    for cause, pattern in sorted(by_cause.items(), key=lambda item: (order.index(item[1].kind), item[0])):
        yield row(cause, pattern.kind.value, pattern.fix_pattern.value)
    yield ""


def cited(plugins: Iterable[Rule | Detector]) -> Iterator[str]:
    """Names of rows that references use, with who uses them."""
    parts: dict[str, str] = {}
    users: dict[str, list[str]] = defaultdict(list)
    for plugin in plugins:
        link = rule_link(plugin.name) if isinstance(plugin, Rule) else detector_link(plugin.name)
        for part, name in citations(prose(plugin, "References")):
            parts[name] = part or parts.get(name, "")
            users[name].append(link)
    yield CITED
    yield from head("row", "part", "found by")
    for name in sorted(users, key=str.lower):
        yield row(name, parts[name], ", ".join(users[name]))


def citations(references: str) -> Iterator[tuple[str, str]]:
    """Part and name of every row that a text cites; rules name no part."""
    for one, other in ROW_OF_THE_CATALOGUE.findall(references):
        yield "", one or other
    if "Fault catalogue" in references:
        for part, names in PART.findall(references):
            yield from ((part, name.strip()) for name in names.split(", "))


def frameworks(rule: Rule) -> str:
    """What a rule's faulty examples import."""
    imported = {name for text in rule.faulty for name in re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE)}
    return ", ".join(title for name, title in FRAMEWORKS.items() if name in imported) or NO_FRAMEWORK


def rule_link(name: str) -> str:
    return f"[{name}](rules/{name}.md)"


def detector_link(name: str) -> str:
    return f"[{name}](detectors/{name}.md)"


def head(*titles: str) -> Iterator[str]:
    yield row(*titles)
    yield row(*("---" for _ in titles))


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
