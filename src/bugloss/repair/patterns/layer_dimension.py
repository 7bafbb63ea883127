from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class LayerDimensionFix(Adopting):
    fix_pattern = FixPattern.LAYER_DIMENSION
    examples = ()
    untouched = ()
