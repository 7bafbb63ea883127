from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class ChangeNeuralArchitectureFix(Adopting):
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    examples = ()
    untouched = ()
