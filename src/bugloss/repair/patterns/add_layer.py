from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class AddLayerFix(Adopting):
    fix_pattern = FixPattern.ADD_LAYER
    examples = ()
    untouched = ()
