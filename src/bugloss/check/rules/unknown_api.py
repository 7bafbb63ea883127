"""unknown-api."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, rename_method
from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.catalogue import entry, misspelled
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_MOST = 200  # names that no catalogue has: nobody writes more by hand


class UnknownApi(Rule):
    """A name is used that no release of the framework has; a similar one exists.

    ## What it finds
    Names of PyTorch, Keras, TensorFlow and NumPy that are in no catalogued release, in a module whose other names are
    known, where a name of that module differs by case, an underscore or one or two letters.

    ## Why it hurts
    The program stops with an AttributeError or ImportError when it reaches the line.

    ## Example
    ```python
    layer = torch.nn.Conv2D(1, 8, 3)
    ```

    ## Use instead
    ```python
    layer = torch.nn.Conv2d(1, 8, 3)
    ```

    ## Known problems
    Names without a similar name are not reported, because releases between the catalogued ones may have had them.

    ## Fix safety
    Suggested: the similar name is meant in most cases.

    ## References
    The catalogues made by ``scripts/catalogue.py``.
    """

    name = "unknown-api"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("api",)
    faulty = (
        "import torch\n\nlayer = torch.nn.Conv2D(1, 8, 3)\n",
        "from keras.layers import MaxPool2d\n\nlayer = MaxPool2d(2)\n",
        "import numpy as np\n\nnumbers = np.arrange(3)\n",
        "import torch.nn.functional as F\n\ndef run(x):\n    return F.soft_max(x, dim=1)\n",
    )
    clean = (
        "import torch\n\nlayer = torch.nn.Conv2d(1, 8, 3)\nother = torch.nn.Entirely(3)\n",
        "from keras.layers import Conv2D, MaxPooling2D\n",
        "import keras\n\nlayer = keras.layers.Convolution2D(8, 3, 3)\n",
        "import torch\n\ntorch.nn.Conv2D = torch.nn.Conv2d\nlayer = torch.nn.Conv2D(1, 8, 3)\n",
        "try:\n    from keras.layers import MaxPool2d\nexcept ImportError:\n    MaxPool2d = None\n",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: "import torch\n\nlayer = torch.nn.Conv2d(1, 8, 3)\n",
        2: "import numpy as np\n\nnumbers = np.arange(3)\n",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        missing = [use for use in api_uses(program).all if entry(use.package, use.symbol) is None]
        for use in missing[:_MOST]:
            near = misspelled(use.package, use.symbol)
            if near:
                owner, name = use.symbol.rsplit(".", 1)
                message = f"no release of {owner} has {name}: write {near}"
                yield self.finding(program, use.node, message, fix=_renamed(program, use, near))


def _renamed(program: Program, use: ApiUse, near: str) -> Fix | None:
    if isinstance(use.node, ast.Attribute):
        return rename_method(program, use.node, near, f"write {near}")
    return None
