"""Which edit actions come next: by how the last run failed, and by how often such bugs needed an action."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bugloss.core.run import Run
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind

A1 = EditAction.INPUT_DATA_GENERATION
A2 = EditAction.NEURAL_NETWORK_CONSTRUCTION
A3 = EditAction.HYPERPARAMETER_INITIALIZATION
A4 = EditAction.IMPORT_ADDITION
A5 = EditAction.LOGGING
A6 = EditAction.OBSOLETE_PARAMETER_REMOVAL
A7 = EditAction.COMPILER_ERROR_RESOLUTION
A8 = EditAction.DATASET_PROCUREMENT
A9 = EditAction.DOWNLOAD_MODELS_AND_TOKENIZERS
A10 = EditAction.VERSION_MIGRATION

# Before anything runs: what cannot be read is repaired first, then what the program lacks, data after the network that
# takes them, and what is printed last.
_PHASES: tuple[tuple[EditAction, ...], ...] = ((A7,), (A8, A9), (A4, A6, A10), (A2, A3), (A1,), (A5,))

_ANSWERS: tuple[tuple[str, str, tuple[EditAction, ...]], ...] = (
    (r"SyntaxError|IndentationError|TabError", r"", (A7,)),
    (r"NameError|UnboundLocalError", r"", (A4, A1, A3, A2, A7)),
    (r"ModuleNotFoundError|ImportError", r"", (A4, A10, A9)),
    (r"EOFError", r"", (A7,)),
    (
        r".*",
        r"unexpected keyword|not understood|Unrecognized keyword|multiple values|Invalid argument \"|legal parameter",
        (A6, A10),
    ),
    (
        r".*",
        r"No such file|not found|does not exist|URL fetch|urlopen|Connection|resolve|Unable to open|download",
        (A8, A9),
    ),
    (r".*", r"CUDA|NVIDIA|GPU", (A3,)),
    (r"AttributeError", r"", (A10, A6, A1, A2)),
    (r"TypeError", r"", (A10, A1, A2, A6, A7)),
    (r".*", r"", (A1, A2, A3, A10, A8)),
)


def static_order(confidence: Mapping[EditAction, float]) -> list[EditAction]:
    """The order in which actions are asked before the first run."""
    return [action for phase in _PHASES for action in sorted(phase, key=lambda one: -confidence.get(one, 0.0))]


def next_actions(run: Run, expectation: Expectation, confidence: Mapping[EditAction, float]) -> list[EditAction]:
    """The actions that may answer a run, the likeliest first."""
    return sorted(_answers(run, expectation), key=lambda one: _weight(one, run, confidence))


def _answers(run: Run, expectation: Expectation) -> tuple[EditAction, ...]:
    if not run.outcome.came_to_an_end:
        return (A3, A1)
    if run.exception is None:
        return (A5, A1, A2, A3) if expectation.kind is not ExpectationKind.EXCEPTION else (A2, A1, A3, A10)
    for kind, words, actions in _ANSWERS:
        if re.fullmatch(kind, run.exception.kind) and re.search(words, run.exception.message, re.IGNORECASE):
            return actions
    return ()


def _weight(action: EditAction, run: Run, confidence: Mapping[EditAction, float]) -> float:
    """The table's order, nudged by what was mined: an action that such bugs hardly ever need goes back by a place."""
    known = confidence.get(action)
    return 0.0 if known is None or known >= 0.15 else 1.0
