from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class DataWranglingFix(Adopting):
    fix_pattern = FixPattern.DATA_WRANGLING
    examples = ()
    untouched = ()
