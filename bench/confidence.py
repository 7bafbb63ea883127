"""How often the first cause is right on programs met for the first time, by the confidence that was shown with it.

Reads the first looks and judgements of ``bench/programs/blind``; nothing is run. A cause that is named on a fixed
program counts as wrong. The curve is kept as ``docs/images/diagnosis-calibration.svg``.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.measurement import ROOT
from bench.picture import picture

ROUNDS = ROOT / "bench" / "programs" / "blind"


def measure() -> dict[str, object]:
    sys.path.insert(0, str(ROOT / "scripts"))
    from weighing.judging import calibration_error, curve

    rounds = [folder for folder in sorted(ROUNDS.glob("round*")) if (folder / "judged.toml").is_file()]
    shown = [one for folder in rounds for one in shown_in(folder)]
    points = list(curve(shown))
    for point in points:
        print(f"   from {point['from']:.1f}: {point['causes']} causes, {point['share right']:.0%} right")
    draw(points)
    return {
        "rounds": [folder.name for folder in rounds],
        "first causes": len(shown),
        "calibration error": round(calibration_error(shown), 4),
        "calibration curve": points,
    }


def shown_in(folder: Path) -> Iterator[tuple[float, bool]]:
    """The confidence of each first cause of a round, and whether it is right."""
    seen = json.loads((folder / "first_look.json").read_text(encoding="utf-8"))
    judged = tomllib.loads((folder / "judged.toml").read_text(encoding="utf-8"))
    for name, judgement in judged.items():
        for twin, right in (("buggy", judgement["cause"]), ("fixed", False)):
            confidence = _first_confidence(seen[f"{name}/{twin}"])
            if confidence is not None:
                yield confidence, right


def _first_confidence(answer: Mapping[str, Any]) -> float | None:
    causes = answer["diagnosis"].get("causes", [])
    return causes[0]["confidence"] if causes else None


def draw(points: list[dict[str, float]]) -> None:
    """The closer to the diagonal, the better; the number beside a point is how many causes it stands for."""
    with picture("diagnosis-calibration", 1, (5, 4.5)) as axes:
        axes.plot([0, 1], [0, 1], color="0.8", linewidth=1)
        x, y = [point["mean confidence"] for point in points], [point["share right"] for point in points]
        axes.plot(x, y, marker="o")
        for point, across, up in zip(points, x, y, strict=True):
            axes.annotate(f"{point['causes']:.0f}", (across, up), xytext=(6, -12), textcoords="offset points")
        axes.set(xlabel="confidence that diagnose shows", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))
