from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class DataDimensionFix(Adopting):
    fix_pattern = FixPattern.DATA_DIMENSION
    examples = ()
    untouched = ()
