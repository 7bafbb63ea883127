"""Bounds are read from a bug's ``test.py`` and not from a run."""

from __future__ import annotations

import pytest
from tiny_corpus import TinyCorpus

from bugloss.core.bug import Bound, BoundKind, Measurement, OracleKind
from bugloss.core.errors import InvalidInput
from bugloss.core.python_text import imported_modules
from bugloss.corpus.oracle_call import parse, read_measurement

READ = {
    'oracle.value("loss", f, at_most=0.4)': Measurement("loss", 1, Bound(BoundKind.AT_MOST, 0.4)),
    'oracle.value("loss", f, -1)': Measurement("loss", 1, Bound(BoundKind.AT_LEAST, -1)),
    'oracle.value("x", f, equals=(1, {"a": (2,)}))': Measurement("x", 1, Bound(BoundKind.EQUALS, [1, {"a": [2]}])),
    'oracle.value(equals=0, measure=f, name="x")': Measurement("x", 1, Bound(BoundKind.EQUALS, 0)),
    'oracle.symptom("x", f, at_least=8)': Measurement("x", 6, Bound(BoundKind.AT_LEAST, 8)),
    'oracle.symptom("x", f, at_least=8, seeds=5)': Measurement("x", 5, Bound(BoundKind.AT_LEAST, 8)),
    'oracle.cost("x", lambda seed: oracle.cpu_seconds(f), ratio=3)': Measurement("x", 5, ratio=3.0),
    'oracle.cost("x", f, 3.5, 2)': Measurement("x", 2, ratio=3.5),
}


def kind_of(call: str) -> OracleKind:
    return OracleKind(call.removeprefix("oracle.").split("(")[0])


@pytest.mark.parametrize("call", READ)
def test_what_the_call_states_is_read(call: str) -> None:
    assert read_measurement(f"import oracle\n{call}\n", kind_of(call)) == READ[call]


def test_an_exception_has_no_bound() -> None:
    assert read_measurement("oracle.survives(run, oracle.base_seed())", OracleKind.EXCEPTION) is None


REFUSED = {
    'oracle.value("x", f, at_most=LIMIT)': "must state 'at_most' as a literal, not as LIMIT",
    'oracle.value("x", f, at_most=0.1 * 3)': "must state 'at_most' as a literal",
    "oracle.value(name, f, at_most=1)": "must state 'name' as a literal",
    'oracle.value("", f, at_most=1)': "name of its metric",
    'oracle.value("x", f)': "exactly one of at_least, at_most, equals",
    'oracle.value("x", f, at_least=1, at_most=2)': "exactly one of at_least, at_most, equals",
    'oracle.value("x", f, at_most="1")': "a number for 'at most', not '1'",
    'oracle.value("x", f, at_most=True)': "a number for 'at most', not True",
    'oracle.value("x", f, at_most=1e999)': "a number for 'at most', not inf",
    'oracle.value("x", *f, at_most=1)': "without * and **",
    'oracle.value("x", f, **bounds)': "without * and **",
    'oracle.value("x", f, limit=1)': "wrong arguments",
    'oracle.symptom("x", f, at_least=1, seeds=0)': "an integer from 1 to 1000",
    'oracle.symptom("x", f, at_least=1, seeds=True)': "an integer from 1 to 1000",
    'oracle.cost("x", f, ratio=1)': "a ratio above 1, not 1",
    'oracle.cost("x", f, ratio="4")': "a ratio above 1, not '4'",
    'oracle.value("x", f, at_most=' + "(" * 500: "does not parse",
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_cannot_be_read_is_refused_with_the_reason(call: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_measurement(call, kind_of(call))
    assert REFUSED[call] in caught.value.message


def test_a_test_without_a_literal_bound_is_not_run(tiny: TinyCorpus) -> None:
    tiny.add(
        kind="value", files={"test.py": "import oracle, program\noracle.value('x', program.measure, program.LIMIT)"}
    )
    with pytest.raises(InvalidInput, match=r"the test.py of torch-0001 must state 'at_least' as a literal") as caught:
        _ = tiny.load()["torch-0001"].oracle
    assert caught.value.hint == "bugloss lint torch-0001"


def test_a_bound_in_the_bug_file_is_refused(tiny: TinyCorpus) -> None:
    tiny.add(kind="value", oracle={"kind": "value", "measurement": {"metric": "x"}})
    with pytest.raises(InvalidInput, match="unknown key 'measurement'"):
        tiny.load()["torch-0001"]


def test_what_is_imported_is_named_by_its_outermost_package() -> None:
    text = "import a.b as c, d\nfrom e.f import g\nfrom . import h\ndef late():\n    import i\n"
    assert imported_modules(parse(text)) == {"a", "d", "e", "i"}


def test_modules_of_the_bugs_own_program_may_be_replaced_by_another_program(tiny: TinyCorpus) -> None:
    own = {"buggy/parts/__init__.py": "", "fixed/parts/__init__.py": ""}
    test = '"""."""\nimport math\nimport oracle\nimport parts.one\nimport program\noracle.survives(program.run)\n'
    tiny.add(files={**own, "test.py": test})
    assert tiny.load()["torch-0001"].installed_modules == ("math",)
