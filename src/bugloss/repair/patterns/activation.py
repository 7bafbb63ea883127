from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class ActivationFix(Adopting):
    fix_pattern = FixPattern.ACTIVATION
    examples = ()
    untouched = ()
