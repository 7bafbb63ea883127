"""Tensors that are put side by side although they differ in an axis that must be equal."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind

_ADVICE = (
    "Only the concatenated axis may differ: choose the right axis (dim=/axis=), or crop, pad or resize so that all the "
    "others are equal."
)

PATTERNS = (
    Pattern(
        "concatenation-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Sizes of tensors must match except in dimension",),
        r"except in dimension (?P<axis>\d+)\. (?:Expected size (?P<wanted>\d+) but got size (?P<got>\d+) for tensor "
        r"number "
        r"(?P<number>\d+)|Got (?P<first>\d+) and (?P<second>\d+) in dimension (?P<where>\d+))",
        plain(
            "Tensors that are concatenated along axis {axis} differ in another axis: {wanted}{first} and "
            "{got}{second}.",
            _ADVICE,
        ),
        (
            Example(
                "Sizes of tensors must match except in dimension 0. Expected size 4 but got size 5 for tensor number 1 "
                "in the list.",
                ("axis 0", "4 and 5"),
            ),
            Example(
                "Sizes of tensors must match except in dimension 1. Got 27 and 28 in dimension 2 (The offending index "
                "is 1)",
                ("axis 1", "27 and 28"),
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "concatenation-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("must have same number of dimensions", "must have the same number of dimensions"),
        r"got (?P<first>\d+) and (?P<second>\d+)|same number of dimensions",
        plain(
            "The tensors to concatenate have different numbers of axes⟨: {first} and {second}⟩.",
            "Bring them to one number of axes with unsqueeze or reshape before concatenating; torch.stack adds a new "
            "axis itself.",
        ),
        (
            Example("Tensors must have same number of dimensions: got 2 and 1", ("2 and 1",)),
            Example(
                "all the input arrays must have same number of dimensions, but the array at index 0 has 2 dimension(s)",
                (),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "concatenation-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("stack expects each tensor to be equal size", "all input arrays must have the same shape"),
        r"got (?P<first>\[[^\]]*\]) at entry 0 and (?P<second>\[[^\]]*\]) at entry (?P<number>\d+)|all input arrays "
        r"must have",
        plain(
            "Stacking needs tensors of one shape⟨; the first is {first}, number {number} is {second}⟩.",
            "Pad, crop or resize them to one shape before stacking, or use cat along the axis in which they differ.",
        ),
        (
            Example(
                "stack expects each tensor to be equal size, but got [3, 4] at entry 0 and [3, 5] at entry 1",
                ("[3, 4]", "[3, 5]"),
            ),
            Example("all input arrays must have the same shape", (), "ValueError"),
        ),
    ),
    Pattern(
        "concatenation-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("except for the concatenation axis", "except for the concat axis", "ConcatOp :", "ConcatV2", "(op: 'Pack')"),
        r"along dimension (?P<axis>\d+).*size (?P<first>\d+).*size (?P<second>\d+)"
        r"|input(?:_shape=|s shapes: )(?P<shapes>\[.*?\)\])"
        r"|shape\[0\] = (?P<one>\[[^\]]*\]) vs\. shape\[\d+\] = (?P<other>\[[^\]]*\])"
        r"|Shapes are (?P<left>\[[^\]]*\]) and (?P<right>\[[^\]]*\])",
        plain(
            "The inputs of the concatenation differ in an axis that must be equal⟨: {first} and {second}⟩⟨: {shapes}⟩"
            "⟨: {one} and {other}⟩⟨: {left} and {right}⟩.",
            _ADVICE,
        ),
        (
            Example(
                "all the input array dimensions except for the concatenation axis must match exactly, but along "
                "dimension 1, the array at index 0 has size 3 and the array at index 1 has size 4",
                ("3 and 4",),
                "ValueError",
            ),
            Example(
                "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
                "Received: input_shape=[(None, 3, 4), (None, 5, 4)]",
                ("(None, 5, 4)",),
                "ValueError",
            ),
            Example(
                "ConcatOp : Dimension 1 in both shapes must be equal: shape[0] = [2,3] vs. shape[1] = [2,4] "
                "[Op:ConcatV2]",
                ("[2,3] and [2,4]",),
                "InvalidArgumentError",
            ),
        ),
    ),
)

FAMILY = CrashFamily("joining", PATTERNS)
