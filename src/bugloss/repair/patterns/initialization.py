from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class InitializationFix(Adopting):
    fix_pattern = FixPattern.INITIALIZATION
    examples = ()
    untouched = ()
