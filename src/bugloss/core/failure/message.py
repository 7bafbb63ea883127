"""Error messages compared: what varies from run to run, and from release to release, is blanked first.

``blank`` is for two runs of one program in one environment, ``template`` for foreign programs and environments.
"""

from __future__ import annotations

import re
from collections import Counter

from bugloss.core.failure.essence import essence
from bugloss.core.term_weights import cosine

_VARYING = re.compile(
    r"0x[0-9a-fA-F]+"  # addresses
    r"|(?:/[\w.+-]+){2,}/?"  # paths
    r"|(?:(?<![\w#])[-+])?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"  # numbers, also those inside names
)
_DEVICE = re.compile(r"\b(?:cuda(?::#)?|cpu|meta|mps(?::#)?|xpu(?::#)?)(?![\w.])", re.IGNORECASE)
# What makes no difference to what a blanked message says, and one error in the words of different releases of Python.
_REWORDED = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"(?<=[a-z])_#(?![\w#])", ""),  # dense_1 and dense are the same layer in different sessions
        (r"(?<=[A-Za-z]:)#", ""),  # so are Add:0 and Add
        (r"\b[A-Za-z_]\w*\.(?=\w+\(\) (?:takes|got|missing)\b)", ""),  # Python names the class since 3.10
        (r"(?<=[(\[,\s])(?:None|\?)(?=[,)\]])", "#"),  # a dimension is a number, known or not
        (r"module '[\w.#]+' has no attribute", "'module' object has no attribute"),
        (r"(?:can't|cannot) pickle '?([\w.#]+)'? objects?", r"cannot pickle '\1' object"),
        (r"No module named ([\w.#]+)(?!['\w#])", r"No module named '\1'"),
        (
            r"takes (?:exactly |at (?:least|most) )?# (?:positional )?arguments? \(# given\)",
            "takes # positional arguments but # were given",
        ),
        (
            r"takes # positional arguments? but # (?:was|were) given",
            "takes # positional arguments but # were given",
        ),
        (
            r"unorderable types: (\w+)\(\) ([<>]=?) (\w+)\(\)",
            r"'\2' not supported between instances of '\1' and '\3'",
        ),
    )
)
_ARRAY = re.compile(r"\[[,\s.…]*+#[#,\s.…]*+\](?:,?\s*+\[[#,\s.…]*+\])++")
_ROW = re.compile(r"#(?:[,;]?\s+#){5,}")
_WORD = re.compile(r"[a-z_]{2,}")
_MISSING_MODULE = re.compile(r"No module named '?(?P<module>\w+(?:\.\w+)*)")
_COMMON = frozenset(
    {"the", "of", "to", "a", "an", "in", "is", "be", "for", "with", "must", "have", "has", "not", "and", "or", "at",
     "by", "shape", "received", "got", "none", "but"}
)  # fmt: skip


def missing_module(message: str) -> str:
    """The module that a message says could not be imported; empty where it says nothing of the kind."""
    found = _MISSING_MODULE.search(message)
    return found["module"] if found else ""


def blank(message: str) -> str:
    """The first line of a message with every number, address and path replaced by ``#``."""
    first_line = message.strip().split("\n", 1)[0]
    return _VARYING.sub("#", first_line).strip()


def template(message: str) -> str:
    """The telling sentence with numbers, paths, devices and the counters of layer names blanked."""
    text = blank(essence(message).text)
    if "device" in text.lower():
        text = _DEVICE.sub("device", text)
    for pattern, words in _REWORDED:
        text = pattern.sub(words, text)
    text = _ROW.sub("#", _ARRAY.sub("[#]", text))
    return " ".join(text.replace("`", "'").replace('"', "'").split()).rstrip(". ")


def similarity(first: str, second: str) -> float:
    """The cosine of the telling words of two messages."""
    return cosine(Counter(distinctive_words(template(first))), Counter(distinctive_words(template(second))))


def distinctive_words(template: str) -> list[str]:
    """The words of a template that distinguish messages."""
    return [word for word in _WORD.findall(template.lower()) if word not in _COMMON]


def agreeing_numbers(first: str, second: str) -> tuple[int, int]:
    """How many numbers of the first message are at the same place in the second, and of how many."""
    one, other = _numbers(first), _numbers(second)
    return sum(a == b for a, b in zip(one, other, strict=False)), max(len(one), len(other))


def _numbers(message: str) -> tuple[str, ...]:
    return tuple(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", essence(message).text.replace("x", " ").split("\n", 1)[0]))
