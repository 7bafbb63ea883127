"""How well triage tells types and origins: nested cross-validation on labelled reports, against simpler ways to do it.

The reports are not part of bugloss: ``BUGLOSS_REPORT_DATA`` names the folder that ``scripts/train_triage.py`` learns
from. Needs the extra ``studies``; dlRepro's own method needs the extra ``meaning``, the picture matplotlib.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.measurement import BUGLOSS, ROOT, alternate, summary
from bench.picture import picture
from bugloss.core.taxonomy import Category

DATA = "BUGLOSS_REPORT_DATA"
NOT_DEEP_LEARNING = Category.NON_DL.value


def measure() -> dict[str, object]:
    folder = os.environ.get(DATA)
    if not folder:
        print(f"   not run: {DATA} names no folder of labelled reports")
        return {"not_run": f"{DATA} is not set"}
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from triaging.material import Material
    except ImportError as error:
        print(f"   not run: {error.name} is missing (pip install 'bugloss[studies]')")
        return {"not_run": f"{error.name} is missing"}
    material = Material.read(Path(folder))
    results = {
        "questions": len(material.questions),
        "issues": len(material.issues),
        "issues_labelled_by_us": len(material.own),
        "issues_without_label": len(material.rest),
        "issues_left_out_as_maybe_held_back": material.maybe_held_back,
        "issues_left_out_as_repeats": material.repeats,
        "type_of_questions": _questions(material),
        "type_of_issues": _issue_types(material),
        "origin_of_issues": _issues(material, material.issue_origins()),
        "seconds": _speed(),
    }
    _draw(results)
    return results


def _questions(material: Any) -> dict[str, object]:
    from triaging.validation import cross_validate

    lesson, untagged = material.question_types(), material.question_types(tags=False)
    texts = [row.report.text for row in material.questions]
    return {
        **_own("bugloss, questions", cross_validate(lesson), lesson.labels),
        "majority": _constant(lesson.labels),
        "tfidf": _told("TF-IDF + logistic regression", _tfidf(texts, lesson.labels, balanced=False)),
        "dlrepro": _dlrepro(material),
        "without_tags": _told("without tags", _means(cross_validate(untagged, seeds=(0,)).scores(lesson.labels))),
    }


def _issue_types(material: Any) -> dict[str, object]:
    """The five categories and "not deep learning" as a sixth; and the category alone, of deep-learning issues."""
    from triaging.validation import cross_validate

    lesson = material.issue_types()
    answers = cross_validate(lesson)
    restricted, labels = answers.without(NOT_DEEP_LEARNING, lesson.labels)
    texts = [row.report.text for row in material.issues if row.label != NOT_DEEP_LEARNING]
    titles = [row.report.title for row in material.issues if row.label != NOT_DEEP_LEARNING]
    category = {
        **_own("category of deep-learning issues", restricted, labels),
        "majority": _constant(labels),
        "tfidf": _told("TF-IDF + logistic regression", _tfidf(texts, labels, balanced=True)),
        "tfidf_of_titles": _told("the same, titles alone", _tfidf(titles, labels, balanced=True)),
    }
    return {**_issues(material, lesson, answers), "category_of_deep_learning_issues": category}


def _issues(material: Any, lesson: Any, answers: Any = None) -> dict[str, object]:
    from triaging.validation import cross_validate, leave_projects_out

    texts = [row.report.text for row in material.issues]
    return {
        **_own("bugloss, issues", answers or cross_validate(lesson), lesson.labels),
        "other_projects": _told("each project left out", _means(leave_projects_out(lesson).scores(lesson.labels))),
        "majority": _constant(lesson.labels),
        "tfidf": _told("TF-IDF + logistic regression", _tfidf(texts, lesson.labels, balanced=True)),
    }


def _own(name: str, answers: Any, labels: Sequence[str]) -> dict[str, object]:
    from sklearn.metrics import confusion_matrix, f1_score
    from triaging.validation import calibration, expected_error

    curve = calibration(answers, labels)
    guesses = [[answers.names[at] for at in table.argmax(1)] for table in answers.tables]
    each = [f1_score(labels, guess, average=None, labels=list(answers.names)) for guess in guesses]
    by_label = {
        name: round(statistics.mean(map(float, scores)), 4) for name, *scores in zip(answers.names, *each, strict=True)
    }
    return {
        "bugloss": _told(name, _means(answers.scores(labels))),
        "repetitions": answers.scores(labels),
        "f1_by_label": by_label,
        "confusion": {"labels": list(answers.names), "rows": confusion_matrix(labels, guesses[0]).tolist()},
        "chosen": dict(answers.chosen.most_common()),
        "calibration": curve,
        "expected_calibration_error": expected_error(curve),
    }


def _constant(labels: Sequence[str]) -> dict[str, float]:
    import numpy as np
    from triaging.validation import Answers

    names = tuple(sorted(set(labels)))
    most = Counter(labels).most_common(1)[0][0]
    table = np.array([[float(name == most) for name in names]] * len(labels))
    return _told("majority", _means(Answers(names, (table,), Counter()).scores(labels)))


def _tfidf(texts: Sequence[str], labels: Sequence[str], *, balanced: bool) -> dict[str, float]:
    """The plain way: words and pairs of them, one logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from triaging.validation import FOLDS, SEEDS, Answers

    model = make_pipeline(
        TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2),
        LogisticRegression(C=10, max_iter=2000, class_weight="balanced" if balanced else None),
    )
    tables = [
        cross_val_predict(
            model, texts, labels, cv=StratifiedKFold(FOLDS, shuffle=True, random_state=seed), method="predict_proba"
        )
        for seed in SEEDS
    ]
    return _means(Answers(tuple(sorted(set(labels))), tuple(tables), Counter()).scores(labels))


