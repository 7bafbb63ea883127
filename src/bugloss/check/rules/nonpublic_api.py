"""nonpublic-api."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.catalogue import NameState, resolve, same_name_elsewhere
from bugloss.check.releases.removal import release_of
from bugloss.check.releases.renaming import shown
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_INTERNAL = ("tensorflow.python.", "keras.src.", "keras.api.", "numpy.core.")


class NonpublicApi(Rule):
    """A name is imported from an internal module although a public one exists.

    ## What it finds
    Imports and dotted names below ``tensorflow.python``, ``keras.src``, ``numpy.core`` or a module that starts with
    an underscore, where the target release has the same class under a public name.

    ## Why it hurts
    Internal modules move without notice. A layer from ``tensorflow.python.keras`` is not even the same class as the
    one from ``tensorflow.keras``: models that mix the two fail with confusing errors.

    ## Example
    ```python
    from tensorflow.python.keras.layers import Dense
    ```

    ## Use instead
    ```python
    from tensorflow.keras.layers import Dense
    ```

    ## Known problems
    Names without a public equivalent are not reported.

    ## Fix safety
    No fix is offered: the public class may differ.

    ## References
    TorchFix TOR104, TOR105; TensorFlow's note on what its public API is ("TensorFlow version compatibility").
    """

    name = "nonpublic-api"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    faulty = (
        "from tensorflow.python.keras.layers import Dense\n\nlayer = Dense(3)\n",
        "from torch.utils.data._utils.collate import default_collate\n",
        "from keras.src.layers import Dense\n\nlayer = Dense(3)\n",
    )
    clean = (
        "from tensorflow.keras.layers import Dense\n\nlayer = Dense(3)\n",
        "from tensorflow.python.framework import ops\n\ngraph = ops.get_default_graph()\n",
        "import torch\n\nbackend = torch._C._get_privateuse1_backend_name()\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        reported: set[str] = set()
        for use in api_uses(program).all:
            public = _public_name(program, use) if _is_internal(use.symbol) else None
            if public is not None and use.symbol not in reported:
                reported.add(use.symbol)
                module = use.symbol.rpartition(".")[0]
                message = f"{module} is an internal module: use {shown(program, public)}"
                yield self.finding(program, use.node, message)


def _is_internal(symbol: str) -> bool:
    parts = symbol.split(".")[1:]
    private = any(part.startswith("_") and not part.startswith("__") for part in parts[:-1])
    return private or symbol.startswith(_INTERNAL)


def _public_name(program: Program, use: ApiUse) -> str | None:
    """The public spelling: the same path without the inner part, else the only place that has the class."""
    version = release_of(program, use.package).version
    tail = use.symbol.rsplit(".", 1)[-1]
    path = use.symbol.replace(".python.keras.", ".keras.").replace("keras.src.", "keras.").replace(".core.", ".")
    for candidate in (path, f"{_public_part(use.symbol)}.{tail}"):
        resolution = resolve(use.package, candidate, version)
        offered = resolution.state is NameState.PRESENT and resolution.kind in {"c", "f"}
        # A plain word such as "add" right below the package may be anything.
        telling = tail[0].isupper() or candidate.count(".") > 1
        if offered and telling and candidate != use.symbol and not _is_internal(candidate):
            return candidate
    return same_name_elsewhere(use.package, use.symbol, version)


def _public_part(symbol: str) -> str:
    """The path before the first private part."""
    parts = symbol.split(".")
    private = next((place for place, part in enumerate(parts) if part.startswith("_")), len(parts) - 1)
    return ".".join(parts[:private])
