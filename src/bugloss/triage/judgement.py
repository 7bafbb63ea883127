"""The front of the room: everything that triage says of a report, in one go."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bugloss.core.report import FactKind, Reading, ReportSource
from bugloss.core.taxonomy import Category, Information
from bugloss.core.triage import Alternative, InformationState, OriginGuess, ReportWords, Triage, TypeGuess
from bugloss.triage.classifier import Contribution, mix
from bugloss.triage.evidence import find_evidence
from bugloss.triage.features import ReportFeatures, features
from bugloss.triage.framework import deep_learning_words, framework_of
from bugloss.triage.head_file import load_head
from bugloss.triage.information import find_information
from bugloss.triage.origin import guess_origin
from bugloss.triage.questions import questions
from bugloss.triage.recommendations import recommend
from bugloss.triage.transactions import ReproducedBugs

_FEWEST_WORDS = 8
_LEAST_SHOWN = 0.02
_CLEAR_WORDS, _USUALLY_A_QUESTION = 40, 0.8
_COUNTS_AGAINST = 0.2
_RARER = 0.25  # extrinsic bugs among questions against issues, as odds; an estimate: it has not been counted
TOO_SHORT = "The report is too short: the results below are little better than chance."
NOT_DEEP_LEARNING = "This does not seem to be about deep learning."


def triage(reading: Reading, guess: TypeGuess | None = None) -> Triage:
    """What is read from a report without running anything; ``guess`` is its type where another method has found one."""
    seen = features(reading.report)
    share = _share_of_questions(reading, seen)
    guess = guess or _guess_type(reading, seen, share)
    enough, framework = _is_enough(reading), framework_of(reading)
    scope = ReproducedBugs.ALL if reading.report.source is ReportSource.GITHUB else ReproducedBugs.STACK_OVERFLOW
    information = find_information(reading, guess.label, scope)
    return Triage(
        bug_type=guess,
        origin=_origin(reading, seen, share),
        information=information,
        score=score(reading, information),
        questions=questions(reading, guess.label, information, framework),
        edit_actions=recommend(reading, guess.label, scope, framework),
        deep_learning=guess.label is not Category.NON_DL,
        enough=enough,
        framework=framework,
        remarks=tuple(_remarks(reading, guess, enough)),
    )


def _share_of_questions(reading: Reading, seen: ReportFeatures) -> float:
    """How much a report reads like a question on Stack Overflow rather than like an issue of a project.

    A short text does not show it; whoever pastes one has mostly a question.
    """
    known = {ReportSource.STACK_OVERFLOW: 1.0, ReportSource.GITHUB: 0.0}
    source = reading.report.source
    if source in known:
        return known[source]
    measured, words = load_head("source").probabilities(seen)["question"], seen.words.total()
    return (words * measured + _CLEAR_WORDS * _USUALLY_A_QUESTION) / (words + _CLEAR_WORDS)


def _guess_type(reading: Reading, seen: ReportFeatures, share: float) -> TypeGuess:
    both = (("type-question", share), ("type-issue", 1 - share))
    heads = [(load_head(name), part) for name, part in both if part >= _LEAST_SHOWN]
    probabilities = _informed(reading, mix([(head.probabilities(seen), part) for head, part in heads]), share)
    ranked = sorted(probabilities, key=lambda label: -probabilities[label])
    contributions = (
        Contribution(item.group, item.feature, item.weight * part)
        for head, part in heads
        for item in head.contributions(seen, ranked[0])
    )
    words = find_evidence(reading.report, contributions)
    others = (Alternative(label, round(probabilities[label], 4)) for label in ranked[1:])
    shown = tuple(other for other in others if other.probability >= _LEAST_SHOWN)
    return TypeGuess(Category(ranked[0]), round(probabilities[ranked[0]], 4), shown, words)


def _informed(reading: Reading, probabilities: Mapping[str, float], share: float) -> dict[str, float]:
    """A question without one word of the field is hardly about deep learning, and one with several hardly is not.

    A single word speaks half as loud: it may mean something else. Issues of deep-learning projects use those words
    whatever they are about.
    """
    words, other = deep_learning_words(reading), Category.NON_DL.value
    factor = _COUNTS_AGAINST ** (share / 2 if words == 1 else share)
    weighed = {
        label: value * (factor if (label == other) == bool(words) else 1.0) for label, value in probabilities.items()
    }
    return {label: value / sum(weighed.values()) for label, value in weighed.items()}


def _origin(reading: Reading, seen: ReportFeatures, share: float) -> OriginGuess:
    """The head was trained on issues, 43 % of them extrinsic; whoever asks about code of his own errs more often."""
    head = load_head("origin-issue")
    extrinsic = head.probabilities(seen)["extrinsic"]
    odds = extrinsic / max(1 - extrinsic, 1e-9) * _RARER**share
    extrinsic = odds / (1 + odds)
    label = "extrinsic" if extrinsic >= 0.5 else "intrinsic"
    words: tuple[ReportWords, ...] = find_evidence(reading.report, head.contributions(seen, label))[:3]
    return guess_origin(reading, extrinsic, words)


def _is_enough(reading: Reading) -> bool:
    return len(re.findall(r"[A-Za-z]{2,}", reading.report.text[:2000])) >= _FEWEST_WORDS


def score(reading: Reading, information: Mapping[Information, InformationState]) -> int:
    """How much of what helps to reproduce such a bug is there, from 0 to 100.

    Eighty points for the five kinds of information, each weighted by how often it helped with bugs of this type; ten
    for releases, ten for what was expected and what happened.
    """
    whole = sum(state.useful for state in information.values()) or 1.0
    there = sum(state.useful for state in information.values() if state.present)
    releases = any(reading.about(FactKind.VERSION))
    contrast = any(reading.about(FactKind.EXPECTED, FactKind.ACTUAL, FactKind.EXCEPTION))
    return round(80 * there / whole + 10 * releases + 10 * contrast)


def _remarks(reading: Reading, guess: TypeGuess, enough: bool) -> list[str]:
    remarks = list(reading.remarks)
    if not enough:
        remarks.append(TOO_SHORT)
    elif guess.label is Category.NON_DL and not deep_learning_words(reading):
        remarks.append(NOT_DEEP_LEARNING)
    return remarks
