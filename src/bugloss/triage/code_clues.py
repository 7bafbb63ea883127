"""Clues in pasted code: which activation ends the network, which loss it has, and whether the two match.

Reads flat text, because questions lose their line breaks on the way into data sets; no parser could read those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ACTIVATION = re.compile(
    r"activation\s*=\s*(?:\w+\.){0,4}['\"]?(\w+)|Activation\(\s*['\"](\w+)"
    r"|\b(?:F|torch|nn|tf\.nn)\.(relu|sigmoid|softmax|log_softmax|tanh|ReLU|Sigmoid|Softmax|LogSoftmax|Tanh)\b"
)
_LOSS = re.compile(
    r"loss\s*=\s*['\"](\w+)['\"]|losses\.(\w+)|\b(\w{0,40}[cC]ross_?[eE]ntropy\w{0,40})"
    r"|\b(mean_squared_error|mse|MSELoss|NLLLoss|BCELoss|BCEWithLogitsLoss|L1Loss|mae|mean_absolute_error)\b"
)
_OPTIMIZER = re.compile(r"optimizer\s*=\s*['\"]?(?:\w+\.){0,4}(\w+)|optim(?:izers?)?\.(\w+)|train\.(\w+Optimizer)")
_OUTPUT = re.compile(r"Dense\(\s*(?:units\s*=\s*)?(\w+)([^()]{0,120})|nn\.Linear\(\s*[\w.*+ /-]{1,60},\s*(\w+)")
_EXCEPTION = re.compile(r"\b([A-Z][A-Za-z]{0,40}(?:Error|Exception))\b")
_CODE_CHARACTERS = re.compile(r"[=()\[\]{}]")
_FITTING_ACTIVATIONS = {"bce": {"sigmoid"}, "cce": {"softmax"}, "sce": {"softmax"}}
_BOUNDED = {"softmax", "relu", "sigmoid", "tanh"}

PHRASES = {
    "curve-stuck": re.compile(
        r"\b(?:accuracy|acc|loss)\b[^.]{0,60}(?:\bnot (?:chang|improv|decreas|increas|go)|stuck|\bsame\b|constant"
        r"|stays?\b"
        r"|(?:doesn.t|does not) (?:change|improve|decrease)|always|remain|never)",
        re.IGNORECASE,
    ),
    "bad-result": re.compile(
        r"\b(?:low|bad|poor|terrible|wrong|0|zero|weird|strange|random)\s+(?:accuracy|results?|performance"
        r"|predictions?|output)"
        r"|\baccuracy (?:is |of |equals |: ?)?(?:0|zero)\b",
        re.IGNORECASE,
    ),
    "one-prediction": re.compile(
        r"\b(?:predict|output|result)\w*[^.]{0,50}\b(?:same|always|identical|constant|only one)\b", re.I
    ),
    "expected-got": re.compile(r"\bexpected\b.{0,80}\b(?:but|got|found)\b", re.IGNORECASE),
    "loss-defined": re.compile(r"def \w{0,40}loss\w{0,40}\(|y_true,\s*y_pred", re.IGNORECASE),
    "error-quoted": re.compile(r"[A-Z]\w{2,40}Error: "),
    "asks-why": re.compile(r"^\W{0,3}why\b", re.IGNORECASE),
    "asks-how": re.compile(r"^\W{0,3}(?:how|is there|what is|can i|where|which)\b", re.IGNORECASE),
    "torch-loop": re.compile(r"optimizer\.step|loss\.backward|zero_grad"),
    "keras-fit": re.compile(r"\.fit\(|\.fit_generator\("),
    "keras-compile": re.compile(r"\.compile\("),
    "sequential": re.compile(r"Sequential\("),
    "module": re.compile(r"nn\.Module|def forward"),
    "moved": re.compile(r"\.cuda\(|\.to\("),
    "scaled": re.compile(r"/ ?255|StandardScaler|MinMaxScaler"),
}


def clues(title: str, text: str) -> Iterator[tuple[str, float]]:
    """Features of a report's code and of its telling phrases."""
    for name, pattern in PHRASES.items():
        if pattern.search(text):
            yield f"phrase:{name}", 1.0
        if pattern.search(title):
            yield f"title:{name}", 1.0
    yield from _network(text)
    yield from _exceptions(title, text)
    yield f"length:{_step(len(text), (700, 1800, 4000))}", 1.0
    yield "code-share", min(10 * len(_CODE_CHARACTERS.findall(text)) / max(len(text), 1), 1.5)


def _network(text: str) -> Iterator[tuple[str, float]]:
    activations = [_named(match).lower().replace("_", "") for match in _ACTIVATION.finditer(text)]
    losses = [_family(_named(match)) for match in _LOSS.finditer(text)]
    outputs = list(_OUTPUT.finditer(text))
    units, last = _head(outputs[-1]) if outputs else ("none", "none")
    if activations:
        yield f"last-activation:{activations[-1]}", 1.0
    if len(activations) > 1 and len(set(activations)) == 1:
        yield "one-activation", 1.0
    yield from ((f"activation:{name}", 1.0) for name in set(activations))
    yield from ((f"loss:{name}", 1.0) for name in set(losses))
    yield f"units:{units}", 1.0
    yield f"head:{last}", 1.0
    yield f"outputs:{_step(len(outputs), (1, 2, 4))}", 1.0
    if losses and outputs:
        yield f"head:{last}:{losses[-1]}", 1.0
        yield f"head:{units}:{last}:{losses[-1]}", 1.0
        yield ("head-fights-loss" if _mismatch(units, last, losses[-1]) else "head-suits-loss"), 1.0
    yield from ((f"optimizer:{name}", 1.0) for name in {_named(match).lower() for match in _OPTIMIZER.finditer(text)})


def _named(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def _family(name: str) -> str:
    folded = name.lower().replace("_", "")
    if "sparse" in folded:
        return "sce"
    if "binary" in folded or folded.startswith("bce") or "sigmoidcross" in folded:
        return "bce"
    if "categorical" in folded or "crossentropy" in folded:
        return "cce"
    short = {"mse": "mse", "meansquarederror": "mse", "mseloss": "mse", "mae": "mae", "l1loss": "mae"}
    return (short | {"meanabsoluteerror": "mae"}).get(folded, "other")


def _head(match: re.Match[str]) -> tuple[str, str]:
    """How many units the last layer has, roughly, and its activation."""
    count = match[1] or match[3]
    units = count if count in {"1", "2"} else "number" if count.isdigit() else "name"
    activation = _ACTIVATION.search(match[2] or "")
    return units, _named(activation).lower() if activation else "missing"


def _mismatch(units: str, last: str, loss: str) -> bool:
    if units == "1" and last == "softmax":
        return True
    if loss in _FITTING_ACTIVATIONS:
        return last not in _FITTING_ACTIVATIONS[loss]
    return loss in {"mse", "mae"} and last in _BOUNDED


def _exceptions(title: str, text: str) -> Iterator[tuple[str, float]]:
    names = _EXCEPTION.findall(text)
    if not names:
        yield "exception:none", 1.0
        return
    yield f"exception:{max(set(names), key=lambda name: (names.count(name), name))}", 1.0
    yield f"last-exception:{names[-1]}", 1.0
    if _EXCEPTION.search(title):
        yield "exception-in-title", 1.0


def _step(value: int, bounds: tuple[int, ...]) -> int:
    return sum(value >= bound for bound in bounds)
