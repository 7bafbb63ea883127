"""Clues in pasted code: which activation ends the network, which loss it has, and whether the two match.

Reads flat text, because questions lose their line breaks on the way into data sets; no parser could read those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.network.activation import LINEAR, Activation, activation
from bugloss.core.network.fit import Output, misfits, regression_misfits
from bugloss.core.network.layer import KnownLayer, LayerFamily, layer
from bugloss.core.network.loss import KnownLoss, loss
from bugloss.core.network.optimizer import optimizer

_NAME = r"(?:\w{1,40}\.){0,4}"
_ACTIVATION = re.compile(rf"activation\s*=\s*['\"]?{_NAME}(\w+)|Activation\(\s*['\"](\w+)|\b(?:F|torch|nn)\.(\w+)")
_LOSS = re.compile(r"\bloss\s*=\s*['\"](\w+)['\"]|\blosses\.(\w+)|\b([A-Za-z_]\w{2,60})\b")
_SCORES_ARGUMENT = re.compile(r"\bfrom_logits\s*=\s*True\b")
_OPTIMIZER = re.compile(rf"optimizer\s*=\s*['\"]?{_NAME}(\w+)|optim(?:izers?)?\.(\w+)|train\.(\w+Optimizer)")
_CALL = re.compile(r"\b([A-Z]\w{2,40})\((?=([^()]{1,160}))")
_EXCEPTION = re.compile(r"\b([A-Z][A-Za-z]{0,40}(?:Error|Exception))\b")
_CODE_CHARACTERS = re.compile(r"[=()\[\]{}]")
_SIZES = ("units", "out_features")  # how many outputs a dense layer has

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
    activations = list(_activations(text))
    losses = list(_losses(text))
    heads = list(_dense_layers(text))
    units, last = heads[-1] if heads else ("none", None)
    ending = last.name if last is not None else "none"
    if activations:
        yield f"last-activation:{activations[-1].name}", 1.0
    if len(activations) > 1 and len(set(activations)) == 1:
        yield "one-activation", 1.0
    yield from ((f"activation:{name}", 1.0) for name in {used.name for used in activations})
    yield from ((f"loss:{name}", 1.0) for name in set(map(_family, losses)))
    yield f"units:{units}", 1.0
    yield f"head:{ending}", 1.0
    yield f"outputs:{_step(len(heads), (1, 2, 4))}", 1.0
    if losses and last is not None:
        family = _family(losses[-1])
        yield f"head:{ending}:{family}", 1.0
        yield f"head:{units}:{ending}:{family}", 1.0
        if losses[-1] is not None:
            fits = _fits(Output(last, _count(units)), losses[-1], _SCORES_ARGUMENT.search(text) is not None)
            yield ("head-suits-loss" if fits else "head-fights-loss"), 1.0
    yield from (
        (f"optimizer:{name}", 1.0) for name in {_optimizer(_named(match)) for match in _OPTIMIZER.finditer(text)}
    )


def _named(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def _activations(text: str) -> Iterator[Activation]:
    found = (activation(_named(match)) for match in _ACTIVATION.finditer(text))
    return (known for known in found if known is not None)


def _losses(text: str) -> Iterator[KnownLoss | None]:
    """The losses that a text names; None for one that the table does not know, where the code says that it is one."""
    for match in _LOSS.finditer(text):
        known = loss(_named(match))
        if known is not None or not match[3]:
            yield known


def _family(known: KnownLoss | None) -> str:
    return "other" if known is None else f"{known.compares.value}, {known.targets.value}"


def _optimizer(name: str) -> str:
    known = optimizer(name)
    return known.name if known is not None else name.lower()


def _dense_layers(text: str) -> Iterator[tuple[str, Activation]]:
    """How many units each dense layer has, roughly, and its activation."""
    for match in _CALL.finditer(text):
        known = layer(match[1])
        if known is not None and known.family is LayerFamily.DENSE:
            given = _ACTIVATION.search(match[2])
            yield _units(match[2], known), (activation(_named(given)) if given else LINEAR) or LINEAR


def _units(arguments: str, known: KnownLayer) -> str:
    size = next((name for name in known.parameters if name in _SIZES), "")
    by_name = re.search(rf"\b{size}\s*=\s*(\w+)", arguments)
    by_position = arguments.split(",")[known.parameters.index(size) :] if size else []
    count = by_name[1] if by_name else by_position[0].strip() if by_position else ""
    return count if count in {"1", "2"} else "number" if count.isdigit() else "name"


def _count(units: str) -> int | None:
    return int(units) if units.isdigit() else None


def _fits(output: Output, known: KnownLoss, reads_scores: bool) -> bool:
    reasons = (misfits(output, known, reads_scores), regression_misfits(output, known, True, True))
    return not any(True for found in reasons for _ in found)


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
