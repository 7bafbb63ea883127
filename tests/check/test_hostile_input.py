"""Files that nobody would write by hand: no crash, no long wait, and a word about what was not looked at."""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Iterator

import pytest
from pace import within

from bugloss.check.running.inspection import all_rules, check_text
from bugloss.check.running.selection import Selection
from bugloss.source.text.source_file import Skipped, parse_source

IMPORTS = "import keras\nimport numpy as np\nimport tensorflow as tf\nimport torch\nimport torch.nn as nn\n"
BUDGET = 2.0  # seconds that one file may take; parsing comes on top
TRAINING = "    loss = criterion(net(x), y)\n    loss.backward()\n    optimizer.step()\n"


def nested_blocks(head: str, depth: int, last: str) -> str:
    return "".join(" " * i + head.format(i) + "\n" for i in range(depth)) + " " * depth + last + "\n"


HOSTILE = {
    "empty": "",
    "only a comment": "#",
    "one line of a megabyte": "x = '" + "a" * 1_000_000 + "'",
    "a list of a hundred thousand": "x = [" + "1," * 100_000 + "]",
    "a dict of fifty thousand": "d = {" + ",".join(f"'k{i}': {i}" for i in range(50_000)) + "}",
    "a thousand summands": "x = " + " + ".join(["a"] * 900),
    "too many summands": "x = " + " + ".join(["a"] * 50_000),
    "deep brackets": "x = " + "[" * 90 + "]" * 90,
    "too deep brackets": "x = " + "(" * 10_000 + ")" * 10_000,
    "signs": "x = " + "-" * 3_000 + "1",
    "negations": "x = " + "not " * 900 + "x",
    "lambdas": "f = " + "lambda: " * 900 + "1",
    "attributes": "x = torch" + ".nn" * 900,
    "a chain of calls": "x = torch.zeros(3)" + ".view(-1).log()" * 440 + ".backward()",
    "a chain of calls in a loop": "for x in y:\n    a" + ".view(-1).log()" * 440 + ".backward()\n    optimizer.step()",
    "nested calls": "x = " + "torch.log(" * 90 + "y" + ")" * 90,
    "nested functions": nested_blocks("def f{}(x):", 90, "torch.log(x)"),
    "nested branches": nested_blocks("if a{}:", 90, "x = torch.zeros(3)"),
    "nested loops": "".join("    " * i + f"for a{i} in range(10):\n" for i in range(15)) + "    " * 15 + "torch.log(a0)",
    "nested comprehensions": "x = " + "[" * 8 + "torch.log(a)" + " for a in range(10)]" * 8,
    "thousands of functions in functions": "".join(
        f"def f{i}(x):\n    def g{i}(y):\n        return torch.log(y)\n    return g{i}(x)\n" for i in range(2_000)
    ),
    "functions that call each other eightfold": "def f0(x): return torch.log(x)\n"
    + "".join(f"def f{i}(x): return {' + '.join([f'f{i - 1}(x)'] * 8)}\n" for i in range(1, 30)),
    "a long chain of elif": "if a:\n    pass\n" + "".join(f"elif a == {i}:\n    x = torch.zeros({i})\n" for i in range(300)),
    "thousands of branches": "".join(
        f"if a{i}:\n    x{i} = torch.zeros({i})\nelse:\n    x{i} = torch.ones({i})\n" for i in range(2_000)
    ),
    "thousands of training loops": "".join(f"for x, y in loader{i}:\n{TRAINING}" for i in range(2_000)),
    "thousands of training loops in a function": "def train():\n"
    + "".join(f" for x, y in loader{i}:\n{TRAINING}" for i in range(2_000)),
    "thousands of networks": "".join(
        f"class N{i}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 4)\n"
        "    def forward(self, x):\n        return self.fc(x)\n"
        for i in range(700)
    ),
    "a network of thousands of layers": "m = keras.Sequential()\n"
    + "m.add(keras.layers.Dense(3, activation='relu'))\n" * 2_000 + "m.compile(loss='mse')\nm.fit(a, b)\n",
    "numbers beyond all bounds": "x = 10 ** 10 ** 10\ny = 1 << 10 ** 10\nz = torch.zeros(9 ** 9 ** 9)\nw = 7\n" + "w = w * w\n" * 99
    + "v = torch.zeros(3) * 1" + "0" * 400,
    "lists that double": "x = [1, 2]\n" + "x = x + x\n" * 99 + "y = 'ab'\n" + "y = y + y\n" * 99,
    "a list that holds itself": "x = []\nx.append(x)\nx.append(x)\ntorch.tensor(x)\nnp.array(x)\n",
    "numbers that are none": "x = 1 / 0\ny = 1 % 0\nz = 0 ** -1\nw = (-1) ** 0.5\nv = 1e308 * 10\nu = 1 << -1\nint('9' * 5000)\n"
    "round(float('nan'))\nint(float('inf'))\nmax()\nmin([])\nrange(0, 3, 0)\n[1][::0]\ntorch.zeros(-1)\n",
    "bounds the wrong way round and axes that are none": "p = torch.clamp(torch.sigmoid(x), 1e8, 1e-8)\ntorch.log(1 - p)\n"
    "torch.log1p(p)\ntorch.zeros(3, 4).unsqueeze(1e400)\ntorch.zeros(3).sum(dim=1e400)\nnp.concatenate([a, b], axis=1e400)\n",
    "endless ranges": "for i in range(10 ** 12):\n    torch.zeros(i)\nx = [torch.log(k) for k in range(10 ** 12)]\nlist(range(10 ** 12))\n",
    "calls without what they need": "nn.Linear()\nnn.Conv2d()\nkeras.layers.Dense()\ntorch.zeros()\ntorch.cat()\nx.view()\n"
    "nn.Linear(*[1, 2, 3, 4, 5, 6, 7, 8])\nkeras.Model()\nkeras.Input()\nnp.array()\nnn.Sequential(None, 3)\n",
    "ignore comments": "# bugloss: ignore\n" * 20_000,
    "a long text": '"""' + "torch backward step\n" * 50_000 + '"""',
    "thousands of imports": "".join(f"import torch.m{i}\n" for i in range(5_000)),
    "a match": "match x:\n    case [1, *r]: torch.log(r)\n    case {'a': q, **z}: pass\n    case torch.Tensor(): pass\n",
    "half a surrogate": "x = '\ud800'",
    "a form feed and an odd line end": "\x0cx = 1\ry = torch.zeros(3).view(4)\r\n",
    "zero bytes": "x = '\x00'",
    "Python 2": "print 'hello'\nexec 'x'\nraise E, 'x'\n",
    "a syntax error": "def f(:\n",
}  # fmt: skip


