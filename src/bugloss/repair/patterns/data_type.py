from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class DataTypeFix(Adopting):
    fix_pattern = FixPattern.DATA_TYPE
    examples = ()
    untouched = ()
