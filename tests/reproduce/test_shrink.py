"""A program is made smaller only as long as it still shows the error."""

from __future__ import annotations

import ast

from bugloss.reproduce.search.shrink import shrink, without_unreached, without_unused

PROGRAM = """import os
import numpy as np

WIDTH = 4


def unused():
    return 1


x = np.zeros((2, WIDTH))
y = np.ones(3)
print("a line that nobody needs")
z = x @ y
print("never reached")
"""


def still_crashes(texts: list[str]) -> list[bool]:
    """Whether each text still multiplies the two arrays: names must be there, and the product."""
    results = []
    for text in texts:
        wanted = ("import numpy", "x = np", "y = np", "z = x @ y")
        results.append(all(part in text for part in wanted) and ("WIDTH" not in text or "WIDTH = 4" in text))
    return results


def test_what_is_unused_unreached_and_needless_goes() -> None:
    small = shrink(PROGRAM, reached=[14], still=still_crashes, over=lambda: False)
    assert [line for line in small.split("\n") if line] == [
        "import numpy as np",
        "WIDTH = 4",
        "x = np.zeros((2, WIDTH))",
        "y = np.ones(3)",
        "z = x @ y",
    ]


def test_nothing_is_tried_once_time_is_up() -> None:
    asked: list[str] = []

    def still(texts: list[str]) -> list[bool]:
        asked.extend(texts)
        return [True] * len(texts)

    assert shrink(PROGRAM, [14], still, over=lambda: True) == PROGRAM
    assert asked == []


def test_a_program_that_loses_the_error_by_every_cut_stays_as_it_is() -> None:
    assert shrink(PROGRAM, [14], lambda texts: [False] * len(texts), over=lambda: False) == PROGRAM


def test_every_candidate_parses() -> None:
    asked: list[str] = []

    def still(texts: list[str]) -> list[bool]:
        asked.extend(texts)
        return [len(text) % 2 == 0 for text in texts]

    shrink(
        "class A:\n    def f(self):\n        return 1\n\n\nfor i in range(3):\n    a = A()\n    a.f()\n",
        [7],
        still,
        lambda: False,
    )
    assert len(asked) >= 3
    assert all(ast.parse(text).body for text in asked)


def test_statements_behind_the_traceback_go_and_definitions_inside_stay() -> None:
    text = "def f():\n    a = 1\n    b()\n    c = 2\n\n\nf()\nlate()\n"
    assert without_unreached(text, [7, 3]) == "def f():\n    a = 1\n    b()\n\n\nf()\n"


def test_unused_names_go_in_chains() -> None:
    assert without_unused("import a\nb = 1\nc = 2\nprint(c)\n") == "c = 2\nprint(c)\n"
