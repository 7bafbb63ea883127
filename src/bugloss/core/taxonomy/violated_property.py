"""Which quality of a learning system a bug takes away."""

from __future__ import annotations

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class Property(Label):
    """The quality of a learning system that the bug violates; each definition says what holds without the bug."""

    CORRECTNESS = (
        "correctness",
        "Correctness",
        "The system gives the right answer on data it will meet, as often as intended.",
        Source.ML_TESTING,
    )
    MODEL_RELEVANCE = (
        "model-relevance",
        "Model relevance",
        "The model's capacity matches the data: neither over- nor underfitted.",
        Source.ML_TESTING,
    )
    ROBUSTNESS_AND_SECURITY = (
        "robustness-and-security",
        "Robustness & security",
        "Invalid, perturbed or hostile inputs neither break the system nor sway its answers.",
        Source.ML_TESTING,
    )
    EFFICIENCY = (
        "efficiency",
        "Efficiency",
        "Training and prediction finish within acceptable time and resources.",
        Source.ML_TESTING,
    )
    FAIRNESS = (
        "fairness",
        "Fairness",
        "Decisions do not disadvantage people for traits that ought not to count.",
        Source.ML_TESTING,
    )
    INTERPRETABILITY = (
        "interpretability",
        "Interpretability",
        "A person can understand why the system decided as it did.",
        Source.ML_TESTING,
    )
    PRIVACY = (
        "privacy",
        "Privacy",
        "The system does not reveal private facts about the people in its data.",
        Source.ML_TESTING,
    )
