"""How well triage tells types and origins: cross-validation on labelled reports, against simpler ways to do it.

The reports are not part of bugloss: ``BUGLOSS_REPORT_DATA`` names the folder that ``scripts/train_triage.py`` learns
from, ``BUGLOSS_REPORT_VECTORS`` one for the embeddings that teach issues. Needs the extra ``studies``; dlRepro's own
method needs the extra ``dlrepro``.
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

DATA, VECTORS = "BUGLOSS_REPORT_DATA", "BUGLOSS_REPORT_VECTORS"
PICTURE = ROOT / "docs" / "images" / "triage-calibration.svg"


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
    vectors = os.environ.get(VECTORS)
    material = Material.read(Path(folder), Path(vectors) if vectors else None)
    results = {
        "questions": len(material.questions),
        "issues": len(material.issues),
        "issues_labelled_by_us": len(material.own),
        "taught_with_embeddings": material.vectors is not None,
        "type_of_questions": _questions(material),
        "type_of_issues": _issues(material),
        "origin_of_issues": _origins(material),
        "seconds": _speed(),
    }
    _draw(results)
    return results


def _questions(material: Any) -> dict[str, object]:
    from dataclasses import replace

    from triaging.validation import cross_validate

    labels, texts = material.types_asked, [row.report.text for row in material.questions]
    untagged = [replace(row, tags=Counter()) for row in material.asked]
    return {
        "majority": _constant(labels),
        "tfidf": _told("TF-IDF + logistic regression", _tfidf(texts, labels, balanced=False)),
        "dlrepro": _dlrepro(material),
        **_own("questions", cross_validate(material.asked, labels, material.fit_question), labels),
        "without_tags": _means(cross_validate(untagged, labels, material.fit_question).scores(labels)),
    }


def _issues(material: Any) -> dict[str, object]:
    from triaging.validation import cross_validate, leave_projects_out

    labels, projects = material.types_filed, [row.project for row in material.issues]
    texts = [row.report.text for row in material.issues]
    apart = leave_projects_out(material.filed, labels, material.fit_issue, projects)
    return {
        "majority": _constant(labels),
        "tfidf": _told("TF-IDF + logistic regression", _tfidf(texts, labels, balanced=True)),
        **_own("issues", cross_validate(material.filed, labels, material.fit_issue), labels),
        "other_projects": _told("issues, each project left out", _means(apart.scores(labels))),
    }


def _origins(material: Any) -> dict[str, object]:
    from triaging.validation import cross_validate, leave_projects_out

    labels, projects = material.origins, [row.project for row in material.issues]
    texts = [row.report.text for row in material.issues]
    apart = leave_projects_out(material.filed, labels, material.fit_origin, projects)
    return {
        "majority": _constant(labels),
        "tfidf": _told("TF-IDF + logistic regression", _tfidf(texts, labels, balanced=True)),
        **_own("origins", cross_validate(material.filed, labels, material.fit_origin), labels),
        "other_projects": _told("origins, each project left out", _means(apart.scores(labels))),
    }


def _own(name: str, answers: Any, labels: Sequence[str]) -> dict[str, object]:
    from sklearn.metrics import confusion_matrix, f1_score
    from triaging.validation import calibration, expected_error, temperature

    value = temperature(answers, labels)
    curve = calibration(answers, labels, value)
    guess = [answers.names[at] for at in answers.tables[0].argmax(1)]
    each = f1_score(labels, guess, average=None, labels=list(answers.names))
    return {
        "bugloss": _told(f"bugloss, {name}", _means(answers.scores(labels))),
        "repetitions": answers.scores(labels),
        "f1_by_label": {label: round(float(score), 4) for label, score in zip(answers.names, each, strict=True)},
        "confusion": {"labels": list(answers.names), "rows": confusion_matrix(labels, guess).tolist()},
        "temperature": value,
        "calibration": curve,
        "expected_calibration_error": expected_error(curve),
    }


def _constant(labels: Sequence[str]) -> dict[str, float]:
    import numpy as np
    from triaging.validation import Answers

    names = tuple(sorted(set(labels)))
    most = Counter(labels).most_common(1)[0][0]
    table = np.array([[float(name == most) for name in names]] * len(labels))
    return _told("majority", _means(Answers(names, (table,)).scores(labels)))


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
    return _means(Answers(tuple(sorted(set(labels))), tuple(tables)).scores(labels))


def _dlrepro(material: Any) -> dict[str, float] | str:
    from sklearn.metrics import accuracy_score, f1_score

    from bugloss.core.errors import InvalidInput, MissingExtra
    from bugloss.triage.dlrepro import guess_type, load_encoder

    try:
        encoder = load_encoder()
    except MissingExtra as error:
        print(f"   dlRepro's method: not run, {error.message}")
        return "not run"
    guesses = []
    for row in material.questions:
        try:
            guesses.append(guess_type(row.report, encoder).label.value)
        except InvalidInput:
            guesses.append("none")
    labels = material.types_asked
    macro = f1_score(labels, guesses, average="macro", labels=sorted(set(labels)))
    scores = {"accuracy": float(accuracy_score(labels, guesses)), "macro_f1": float(macro)}
    return _told("dlRepro's method", {name: round(value, 4) for name, value in scores.items()})


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
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "bugloss"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 4.5))
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
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURE, metadata={"Date": None})
