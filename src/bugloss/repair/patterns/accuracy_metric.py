from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class AccuracyMetricFix(Adopting):
    fix_pattern = FixPattern.ACCURACY_METRIC
    examples = ()
    untouched = ()
