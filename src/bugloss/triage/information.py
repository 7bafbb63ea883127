"""Which of the five kinds of information a report has, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bugloss.core.report import Block, BlockKind, Fact, FactKind, Reading
from bugloss.core.taxonomy import Category, Information
from bugloss.core.triage import InformationState, ReportWords
from bugloss.triage.transactions import ReproducedBugs, associations

_MOST = 3
_LONGEST = 160
_DATA_WORDS = re.compile(
    r"\b(?:my|the|our|training|input|test) (?:data(?:set)?|input|images?|samples?|features?)\b[^.\n]{0,80}"
    r"\b(?:is|are|has|have|contains?|consists?|looks?|of)\b[^.\n]{0,100}"
    r"|\b\d[\d,.]{0,20}+k? (?:images?|samples?|rows|examples|sentences|classes|features|columns|training"
    r"|records|files)\b"
    r"|np\.random\.\w+|torch\.(?:rand|randn|randint|zeros|ones)\b|tf\.random\.\w+|make_classification|load_data\(\)"
    r"|read_csv",
    re.IGNORECASE,
)
_MODEL_WORDS = re.compile(
    r"Sequential\(|nn\.Module|Model\(|\.add\(|layer \(type\)|class \w+\(.{0,40}(?:Module|Model|Layer)\)"
    r"|\b(?:one|two|three|four|five|\d+|several|hidden|dense|convolutional|fully connected) (?:hidden |dense |conv\w* "
    r")?layers?\b",
    re.IGNORECASE,
)
_FLAT_CODE = re.compile(
    r"\bimport \w+(?: as \w+)?|\bfrom [\w.]+ import\b|\bdef \w+\(|\bmodel\.(?:add|fit|compile|predict)\(|\bclass \w+\("
    r"|\b\w++ = \w++[.(]"
    r"|\bfor \w+ in \w+|\.backward\(\)|\bself\.\w+ ="
)
_FLAT_LOG = re.compile(
    r"Traceback \(most recent|\bFile \"[^\"]{1,200}\", line \d+|\bEpoch \d+(?:/\d+)?\b"
    r"|\b(?:loss|acc(?:uracy)?)\s*[:=]\s*-?(?:\d*\.\d+|nan)"
    r"|\b[A-Z]\w{2,40}(?:Error|Exception): |\[={3,}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d",
)
TRAINING_SETTINGS = {"learning_rate", "batch_size", "epochs", "momentum", "weight_decay", "dropout", "steps", "clip"}


def find_information(
    reading: Reading, category: Category, scope: ReproducedBugs
) -> dict[Information, InformationState]:
    """The five kinds; each with how useful it was for reproduced bugs of the category."""
    usefulness = {found.item: found.rule.confidence for found in associations(category, Information, scope)}
    states = {}
    for kind, find in _FINDERS.items():
        evidence = tuple(found for found, _ in zip(find(reading), range(_MOST), strict=False))
        states[kind] = InformationState(bool(evidence), evidence, round(usefulness.get(kind, 0.0), 4))
    return states


def _quote(reading: Reading, start: int, end: int) -> ReportWords:
    end = min(end, start + _LONGEST)
    return ReportWords(reading.report.body[start:end], start, end)


def _facts(reading: Reading, *kinds: FactKind) -> Iterator[ReportWords]:
    yield from (_quote(reading, fact.start, fact.end) for fact in reading.about(*kinds))


def _matches(reading: Reading, pattern: re.Pattern[str]) -> Iterator[ReportWords]:
    yield from (_quote(reading, match.start(), match.end()) for match in pattern.finditer(reading.report.body))


def _data(reading: Reading) -> Iterator[ReportWords]:
    yield from _facts(reading, FactKind.SHAPE, FactKind.DATASET)
    yield from _matches(reading, _DATA_WORDS)
    yield from (_quote(reading, fact.start, fact.end) for fact in reading.about(FactKind.FILE) if _is_data(fact))


def _is_data(fact: Fact) -> bool:
    return fact.value.lower().endswith(
        (".csv", ".npy", ".npz", ".tfrecord", ".jpg", ".png", ".zip", ".parquet", ".mat")
    )


def _model(reading: Reading) -> Iterator[ReportWords]:
    layers = list(reading.about(FactKind.LAYER))
    if len(layers) > 1:
        yield from (_quote(reading, fact.start, fact.end) for fact in layers)
    yield from _matches(reading, _MODEL_WORDS)
    yield from _facts(reading, FactKind.ARCHITECTURE)


def _hyperparameters(reading: Reading) -> Iterator[ReportWords]:
    settings = (fact for fact in reading.about(FactKind.HYPERPARAMETER) if fact.name in TRAINING_SETTINGS)
    yield from (_quote(reading, fact.start, fact.end) for fact in settings)
    yield from _facts(reading, FactKind.OPTIMIZER)


def _code(reading: Reading) -> Iterator[ReportWords]:
    blocks = [block for block in reading.of_kind(BlockKind.CODE) if block.language != "shell"]
    if sum(_lines(block) for block in blocks) > 1:
        yield from (_quote(reading, block.start, block.end) for block in sorted(blocks, key=_lines, reverse=True))
        return
    flat = list(_matches(reading, _FLAT_CODE))  # pasted without its line breaks
    if len(flat) > 2:
        yield from flat


def _lines(block: Block) -> int:
    return sum(bool(line.strip()) for line in block.text.split("\n"))


def _logs(reading: Reading) -> Iterator[ReportWords]:
    blocks = (BlockKind.TRACEBACK, BlockKind.LOG)
    yield from (_quote(reading, block.start, block.end) for block in reading.of_kind(*blocks))
    quoted = (fact for fact in reading.about(FactKind.EXCEPTION) if ": " in fact.value or fact.name == "abort")
    yield from (_quote(reading, fact.start, fact.end) for fact in quoted)
    yield from _matches(reading, _FLAT_LOG)


_FINDERS: dict[Information, Callable[[Reading], Iterator[ReportWords]]] = {
    Information.DATA: _data,
    Information.MODEL: _model,
    Information.HYPERPARAMETERS: _hyperparameters,
    Information.CODE: _code,
    Information.LOGS: _logs,
}
