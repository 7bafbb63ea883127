"""Which edits a reproduction of the report will take: mined for its type, worked out from its facts."""

from __future__ import annotations

from bugloss.core.report import Reading
from bugloss.core.taxonomy import Category, EditAction
from bugloss.core.triage import Recommendation
from bugloss.triage.concrete_edits import work_out
from bugloss.triage.example_edits import EXPLANATIONS, example
from bugloss.triage.transactions import ReproducedBugs, associations

LEAST_CONFIDENCE = 0.15  # below, fewer than one in six bugs of the type took it
MOST = 6


def recommend(
    reading: Reading, category: Category, scope: ReproducedBugs, framework: str
) -> tuple[Recommendation, ...]:
    """The actions that reproduced bugs of this type took, the most frequent first."""
    if category is Category.NON_DL:
        return ()
    found = associations(category, EditAction, scope)
    worthwhile = [item for item in found if item.rule.confidence >= LEAST_CONFIDENCE][:MOST]
    return tuple(
        _recommendation(item.item, item.rule.count, item.rule.of, reading, framework)
        for item in worthwhile
        if isinstance(item.item, EditAction)
    )


def _recommendation(action: EditAction, count: int, of: int, reading: Reading, framework: str) -> Recommendation:
    return Recommendation(
        edit=work_out(action, reading, framework),
        confidence=round(count / of, 4),
        support=count,
        of=of,
        explanation=EXPLANATIONS[action],
        example=example(action, framework),
    )
