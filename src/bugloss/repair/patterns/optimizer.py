from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class OptimizerFix(Adopting):
    fix_pattern = FixPattern.OPTIMIZER
    examples = ()
    untouched = ()