@pytest.fixture
def quiet() -> Iterator[None]:
    """As when files are checked: the collector rests."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_done_with_in_time(name: str, quiet: None) -> None:
    with within(2 * BUDGET):
        check_text(IMPORTS + HOSTILE[name] + "\n", Selection())


@pytest.mark.parametrize(
    "name",
    [
        "a list of a hundred thousand", "a dict of fifty thousand", "functions that call each other eightfold", "nested loops",
        "nested comprehensions", "a thousand summands", "a chain of calls in a loop",
    ],
)  # fmt: skip
def test_what_was_not_followed_to_its_end_is_advice(name: str) -> None:
    found = check_text(IMPORTS + HOSTILE[name] + "\n", Selection())
    (complex_,) = [finding for finding in found if finding.rule == "too-complex"]
    assert complex_.severity.value == "advice"


@pytest.mark.parametrize("name", ["too many summands", "too deep brackets", "signs", "half a surrogate", "Python 2"])
def test_what_does_not_parse_says_so(name: str) -> None:
    source = parse_source(IMPORTS + HOSTILE[name] + "\n", "a.py")
    assert isinstance(source, Skipped)
    assert source.reason.startswith("does not parse: ")


def test_a_generated_file_of_twenty_thousand_lines_is_done_with_in_time(quiet: None) -> None:
    lines = [f"x{i} = torch.zeros(3, {i}) @ torch.zeros({i}, 4)\n" for i in range(20_000)]
    with within(2 * BUDGET):
        found = check_text(IMPORTS + "".join(lines), Selection())
    assert {finding.rule for finding in found} == {"too-complex"}


def test_one_deep_expression_does_not_silence_the_rules_about_the_rest() -> None:
    text = IMPORTS + "for x, y in loader:\n" + TRAINING + HOSTILE["a chain of calls"] + "\n"
    assert {finding.rule for finding in check_text(text, Selection())} == {"missing-zero-grad", "too-complex"}


# ── mutations of real snippets ──────────────────────────────────────────────────────────────────────────────────

SNIPPETS = [text for rule in all_rules() for text in (*rule.faulty, *rule.clean) if len(text) < 3_000]
WORDS = [
    "None",
    "0",
    "-1",
    "()",
    "[]",
    "{}",
    "*args",
    "**kwargs",
    "lambda: 0",
    "'text'",
    "True",
    "1e400",
    "x[0]",
    "...",
    "f''",
]


def mutated(text: str, chance: random.Random) -> str:
    """One to three random injuries: lines deleted, doubled or swapped; words exchanged, dropped or replaced."""
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(6)
        if kind == 0:
            del lines[here]
        elif kind == 1:
            lines.insert(there, lines[here])
        elif kind == 2:
            lines[here], lines[there] = lines[there], lines[here]
        else:
            lines[here] = injured(lines[here], kind, chance)
        text = "\n".join(lines)
    return text


def injured(line: str, kind: int, chance: random.Random) -> str:
    words = re.findall(r"\w+|\s+|[^\w\s]", line)
    places = [i for i, word in enumerate(words) if not word.isspace()]
    if not places:
        return line
    place = chance.choice(places)
    if kind == 3:
        words[place] = chance.choice(WORDS)
    elif kind == 4:
        del words[place]
    else:
        other = chance.choice(places)
        words[place], words[other] = words[other], words[place]
    return "".join(words)


@pytest.mark.parametrize("seed", range(8))
def test_no_injured_snippet_breaks_a_rule(seed: int) -> None:
    chance = random.Random(seed)
    parsed = 0
    while parsed < 20:
        text = mutated(chance.choice(SNIPPETS), chance)
        if isinstance(parse_source(text, "a.py"), Skipped):
            continue
        parsed += 1
        try:
            check_text(text, Selection())
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} in\n{text}") from error
