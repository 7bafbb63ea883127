"""A value is followed from the line that uses it (``#?``) to the line that a person would change (``#<``)."""

from __future__ import annotations

import pytest
from way_back_programs import ONE_FILE

from bugloss.source.origins.origins import number_of, origins_on
from bugloss.source.origins.place import PlaceKind, ValueOrigin
from bugloss.source.project import Project


def marked(text: str, mark: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if mark in line)


def way_back(files: dict[str, str], path: str, **given: object) -> ValueOrigin:
    line = marked(files[path], "#?")
    project = Project(files.get, ["train.py"])
    found = origins_on(project, path, line, **given)  # type: ignore[arg-type]
    assert len(found) == 1, found
    return next(iter(found.values()))


@pytest.mark.parametrize("text", ONE_FILE.values(), ids=ONE_FILE.keys())
def test_a_value_is_followed_through(text: str) -> None:
    assert way_back({"train.py": text}, "train.py").made.line == marked(text, "#<")


SEVERAL_FILES = {
    "a constant of another module": (
        "train.py",
        {"train.py": "from settings import LR\nuse(LR)  #?\n", "settings.py": "EPOCHS = 3\nLR = 0.5  #<\n"},
    ),
    "an attribute of another module": (
        "train.py",
        {"train.py": "import settings as s\nuse(s.LR)  #?\n", "settings.py": "LR = 0.5  #<\n"},
    ),
    "a relative import in a package": (
        "pack/model.py",
        {
            "train.py": "from pack.model import run\nrun()\n",
            "pack/model.py": "from .sizes import WIDTH as width\ndef run():\n    use(width)  #?\n",
            "pack/sizes.py": "WIDTH = 5  #<\n",
        },
    ),
    "the caller in the script": (
        "model.py",
        {
            "train.py": "from model import Net\nwidth = 8  #<\nnet = Net(width)\n",
            "model.py": "class Net:\n    def __init__(self, width):\n        use(width)  #?\n",
        },
    ),
    "a function of another file that returns it": (
        "train.py",
        {
            "train.py": "from data import load\nx, y = load(10)\nuse(y)  #?\n",
            "data.py": "def load(size):\n    y = zeros(size)  #<\n    return ones(size), y\n",
        },
    ),
    "a data set of another file": (
        "train.py",
        {
            "train.py": "import data\nfor x, y in DataLoader(data.Numbers()):\n    use(y)  #?\n",
            "data.py": "class Numbers:\n    def __getitem__(self, i):\n        return 1, two()  #<\n",
        },
    ),
}


@pytest.mark.parametrize(("path", "files"), SEVERAL_FILES.values(), ids=SEVERAL_FILES.keys())
def test_a_value_is_followed_across_files_to(path: str, files: dict[str, str]) -> None:
    made = way_back(files, path).made
    assert "#<" in files[made.path].split("\n")[made.line - 1]


def test_the_places_run_from_the_use_to_what_is_to_be_changed() -> None:
    text = "def train(rate):\n    use(rate)  #?\n\nbase = 0.5\ntrain(base)\n"
    origin = way_back({"train.py": text}, "train.py")
    assert [(place.line, place.text, place.kind) for place in origin.places] == [
        (2, "rate", PlaceKind.USE),
        (5, "base", PlaceKind.PASSED),
        (4, "0.5", PlaceKind.ASSIGNED),
    ]
    assert origin.certain
    assert (origin.made.span.column, origin.made.span.end_column) == (7, 10)


def test_callers_that_differ_make_an_origin_uncertain_unless_the_stack_tells_which() -> None:
    text = "def train(rate):\n    use(rate)  #?\n\ntrain(1)\ntrain(2)\n"
    unsure = way_back({"train.py": text}, "train.py")
    assert (unsure.made.line, unsure.certain) == (4, False)
    assert way_back({"train.py": text}, "train.py", via=[("train.py", 5)]).made.line == 5


def test_a_name_of_a_library_has_no_origin_in_the_program() -> None:
    text = "import torch\nuse(torch.float32, undefined)\n"
    assert origins_on(Project({"train.py": text}.get), "train.py", 2) == {}


def test_an_attribute_of_something_unknown_is_no_setting_of_the_same_name() -> None:
    text = 'columns = {"text": 3}\ndef show(batch):\n    use(batch.text)\n'
    assert origins_on(Project({"train.py": text}.get), "train.py", 3) == {}


def test_a_module_that_imports_itself_comes_to_an_end() -> None:
    files = {"a.py": "from b import x\nuse(x)\n", "b.py": "from a import x\n"}
    assert origins_on(Project(files.get), "a.py", 2) == {}


def test_sums_of_sums_are_computed_without_doubling_the_work() -> None:
    text = "x0 = 1\n" + "".join(f"x{n} = x{n - 1} + x{n - 1}\n" for n in range(1, 60)) + "use(x59)\n"
    module = Project({"train.py": text}.get).module("train.py")
    assert module is not None
    (call,) = module.called("use")
    assert number_of(Project(), module, call.args[0]) is None


@pytest.mark.parametrize(
    "text",
    [
        "x" + ".a" * 3000,
        "x" + "[0]" * 3000,
        "x = " + "(" * 80 + "y" + ")" * 80,
        "class A(B): pass\nclass B(A): pass\nz = A().width",
        "def f(x=f(0)): return f(x)\nf(f(f(y)))",
    ],
)
def test_hostile_chains_come_to_an_end(text: str) -> None:
    project = Project({"train.py": text}.get)
    for line in range(1, text.count("\n") + 2):
        origins_on(project, "train.py", line)
