"""The page of relations: what must agree, what a break means, and how it is reported."""

from __future__ import annotations

from itertools import groupby

from bugloss.observe.relations import rows
from bugloss.probes.observe.relations import load

HEAD = """# Relations

A relation is two computations that agree in every correct program. When a program is over, `bugloss diagnose` tries
each relation on a copy of the model with a batch of its first training step; the program itself is not changed. A break
is reported with the numbers of both computations and with the first operation after which they differ. "Own detector"
means that a [detector](detectors/README.md) reads the answer together with other evidence. A relation that cannot be
tried on a model (no mask, one input, several devices …) says nothing.
"""
COLUMNS = "| relation | what agrees | a break means | reported as |\n| --- | --- | --- | --- |\n"


def document() -> str:
    """One table a family."""
    found = sorted(load(), key=lambda pair: (pair[1].FAMILY, pair[0]))  # type: ignore[no-untyped-call]
    families = (
        f"## {family[0].upper()}{family[1:]}\n\n{COLUMNS}"
        + "\n".join(_row(name, module.__doc__ or "") for name, module in members)
        for family, members in groupby(found, key=lambda pair: str(pair[1].FAMILY))
    )
    return HEAD + "\n" + "\n\n".join(families) + "\n"


def _row(name: str, text: str) -> str:
    agrees, _, broken = (
        " ".join(part.split()).removeprefix("A break means ").replace("|", "\\|") for part in text.partition("\n\n")
    )
    row = rows().get(name)
    reported = row.severity.value if row is not None else "own detector"
    return f"| `{name}` | {agrees} | {broken} | {reported} |"
