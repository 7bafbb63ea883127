from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class ApiContractFix(Adopting):
    fix_pattern = FixPattern.API_CONTRACT
    examples = ()
    untouched = ()
