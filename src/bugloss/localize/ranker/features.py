"""The second look: the features of each candidate for the learned ranker."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bugloss.core.taxonomy import Category
from bugloss.localize.contract import OUTSIDE
from bugloss.localize.index.postings import FIELDS
from bugloss.localize.index.tokens import stem
from bugloss.localize.question.mentions import Pointer
from bugloss.localize.ranker.evidence import PARTS, WEIGHTS, FileEvidence
from bugloss.localize.ranker.functions import FunctionScore, score_functions

CANDIDATES = 60
_SHARED = (
    *("structure", "all:whole", "path:title", "path:all"),
    *("messages:title", "messages:all", "reports:total", "change:best", "change:young"),
)
_FUSED = (
    "structure",
    "all:whole",
    "title:whole",
    "function",
    "path:all",
    "messages:all",
    "mention score",
    "change:best",
)
_FUSION_OFFSET = 5
_USUALLY_OUTSIDE = 0.4  # of the reports that the bug-localization study labelled
_INSTALL = frozenset(
    stem(word) for word in ("install", "pip", "version", "requirement", "setup", "conda", "dependency")
)
_KINDS = {  # what files of many projects are called
    "utilities": frozenset(("utils", "util", "helpers", "helper", "misc", "common", "tools", "functional")),
    "heart": frozenset(("base", "core", "engine", "trainer", "train", "learner", "runner", "main", "model", "agent")),
    "data": frozenset(("data", "dataset", "datasets", "loader", "dataloader", "preprocess", "preprocessing", "io")),
    "settings": frozenset(("config", "configuration", "settings", "constants", "defaults", "options", "version")),
}
_ROLES = (
    ("example", ("example", "examples", "demo", "demos", "tutorial", "tutorials", "notebooks", "samples", "recipes")),
    ("vendored", ("third_party", "thirdparty", "vendor", "vendored", "deps", "external", "extern", "3rdparty")),
    ("script", ("scripts", "tools", "bin", "benchmark", "benchmarks", "docs", "doc", "ci", "utils")),
)


@dataclass(frozen=True, slots=True)
class CandidateFeatures:
    """Columns with one number a candidate; their names say what the numbers are."""

    files: tuple[int, ...]
    columns: Mapping[str, Sequence[float]]
    functions: Mapping[int, tuple[FunctionScore, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns."""
        return tuple(self.columns)

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """A row a candidate, as learning wants them."""
        return tuple(zip(*self.columns.values(), strict=True))


def second_look(
    evidence: FileEvidence, leanings: Mapping[str, float] = MappingProxyType({}), most: int = CANDIDATES
) -> CandidateFeatures:
    """The features of the best candidates; ``leanings`` are what triage thinks of the report."""
    files = evidence.candidates(most)
    functions = score_functions(evidence.corpus, evidence.query, files)
    columns = {
        **_lexical(evidence, files),
        **_pointing(evidence, files),
        **_past(evidence, files),
        **_structure(evidence, files),
        **_functions_and_marks(evidence, files, functions),
        "function by title": _shares([max((one.by_title for one in functions[at]), default=0.0) for at in files]),
        **_neighbours(evidence, files),
        **_question(evidence, files, leanings),
    }
    columns |= {"fusion": _fusion(columns), "near top": _near_top(evidence, files)}
    rounded = {name: [round(value, 4) for value in column] for name, column in columns.items()}
    return CandidateFeatures(tuple(files), rounded, functions)


def _shares(values: Sequence[float]) -> list[float]:
    """Each value as a share of the largest."""
    most = max(values, default=0.0)
    return [value / most for value in values] if most > 0 else [0.0] * len(values)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda at: -values[at])
    ranks = [0.0] * len(values)
    for rank, at in enumerate(order):
        ranks[at] = float(rank) if values[at] > 0 else float(len(values))
    return ranks


