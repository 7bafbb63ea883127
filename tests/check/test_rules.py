"""Every rule proves itself: its faulty snippets trigger it, its clean ones do not, its fix gives what it promises."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from bugloss.check.contract import Rule
from bugloss.check.running.inspection import all_rules
from bugloss.core.edit import apply_changes
from bugloss.core.finding import Finding
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source

RULES = {rule.name: rule for rule in all_rules()}
FAULTY = [pytest.param(rule, i, id=f"{rule.name}-{i}") for rule in RULES.values() for i in range(len(rule.faulty))]
CLEAN = [pytest.param(rule, i, id=f"{rule.name}-{i}") for rule in RULES.values() for i in range(len(rule.clean))]
HEADINGS = ("What it finds", "Why it hurts", "Example", "Use instead", "Known problems", "Fix safety", "References")


def findings(rule: Rule, text: str) -> list[Finding]:
    source = parse_source(text, "snippet.py")
    assert isinstance(source, SourceFile), f"the snippet does not parse: {source}"
    program = Program(source, rule.snippet_target)
    assert not rule.words or program.mentions(rule.words), "the rule would not even be asked: its words are missing"
    return list(rule.check(program))


@pytest.mark.parametrize(("rule", "index"), FAULTY)
def test_a_faulty_snippet_triggers_the_rule(rule: Rule, index: int) -> None:
    found = findings(rule, rule.faulty[index])
    assert found
    assert {finding.rule for finding in found} == {rule.name}


@pytest.mark.parametrize(("rule", "index"), CLEAN)
def test_a_clean_snippet_does_not_trigger_the_rule(rule: Rule, index: int) -> None:
    assert [finding.message for finding in findings(rule, rule.clean[index])] == []


@pytest.mark.parametrize(("rule", "index"), FAULTY)
def test_a_fix_gives_what_it_promises_and_silences_the_rule(rule: Rule, index: int) -> None:
    text = rule.faulty[index]
    edits = [finding.fix.edit for finding in findings(rule, text) if finding.fix and finding.fix.edit]
    if not edits:
        assert index not in rule.fixed, "a fixed text is promised, but the rule offers no edit"
        return
    assert all(edit.text and edit.fits(edit.path, text) for edit in edits)
    changed = apply_changes(text, [change for edit in edits for change in edit.changes])
    ast.parse(changed)
    asked = not rule.words or any(word in changed for word in rule.words)
    assert not asked or findings(rule, changed) == []
    if index in rule.fixed:
        assert changed == rule.fixed[index]


@pytest.mark.parametrize("rule", RULES.values(), ids=str)
def test_a_rule_explains_itself_under_the_usual_headings(rule: Rule) -> None:
    text = type(rule).__doc__ or ""
    assert tuple(re.findall(r"^ *## (.+)$", text, re.MULTILINE)) == HEADINGS
    assert text.strip().split("\n")[0].endswith(".")


@pytest.mark.parametrize("rule", RULES.values(), ids=str)
def test_a_rule_is_named_for_the_fault_and_lives_in_a_file_of_that_name(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert not rule.name.startswith(("check-", "no-use-", "use-"))
    module = type(rule).__module__.rsplit(".", 1)[-1]
    assert module == rule.name.replace("-", "_")
    assert rule.faulty
    assert rule.clean


def test_no_clean_snippet_of_any_rule_is_called_an_error_by_another() -> None:
    """Snippets that one rule calls clean are programs too: an error in one would be a false alarm of another."""
    alarms = []
    for owner in RULES.values():
        for index, text in enumerate(owner.clean):
            source = parse_source(text, "snippet.py")
            assert isinstance(source, SourceFile)
            program = Program(source)
            for rule in RULES.values():
                if rule is not owner and (not rule.words or program.mentions(rule.words)):
                    alarms += [
                        f"{owner.name}[{index}]: {finding.rule}: {finding.message}"
                        for finding in rule.check(program)
                        if finding.severity.value == "error"
                    ]
    assert alarms == []


def test_the_folder_of_rules_holds_nothing_but_rules() -> None:
    folder = Path(__file__).resolve().parents[2] / "src" / "bugloss" / "check" / "rules"
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert modules == {rule.name.replace("-", "_") for rule in RULES.values()}
