"""Code property graphs of small programs, edge by edge."""

from __future__ import annotations

from textwrap import dedent

import pytest

from bugloss.localize.neural.property_graph import (
    CONTROL,
    DATA,
    KINDS,
    MOST_NODES,
    SYNTAX,
    PropertyGraph,
    bucket,
    read_graph,
)


def graph(text: str) -> PropertyGraph:
    return read_graph(dedent(text))


def edges(found: PropertyGraph, kind: int) -> set[tuple[int, int]]:
    pairs = found.edges[kind]
    return set(zip(pairs[::2], pairs[1::2], strict=True))


BRANCHES = """\
    def mend(a):
        b = a
        if b:
            b = 2
        else:
            return 1
        for i in b:
            show(i)
        return b
"""


def test_nodes_are_statements_in_the_order_of_the_text() -> None:
    found = graph(BRANCHES)
    kinds = ["Module", "FunctionDef", "Assign", "If", "Assign", "Return", "For", "Expr", "Return"]
    assert [KINDS[kind] for kind in found.kinds] == kinds
    assert list(found.owners) == [0, 0, 1, 1, 1, 1, 1, 1, 1]
    assert list(found.terms_of_node(1)) == [bucket("mend")]
    assert list(found.terms_of_node(7)) == [bucket("show")]


def test_syntax_joins_a_statement_to_what_it_stands_in() -> None:
    assert edges(graph(BRANCHES), SYNTAX) == {(0, 1), (1, 2), (1, 3), (3, 4), (3, 5), (1, 6), (6, 7), (1, 8)}


def test_control_branches_loops_and_ends() -> None:
    # The return in node 5 goes nowhere; the loop 6 comes back from its body 7.
    assert edges(graph(BRANCHES), CONTROL) == {(0, 1), (1, 2), (2, 3), (3, 4), (3, 5), (4, 6), (6, 7), (7, 6), (6, 8)}


def test_data_flows_from_where_a_name_was_last_set() -> None:
    # b of node 2 reaches the test 3; behind the branches only b of node 4 is left, because the other one returned.
    assert edges(graph(BRANCHES), DATA) == {(1, 2), (2, 3), (4, 6), (6, 7), (4, 8)}


def test_both_ways_through_a_branch_reach_what_follows() -> None:
    found = graph("""\
        a = 1
        if a:
            a = 2
        use(a)
    """)
    assert edges(found, DATA) == {(1, 2), (1, 4), (3, 4)}
    assert edges(found, CONTROL) == {(0, 1), (1, 2), (2, 3), (3, 4), (2, 4)}


def test_break_leaves_a_loop_and_continue_goes_back() -> None:
    found = graph("""\
        while on:
            if a: break
            continue
        done()
    """)
    # 1 while, 2 if, 3 break, 4 continue, 5 done
    assert edges(found, CONTROL) == {(0, 1), (1, 2), (2, 3), (2, 4), (4, 1), (1, 5), (3, 5)}


def test_handlers_and_self_are_followed() -> None:
    found = graph("""\
        class Loader:
            def load(self):
                try:
                    self.rows = read()
                except IOError:
                    pass
                return self.rows
    """)
    # 1 class, 2 def, 3 try, 4 assign, 5 pass, 6 return
    assert (4, 6) in edges(found, DATA) and {(4, 6), (5, 6)} <= edges(found, CONTROL)


@pytest.mark.parametrize("text", ['print "old"\n\ndef f():\n    x = 1\n', "%matplotlib inline\nx = 1\nclass A:\n  y\n"])
def test_what_cannot_be_parsed_becomes_a_chain_of_lines(text: str) -> None:
    found = read_graph(text)
    assert edges(found, CONTROL) == {(0, 1), (1, 2), (2, 3)} | ({(3, 4)} if found.size == 5 else set())
    assert not found.edges[DATA]
    assert found.owners[found.size - 1] == found.size - 2  # the last line stands in the definition before it


@pytest.mark.parametrize("text", ["", "\0", "x = (" * 500, "\\", "def f(:\n", "#" * 10_000])
def test_any_text_has_a_graph(text: str) -> None:
    assert read_graph(text).size >= 1


def test_a_large_file_is_read_as_far_as_it_fits() -> None:
    assert read_graph("x = 1\n" * (MOST_NODES + 10)).size == MOST_NODES


def test_a_graph_survives_keeping() -> None:
    found = graph(BRANCHES)
    assert PropertyGraph.from_bytes(found.to_bytes()) == found
