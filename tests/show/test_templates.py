"""What is imported in the templates of pages is seen where it is used."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

SHOW = Path(__file__).resolve().parents[2] / "src" / "bugloss" / "show"
TEMPLATES = sorted(SHOW.rglob("templates/*.html"))


def imported(part: nodes.Node) -> set[str]:
    names = [name for one in part.find_all(nodes.FromImport) for name in one.names]
    return {name if isinstance(name, str) else name[1] for name in names}


def called(part: nodes.Node) -> set[str]:
    return {call.node.name for call in part.find_all(nodes.Call) if isinstance(call.node, nodes.Name)}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: f"{template.parents[1].name}-{template.stem}")
def test_a_block_imports_the_macros_that_it_calls(template: Path) -> None:
    """The page of a case with a patch failed: a block inside of another sees none of the outer one's imports."""
    page = jinja2.Environment(autoescape=True).parse(template.read_text(encoding="utf-8"))
    for block in page.find_all(nodes.Block):
        for inner in block.find_all(nodes.Block):
            assert not called(inner) & imported(block) - imported(inner), inner.name
