"""shrinking-kernel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import is_plain_convolution, kernel_of, straight_networks
from bugloss.source.program import Program


class ShrinkingKernel(Rule):
    """Kernels get smaller towards the end of a convolutional network.

    ## What it finds
    A straight convolutional network in which a later convolution has a smaller kernel than an earlier one (1 x 1
    kernels excepted).

    ## Why it hurts
    Late layers combine features over larger areas. Large kernels at the start and small ones at the end spend
    computation on raw pixels and cover too little of the abstract features.

    ## Example
    ```python
    Conv2D(16, 7), Conv2D(32, 5), Conv2D(64, 3)
    ```

    ## Use instead
    ```python
    Conv2D(16, 3), Conv2D(32, 3), Conv2D(64, 3)
    ```

    ## Known problems
    This is a convention, not a requirement: many published networks do not follow it. A single large kernel in the
    first layer is common and not reported.

    ## Fix safety
    No fix is offered: the right layout depends on the task.

    ## References
    NeuraLint (Nikanjam et al., 2021), decreasing window size.
    """

    name = "shrinking-kernel"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("onv",)
    faulty = (
        """\
import keras
from keras import layers

model = keras.Sequential(
    [keras.Input(shape=(64, 64, 3)), layers.Conv2D(16, 3), layers.Conv2D(32, 7), layers.Conv2D(64, 3), layers.Flatten()]
)
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential(
    [keras.Input(shape=(64, 64, 3)), layers.Conv2D(16, 7), layers.Conv2D(32, 3), layers.Conv2D(64, 1), layers.Flatten()]
)
""",
        """\
from torch import nn

def build(size):
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, size), nn.ReLU(), nn.Conv2d(8, 8, 5))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for steps in straight_networks(program):
            sized = [(step, kernel_of(step)) for step in steps if is_plain_convolution(step)]
            known = [(step, size) for step, size in sized if size is not None and size > 1]
            for (_, earlier), (step, later) in pairwise(known[1:]):
                if later < earlier:
                    message = f"the kernel shrinks from {earlier} to {later} towards the end of the network"
                    yield self.finding(program, step.node, message)
                    break
