"""Which rules are asked about which file."""

from __future__ import annotations

import pytest

from bugloss.check.contract import Rule
from bugloss.check.running.inspection import all_rules
from bugloss.check.running.selection import Selection

RULES = {rule.name: rule for rule in all_rules()}


@pytest.fixture
def rule() -> Rule:
    """Of the category api and of the group loop."""
    return RULES["missing-zero-grad"]


@pytest.mark.parametrize(
    ("select", "ignore", "asked"),
    [
        ((), (), True),
        (("all",), (), True),
        (("missing-zero-grad",), (), True),
        (("loop",), (), True),
        (("api",), (), True),
        (("shape-conflict", "loop"), (), True),
        (("shape-conflict",), (), False),
        ((), ("missing-zero-grad",), False),
        ((), ("loop",), False),
        ((), ("api",), False),
        (("loop",), ("missing-zero-grad",), False),
        (("all",), ("api",), False),
        ((), ("shape-conflict",), True),
    ],
)
def test_rules_groups_and_categories_choose(
    rule: Rule, select: tuple[str, ...], ignore: tuple[str, ...], asked: bool
) -> None:
    assert Selection(select, ignore).includes(rule, "a.py") is asked


@pytest.mark.parametrize(
    ("pattern", "path", "asked"),
    [
        ("tests/*", "tests/test_a.py", False),
        ("tests/*", "tests/deep/test_a.py", False),
        ("tests/*", "/home/me/project/tests/test_a.py", False),
        ("tests/*", "src/a.py", True),
        ("tests/*", "src/mytests/a.py", True),
        ("*.ipynb", "notes/a.ipynb", False),
        ("a.py", "src/a.py", False),
        ("a.py", "src/aa.py", True),
    ],
)
def test_rules_are_left_out_by_file(rule: Rule, pattern: str, path: str, asked: bool) -> None:
    assert Selection(per_file_ignores=((pattern, ("loop",)),)).includes(rule, path) is asked


def test_a_per_file_ignore_leaves_the_other_rules_alone() -> None:
    selection = Selection(per_file_ignores=(("tests/*", ("loop",)),))
    assert selection.includes(RULES["shape-conflict"], "tests/test_a.py")


@pytest.mark.parametrize("group", ["neuralint", "shapeflow", "debar"])
def test_the_tools_of_the_papers_are_groups(group: str) -> None:
    chosen = [rule.name for rule in RULES.values() if Selection(select=(group,)).includes(rule, "a.py")]
    assert chosen
    assert len(chosen) < len(RULES)
