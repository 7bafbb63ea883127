"""Every edit action proves itself: applied to its own examples until it has nothing more to propose."""

from __future__ import annotations

import ast

import pytest

from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.run import Isolation, Limits, Outcome, RaisedException, Run, Settings, Stream
from bugloss.reproduce.contract import Action, EditEvidence, EditExample
from bugloss.reproduce.program.draft import Draft, LineOrigin

ACTIONS = load(PluginGroup.EDIT_ACTION, Action)
CASES = [
    pytest.param(action, example, id=f"{action.action.code}-{place}")
    for action in ACTIONS.values()
    for place, example in enumerate(action.examples)
]
HEADINGS = ("What it does", "When it applies", "What it rests on", "Example", "Known problems", "References")


def run_with(failure: RaisedException | None) -> Run | None:
    if failure is None:
        return None
    return Run(
        command=(), outcome=Outcome.RAISED, exit_code=1, seconds=0.1, peak_megabytes=None, exception=failure, evidence=(), stdout=Stream(), stderr=Stream(),
        settings=Settings(), limits=Limits(), isolation=Isolation("limits"), environment="", python="3.11", started_at="",
    )  # fmt: skip


def applied(action: Action, example: EditExample, most: int = 12) -> list[Draft]:
    """The drafts on the way, the first one included."""
    drafts = [Draft.reported(example.before)]
    run = run_with(example.failure)
    for _ in range(most):
        evidence = EditEvidence(example.as_reading, example.expectation, example.releases, example.modules, run)
        proposal = next(action.find(drafts[-1], evidence), None)
        if proposal is None or proposal.text in [draft.text for draft in drafts]:
            break
        drafts.append(proposal.applied_to(drafts[-1]))
        assert proposal.why
        run = None  # the failure was answered
    return drafts


def test_all_ten_actions_are_there_and_none_is_broken() -> None:
    assert ACTIONS.broken == ()
    assert sorted(int(action.action.code[1:]) for action in ACTIONS.values()) == list(range(1, 11))


@pytest.mark.parametrize(("action", "example"), CASES)
def test_an_action_turns_its_example_into_the_text_that_it_promises(action: Action, example: EditExample) -> None:
    assert applied(action, example)[-1].text == example.after


@pytest.mark.parametrize(("action", "example"), CASES)
def test_an_edited_program_parses_and_its_new_lines_are_told_from_the_reporters(
    action: Action, example: EditExample
) -> None:
    last = applied(action, example)[-1]
    ast.parse(last.text)
    assert len(last.origins) == len(last.text.split("\n"))
    old = set(example.before.split("\n"))
    kept = [
        origin for line, origin in zip(last.text.split("\n"), last.origins, strict=True) if line in old and line.strip()
    ]
    assert LineOrigin.OURS not in kept


@pytest.mark.parametrize("action", ACTIONS.values(), ids=list(ACTIONS))
def test_the_docstring_has_the_headings_of_the_documentation(action: Action) -> None:
    text = type(action).__doc__ or ""
    assert [heading for heading in HEADINGS if f"## {heading}" not in text] == []
    assert action.examples
