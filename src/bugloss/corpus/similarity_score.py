"""How similar two bugs are, from what they share: labels, what their fixes change, and what stands around it."""

from __future__ import annotations

from collections.abc import Mapping

# How much the parts of a comparison count; labels are given by people who read the whole bug.
FIX, CONTEXT, LABELS = 0.35, 0.15, 0.5
LABEL_WEIGHTS = {
    "general_type": 5.0, "fix_pattern": 3.0, "category": 2.0, "bug_type": 2.0, "symptom": 1.0, "framework": 1.0,
}  # fmt: skip
SUPPORTING = 0.35  # type, pattern and category shared, or less with fixes that are similar
_SUM = sum(LABEL_WEIGHTS.values())


def score(shared: Mapping[str, str], change: float | None, context: float | None) -> float:
    """From 0 to 1; a part that neither bug has counts for nothing."""
    parts = [(LABELS, sum(LABEL_WEIGHTS[facet] for facet in shared) / _SUM)]
    parts += [(FIX, change)] if change is not None else []
    parts += [(CONTEXT, context)] if context is not None else []
    return sum(weight * value for weight, value in parts) / sum(weight for weight, _ in parts)


def reasons(labels: Mapping[str, str], parts: Mapping[str, int]) -> list[str]:
    """Shared labels, then what both fixes change, the rarest first; ``parts`` says in how many fixes each occurs."""
    rarest = sorted(parts, key=lambda part: (parts[part], part))[:2]
    words = [f"both fixes {'remove' if part[0] == '-' else 'add'} {part[1:]}" for part in rarest]
    return [*dict.fromkeys(labels.values()), *words]
