from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting


class NeuralConnectionFix(Adopting):
    fix_pattern = FixPattern.NEURAL_CONNECTION
    examples = ()
    untouched = ()
