"""The labels of a run: how they are written, how often each class occurs, in which order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from bugloss.observe.recording import Batch, Data, Numbers, Recording, Targets

CLASSIFIED = ("index", "one-hot", "binary")
_MOST_CLASSES = 64  # probes count no more


def data_of(recording: Recording, phase: str) -> Data | None:
    """What is known of the whole data of a phase."""
    return next((data for data in reversed(recording.data) if data.phase == phase), None)


def batches_of(recording: Recording, phase: str) -> tuple[Batch, ...]:
    """The batches of a phase that were looked at."""
    return tuple(batch for batch in recording.batches if batch.phase == phase)


def whole_targets(recording: Recording, phase: str) -> Targets | None:
    """The labels of all samples of a phase, where the probe could read them."""
    data = data_of(recording, phase)
    return data.targets if data is not None else None


def batch_counts(recording: Recording, phase: str) -> dict[str, int]:
    """How often each class occurs in the batches that were looked at."""
    total: Counter[str] = Counter()
    for batch in batches_of(recording, phase):
        if batch.targets is not None and batch.targets.encoding in CLASSIFIED:
            total.update(_positive(batch.targets.counts))
    return dict(total)


def counts(recording: Recording, phase: str) -> dict[str, int]:
    """How often each class occurs: of all samples where that is known, else of the batches that were looked at."""
    targets = whole_targets(recording, phase)
    if targets is not None and targets.encoding in CLASSIFIED and targets.counts:
        return _positive(targets.counts)
    return batch_counts(recording, phase)


def known_targets(recording: Recording) -> list[Numbers]:
    """The finite training targets in numbers, as the loss gets them.

    What ``fit`` is given goes into the loss as it is. A loop of one's own may scale or encode targets on the way, so so
    that there the batches count, and the data as a whole only where no batch was inspected.
    """
    data = data_of(recording, "train")
    whole = [data.target] if data is not None and data.target is not None else []
    looked = [batch.target for batch in batches_of(recording, "train") if batch.target is not None]
    seen = [*whole, *looked] if _as_given(recording) else looked or whole
    return [item for item in seen if not item.nonfinite and _is_finite(item)]


def first_target(recording: Recording) -> Numbers | None:
    """The training targets in numbers, of as many samples as are known together."""
    return next(iter(known_targets(recording)), None)


def encoding(recording: Recording, phase: str = "train") -> str:
    """How labels reach the loss: index, one-hot, binary, multi-label, real, or nothing where that is unknown."""
    whole = whole_targets(recording, phase)
    looked = [batch.targets for batch in batches_of(recording, phase)]
    seen = [whole, *looked] if _as_given(recording) else [*looked, whole]
    return next((item.encoding for item in seen if item is not None and item.encoding), "")


def class_count(recording: Recording, phase: str = "train") -> int | None:
    """How many classes the labels name: the width of a one-hot code, or the largest index plus one."""
    targets = whole_targets(recording, phase)
    seen = [targets.classes] if targets is not None else []
    seen += [batch.targets.classes for batch in batches_of(recording, phase) if batch.targets is not None]
    return max(seen, default=0) or None


def all_counted(known: Mapping[str, int]) -> bool:
    """Whether the counts cover every class that occurs."""
    return 0 < len(known) < _MOST_CLASSES


def majority_share(known: Mapping[str, int]) -> float | None:
    """The accuracy of always predicting the most frequent class."""
    total = sum(known.values())
    return max(known.values()) / total if total else None


def chance_run(known: Mapping[str, int]) -> float | None:
    """The mean length of runs of equal labels when the order is random."""
    total = sum(known.values())
    if not total:
        return None
    equal = sum((count / total) ** 2 for count in known.values())
    return 1 / (1 - equal) if equal < 1 else None


def _as_given(recording: Recording) -> bool:
    return recording.started is not None and recording.started.framework == "keras"


def _is_finite(numbers: Numbers) -> bool:
    return all(math.isfinite(value) for value in (numbers.minimum, numbers.maximum, numbers.mean, numbers.std))


def _positive(known: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in known.items() if count > 0}
