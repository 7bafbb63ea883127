"""unfitting-arguments."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import ClassVar

from bugloss.check.contract import Rule, rename_keyword
from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.catalogue import SIMILAR, Signature, is_class, known_signatures
from bugloss.check.releases.replacement import of_parameters
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.names import canonical
from bugloss.source.text.syntax import spreads


class UnfittingArguments(Rule):
    """A call passes arguments that no release of the framework takes.

    ## What it finds
    Calls of classes and functions of PyTorch, Keras, TensorFlow and NumPy against every signature in the catalogues:
    keywords that no release knows, more arguments by position than any release takes, and required ones that are left
    out.

    ## Why it hurts
    The call stops with a TypeError, often long after the program was started.

    ## Example
    ```python
    layer = torch.nn.Linear(16, out_feature=4)
    ```

    ## Use instead
    ```python
    layer = torch.nn.Linear(16, out_features=4)
    ```

    ## Known problems
    Functions whose signature cannot be read (those written in C++) are not looked at. Of functions that take any
    keyword, as most layers of Keras do, only names that are nearly those of a parameter are reported.

    ## Fix safety
    Suggested: the nearest name is meant in most cases.

    ## References
    The catalogues made by ``scripts/catalogue.py``.
    """

    name = "unfitting-arguments"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("api",)
    faulty = (
        "import torch\n\nlayer = torch.nn.Linear(16, out_feature=4)\n",
        "from torch import nn\n\nlayer = nn.Linear(16)\n",
        "from torch.utils.data import DataLoader\n\ndef load(data):\n    return DataLoader(data, batch_sizes=8)\n",
        "import keras\n\nlayer = keras.layers.Conv2D(8, kernal_size=3)\n",
        "from torch import nn\n\nlayer = nn.ReLU(True, 3)\n",
    )
    clean = (
        "import torch\n\nlayer = torch.nn.Linear(16, out_features=4, bias=False)\n",
        "from torch import nn\n\ndef make(sizes, options):\n    return nn.Linear(*sizes), nn.Linear(16, **options)\n",
        "import keras\n\nlayer = keras.layers.Dense(8, input_shape=(3,), name='first')\n",
        "import keras\n\nlayer = keras.layers.Dense(output_dim=8, input_dim=3, init='uniform')\n",
        "import torch\n\noptimizer = torch.optim.Adam([torch.zeros(1)], lr=0.1, betas=(0.9, 0.99), fused=False)\n",
        "from functools import partial\nfrom torch import nn\n\nmake = partial(nn.Linear, 16)\n",
        "from torch import nn\n\nclass Linear(nn.Linear):\n    pass\n\nlayer = Linear(3, 4, colour='red')\n",
    )
    fixed: ClassVar[dict[int, str]] = {0: "import torch\n\nlayer = torch.nn.Linear(16, out_features=4)\n"}

    def check(self, program: Program) -> Iterator[Finding]:
        for use in api_uses(program).all:
            if use.call is None or use.node is not use.call.func or spreads(use.call):
                continue
            signatures = known_signatures(use.package, use.symbol)
            # Module.forward(self, x): the catalogues leave out self.
            if signatures and not is_class(use.package, use.symbol.rpartition(".")[0]):
                message, fix = _problem(program, use, signatures)
                if message:
                    yield self.finding(program, use.call, message, fix=fix)


def _problem(program: Program, use: ApiUse, signatures: list[Signature]) -> tuple[str, Fix | None]:
    assert use.call is not None
    name, short = canonical(use.symbol), use.symbol.rsplit(".", 1)[-1]
    known = {one.name for signature in signatures for one in signature}
    if all(keyword.arg in known for keyword in use.call.keywords) and _fits_one(use, signatures):
        return "", None
    outdated = {line.parameter for line in of_parameters(name.split(".")[0], name)}
    for keyword in use.call.keywords:
        if keyword.arg in outdated or keyword.arg in known:
            continue
        near = _nearest(keyword.arg or "", signatures)
        if near or not any(one.kind == "**" for all_ in signatures for one in all_):
            fix = rename_keyword(program, keyword, near, f"pass {near}= instead") if near else None
            return f"{short}() takes no {keyword.arg}{f': {near} is meant' if near else ''}", fix
    if outdated or any(one.kind in {"*", "**"} for all_ in signatures for one in all_):
        return "", None
    most = max(sum(one.kind in {"", "/"} for one in all_) for all_ in signatures)
    if len(use.call.args) > most:
        return f"{short}() takes at most {most} arguments by position, but {len(use.call.args)} are given", None
    missing = set.intersection(*(_missing(use, signature) for signature in signatures))
    return (f"{short}() needs {', '.join(sorted(missing))}", None) if missing else ("", None)


def _fits_one(use: ApiUse, signatures: list[Signature]) -> bool:
    """Whether at least one release takes as many arguments by position and misses none: the usual case, and quick."""
    assert use.call is not None
    for signature in signatures:
        count = sum(one.kind in {"", "/"} for one in signature)
        if len(use.call.args) <= count and not _missing(use, signature):
            return True
    return False


def _nearest(name: str, signatures: list[Signature]) -> str:
    known = {one.name for signature in signatures for one in signature if not one.kind.startswith("*")}
    return next(iter(get_close_matches(name, sorted(known), 1, SIMILAR)), "")


def _missing(use: ApiUse, signature: Signature) -> set[str]:
    """Required parameters of a signature that the call does not fill."""
    assert use.call is not None
    positional = [one for one in signature if one.kind in {"", "/"}]
    named = {keyword.arg for keyword in use.call.keywords}
    rest = [*positional[len(use.call.args) :], *(one for one in signature if one.kind == "k")]
    return {one.name for one in rest if not one.optional and one.name not in named}
