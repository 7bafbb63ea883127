"""How alike two error messages are, once what varies from run to run is blanked."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from bugloss.core.message import blank
from bugloss.core.run import Frame, RaisedException
from bugloss.reproduce.words import groups, rows

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WRAPPED = re.compile(
    r"^(?:Exception encountered when calling|in user code|in converted code|Graph execution error|Caught \w+ in)"
)
_INNER = re.compile(
    r"^[^\S\n]*+(?:\w*+\.)*+(?P<kind>[A-Z]\w*(?:Error|Exception|Interrupt)): (?P<text>.+)$", re.MULTILINE
)
_DEVICE = re.compile(r"\b(?:cuda(?::#)?|cpu|meta|mps(?::#)?|xpu(?::#)?)(?![\w.])", re.IGNORECASE)
_LIBRARY = re.compile(
    r"(?:site|dist)-packages|/lib/python|\\lib\\|tensorflow(?:_core)?[/\\]python|[/\\]?keras[/\\](?:src|engine|utils|backend|layers|models)"
    r"|torch[/\\](?:nn|_|utils|optim|autograd|functional|tensor)|<__array_function__|<frozen|<decorator|^\.\.\./|anaconda|numpy[/\\]"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Essence:
    """What a message says, without what frameworks wrap around it; ``kind`` where the wrapped error has its own."""

    kind: str
    text: str


def essence(message: str) -> Essence:
    """The message that the user's mistake caused."""
    plain = _COLOUR.sub("", message).strip()
    if not _WRAPPED.match(plain):
        return Essence("", plain)
    inner = list(_INNER.finditer(plain))
    if inner and not plain.startswith("Exception encountered"):
        return Essence(inner[-1]["kind"], inner[-1]["text"].strip())
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", plain) if part.strip()]
    told = [part for part in paragraphs[1:] if not part.startswith(("Arguments received", "Call arguments"))]
    return Essence("", told[-1] if told else plain)


def template(message: str) -> str:
    """A message with numbers, paths, devices and the counters of layer names blanked."""
    text = blank(essence(message).text)
    text = re.sub(r"(?<=[a-z])_#\b", "", text)  # dense_1 and dense are the same layer in different sessions
    text = re.sub(r"(?<=[A-Za-z]:)#", "", text)  # so are Add:0 and Add
    text = re.sub(r"\b[A-Za-z_]\w*\.(?=\w+\(\) (?:takes|got|missing)\b)", "", text)  # Python names the class since 3.10
    text = re.sub(r"(?<=[(\[,\s])(?:None|\?)(?=[,)\]])", "#", text)  # a dimension is a number, known or not
    text = re.sub(
        r"(?:(?<!\s)\s++)?+\[Op:\w++\](?:\s*+name:.*)?\s*$", "", text
    )  # TensorFlow adds it where nothing is compiled
    for pattern, words in _wordings():
        text = pattern.sub(words, text)
    if "device" in text.lower():
        text = _DEVICE.sub("device", text)
    text = re.sub(r"\[[,\s.…]*+#[#,\s.…]*+\](?:,?\s*+\[[#,\s.…]*+\])++", "[#]", text)
    text = re.sub(r"#(?:[,;]?\s+#){5,}", "#", text)
    return " ".join(text.replace("`", "'").replace('"', "'").split()).rstrip(". ")


@cache
def _wordings() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), words) for pattern, words in rows("wordings", 2))


def similarity(first: str, second: str) -> float:
    """The cosine of the words of two messages, blanked."""
    one, other = (Counter(_words(text)) for text in (first, second))
    product = sum(count * other[word] for word, count in one.items())
    lengths = math.sqrt(sum(count**2 for count in one.values()) * sum(count**2 for count in other.values()))
    return product / lengths if lengths else 0.0


def _words(message: str) -> list[str]:
    """The words that tell messages apart."""
    common = groups("usage")["common-words"]
    return [word for word in re.findall(r"[a-z_]{2,}", template(message).lower()) if word not in common]


def numbers(message: str) -> tuple[str, ...]:
    """The numbers of a message in order."""
    return tuple(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", essence(message).text.replace("x", " ").split("\n", 1)[0]))


def agreeing_numbers(first: str, second: str) -> tuple[int, int]:
    """How many numbers of the first message stand at the same place in the second, and of how many."""
    one, other = numbers(first), numbers(second)
    return sum(a == b for a, b in zip(one, other, strict=False)), max(len(one), len(other))


def is_library(frame: Frame) -> bool:
    """Whether a line of a traceback lies in a library rather than in the reporter's own program."""
    return bool(_LIBRARY.search(frame.path.replace("\\", "/") if "site-packages" in frame.path else frame.path))


def innermost_library_function(exception: RaisedException) -> str:
    """The function of a library that raised; empty where the program's own line did."""
    last = exception.frames[-1] if exception.frames else None
    return last.function.split("(")[0].rsplit(".", 1)[-1] if last is not None and is_library(last) else ""
