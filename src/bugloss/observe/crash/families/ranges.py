"""Values outside the range that a function takes: probabilities, rates, settings of layers and optimizers."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind

PATTERNS = (
    Pattern(
        "probabilities-needed",
        CrashKind.NUMERIC,
        FixPattern.ACTIVATION,
        ("should be between 0 and 1", "input_val >= zero", "x >= 0 && x <= 1"),
        r"between 0 and 1|input_val >= zero|x >= 0",
        plain(
            "Binary cross-entropy takes probabilities, but some outputs are outside 0 to 1 or NaN.",
            "Use BCEWithLogitsLoss on raw outputs, or put a sigmoid after the output layer; if there is one, check "
            "for NaN before it.",
        ),
        (
            Example("all elements of input should be between 0 and 1", ("BCEWithLogitsLoss",)),
            Example("Assertion `input_val >= zero && input_val <= one` failed."),
        ),
        confidence=0.9,
    ),
    Pattern(
        "setting-out-of-range",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("has to be between 0 and 1", "Invalid learning rate", "Invalid value received for argument"),
        r"(?P<what>dropout probability|learning rate|argument `\w+`|\w+) (?:has to be|: ?).*?(?:got |: )(?P<value>\S+)"
        r"|Invalid learning rate: (?P<rate>\S+)|Invalid value received",
        plain(
            "A setting is outside its range⟨: {value}⟩⟨: learning rate {rate}⟩.",
            "Rates are fractions between 0 and 1 (0.2, not 20), learning rates positive, counts are positive integers.",
        ),
        (
            Example("dropout probability has to be between 0 and 1, but got 2", ("2",), "ValueError"),
            Example("Invalid learning rate: -0.1", ("-0.1",), "ValueError"),
        ),
        confidence=0.8,
    ),
)

FAMILY = CrashFamily("ranges", PATTERNS)
