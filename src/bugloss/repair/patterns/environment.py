from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class EnvironmentFix(Adopting):
    fix_pattern = FixPattern.ENVIRONMENT
    examples = ()
    untouched = ()
