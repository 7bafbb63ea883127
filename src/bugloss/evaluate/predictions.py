"""Rankings as JSON lines, so that any tool can be scored and any score recomputed: {"id", "method", "ranking"}."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one method said about one subject: paths, best first."""

    id: str
    method: str
    ranking: tuple[str, ...]


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """The predictions of a file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
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
    with path.open("w", encoding="utf-8") as file:
        for prediction in predictions:
            data = {"id": prediction.id, "method": prediction.method, "ranking": prediction.ranking}
            file.write(json.dumps(data, ensure_ascii=False) + "\n")


def by_method(predictions: Sequence[Prediction]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Method → subject → ranking."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for prediction in predictions:
        found.setdefault(prediction.method, {})[prediction.id] = prediction.ranking
    return found
