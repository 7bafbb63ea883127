"""What a message demands, whoever wrote it: the thing, what it must be, what came, and the framework's own advice.

Frameworks say the same in a few forms: "… must be …, got …", "Expected …, but received …", "Unknown …: …". The parts
are taken from the sentence itself, so that a message that no family knows still says what was expected and what came.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_LONGEST = 1_200  # characters of a message that are read
_LONGEST_PART = 220
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z`'\"])|\n+")
_VERB = re.compile(
    r"\b(?P<verb>must|should|needs? to|ha(?:s|ve) to|can only|may only|(?:is|are|was|were) expected to|expected to)\b"
    r"(?! have been)"
)
_EXPECTED = re.compile(
    r"\b(?:[Ee]xpect(?:ed|s|ing)|[Rr]equires|[Oo]nly supports?|accepts only|only accepts|[Nn]eeds)\b:? ?"
)
_GOT = re.compile(
    r"(?<![\s,;.:(\[])[\s,;.:(\[]*+\b(?:but |instead,? |however,? |and |yet )*(?:it |you |we |the \w+ )?"
    r"(?:[Gg]ot|[Rr]eceived|[Ff]ound(?! in)|(?:have |were |was |are |is )?(?:given|passed|provided)"
    r"|instead of|actual(?:ly)?|but (?:is|are|was|were|has|have|had|saw)|while)\b(?: instead| a value)?[:=]? ?"
    r"(?P<got>.+)$"
)
_ADVICE = re.compile(
    r"^(?:Please|Use|Try|Consider|Set|Call|Pass|Make sure|Did you|You (?:can|should|may|might|need|must)|Ensure|Check"
    r"|Add|Install|If you|In order to|To )\b"
)
_NAMED = re.compile(r"`(?P<tick>[A-Za-z_][\w.]{0,60})(?:\(\))?`|\b[Aa]rguments?:? '?\"?(?P<argument>[a-z_]\w{0,60})")
_QUOTED = re.compile(r"['\"](?P<quoted>[A-Za-z_]\w{0,60})['\"]|^(?P<bare>[a-z_]\w{0,60})$|(?P<long>\b[a-z]+_[a-z_]+\b)")
_CHOICES = re.compile(
    r"(?:one of|[Aa]llowed|[Ss]upported|valid|[Aa]vailable|either|can be)[^'\"`\[({]{0,40}(?P<list>.+)"
)
_WORD = re.compile(r"['\"`](?P<word>[\w.-]{1,60})['\"`]")


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand of a message. What it does not say is empty."""

    sentence: str  # the one that makes the demand
    subject: str = ""
    wanted: str = ""
    got: str = ""
    advice: str = ""
    argument: str = ""  # the parameter that is meant
    choices: tuple[str, ...] = ()  # the values that would be accepted
    verb: str = "must"  # between subject and demand: that of the message, where "must" does not fit


def read_demand(text: str) -> Demand:
    """The demand of a message: of its first sentence that makes one, else its first sentence as it is."""
    sentences = [part.strip() for part in _BREAK.split(text[:_LONGEST].strip()) if part.strip()]
    advice = next((one for one in sentences[1:] if _ADVICE.match(one)), "")
    for at, sentence in enumerate(sentences):
        found = _demanded(sentence) if not _ADVICE.match(sentence) or at == 0 else None
        if found is not None:
            subject, verb, wanted, got = found
            got = got or _received(" ".join(sentences[at + 1 :]))
            return replace(_demand(sentence, subject, wanted, got, advice, text), verb=verb)
    first = sentences[0] if sentences else ""
    return _demand(first, "", "", _received(" ".join(sentences)), advice, text)


def _demand(sentence: str, subject: str, wanted: str, got: str, advice: str, text: str) -> Demand:
    argument = _argument(subject) or (_argument(sentence) if not subject else "")
    return Demand(
        _cut(sentence), _cut(subject), _cut(wanted), _cut(got), _cut(advice), argument, _choices(wanted or text)
    )


def _demanded(sentence: str) -> tuple[str, str, str, str] | None:
    """Subject, verb, demand, and what came, of a sentence that demands something."""
    found = _VERB.search(sentence)
    if found and found.start() > 1:
        wanted, got = _split_got(sentence[found.end() :])
        return sentence[: found.start()].strip(" ,:;"), "must", wanted, got
    found = _EXPECTED.search(sentence)
    if found:
        wanted, got = _split_got(sentence[found.end() :])
        return sentence[: found.start()].strip(" ,:;."), found[0].strip(" :").lower(), wanted, got
    return None


def _split_got(rest: str) -> tuple[str, str]:
    found = _GOT.search(rest)
    if found is None:
        return rest.strip(" .,:;"), ""
    return rest[: found.start()].strip(" .,:;("), found["got"].strip(" .,:;)")


def _received(rest: str) -> str:
    found = _GOT.search(rest)
    return found["got"].split(". ")[0].strip(" .,:;") if found else ""


def _argument(text: str) -> str:
    found = _NAMED.search(text) or _QUOTED.search(text.strip())
    name = next(filter(None, found.groups()), "") if found else ""
    return name.rsplit(".", 1)[-1]


def _choices(text: str) -> tuple[str, ...]:
    found = _CHOICES.search(text)
    return tuple(dict.fromkeys(one["word"] for one in _WORD.finditer(found["list"]))) if found else ()


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_PART else f"{text[: _LONGEST_PART - 1]}…"
