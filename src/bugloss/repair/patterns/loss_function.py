from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class LossFunctionFix(Adopting):
    fix_pattern = FixPattern.LOSS_FUNCTION
    examples = ()
    untouched = ()
