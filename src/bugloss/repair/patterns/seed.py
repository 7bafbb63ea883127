from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class SeedFix(Adopting):
    fix_pattern = FixPattern.SEED
    examples = ()
    untouched = ()
