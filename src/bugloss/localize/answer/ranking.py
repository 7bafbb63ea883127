"""The front of the room: the files and functions of a corpus in the order in which to open them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bugloss.core.ranking import RankedFile, RankedFunction, Ranking
from bugloss.localize.answer.explain import explain, shared_words
from bugloss.localize.contract import Question, Technique
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.ranker.evidence import FileEvidence, first_look
from bugloss.localize.ranker.features import CandidateFeatures
from bugloss.localize.ranker.functions import rank_functions, score_functions
from bugloss.localize.ranker.ranker import Bugloss

_FILES_FOR_FUNCTIONS = 20
_FUNCTIONS_SHOWN = 3
_EXPLAINED = 50  # files; nobody reads reasons further down


@dataclass(frozen=True, slots=True)
class _Scored:
    scores: Scores
    evidence: FileEvidence
    features: CandidateFeatures | None


def rank(
    corpus: FileCorpus, question: Question, technique: Technique, limit: int, *, functions: bool = False
) -> Ranking:
    """The best files, with reasons and their best functions; ``limit`` 0 means all of them."""
    judged = _judge(corpus, question, technique)
    order = ranked_files(corpus, judged.scores)
    shown = order[: limit or None]
    looked_at = order[: max(_FILES_FOR_FUNCTIONS, min(limit, _EXPLAINED))]
    inside = _inside(corpus, question, judged, looked_at)
    words = shared_words(judged.evidence, shown[:_EXPLAINED])
    files = tuple(_ranked(corpus, judged, file, inside.get(file, ()), words.get(file)) for file in shown)
    everywhere = _everywhere(judged.scores, inside)[: limit or None] if functions else ()
    return Ranking(technique.name, corpus.tree.commit, files, corpus.index.size, tuple(everywhere))


def ranked_files(corpus: FileCorpus, scores: Sequence[float]) -> list[int]:
    """File numbers, best first; equal scores in the order of paths, so that a ranking can be repeated."""
    return sorted(range(len(scores)), key=lambda at: (-scores[at], corpus.index.paths[at]))


def _judge(corpus: FileCorpus, question: Question, technique: Technique) -> _Scored:
    if isinstance(technique, Bugloss):
        found = technique.judge(corpus, question)
        return _Scored(found.scores, found.evidence, found.features)
    scores = technique.score(corpus, question)
    most = max(scores, default=0.0)
    shares = [score / most for score in scores] if most > 0 else scores
    return _Scored(shares, first_look(corpus, question.query, question.earlier), None)


def _ranked(
    corpus: FileCorpus, judged: _Scored, file: int, functions: Sequence[RankedFunction], words: Sequence[str] | None
) -> RankedFile:
    """``words`` is None for files so far down that their reasons are not shown."""
    why = explain(judged.evidence, file, judged.features, words) if words is not None else ()
    score = round(judged.scores[file], 4)
    return RankedFile(corpus.index.paths[file], score, why, tuple(functions[:_FUNCTIONS_SHOWN]))


def _inside(
    corpus: FileCorpus, question: Question, judged: _Scored, files: Sequence[int]
) -> dict[int, list[RankedFunction]]:
    evidence, features = judged.evidence, judged.features
    known = features.functions if features else {}
    missing = score_functions(corpus, question.query, [file for file in files if file not in known])
    return {
        file: rank_functions(
            corpus.index.paths[file],
            known[file] if file in known else missing[file],
            question.query,
            tuple(evidence.mentions.get(file, ())),
        )
        for file in files
    }


def _everywhere(scores: Scores, inside: Mapping[int, Sequence[RankedFunction]]) -> list[RankedFunction]:
    """Functions of all files in one list: the score of the file counts as much as that of the function."""
    joined = []
    for file, functions in inside.items():
        most = max((function.score for function in functions), default=0.0) or 1.0
        joined += [replace(one, score=round(scores[file] * one.score / most, 4)) for one in functions]
    return sorted(joined, key=lambda one: (-one.score, one.path, one.line))
