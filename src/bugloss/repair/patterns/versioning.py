from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class VersioningFix(Adopting):
    fix_pattern = FixPattern.VERSIONING
    examples = ()
    untouched = ()
