from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class PerformanceFix(Adopting):
    fix_pattern = FixPattern.PERFORMANCE
    examples = ()
    untouched = ()
