"""Rankings as JSON lines, so that any tool can be scored and any score recomputed: {"id", "method", "ranking"}."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.core.json_lines import read_lines
from bugloss.core.named_file import read_named_text
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside

_FORM = 'One object per line: {"id": "…", "method": "…", "ranking": ["a.py", "b.py"]}.'


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one method said about one subject: paths, best first."""

    id: str
    method: str
    ranking: tuple[str, ...]


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """The predictions of a file."""
    lines = read_named_text(path).splitlines()
    return tuple(read_lines(path, lines, _prediction, "prediction", _FORM))


def _prediction(data: Mapping[str, Any], _: int) -> Prediction:
    return Prediction(str(data["id"]), str(data["method"]), tuple(str(item) for item in data["ranking"]))


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Writes predictions, one a line."""
    lines = (json_text({"id": one.id, "method": one.method, "ranking": one.ranking}) for one in predictions)
    write_inside(path.parent, path.name, "".join(f"{line}\n" for line in lines))


def by_method(predictions: Sequence[Prediction]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Method → subject → ranking."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for prediction in predictions:
        found.setdefault(prediction.method, {})[prediction.id] = prediction.ranking
    return found
