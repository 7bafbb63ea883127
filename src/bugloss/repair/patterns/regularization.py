from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class RegularizationFix(Adopting):
    fix_pattern = FixPattern.REGULARIZATION
    examples = ()
    untouched = ()
