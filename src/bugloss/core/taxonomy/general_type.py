"""The kind of a bug in terms that carry over from one project to the next."""

from __future__ import annotations

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class GeneralType(Label):
    """The six types of gDefects4DL, which collects bugs whose cause and fix recur across projects."""

    SHAPE_MISMATCH = (
        "shape-mismatch",
        "Shape mismatch",
        "An operation combines tensors with incompatible dimensions.",
        Source.GDEFECTS4DL,
    )
    API_MISUSE = (
        "api-misuse",
        "API misuse",
        "A library call breaks a rule, often unwritten, that holds for every program using that library.",
        Source.GDEFECTS4DL,
    )
    NUMERIC_ERROR = (
        "numeric-error",
        "Numeric error",
        "Arithmetic leaves its safe range, such as a division by zero or log of zero, and yields NaN or infinity.",
        Source.GDEFECTS4DL,
    )
    TYPE_MISMATCH = (
        "type-mismatch",
        "Type mismatch",
        "A value has the wrong element type, or comes from the wrong library, such as an array for a tensor.",
        Source.GDEFECTS4DL,
    )
    ARCHITECTURE_CONVENTION_VIOLATION = (
        "architecture-convention-violation",
        "Architecture convention violation",
        "The network departs from common design practice, such as a classifier that never normalizes its output.",
        Source.GDEFECTS4DL,
    )
    PERFORMANCE = (
        "performance",
        "Performance",
        "The result is right but a well-known better way would need less time or use the hardware more fully.",
        Source.GDEFECTS4DL,
    )
