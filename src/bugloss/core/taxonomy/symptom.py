"""What is seen when a bug strikes."""

from __future__ import annotations

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class SymptomType(Label):
    """The failure that a user sees, whatever its cause: the six effects that defect4ML labels."""

    @classmethod
    def facet(cls) -> str:
        return "symptom"

    BAD_PERFORMANCE = (
        "bad-performance",
        "Bad performance",
        "The program runs through, but the model learns worse, or more slowly, than it should.",
        Source.BUG_CHARACTERISTICS,
    )
    CRASH = (
        "crash",
        "Crash",
        "The program ends before its work is done, mostly with an error message.",
        Source.BUG_CHARACTERISTICS,
    )
    DATA_CORRUPTION = (
        "data-corruption",
        "Data corruption",
        "Values are damaged on their way through the program, and the output is wrong for that reason.",
        Source.BUG_CHARACTERISTICS,
    )
    HANG = (
        "hang",
        "Hang",
        "The program neither ends nor fails: it stops making progress and says nothing.",
        Source.BUG_CHARACTERISTICS,
    )
    INCORRECT_FUNCTIONALITY = (
        "incorrect-functionality",
        "Incorrect functionality",
        "The program runs without an error and does something other than what was meant.",
        Source.BUG_CHARACTERISTICS,
    )
    MEMORY_OUT_OF_BOUND = (
        "memory-out-of-bound",
        "Memory out of bound",
        "The program needs more main or device memory than there is.",
        Source.BUG_CHARACTERISTICS,
    )
