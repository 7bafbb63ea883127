from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class MonitorFix(Adopting):
    fix_pattern = FixPattern.MONITOR
    examples = ()
    untouched = ()
