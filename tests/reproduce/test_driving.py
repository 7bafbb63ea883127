"""Networks that a report shows and does not use."""

from __future__ import annotations

from pretended_runs import reading_of

from bugloss.reproduce.completing.driving import drive
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.program.draft import Draft

TORCH = {"torch": "2.13.0", "numpy": "2.4.6"}
NETWORK = """class Mixed(nn.Module):
    def forward(self, {parameters}):
        return self.head(image)

model = Mixed()
"""


def driven(parameters: str) -> str:
    evidence = EditEvidence(reading_of("The forward pass fails."), Expectation(ExpectationKind.UNKNOWN), TORCH)
    return next(drive(Draft.reported(NETWORK.format(parameters=parameters)), evidence)).text.split("\n")[-2]


def test_a_network_with_two_inputs_is_called_with_two() -> None:
    assert driven("image, landmarks").startswith("outputs = model(image, landmarks)")


def test_what_has_a_default_is_left_out() -> None:
    assert driven("image, mask=None").startswith("outputs = model(inputs)")
