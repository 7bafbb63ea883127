"""Following a file's values: what becomes known, and that the unknown stays unknown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.source.follow.interpreter import BUDGET, DEEPEST_CALL
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source
from bugloss.source.values.values import UNKNOWN, ClassValue, Constant, FunctionValue, Instance, Items, Tensor, Value

IMPORTS = "import torch\nimport torch.nn as nn\nimport keras\n"


def program_of(text: str) -> Program:
    source = parse_source(IMPORTS + text, "program.py")
    assert isinstance(source, SourceFile), source
    return Program(source)


def variable(text: str, name: str = "x") -> Value | None:
    return program_of(text).followed.scope.get(name)


def plain(value: Value | None) -> object:
    """Constants and lists of them as Python writes them; "?" for what is not known."""
    if isinstance(value, Items):
        return [plain(item) for item in value.items] if value.complete else "?"
    return value.value if isinstance(value, Constant) else "?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 2 * 3 + 4", 10),
        ("x = -(2 ** 5) // 3", -11),
        ("a, b = 3, 4\nx = a if b > 3 else b", 3),
        ("x = not 0", True),
        ("x = 3 > 2 and 1 < 0", False),
        ("x = 0 or 5", True),
        ("x: int = 4\nx += 1", 5),
        ("x = y = 7", 7),
        ("x = (y := 5) + y", 10),
        ("x = [1, 2, 3][1]", 2),
        ("x = [1, *[2, 3]][-1]", 3),
        ("x = [1, 2, 3, 4][1:3]", [2, 3]),
        ("x = {'a': 1, 'b': 2}['b']", 2),
        ("d = {}\nd['k'] = 3\nx = d['k']", 3),
        ("x = [i * 2 for i in range(3)]", [0, 2, 4]),
        ("(a, *b), c = [(1, 2, 3), 4]\nx = b", [2, 3]),
        ("x = 1\ndel x\n", "?"),
        ("x = len([1, 2, 3])", 3),
    ],
)
def test_constants_are_computed(text: str, expected: object) -> None:
    assert plain(variable(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x = input()",
        "x = unknown + 1",
        "x = 1 / 0",
        "x = 10 ** 10 ** 10",
        "x = 'a' * 10 ** 9",
        "x = 1 << 10 ** 9",
        "x = [1, 2][5]",
        "x = [1, 2][::0]",
        "x = {'a': 1}['b']",
        "x = [1, *unknown]",
        "x = [i for i in unknown]",
        "x = [i for i in range(3) if i]",
        "x = [i for i in range(10 ** 9)]",
        "x = 3 if unknown else 4",
        "a, b = unknown\nx = a",
        "a, b = 1, 2, 3\nx = a",
        "global_ = 1\ndef f():\n    global x\n    return x\nx = f()",
        "x = 1\nfor i in unknown:\n    x = x + 1",
        "x = 1\nwhile unknown:\n    x += 1",
        "x = f'{1}'",
    ],
)
def test_what_cannot_be_computed_is_unknown(text: str) -> None:
    assert plain(variable(text)) == "?"


def test_doubling_a_number_a_text_or_a_list_a_hundred_times_does_not_fill_the_memory() -> None:
    for start in ("3", "'ab'", "[1, 2]"):
        operator = "*" if start == "3" else "+"
        assert variable(f"x = {start}\n" + f"x = x {operator} x\n" * 100) is UNKNOWN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if unknown:\n    x = 1\nelse:\n    x = 1", 1),
        ("if unknown:\n    x = 1\nelse:\n    x = 2", "?"),
        ("x = 1\nif unknown:\n    x = 2", "?"),
        ("x = 1\nif unknown:\n    y = 2", 1),
        ("if 2 > 1:\n    x = 1\nelse:\n    x = 2", 1),
        ("if __name__ == '__main__':\n    x = 1", 1),
        ("if unknown:\n    x = 1", "?"),
        ("try:\n    x = 1\nexcept ValueError:\n    x = 2", "?"),
        ("try:\n    x = 1\nexcept ValueError:\n    x = 2\n    raise", 1),
        ("try:\n    x = 1\nexcept ValueError:\n    print('no')", 1),
        ("try:\n    pass\nfinally:\n    x = 3", 3),
        ("x = 1\nmatch unknown:\n    case 1:\n        x = 2", "?"),
        ("x = 1\nmatch unknown:\n    case [x, *_]:\n        pass", "?"),
        ("x = 1\nmatch unknown:\n    case {'a': _, **x}:\n        pass", "?"),
        ("x = 1\nmatch unknown:\n    case 1:\n        y = 2", 1),
        ("x = 1\nwhile unknown:\n    break\nelse:\n    x = 2", 2),
        ("with open('f') as f:\n    x = 1", 1),
    ],
)
def test_both_ways_of_a_branch_are_joined(text: str, expected: object) -> None:
    assert plain(variable(text)) == expected


def test_tensors_keep_what_both_ways_agree_on() -> None:
    x = variable("if unknown:\n    x = torch.zeros(3, 4)\nelse:\n    x = torch.zeros(3, 5)")
    assert isinstance(x, Tensor)
    assert (x.library, x.shape, x.dtype) == ("torch", (3, None), "float32")


def test_a_loop_over_a_literal_is_walked_round_by_round() -> None:
    assert plain(variable("x = 0\nfor i in [1, 2, 3]:\n    x = x + i")) == 6
    assert plain(variable("x = []\nfor i in range(3):\n    x.append(i)")) == [0, 1, 2]
    assert plain(variable("x = 0\nfor i, n in enumerate([5, 6]):\n    x = x + i * n")) == 6


def test_a_loop_with_a_break_or_of_unknown_length_is_walked_once() -> None:
    assert plain(variable("x = 0\nfor i in [1, 2]:\n    if unknown:\n        break\n    x = x + i")) == "?"
    program = program_of("for batch in loader:\n    torch.log(batch)")
    assert [operation.inside for operation in program.calls("torch.log")] == [("loop",)]


def test_layers_made_in_a_literal_loop_are_all_in_the_model() -> None:
    (model,) = program_of("m = keras.Sequential()\nfor n in (8, 4, 2):\n    m.add(keras.layers.Dense(n))\n").models
    assert [layer.integer("units") for layer in model.layers] == [8, 4, 2]
    assert model.name == "m"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(a, b=2):\n    return a + b\nx = f(1)", 3),
        ("def f(a, b=2):\n    return a + b\nx = f(b=5, a=1)", 6),
        ("def f(*, a=2):\n    return a\nx = f()", 2),
        ("def f(a, b):\n    return a - b\nx = f(*[5, 3])", 2),
        ("def f(a, b):\n    return a - b\nx = f(**{'b': 1, 'a': 4})", 3),
        ("def f(a):\n    if a > 1:\n        return 1\n    return 2\nx = f(3)", 1),
        ("def f(a):\n    if unknown:\n        return 1\n    return 1\nx = f(3)", 1),
        ("def f():\n    pass\nx = f()", None),
        ("def outer(n):\n    def inner():\n        return n\n    return inner()\nx = outer(4)", 4),
        ("f = lambda a: a * 2\nx = f(4)", 8),
        ("async def f():\n    return 1\nx = f()", 1),
        ("@torch.no_grad()\ndef f():\n    return 1\nx = f()", 1),
        ("@unknown\ndef f():\n    return 1\nx = f()", "?"),
        ("def f(*args):\n    return args\nx = f(1)", "?"),
        ("def f(a):\n    return a\nx = f(*unknown)", "?"),
        ("def f(a):\n    return f(a)\nx = f(1)", "?"),
        ("def f(a):\n    return g(a)\ndef g(a):\n    return f(a)\nx = f(1)", "?"),
    ],
)
def test_functions_of_the_file_are_followed(text: str, expected: object) -> None:
    assert plain(variable(text)) == expected


def test_calls_are_followed_only_so_deep() -> None:
    chain = "def f0():\n    return 1\n" + "".join(f"def f{i}():\n    return f{i - 1}()\n" for i in range(1, 20))
    assert plain(variable(f"{chain}x = f{DEEPEST_CALL - 1}()")) == 1
    assert plain(variable(f"{chain}x = f{DEEPEST_CALL}()")) == "?"


def test_objects_keep_their_attributes_and_call_their_methods() -> None:
    text = (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def double(self):\n        return self.n * 2\n"
    )
    assert plain(variable(f"{text}c = C(3)\nx = c.double() + c.n")) == 9
    assert isinstance(variable(f"{text}x = C(3)"), Instance)
    assert plain(variable(f"{text}c = C(3)\nc.n = 5\nx = c.double()")) == 10
    assert isinstance(variable(text, "C"), ClassValue)
    assert isinstance(variable("def x(): pass"), FunctionValue)


def test_methods_of_a_base_class_in_the_file_are_inherited() -> None:
    text = "class A:\n    def f(self):\n        return 1\nclass B(A):\n    def g(self):\n        return self.f() + 1\nx = B().g()"
    assert plain(variable(text)) == 2


def test_a_network_class_is_followed_even_when_nothing_makes_one() -> None:
    program = program_of(
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(8, 4)\n"
        "    def forward(self, x):\n        return torch.log(self.fc(x))\n"
    )
    (model,) = program.models
    assert (model.framework, model.style, model.name) == ("torch", "subclassed", "Net")
    (operation,) = program.calls("torch.log")
    assert isinstance(operation.result, Tensor)
    assert operation.inside == ("function:forward",)


def test_what_encloses_an_operation_is_known() -> None:
    (operation,) = program_of(
        "def f(loader):\n    for x in loader:\n        with torch.no_grad():\n            if x:\n                torch.log(x)\n"
    ).calls("torch.log")
    assert operation.inside == ("function:f", "loop", "no_grad", "branch")


def test_star_arguments_that_cannot_be_followed_are_said_to_be_there() -> None:
    program = program_of("nn.Linear(*sizes)\nnn.Linear(*[3, 4])\nnn.Linear(3, **options)")
    starred = [(operation.starred, len(operation.positional)) for operation in program.calls("torch.nn.Linear")]
    assert starred == [(True, 0), (False, 2), (True, 1)]


@pytest.mark.parametrize("bound", ["min=eps", "eps", "eps, 1.0"])
def test_a_bound_that_is_not_known_leaves_the_range_unknown(bound: str) -> None:
    """An epsilon that came as a parameter: the logarithm after it was called one of zero."""
    x = variable(f"x = torch.clamp(torch.relu(y), {bound})")
    assert isinstance(x, Tensor)
    assert not x.interval.known


@pytest.mark.parametrize(
    ("arguments", "low", "high"),
    [
        ("0.1", 0.1, 1.0),
        ("0.1, 0.9", 0.1, 0.9),
        ("min=2.0", 2.0, 2.0),
        ("max=-1.0", -1.0, -1.0),
        ("None, 0.5", 0.0, 0.5),
    ],
)
def test_known_bounds_bring_both_ends_between_them(arguments: str, low: float, high: float) -> None:
    x = variable(f"x = torch.clamp(torch.sigmoid(y), {arguments})")
    assert isinstance(x, Tensor)
    assert x.interval.low == pytest.approx(low)
    assert x.interval.high == pytest.approx(high)


def test_a_file_without_a_library_of_the_trade_is_not_followed() -> None:
    source = parse_source("import os\nx = 1", "program.py")
    assert isinstance(source, SourceFile)
    program = Program(source)
    assert not program.relevant
    assert program.followed.scope.get("x") is None


def test_the_budget_ends_what_would_take_too_long() -> None:
    followed = program_of("x = 1\ny = [" + "1, " * BUDGET + "]\nz = 1\n").followed
    assert not followed.complete
    assert followed.scope.get("x") == Constant(1)
    assert followed.scope.get("z") is None


def test_a_return_outside_of_functions_ends_the_file_quietly() -> None:
    followed = program_of("x = 1\nreturn\nx = 2\n").followed
    assert followed.complete
    assert followed.scope.get("x") == Constant(1)


# ── random programs ─────────────────────────────────────────────────────────────────────────────────────────────

NAMES = st.sampled_from(["a", "b", "c", "model", "x"])
LEAVES = st.one_of(
    NAMES, st.sampled_from(["0", "1", "-1", "2.5", "None", "True", "'text'", "...", "b''", "[]", "{}", "()"])
)
UNSHAPED = ("torch.log", "torch.relu", "torch.matmul", "torch.cat", "nn.ReLU()", "nn.Flatten()", "len", "list", "range")
SHAPED = (
    *UNSHAPED,
    "torch.zeros",
    "torch.ones",
    "nn.Linear",
    "nn.Conv2d",
    "keras.layers.Dense",
    "nn.Sequential",
    "keras.Input",
)
METHODS = (
    "view",
    "reshape",
    "backward",
    "step",
    "append",
    "add",
    "fit",
    "compile",
    "detach",
    "item",
    "sum",
    "T",
    "shape",
)


def expressions(functions: tuple[str, ...], leaves: st.SearchStrategy[str] = LEAVES) -> st.SearchStrategy[str]:
    def larger(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(part, max_size=3).map(", ".join)
        return st.one_of(
            st.builds("{}({})".format, st.sampled_from(functions), several),
            st.builds("({}).{}({})".format, part, st.sampled_from(METHODS), several),
            st.builds("({}).{}".format, part, st.sampled_from(METHODS)),
            st.builds(
                "({} {} {})".format,
                part,
                st.sampled_from(["+", "-", "*", "/", "@", "**", "//", "%", "==", "<", "and", "or", "in"]),
                part,
            ),
            st.builds("({} if {} else {})".format, part, part, part),
            st.builds("({})[{}]".format, part, part),
            st.builds("({})[{}:{}:{}]".format, part, part, part, part),
            st.builds("[{}]".format, several),
            st.builds("({},)".format, part),
            st.builds("{{{}: {}}}".format, part, part),
            st.builds("[{} for {} in {}]".format, part, NAMES, part),
            st.builds("(lambda {}: {})".format, NAMES, part),
            st.builds("{}(*{}, **{})".format, st.sampled_from(functions), part, part),
        )

    return st.recursive(leaves, larger, max_leaves=8)


def programs(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    simple = st.one_of(
        st.builds("{} = {}".format, NAMES, part),
        st.builds("{}, *{} = {}".format, NAMES, NAMES, part),
        st.builds("{} += {}".format, NAMES, part),
        st.builds("{}[{}] = {}".format, NAMES, part, part),
        st.builds("{}.weight = {}".format, NAMES, part),
        st.builds("del {}".format, NAMES),
        st.builds("global {}".format, NAMES),
        st.builds("return {}".format, part),
        part,
    )

    def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        body = st.lists(inner, min_size=1, max_size=3).map(lambda lines: "\n".join(lines).replace("\n", "\n    "))
        return st.one_of(
            st.builds("if {}:\n    {}\nelse:\n    {}".format, part, body, body),
            st.builds("for {} in {}:\n    {}".format, NAMES, part, body),
            st.builds("while {}:\n    {}".format, part, body),
            st.builds("def {}({}, *args, c={}):\n    {}".format, NAMES, st.just("a"), part, body),
            st.builds(
                "class {}(nn.Module):\n    def forward(self, x):\n        {}".format,
                NAMES,
                inner.filter(lambda t: "\n" not in t),
            ),
            st.builds("try:\n    {}\nexcept Exception:\n    {}".format, body, body),
            st.builds("with {}:\n    {}".format, part, body),
        )

    return st.lists(st.recursive(simple, nested, max_leaves=6), max_size=6).map("\n".join)


@given(programs(expressions(SHAPED)))
def test_no_small_program_breaks_the_engine(text: str) -> None:
    source = parse_source(IMPORTS + text, "program.py")
    if isinstance(source, SourceFile):
        assert Program(source).followed.left <= BUDGET


@given(programs(expressions(UNSHAPED, NAMES)))
def test_no_program_without_a_known_shape_has_a_conflict(text: str) -> None:
    """Nothing in these programs says what shape anything has, so that every contradiction would be a guess."""
    source = parse_source(IMPORTS + text, "program.py")
    if isinstance(source, SourceFile):
        assert [conflict.message for conflict in Program(source).followed.conflicts if conflict.kind == "shape"] == []
