from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class IterationsFix(Adopting):
    fix_pattern = FixPattern.ITERATIONS
    examples = ()
    untouched = ()
