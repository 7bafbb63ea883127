"""A patch of a reproduction is said on the lines of the report."""

from __future__ import annotations

from bugloss.repair.reporter_lines import on_report

REPORT = """# It does not learn

My code:

    model = nn.Linear(4, 1)
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

Nothing happens after 100 epochs.
"""
SCRIPT = """import torch
loader = stand_in()
model = nn.Linear(4, 1)
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
"""


def test_an_inserted_line_is_inserted_in_the_report_with_its_indentation() -> None:
    after = SCRIPT.replace("    loss.backward()\n", "    optimizer.zero_grad()\n    loss.backward()\n")
    found = on_report(SCRIPT, after, REPORT)
    assert "+        optimizer.zero_grad()\n" in found.diff
    assert found.lines == (8,)
    assert found.elsewhere == ()


def test_a_replaced_line_is_replaced_where_the_report_has_it() -> None:
    found = on_report(SCRIPT, SCRIPT.replace("Linear(4, 1)", "Linear(4, 3)"), REPORT)
    assert "-    model = nn.Linear(4, 1)\n+    model = nn.Linear(4, 3)\n" in found.diff
    assert found.lines == (5,)


def test_a_line_that_only_the_reproduction_has_is_listed_apart() -> None:
    found = on_report(SCRIPT, SCRIPT.replace("stand_in()", "stand_in().float()"), REPORT)
    assert found.diff == ""
    assert found.elsewhere == ("-loader = stand_in()", "+loader = stand_in().float()")


def test_a_line_that_the_reproduction_changed_gets_the_same_change_in_the_report() -> None:
    report = "model.fit(x, y, epochs=100, batch_size=2, lr=0.5)\n"
    script = "model.fit(x, y, epochs=2, batch_size=2, lr=0.5)\n"
    found = on_report(script, script.replace("lr=0.5", "lr=0.01"), report)
    assert "+model.fit(x, y, epochs=100, batch_size=2, lr=0.01)\n" in found.diff


def test_equal_programs_change_nothing() -> None:
    assert on_report(SCRIPT, SCRIPT, REPORT).diff == ""
