"""Which framework a report is about."""

from __future__ import annotations

import re
from collections import Counter

from bugloss.core.report import FactKind, Reading

_TRACES = {
    "torch": re.compile(r"\btorch\b|\bnn\.\w+|\.backward\(\)|pytorch", re.IGNORECASE),
    "keras": re.compile(r"\bkeras\b|\.compile\(|\.fit\(|Sequential\(\)|model\.add\("),
    "tensorflow": re.compile(r"\btf\.\w+|tensorflow", re.IGNORECASE),
    "mxnet": re.compile(r"\bmxnet\b|\bmx\.\w+|gluon", re.IGNORECASE),
    "jax": re.compile(r"\bjax\b|\bjnp\.|\bflax\b"),
}
_DEEP_LEARNING = re.compile(
    r"\b(?:neural net(?:work)?|deep learning|machine learning|keras|pytorch|tensorflow|torch|mxnet|jax|theano|caffe2?"
    r"|cuda|cudnn"
    r"|gpu|tensor|epoch|lstm|cnn|rnn|gan|bert|transformer|autoencoder|backprop\w*|softmax|relu|dropout|embedding"
    r"|nn\.\w+"
    r"|size mismatch|optimizer|batch[ _]?size|dataloader|conv[123]d|cross[_ ]?entropy|loss function|learning[ _]rate"
    r"|model\.(?:fit|compile|predict))s?\b",
    re.IGNORECASE,
)


def framework_of(reading: Reading) -> str:
    """The framework that is spoken of most, by tags, facts and code; empty where none is."""
    report = reading.report
    found: Counter[str] = Counter()
    for tag in report.tags:
        for name in _TRACES:
            found[name] += 5 * (tag in {name, f"py{name}"} or tag.startswith(f"{name}-"))
    for fact in reading.about(FactKind.VERSION):
        found[fact.name] += 3 * (fact.name in _TRACES)
    for name, pattern in _TRACES.items():
        found[name] += len(pattern.findall(report.text[:30_000]))
    best = max(_TRACES, key=lambda name: found[name])
    if found["keras"] and best == "tensorflow" and found["keras"] * 3 >= found["tensorflow"]:
        return "keras"  # tf.keras is Keras
    return best if found[best] else ""


def deep_learning_words(reading: Reading) -> int:
    """How many different words of the field a report uses."""
    text = f"{reading.report.text[:30_000]} {' '.join(reading.report.tags)}"
    return len({match[0].lower() for match in _DEEP_LEARNING.finditer(text)})
