"""What the localization study prints in Tables 8, 9, 22, 29 and 30, for the techniques whose data are published."""

from __future__ import annotations

from bugloss.study.published_reports import DEEP_LEARNING, TRADITIONAL

TECHNIQUES = {"buglocator": "BugLocator", "bluir": "BLUiR", "blia": "BLIA"}
TYPES = {"model": "Model", "training": "Training", "tensor & input": "Tensor", "api": "API", "gpu": "GPU"}

TABLE_8 = {  # MRR, MAP
    ("buglocator", DEEP_LEARNING): (0.371, 0.314), ("buglocator", TRADITIONAL): (0.526, 0.459),
    ("bluir", DEEP_LEARNING): (0.316, 0.257), ("bluir", TRADITIONAL): (0.453, 0.385),
    ("blia", DEEP_LEARNING): (0.423, 0.355), ("blia", TRADITIONAL): (0.611, 0.539),
}  # fmt: skip
TABLE_9 = {  # p and effect size: of reciprocal ranks, of average precisions
    "buglocator": ((0.00008721, 0.3834), (0.00004211, 0.4023)),
    "bluir": ((0.00395, 0.2709), (0.00339, 0.3154)),
    "blia": ((0.00000734, 0.5012), (0.00000819, 0.4896)),
}
TABLE_22_MAP = {
    (technique, kind): value
    for technique, values in {
        "buglocator": (0.368, 0.312, 0.235, 0.446, 0.183),
        "bluir": (0.293, 0.403, 0.601, 0.258, 0.266),
        "blia": (0.357, 0.345, 0.448, 0.395, 0.290),
    }.items()
    for kind, value in zip(TYPES, values, strict=True)
}
TABLE_29 = {"": 0.4815, "model": 0.3529, "training": 0.2190, "tensor & input": 0.3810, "api": 0.3819, "gpu": 0.8235}
TABLE_30_MAP = {  # extrinsic, intrinsic
    ("buglocator", DEEP_LEARNING): (0.287, 0.359), ("buglocator", TRADITIONAL): (0.375, 0.405),
    ("bluir", DEEP_LEARNING): (0.277, 0.369), ("bluir", TRADITIONAL): (0.301, 0.359),
    ("blia", DEEP_LEARNING): (0.321, 0.449), ("blia", TRADITIONAL): (0.382, 0.487),
}  # fmt: skip
EXTRINSIC_SHARE = {DEEP_LEARNING: 0.40, TRADITIONAL: 0.1065}
EXTRINSIC_P = 1.79e-14
