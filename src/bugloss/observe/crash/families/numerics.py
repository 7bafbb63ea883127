"""Numbers that stopped being numbers, where something noticed it."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind

PATTERNS = (
    Pattern(
        "non-finite-values",
        CrashKind.NUMERIC,
        FixPattern.OPTIMIZER,
        (
            "Tensor had NaN",
            "Tensor had Inf",
            "contains either `inf`, `nan`",
            "found invalid values",
            "returned nan values",
            "is NaN or Inf",
            "p_in >= 0",
            "cannot convert float NaN",
            "Nan in summary histogram",
        ),
        r"Function '(?P<function>\w+)' returned nan|Tensor had (?P<what>NaN|Inf)|distribution (?P<distribution>\w+)|inf"
        r"|nan|NaN|p_in",
        plain(
            "NaN or infinity was computed before this line⟨, in the backward pass of {function}⟩.",
            "bugloss run names the operation that returns the first NaN. Usual causes: learning rate too high, log or "
            "division at 0 (add a small epsilon), NaN in the data, an overflow in half precision.",
        ),
        (
            Example("bad loss : Tensor had NaN values [Op:CheckNumerics]", ("learning rate",), "InvalidArgumentError"),
            Example("probability tensor contains either `inf`, `nan` or element < 0"),
            Example("Function 'LogBackward0' returned nan values in its 0th output.", ("LogBackward0",)),
            Example(
                "Expected parameter loc (Tensor of shape ()) of distribution Normal(loc: nan, scale: 1.0) to satisfy "
                "the constraint Real(), but found invalid values:\nnan",
                (),
                "ValueError",
            ),
        ),
        confidence=0.8,
    ),
    Pattern(
        "non-finite-data",
        CrashKind.NUMERIC,
        FixPattern.DATA_WRANGLING,
        ("contains NaN", "Input contains infinity", "must not contain infs or NaNs"),
        r"contains (?P<what>NaN|infinity)|infs or NaNs",
        plain(
            "The data contain missing or infinite values.",
            "Fill or drop them before training: frame.dropna(), np.nan_to_num, SimpleImputer; check for a column "
            "that was divided by zero.",
        ),
        (
            Example("Input contains NaN, infinity or a value too large for dtype('float32').", (), "ValueError"),
            Example("Input X contains NaN.\nLogisticRegression does not accept missing values", (), "ValueError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "division-by-zero",
        CrashKind.NUMERIC,
        FixPattern.API_CONTRACT,
        ("division by zero", "modulo by zero", "integer division or modulo"),
        r"by zero",
        plain(
            "The program divides by a count that is 0: an empty loader, no batch, or no sample of a class.",
            "Check len(loader) and the size of the data set against the batch size (drop_last drops a single short "
            "batch).",
        ),
        (Example("division by zero", ("len(loader)",), "ZeroDivisionError"),),
        confidence=0.8,
    ),
    Pattern(
        "singular-matrix",
        CrashKind.NUMERIC,
        FixPattern.DATA_WRANGLING,
        ("Singular matrix", "is singular", "did not converge", "not positive-definite", "not positive definite"),
        r"(?i)singular|converge|positive.definite",
        plain(
            "A matrix cannot be inverted or decomposed: its columns are linearly dependent, or it contains NaN.",
            "Drop or merge dependent columns, add a small multiple of the identity, compute in float64, and check "
            "for NaN.",
        ),
        (
            Example("Singular matrix", (), "LinAlgError"),
            Example(
                "linalg.cholesky: The factorization could not be completed because the input is not positive-definite"
            ),
        ),
        confidence=0.85,
    ),
)

FAMILY = CrashFamily("numerics", PATTERNS)
