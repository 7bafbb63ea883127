"""A bug whose program raises another exception than its report shows is broken, however often it does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tiny_corpus import REPORT, TinyCorpus

from bugloss.core.bug import Twin
from bugloss.core.judgement import Grade, Judgement, Stability, Standing
from bugloss.core.raised import RaisedException
from bugloss.core.run import Run
from bugloss.core.trial import Trial
from bugloss.workflows.bug_verification import BugVerification
from bugloss.workflows.reported_reason import for_the_reported_reason


class _Run:
    """As much of a run as is looked at."""

    def __init__(self, exception: RaisedException) -> None:
        self.exception = exception


def verified(
    tiny: TinyCorpus, raised: RaisedException, report: str = REPORT, message: str = "in user code:"
) -> BugVerification:
    oracle = {"kind": "exception", "exception": raised.kind, "message": message}
    tiny.add(files={"report.md": report}, oracle=oracle)
    entry = tiny.load()["torch-0001"]
    run: Run = _Run(raised)  # type: ignore[assignment]
    trial = Trial("torch-0001", Twin.BUGGY, entry.bug.oracle, run, Judgement(Grade.FAIL, "raised it"))
    active = Stability(Standing.ACTIVE, "5/5 fail", "5/5 pass")
    return for_the_reported_reason(entry, BugVerification("torch-0001", active, 1.0, (trial,)))


OWN = RaisedException("IndexError", "IndexError", "list index out of range")


def test_the_reported_exception_leaves_a_bug_active(tiny: TinyCorpus) -> None:
    assert verified(tiny, OWN).stability.standing is Standing.ACTIVE


@pytest.mark.parametrize(
    "raised",
    [RaisedException("KeyError", "KeyError", "'acc'"), replace(OWN, message="pop from an empty queue of requests")],
)
def test_another_exception_breaks_it_and_both_are_named(tiny: TinyCorpus, raised: RaisedException) -> None:
    stability = verified(tiny, raised).stability
    assert stability.standing is Standing.BROKEN
    assert raised.kind in str(stability.reason)
    assert "its report shows 'IndexError: list index out of range'" in str(stability.reason)


def test_a_report_without_an_exception_is_left_to_lint(tiny: TinyCorpus) -> None:
    report = "# It fails\n\nTags: a\n\nNo traceback here.\n"
    assert verified(tiny, OWN, report).stability.standing is Standing.ACTIVE


def test_a_report_that_has_the_words_of_the_oracle_agrees_with_what_the_oracle_found(tiny: TinyCorpus) -> None:
    raised = replace(OWN, message="list index out of range\n\nand much more that the report leaves out")
    assert verified(tiny, raised, message="list index out of range").stability.standing is Standing.ACTIVE
