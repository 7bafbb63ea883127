"""Our own ranker: a first look at all files, a second one at the best sixty, put in order by trees and weights."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.ranker.evidence import FileEvidence, first_look
from bugloss.localize.ranker.features import CandidateFeatures, second_look
from bugloss.localize.ranker.forest import Forest, load_forest


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The score of each file, and what it rests on."""

    scores: Scores
    evidence: FileEvidence
    features: CandidateFeatures


class Bugloss:
    """Reads the report closely, then lets the trees weigh what was found."""

    name = "bugloss"
    title = "bugloss: names, words, history and structure, weighted by a learned ranker"

    def __init__(self, forest: Forest | None = None) -> None:
        self.forest = forest

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        return self.judge(corpus, question).scores

    def judge(self, corpus: FileCorpus, question: Question) -> Verdicts:
        """Scores between 0 and 1; files without a second look stay below those with one, in the order of the first."""
        evidence = first_look(corpus, question.query, question.earlier)
        features = second_look(evidence, question.leanings)
        forest = self.forest or load_forest()
        ordered = self.reconsidered(corpus, question, features, forest.score(features.columns))
        found = [forest.probability(score) for score in ordered]
        most = max(evidence.prior, default=0.0) or 1.0
        floor = min(found, default=1.0)
        scores = [floor * 0.5 * prior / most for prior in evidence.prior]
        for file, probability in zip(features.files, found, strict=True):
            scores[file] = probability
        return Verdicts(scores, evidence, features)

    def reconsidered(
        self, corpus: FileCorpus, question: Question, features: CandidateFeatures, scores: Scores
    ) -> Scores:
        """The scores of the candidates after a last look at the best of them; here there is none."""
        return scores
