"""What every label of the taxonomy is: a slug that means something, and that somebody has defined."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from bugloss.core.errors import InvalidInput
from bugloss.core.taxonomy.source import Source


@dataclass(frozen=True, slots=True)
class LabelDefinition:
    """A label in words: its name, one line that defines it, who introduced it."""

    title: str
    definition: str
    source: Source


class Label(Enum):
    """Base of the facets. A member is written ``slug, title, definition, source``; its value is the slug."""

    _value_: str
    meaning: LabelDefinition

    # Variadic, because a type checker takes the look-up Category("tensor") for a call of these two.
    def __new__(cls, slug: str, *facts: Any) -> Self:
        label = object.__new__(cls)
        label._value_ = slug
        return label

    def __init__(self, slug: str, *facts: Any) -> None:
        self.meaning = LabelDefinition(*facts)

    @enum.property
    def value(self) -> str:
        """The slug: what is written in JSON, in ``bug.toml`` and on the command line."""
        return self._value_

    @property
    def title(self) -> str:
        """The name for people."""
        return self.meaning.title

    @property
    def definition(self) -> str:
        """One line that says what belongs here."""
        return self.meaning.definition

    @property
    def source(self) -> Source:
        """The publication or data set that introduced the label."""
        return self.meaning.source

    def __str__(self) -> str:
        return self.value

    @classmethod
    def facet(cls) -> str:
        """The facet's name: ``bug_type`` for ``BugType``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def parse(cls, text: str) -> Self:
        """The label that ``text`` names by slug or title; case, spaces and punctuation do not matter."""
        wanted = _fold(text)
        for label in cls:
            if wanted in (label.value, _fold(label.title)):
                return label
        raise cls._unknown(text)

    @classmethod
    def _unknown(cls, text: str) -> InvalidInput:
        from bugloss.core.suggestion import did_you_mean  # difflib costs a millisecond, and only errors need it

        slugs = [label.value for label in cls]
        suggestion = did_you_mean(_fold(text), slugs)
        message = f"unknown {cls.facet().replace('_', ' ')} '{text}'"
        if suggestion:
            return InvalidInput(f"{message}; {suggestion[0].lower()}{suggestion[1:]}")
        return InvalidInput(message, hint=f"Choose one of: {', '.join(slugs)}.")


def _fold(text: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))
