"""Rankings as JSON lines, so that any tool can be scored and any score recomputed: {"id", "method", "ranking"}."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.core.named_file import read_named_text
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one method said about one subject: paths, best first."""

    id: str
    method: str
    ranking: tuple[str, ...]


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """The predictions of a file."""
    lines = read_named_text(path).splitlines()
    return tuple(_read(path, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _read(path: Path, number: int, line: str) -> Prediction:
    try:
        data = parse_json(line)
        return Prediction(str(data["id"]), str(data["method"]), tuple(str(item) for item in data["ranking"]))
    except (ValueError, KeyError, TypeError) as error:
        hint = 'One object a line: {"id": "…", "method": "…", "ranking": ["a.py", "b.py"]}.'
        raise InvalidInput(f"line {number} of {path} is no prediction: {error}.", hint=hint) from None


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
