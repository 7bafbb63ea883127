"""What the DNN-repair study prints: Table 3 in per cent, Table 4 and the shares of its findings."""

from __future__ import annotations

from typing import NamedTuple

from bugloss.core.taxonomy import FixPattern
from bugloss.core.taxonomy.fix_counts import GITHUB, STACK_OVERFLOW

SOURCES_P_VALUE = 0.83  # Finding 10
LIBRARY_P_VALUES = {
    frozenset(pair): value
    for pair, value in {
        ("caffe", "keras"): 0.0045, ("caffe", "tensorflow"): 0.00735, ("caffe", "theano"): 0.19,
        ("caffe", "torch"): 0.30, ("keras", "tensorflow"): 0.84, ("keras", "theano"): 0.0021,
        ("keras", "torch"): 0.0024, ("tensorflow", "theano"): 0.0039, ("tensorflow", "torch"): 0.0044,
        ("theano", "torch"): 0.80,
    }.items()
}  # fmt: skip

_LIBRARIES = ("caffe", "keras", "tensorflow", "theano", "torch")
_TABLE_3 = {  # per library: Stack Overflow, GitHub
    FixPattern.LOSS_FUNCTION: (14.8, 0, 6.3, 1.2, 5.0, 7.8, 20.0, 6.25, 5.9, 4.9),
    FixPattern.NEURAL_CONNECTION: (14.8, 11.8, 18.9, 10.2, 21.8, 13.3, 0, 21.9, 0, 26.8),
    FixPattern.ADD_LAYER: (11.1, 11.8, 5.6, 9.6, 2.5, 1.1, 0, 0, 5.9, 2.44),
    FixPattern.LAYER_DIMENSION: (0, 0, 7.0, 26.3, 13.4, 3.3, 13.3, 9.4, 11.8, 9.8),
    FixPattern.DATA_DIMENSION: (22.2, 0, 22.4, 9.6, 11.8, 2.2, 20.0, 15.6, 23.5, 7.3),
    FixPattern.ACCURACY_METRIC: (0, 0, 1.4, 0, 0, 0, 0, 0, 0, 0),
    FixPattern.DATA_TYPE: (3.7, 29.4, 7.7, 13.8, 19.3, 10.0, 20.0, 6.2, 29.4, 14.6),
    FixPattern.ACTIVATION: (7.4, 0, 3.5, 3.6, 0.8, 0, 6.7, 12.5, 0, 2.4),
    FixPattern.ITERATIONS: (7.4, 5.9, 4.9, 3.6, 5.9, 4.4, 0, 9.4, 5.9, 2.4),
    FixPattern.VERSIONING: (0, 0, 6.3, 9.0, 10.1, 51.1, 13.3, 0, 5.9, 0),
    FixPattern.API_CONTRACT: (3.7, 0, 2.1, 1.2, 3.7, 1.1, 0, 3.1, 0, 0),
    FixPattern.DATA_WRANGLING: (0, 35.3, 4.2, 2.4, 1.7, 1.1, 0, 6.2, 0, 19.5),
    FixPattern.MONITOR: (11.1, 5.9, 2.8, 1.2, 1.7, 4.4, 0, 0, 0, 4.9),
    FixPattern.OPTIMIZER: (0, 0, 1.4, 0, 0, 0, 0, 0, 0, 2.4),
    FixPattern.CHANGE_NEURAL_ARCHITECTURE: (3.7, 0, 5.6, 8.4, 2.5, 0, 6.7, 9.4, 11.8, 2.4),
}
BY_LIBRARY_SHARE = {
    (pattern, library, source): round(percents[2 * at + (source == GITHUB)] / 100, 4)
    for pattern, percents in _TABLE_3.items()
    for at, library in enumerate(_LIBRARIES)
    for source in (STACK_OVERFLOW, GITHUB)
}


class PrintedShare(NamedTuple):
    """A share that a finding states: of which fixes, and which patterns it adds up."""

    number: int
    text: str
    source: str
    patterns: tuple[FixPattern, ...]
    printed: float
    bug_types: tuple[str, ...] = ()  # endings of their names; none: every fix


_LOGIC, _DATA, _FLOW, _API = ("Logic Bugs", "Logic Bug"), ("Data Bug",), ("Data flow Bug",), ("API Bug",)
FINDINGS = (
    PrintedShare(2, "data dimension, Stack Overflow", STACK_OVERFLOW, (FixPattern.DATA_DIMENSION,), 0.185),
    PrintedShare(5, "layer dimension, GitHub", GITHUB, (FixPattern.LAYER_DIMENSION,), 0.156),
    PrintedShare(6, "versioning, GitHub", GITHUB, (FixPattern.VERSIONING,), 0.176),
    PrintedShare(7, "neural connection, Stack Overflow", STACK_OVERFLOW, (FixPattern.NEURAL_CONNECTION,), 0.176),
    PrintedShare(7, "neural connection, GitHub", GITHUB, (FixPattern.NEURAL_CONNECTION,), 0.141),
    PrintedShare(9, "loss function, Stack Overflow", STACK_OVERFLOW, (FixPattern.LOSS_FUNCTION,), 0.071),
    PrintedShare(9, "loss function, GitHub", GITHUB, (FixPattern.LOSS_FUNCTION,), 0.037),
    PrintedShare(
        11,
        "API bugs fixed by versioning or API contract, Stack Overflow",
        STACK_OVERFLOW,
        (FixPattern.VERSIONING, FixPattern.API_CONTRACT),
        0.42,
        _API,
    ),
    PrintedShare(
        11,
        "API bugs fixed by versioning or API contract, GitHub",
        GITHUB,
        (FixPattern.VERSIONING, FixPattern.API_CONTRACT),
        0.48,
        _API,
    ),
    PrintedShare(
        11,
        "data bugs fixed by data dimension, Stack Overflow",
        STACK_OVERFLOW,
        (FixPattern.DATA_DIMENSION,),
        0.4177,
        _DATA,
    ),
    PrintedShare(11, "data bugs fixed by data type, GitHub", GITHUB, (FixPattern.DATA_TYPE,), 0.3864, _DATA),
    PrintedShare(
        11,
        "logic bugs fixed by neural connection, Stack Overflow",
        STACK_OVERFLOW,
        (FixPattern.NEURAL_CONNECTION,),
        0.2703,
        _LOGIC,
    ),
    PrintedShare(
        11, "logic bugs fixed by neural connection, GitHub", GITHUB, (FixPattern.NEURAL_CONNECTION,), 0.3333, _LOGIC
    ),
    PrintedShare(
        11,
        "data-flow bugs fixed by layer dimension, Stack Overflow",
        STACK_OVERFLOW,
        (FixPattern.LAYER_DIMENSION,),
        0.3636,
        _FLOW,
    ),
    PrintedShare(
        11, "data-flow bugs fixed by layer dimension, GitHub", GITHUB, (FixPattern.LAYER_DIMENSION,), 0.3898, _FLOW
    ),
)
UNCOUNTED = (
    "Findings 1, 3, 4 and 8 and the effects in 5 and 7 rest on readings that the published data do not contain; "
    "Findings 12 and 13 are in bugloss study risk."
)