def _lexical(evidence: FileEvidence, files: Sequence[int]) -> dict[str, list[float]]:
    columns = {}
    names = [f"{part}:{field}" for part in PARTS for field in (*FIELDS, "whole")]
    for name in (*names, *_SHARED):
        columns[name] = _shares([evidence.columns[name][at] for at in files])
    for part in ("title", "prose", "code"):
        summed = [sum(evidence.columns[f"{part}:{field}"][at] for field in FIELDS) for at in files]
        columns[f"{part}:structure"], columns[f"{part}:structure rank"] = _shares(summed), _ranks(summed)
    columns["structure rank"] = _ranks([evidence.columns["structure"][at] for at in files])
    columns["structure raw"] = [evidence.columns["structure"][at] for at in files]
    columns["all:whole rank"] = _ranks([evidence.columns["all:whole"][at] for at in files])
    columns["title:whole rank"] = _ranks([evidence.columns["title:whole"][at] for at in files])
    columns["all:whole raw"] = [evidence.columns["all:whole"][at] for at in files]
    columns["reports:best"] = [evidence.columns["reports:best"][at] for at in files]
    columns["title coverage"] = [evidence.columns["title coverage"][at] for at in files]
    columns["rare words"] = [evidence.columns["rare words"][at] for at in files]
    columns["prior"] = [evidence.prior[at] for at in files]
    columns["prior rank"] = [float(rank) for rank in range(len(files))]
    columns["prior share"] = _shares(columns["prior"])
    return columns


def _fusion(columns: Mapping[str, Sequence[float]]) -> list[float]:
    """Reciprocal ranks of several orders added up: who stands high in most of them stands high here."""
    ranks = [_ranks(columns[name]) for name in _FUSED]
    return [sum(1 / (_FUSION_OFFSET + column[at]) for column in ranks) for at in range(len(ranks[0]))]


def _near_top(evidence: FileEvidence, files: Sequence[int]) -> list[float]:
    """How many words its path shares with those of the five best files, which are often changed with their like."""
    words = [set(re.findall(r"[a-z0-9]+", evidence.corpus.index.paths[at].lower())) for at in files]
    most = max((evidence.prior[at] for at in files), default=0.0) or 1.0
    return [
        max(
            (len(own & words[top]) / len(own | words[top]) * evidence.prior[files[top]] / most)
            for top in range(min(5, len(files)))
            if top != at
        )
        if len(files) > 1
        else 0.0
        for at, own in enumerate(words)
    ]


def _pointing(evidence: FileEvidence, files: Sequence[int]) -> dict[str, list[float]]:
    columns = {}
    for pointer in Pointer:
        name = f"mention:{pointer.value}"
        columns[name] = [evidence.columns[name][at] for at in files]
    columns["mention score"] = [
        sum(weight * min(evidence.columns[f"mention:{pointer.value}"][at], 1.0) for pointer, weight in WEIGHTS.items())
        for at in files
    ]
    columns["mention rank"] = _ranks(columns["mention score"])
    columns["mentions"] = [float(len({m.text for m in evidence.mentions.get(at, ())})) for at in files]
    return columns


def _past(evidence: FileEvidence, files: Sequence[int]) -> dict[str, list[float]]:
    pasts = [evidence.corpus.history.of(at) for at in files]
    return {
        "changes": [float(past.changes) for past in pasts],
        "changes share": _shares([float(past.changes) for past in pasts]),
        "fixes": [float(past.fixes) for past in pasts],
        "fixes share": _shares([float(past.fixes) for past in pasts]),
        "days since": [past.days_since for past in pasts],
        "age": [past.age for past in pasts],
        "recent": [past.recent for past in pasts],
        "recent share": _shares([past.recent for past in pasts]),
        "recent fixes": [past.recent_fixes for past in pasts],
        "recent fixes share": _shares([past.recent_fixes for past in pasts]),
    }


def _structure(evidence: FileEvidence, files: Sequence[int]) -> dict[str, list[float]]:
    index = evidence.corpus.index
    imported_by = [0] * index.size
    for targets in index.imports:
        for target in targets:
            imported_by[target] += 1
    parts = [index.paths[at].lower().split("/") for at in files]
    columns = {
        "length": [math.log1p(index.lengths[-1][at]) for at in files],
        "length share": _shares([float(index.lengths[-1][at]) for at in files]),
        "depth": [float(len(folders)) for folders in parts],
        "init": [float(folders[-1] == "__init__.py") for folders in parts],
        "setup": [float(folders[-1] in ("setup.py", "version.py", "__version__.py", "conf.py")) for folders in parts],
        "imported by": [float(imported_by[at]) for at in files],
        "imports": [float(len(index.imports[at])) for at in files],
    }
    for name, stems in _KINDS.items():
        columns[f"kind: {name}"] = [float(folders[-1].removesuffix(".py") in stems) for folders in parts]
    columns["top folder"] = _top_shares(index.paths, files)
    for role, words in _ROLES:
        columns[role] = [float(any(folder in words for folder in folders[:-1])) for folders in parts]
    return columns


