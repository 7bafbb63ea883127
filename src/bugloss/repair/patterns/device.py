from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class DeviceFix(Adopting):
    fix_pattern = FixPattern.DEVICE
    examples = ()
    untouched = ()
