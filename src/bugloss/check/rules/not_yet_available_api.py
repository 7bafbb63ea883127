"""not-yet-available-api."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.releases.api_use import api_uses
from bugloss.check.releases.catalogue import NameState, resolve
from bugloss.check.releases.removal import TITLES, release_of
from bugloss.check.releases.renaming import shown
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.names import canonical


class NotYetAvailableApi(Rule):
    """A name is used that the pinned release does not have yet.

    ## What it finds
    Names of PyTorch, Keras, TensorFlow and NumPy that newer releases have and the target does not have yet.

    ## Why it hurts
    The program runs on its author's machine and stops with an AttributeError or ImportError wherever the pinned release
    is installed.

    ## Example
    ```python
    # requirements.txt: torch==1.13.1
    model = torch.compile(model)
    ```

    ## Use instead
    Pin a newer release, or use a name that the pinned release has.

    ## Known problems
    Only releases that are given with ``--target`` or pinned are checked. A name that was added between two catalogued
    releases is not reported for the releases in between.

    ## Fix safety
    No fix is offered: the pin may be wrong instead.

    ## References
    The catalogues were made by installing and reading the releases themselves (``scripts/catalogue.py``).
    """

    name = "not-yet-available-api"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    snippet_target: ClassVar[dict[str, str]] = {"torch": "1.8", "tensorflow": "1.12", "keras": "2.2.4", "numpy": "1.16"}
    faulty = (
        "import torch\n\nmodel = torch.compile(torch.nn.Linear(2, 2))\n",
        "import tensorflow as tf\n\ntf.random.set_seed(1)\n",
        "import numpy as np\n\nrng = np.random.default_rng(0)\n",
        "from keras.layers import LayerNormalization\n",
    )
    clean = (
        "import torch\n\nmodel = torch.nn.Linear(2, 2)\n",
        "import torch\n\nif hasattr(torch, 'compile'):\n    model = torch.compile(torch.nn.Linear(2, 2))\n",
        "try:\n    from keras.layers import LayerNormalization\nexcept ImportError:\n    LayerNormalization = None\n",
        "import torch\n\nx = torch.ones(3)\nx.something_of_mine = torch.my_extension.call(x)\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        reported: set[str] = set()
        for use in api_uses(program).all:
            release = release_of(program, use.package)
            if not release.known or not program.target:
                continue
            resolution = resolve(use.package, use.symbol, release.version)
            # The same thing under its shorter name: keras.models.Model is keras.Model.
            elsewhere = resolve(use.package, canonical(use.symbol), release.version)
            absent = resolution.state is NameState.NOT_YET and elsewhere.state is not NameState.PRESENT
            if absent and resolution.name not in reported:
                reported.add(resolution.name)
                name = shown(program, resolution.name, use.node)
                later = f"{TITLES[use.package]} {resolution.since}"
                message = f"{name} is not in {release.title}; the first catalogued release that has it is {later}"
                yield self.finding(program, use.node, message)
