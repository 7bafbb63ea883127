"""Values are followed back to the place where somebody typed them."""

from __future__ import annotations

import pytest

from bugloss.core.diagnosis import Site
from bugloss.observe.sources import Sources
from bugloss.source.origins.place import Place


def place_of(source: str, call: str, *names: str, position: int | None = None) -> Place | None:
    lines = source.splitlines()
    line = next(number for number, text in enumerate(lines, start=1) if f"{call}(" in text)
    return Sources(lambda path: source).argument(Site("train.py", line), call, *names, position=position)


CASES = {
    "a literal in the call": ("optimizer = SGD(model.parameters(), lr=0.5)\n", 1, "0.5"),
    "a constant of the module": ("RATE = 1e-9\noptimizer = SGD(model.parameters(), lr=RATE)\n", 1, "1e-9"),
    "the last assignment before the call": ("rate = 1\nrate = 2\noptimizer = SGD(p, lr=rate)\nrate = 3\n", 2, "2"),
    "one of several names on a line": ("epochs, rate = 10, 0.1\noptimizer = SGD(p, lr=rate)\n", 1, "0.1"),
    "a default of the function": ("def train(p, rate=0.25):\n    return SGD(p, lr=rate)\n", 1, "0.25"),
    "what the only caller passes": (
        "def train(p, rate=0.25):\n    return SGD(p, lr=rate)\n\ntrain(p, rate=7)\n",
        4,
        "7",
    ),
    "the default where callers differ": (
        "def train(p, rate=0.25):\n    return SGD(p, lr=rate)\n\ntrain(p, rate=7)\ntrain(p, rate=8)\n",
        1,
        "0.25",
    ),
    "a dictionary of settings": ('config = {"lr": 0.3}\noptimizer = SGD(p, lr=config["lr"])\n', 1, "0.3"),
    "a dictionary that is spread": ('given = {\n    "lr": 0.7,\n}\noptimizer = SGD(p, **given)\n', 2, "0.7"),
    "the command line's default": (
        'parser.add_argument("--lr", type=float, default=0.01)\nargs = parser.parse_args()\noptimizer = SGD(p, lr=args.lr)\n',
        1,
        "0.01",
    ),
    "an option with a dash": (
        'parser.add_argument("--base-lr", default=3)\noptimizer = SGD(p, lr=args.base_lr)\n',
        1,
        "3",
    ),
    "a field of a class": ("class Config:\n    lr: float = 4\n\noptimizer = SGD(p, lr=Config.lr)\n", 2, "4"),
    "through a conversion": ('rate = "0.1"\noptimizer = SGD(p, lr=float(rate))\n', 1, '"0.1"'),
    "a call over several lines": ("optimizer = SGD(\n    p,\n    lr=0.7,\n)\n", 3, "0.7"),
}


@pytest.mark.parametrize(("source", "line", "text"), CASES.values(), ids=CASES.keys())
def test_a_learning_rate_is_followed_to(source: str, line: int, text: str) -> None:
    found = place_of(source, "SGD", "lr")
    assert found is not None
    assert (found.line, found.text) == (line, text)


def test_a_parameter_of_init_is_followed_to_the_call_of_the_class() -> None:
    source = "class Net:\n    def __init__(self, rate):\n        self.drop = Dropout(rate)\n\nnet = Net(0.95)\n"
    found = place_of(source, "Dropout", "p", position=0)
    assert found is not None
    assert (found.line, found.literal) == (5, 0.95)


def test_what_cannot_be_followed_ends_at_the_last_known_place() -> None:
    found = place_of("optimizer = SGD(p, lr=choose())\n", "SGD", "lr")
    assert found is not None
    assert (found.text, found.literal) == ("choose()", None)


def test_a_name_that_means_itself_does_not_go_round_for_ever() -> None:
    found = place_of("def train(rate):\n    rate = rate\n    return SGD(p, lr=rate)\n", "SGD", "lr")
    assert found is not None


@pytest.mark.parametrize("source", ["", "def broken(:\n", "\x00", "optimizer = SGD(*arguments)\n"])
def test_source_that_says_nothing_gives_nothing(source: str) -> None:
    sources = Sources(lambda path: source)
    assert sources.argument(Site("train.py", 1), "SGD", "lr") is None
    assert list(sources.loops("train.py")) == []


def test_a_missing_file_and_a_missing_site_give_nothing() -> None:
    assert Sources().argument(Site("gone.py", 1), "SGD", "lr") is None
    assert Sources().argument(None, "SGD", "lr") is None
    assert list(Sources().loops("gone.py")) == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("for epoch in range(3):\n    pass\n", "3"),
        ("EPOCHS = 5\nfor e in range(EPOCHS):\n    loss.backward()\n", "5"),
        ("model.fit(x, y, epochs=9)\n", "9"),
        ("for epoch in range(1, 21):\n    pass\n", "21"),
        ("for epoch in trange(8):\n    pass\n", "8"),
    ],
)
def test_the_number_of_epochs_is_found(source: str, text: str) -> None:
    assert [place.text for place in Sources(lambda path: source).loops("train.py")] == [text]


def test_other_loops_count_no_epochs() -> None:
    source = "for index in range(10):\n    print(index)\n"
    assert list(Sources(lambda path: source).loops("train.py")) == []


def test_calls_that_fill_parameters_are_found_with_their_numbers() -> None:
    source = "SCALE = 9.5\nnn.init.normal_(layer.weight, std=SCALE)\nlayer.bias.data.fill_(3)\nx.add_(1)\n"
    sources = Sources(lambda path: source)
    assert [(place.line, place.text) for place in sources.initializers("train.py", "weight")] == [
        (2, "nn.init.normal_(layer.weight, std=SCALE)"),
        (1, "9.5"),
    ]
    assert [place.line for place in sources.initializers("train.py", "bias")] == [3]
    assert [place.line for place in sources.initializers("train.py", "gamma")] == [2, 1, 3]