def _top_shares(paths: Sequence[str], files: Sequence[int]) -> list[float]:
    """Which share of all files is below the same top folder: most of them are in the package itself."""
    counts = Counter(path.split("/", 1)[0] for path in paths)
    return [counts[paths[at].split("/", 1)[0]] / len(paths) for at in files]


def _functions_and_marks(
    evidence: FileEvidence, files: Sequence[int], functions: Mapping[int, Sequence[FunctionScore]]
) -> dict[str, list[float]]:
    index, query = evidence.corpus.index, evidence.query
    best = [sorted((found.score for found in functions[at]), reverse=True)[:3] for at in files]
    marks = evidence.corpus.store.marks([index.blobs[at] for at in files])
    found = [marks.get(index.blobs[at], ((), ())) for at in files]
    lines = [query.lines.intersection(lines) for lines, _ in found]
    phrases = [query.phrases.intersection(phrases) for _, phrases in found]
    return {
        "function": _shares([scores[0] if scores else 0.0 for scores in best]),
        "three functions": _shares([sum(scores) for scores in best]),
        "function rank": _ranks([scores[0] if scores else 0.0 for scores in best]),
        "lines": [float(len(shared)) for shared in lines],
        "rare lines": _rare(lines),
        "phrases": [float(len(shared)) for shared in phrases],
        "rare phrases": _rare(phrases),
    }


def _rare(found: Sequence[frozenset[int]]) -> list[float]:
    """Each mark counts as a share among the candidates that have it."""
    having: dict[int, int] = {}
    for marks in found:
        for mark in marks:
            having[mark] = having.get(mark, 0) + 1
    return [sum(1 / having[mark] for mark in marks) for marks in found]


def _neighbours(evidence: FileEvidence, files: Sequence[int]) -> dict[str, list[float]]:
    index, prior, history = evidence.corpus.index, evidence.prior, evidence.corpus.history
    importers: dict[int, list[int]] = {}
    for at, targets in enumerate(index.imports):
        for target in targets:
            importers.setdefault(target, []).append(at)
    top = files[:5]
    return {
        "best import": [max((prior[to] for to in index.imports[at]), default=0.0) for at in files],
        "best importer": [max((prior[by] for by in importers.get(at, ())), default=0.0) for at in files],
        "changed with top": [
            sum(history.together.get(other, {}).get(at, 0.0) / (rank + 1) for rank, other in enumerate(top))
            for at in files
        ],
        "folder": _folder_scores(index.paths, prior, files),
    }


def _folder_scores(paths: Sequence[str], prior: Sequence[float], files: Sequence[int]) -> list[float]:
    """The mean prior of the best three files beside a candidate."""
    folders: dict[str, list[float]] = {}
    for at in files:
        folders.setdefault(paths[at].rpartition("/")[0], []).append(prior[at])
    result = []
    for at in files:
        others = sorted(folders[paths[at].rpartition("/")[0]], reverse=True)
        others.remove(prior[at])
        result.append(sum(others[:3]) / 3)
    return result


def _question(evidence: FileEvidence, files: Sequence[int], leanings: Mapping[str, float]) -> dict[str, list[float]]:
    """What is the same for all candidates of a report, and shows the ranker which evidence to trust."""
    query = evidence.query
    facts = {
        "asks: files": math.log1p(evidence.corpus.index.size),
        "asks: frames": float(len(query.frames)),
        "asks: words": math.log1p(sum(query.words.values())),
        "asks: code": sum(query.code.values()) / max(sum(query.words.values()), 1),
        "asks: install": float(bool(_INSTALL & query.title.keys())),
        "asks: pointed at": float(sum(at in evidence.mentions for at in files)),
        "asks: outside": leanings.get(OUTSIDE, _USUALLY_OUTSIDE),
    }
    unknown = 0.0 if leanings else 1 / len(Category)
    facts |= {f"asks: {one.value}": leanings.get(one.value, unknown) for one in Category}
    return {name: [value] * len(files) for name, value in facts.items()}
