"""Optimizers: what they are called, the rate they start with, and the rates that work now and then.

``default`` is the framework's own default (Keras where the two differ: PyTorch's Adadelta starts at 1.0, its Adagrad
at 0.01). ``usual`` is the rate to try first. A rate outside ``lowest`` to ``highest`` is suspicious, not wrong: the
band is wide on purpose, an order of magnitude beyond what the papers and the documentation of each optimizer use.
"""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.network.table import NetworkTable

# Momentum multiplies the length of a step by up to 1 / (1 - momentum): rates are lower with it.
HEAVY_MOMENTUM = 0.8


@dataclass(frozen=True, slots=True)
class KnownOptimizer:
    """One optimizer with its learning rates."""

    name: str
    usual: float
    lowest: float
    highest: float
    default: float
    names: tuple[str, ...] = ()
    in_torch: bool = True
    in_keras: bool = True
    torch_name: str = ""  # where PyTorch spells it in another way
    plain: bool = False  # a step is the rate times the gradient, so momentum multiplies its length
    epsilon: bool = True  # it divides by a root and adds one epsilon, which is an argument
    comparable: bool = True  # the rate is the size of a step, as with most; else it means something of its own

    def spelled(self, framework: str) -> str:
        """The name of its class in a framework."""
        return (self.torch_name if framework == "torch" else "") or self.name

    def band(self, momentum: float = 0.0) -> tuple[float, float]:
        """The lowest and the highest rate that are not suspicious."""
        if self.plain and momentum >= HEAVY_MOMENTUM:
            return self.lowest / 10, self.highest / 2.5
        return self.lowest, self.highest


_ADAPTIVE = (1e-5, 0.01)
_PLAIN_NAMES = ("GradientDescentOptimizer", "MomentumOptimizer")

OPTIMIZERS: NetworkTable[KnownOptimizer] = NetworkTable(
    KnownOptimizer("SGD", 0.01, 1e-4, 0.5, 0.01, _PLAIN_NAMES, plain=True, epsilon=False),
    KnownOptimizer("Adam", 0.001, *_ADAPTIVE, 0.001, ("AdamOptimizer",)),
    KnownOptimizer("AdamW", 0.001, *_ADAPTIVE, 0.001),
    KnownOptimizer("Nadam", 0.001, *_ADAPTIVE, 0.001, torch_name="NAdam"),
    KnownOptimizer("RAdam", 0.001, *_ADAPTIVE, 0.001, in_keras=False),
    KnownOptimizer("SparseAdam", 0.001, *_ADAPTIVE, 0.001, in_keras=False),
    KnownOptimizer("Adamax", 0.002, 1e-5, 0.05, 0.001),
    KnownOptimizer("RMSprop", 0.001, *_ADAPTIVE, 0.001, ("RMSPropOptimizer",)),
    KnownOptimizer("Adagrad", 0.01, 1e-3, 1.0, 0.001, ("AdagradOptimizer",)),  # its steps shrink by themselves
    KnownOptimizer("Adadelta", 1.0, 0.05, 10.0, 0.001, ("AdadeltaOptimizer",), comparable=False),
    KnownOptimizer("Ftrl", 0.01, 1e-4, 0.5, 0.001, ("FtrlOptimizer",), in_torch=False, epsilon=False),
    KnownOptimizer("Adafactor", 0.001, 1e-5, 0.05, 0.001, comparable=False, epsilon=False),
    KnownOptimizer("Lion", 0.0001, 1e-6, 0.005, 0.001, in_torch=False, epsilon=False),
    KnownOptimizer("ASGD", 0.01, 1e-4, 0.5, 0.01, in_keras=False, plain=True, epsilon=False),
    KnownOptimizer("Rprop", 0.01, 1e-5, 0.5, 0.01, in_keras=False, comparable=False, epsilon=False),
    KnownOptimizer("LBFGS", 1.0, 1e-3, 5.0, 1.0, in_keras=False, comparable=False, epsilon=False),
)

# What an optimizer that no row knows is taken for: most new ones are variants of Adam.
UNKNOWN = KnownOptimizer("", 0.001, *_ADAPTIVE, 0.001)


def optimizer(name: str) -> KnownOptimizer | None:
    """The optimizer with that name in any spelling."""
    return OPTIMIZERS.find(name)


def names_with_epsilon() -> tuple[str, ...]:
    """Every name of the optimizers that divide by a root plus an epsilon."""
    rows = [row for row in OPTIMIZERS if row.epsilon]
    return tuple(name for row in rows for name in (row.name, row.torch_name, *row.names) if name)


def rates_of(name: str) -> KnownOptimizer:
    """The optimizer's row, or the one for unknown optimizers."""
    return optimizer(name) or UNKNOWN
