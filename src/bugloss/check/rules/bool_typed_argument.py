"""bool-typed-argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, keyword_of


class BoolTypedArgument(Rule):
    """A command-line option is parsed with ``bool``.

    ## What it finds
    ``add_argument(…, type=bool)``.

    ## Why it hurts
    ``bool('False')`` is ``True``, as for every non-empty string. The option cannot be switched off, and an experiment
    runs with a setting that its command line does not show.

    ## Example
    ```python
    parser.add_argument("--augment", type=bool, default=True)
    ```

    ## Use instead
    ```python
    parser.add_argument("--augment", action=argparse.BooleanOptionalAction, default=True)
    ```

    ## Known problems
    None known.

    ## Fix safety
    Suggested: the option then takes no value (``--augment``, ``--no-augment``).

    ## References
    Python documentation, argparse: type; optimum-graphcore issue 68.
    """

    name = "bool-typed-argument"
    severity = Severity.WARNING
    category = Category.NON_DL
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("configuration",)
    words = ("type=bool", "type = bool", "BooleanOptionalAction")
    faulty = (
        """\
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--augment", type=bool, default=True)
""",
    )
    clean = (
        """\
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--augment", action=argparse.BooleanOptionalAction)
parser.add_argument("--fast", action="store_true")
""",
        """\
import argparse
import torch

def truth(text, type=bool):
    return text.lower() == "true"

parser = argparse.ArgumentParser()
parser.add_argument("--augment", type=truth)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--augment", action=argparse.BooleanOptionalAction, default=True)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("add_argument"):
            given = keyword_of(call, "type")
            if dotted(given) == "bool" and not keyword_of(call, "nargs") and not keyword_of(call, "choices"):
                option = ast.unparse(call.args[0]) if call.args else "the option"
                message = f"{option} is True for every non-empty string, 'False' included"
                yield self.finding(program, call, message, fix=_fix(program, call))


def _fix(program: Program, call: ast.Call) -> Fix | None:
    keyword = next(keyword for keyword in call.keywords if keyword.arg == "type")
    if program.names.imported.get("argparse") != "argparse":
        return None
    text = "action=argparse.BooleanOptionalAction"
    return replace_node(program, keyword, text, "use BooleanOptionalAction")