def _dlrepro(material: Any) -> dict[str, float] | str:
    from sklearn.metrics import accuracy_score, f1_score

    from bugloss.adapters.sentence_encoder import load_encoder
    from bugloss.core.errors import InvalidInput, MissingExtra
    from bugloss.triage.dlrepro import guess_type

    try:
        encoder = _remembering(load_encoder("dlRepro's method"))
    except MissingExtra as error:
        print(f"   dlRepro's method: not run, {error.message}")
        return "not run"
    guesses = []
    for row in material.questions:
        try:
            guesses.append(guess_type(row.report, encoder).label.value)
        except InvalidInput:
            guesses.append("none")
    labels = [row.label for row in material.questions]
    macro = f1_score(labels, guesses, average="macro", labels=sorted(set(labels)))
    scores = {"accuracy": float(accuracy_score(labels, guesses)), "macro_f1": float(macro)}
    return _told("dlRepro's method", {name: round(value, 4) for name, value in scores.items()})


def _remembering(encoder: Any) -> Any:
    """The encoder, asked about each tag once."""
    known: dict[str, Any] = {}

    def encode(tags: Sequence[str]) -> list[Any]:
        new = [tag for tag in dict.fromkeys(tags) if tag not in known]
        if new:
            known.update(zip(new, encoder(new), strict=True))
        return [known[tag] for tag in tags]

    return encode


def _means(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: round(statistics.mean(values), 4) for name, values in scores.items()}


def _told(name: str, scores: dict[str, float]) -> dict[str, float]:
    print(f"   {name:<32} {'  '.join(f'{key} {value:.3f}' for key, value in scores.items())}", flush=True)
    return scores


def _speed() -> dict[str, dict[str, float]]:
    report = next((ROOT / "bugs").glob("*/*/report.md"))
    return summary(alternate({"bugloss triage": [BUGLOSS, "triage", str(report), "--json"]}, 5))


def _draw(results: Mapping[str, Any]) -> None:
    """The calibration curves as a picture: the closer to the diagonal, the better."""
    with picture("triage-calibration", 1, (5, 4.5)) as axes:
        axes.plot([0, 1], [0, 1], color="0.8", linewidth=1)
        for key, name in (
            ("type_of_questions", "type of questions"),
            ("type_of_issues", "type of issues"),
            ("origin_of_issues", "origin"),
        ):
            curve = results[key]["calibration"]
            axes.plot(
                [point["probability"] for point in curve], [point["right"] for point in curve], marker="o", label=name
            )
        axes.set(xlabel="probability that triage states", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))
        axes.legend(frameon=False)
