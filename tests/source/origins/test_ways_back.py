"""A value is followed from the line that uses it (``#?``) to the line that a person would change (``#<``)."""

from __future__ import annotations

import pytest

from bugloss.source.origins.origins import number_of, origins_on
from bugloss.source.origins.place import PlaceKind, ValueOrigin
from bugloss.source.project import Project

ONE_FILE = {
    "an attribute that the constructor sets from a parameter": """\
class Net:
    def __init__(self, width):
        self.width = width

    def forward(self, x):
        return use(self.width)  #?

net = Net(32)  #<
""",
    "an attribute that the same method sets before": """\
class Net:
    def __init__(self):
        self.rate = 1

    def train(self):
        self.rate = 2  #<
        use(self.rate)  #?
        self.rate = 3
""",
    "an attribute of an object, through its constructor": """\
class Config:
    def __init__(self, lr=0.1):
        self.lr = lr

config = Config(lr=0.5)  #<
use(config.lr)  #?
""",
    "the object that was made, not another one of its class": """\
class Config:
    def __init__(self, lr):
        self.lr = lr

first = Config(0.5)
second = Config(0.7)  #<
use(second.lr)  #?
""",
    "an attribute that is set from outside": """\
class Config:
    lr = 0.1

config = Config()
config.lr = 5.0  #<
use(config.lr)  #?
""",
    "a field of a data class": """\
@dataclass
class Config:
    epochs: int = 3
    lr: float = 0.1  #<

config = Config(epochs=5)
use(config.lr)  #?
""",
    "what a data class is made with": """\
@dataclass
class Config:
    epochs: int = 3
    lr: float = 0.1

config = Config(5, 7.0)  #<
use(config.lr)  #?
""",
    "an inherited attribute": """\
class Base:
    def __init__(self, width):
        self.width = width

class Net(Base):
    def __init__(self):
        super().__init__(12)  #<

    def forward(self, x):
        use(self.width)  #?
""",
    "a property": """\
class Net:
    @property
    def width(self):
        return 12  #<

net = Net()
use(net.width)  #?
""",
    "a class attribute": """\
class Config:
    LR = 3  #<

use(Config.LR)  #?
""",
    "an option of the command line": """\
parser = argparse.ArgumentParser()
parser.add_argument("--learning-rate", "-l", type=float, default=0.3)  #<
args = parser.parse_args()
use(args.learning_rate)  #?
""",
    "an option with another name": """\
parser.add_argument("--rate", dest="lr", default=0.3)  #<
parser.add_argument("--lr", dest="other", default=0.4)
args = parser.parse_args()
use(args.lr)  #?
""",
    "options that a function parses and hands on": """\
def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", default=0.3)  #<
    return parser.parse_args()

def train(options):
    use(options.lr)  #?

train(parse())
""",
    "options as a dictionary": """\
parser.add_argument("--lr", default=0.3)  #<
given = vars(parser.parse_args())
use(given["lr"])  #?
""",
    "an option of click": """\
@click.command()
@click.option("--lr", default=0.3)  #<
def main(lr):
    use(lr)  #?
""",
    "a dictionary in a dictionary": """\
config = {
    "model": {"width": 8},
    "optimizer": {
        "lr": 0.5,  #<
    },
}
use(config["optimizer"]["lr"])  #?
""",
    "an entry that is changed later": """\
config = {"lr": 0.1}
config["lr"] = 0.9  #<
use(config["lr"])  #?
""",
    "a default of get": """\
config = load_settings()
rate = config.get("lr", 0.1)  #<
use(rate)  #?
""",
    "an entry that get finds": """\
config = {"lr": 0.9}  #<
rate = config.get("lr", 0.1)
use(rate)  #?
""",
    "keywords of a namespace": """\
config = SimpleNamespace(
    epochs=3,
    lr=0.5,  #<
)
use(config.lr)  #?
""",
    "keywords that a function collects": """\
def train(**settings):
    use(settings["lr"])  #?

train(epochs=3,
      lr=0.5)  #<
""",
    "a dictionary that is spread into a call": """\
def train(epochs, lr):
    use(lr)  #?

settings = dict(
    epochs=3,
    lr=0.5,  #<
)
train(**settings)
""",
    "a list that is spread into a call": """\
def train(epochs, lr):
    use(lr)  #?

settings = [3,
            0.5]  #<
train(*settings)
""",
    "a prepared call": """\
def train(data, lr):
    use(lr)  #?

step = partial(train, lr=0.5)  #<
step(data)
""",
    "the second returned value": """\
def load():
    x = zeros(3)
    y = ones(3)  #<
    return x, y

inputs, targets = load()
use(targets)  #?
""",
    "a key of a returned dictionary": """\
def build():
    layers = 3  #<
    return {"layers": layers}

built = build()
use(built["layers"])  #?
""",
    "a parameter of the function that returned it": """\
def scaled(value, by):
    return by

first = scaled(1, 2)
second = scaled(3, 4)  #<
use(second)  #?
""",
    "a function in a function": """\
def outer(rate):
    def inner():
        use(rate)  #?
    inner()

outer(0.5)  #<
""",
    "a lambda": """\
pick = lambda step: 0.5  #<
use_all = pick(3)
use(use_all)  #?
""",
    "targets of a data loader over an own data set": """\
class Numbers(Dataset):
    def __init__(self, size):
        self.values = torch.zeros(size, 3)
        self.labels = torch.ones(size)  #<

    def __getitem__(self, index):
        return self.values[index], self.labels[index]

loader = DataLoader(Numbers(100), batch_size=4)
for step, (x, y) in enumerate(tqdm(loader)):
    use(y)  #?
""",
    "a data set as keyword, split before": """\
class Numbers(Dataset):
    def __getitem__(self, index):
        sample = torch.zeros(3)
        return {"x": sample,
                "y": torch.ones(1)}  #<

train_set, test_set = random_split(Numbers(), [80, 20])
loader = DataLoader(dataset=train_set)
batch = next(iter(loader))
target = batch["y"]
use(target)  #?
""",
    "tensors of a tensor data set": """\
x = torch.zeros(8, 3)
y = torch.ones(8)  #<
loader = DataLoader(TensorDataset(x, y), shuffle=True)
for inputs, targets in loader:
    use(targets)  #?
""",
    "slices of a TensorFlow data set": """\
x = np.zeros((8, 3))
y = np.ones(8)  #<
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(8).batch(4)
for inputs, targets in data:
    use(targets)  #?
""",
    "a part of a split": """\
x = np.zeros((8, 3))
y = np.ones(8)  #<
x_train, x_test, y_train, y_test = train_test_split(x, y)
use(y_test)  #?
""",
    "two lists side by side": """\
names = ["a", "b"]
widths = list_widths()  #<
for name, width in zip(names, widths):
    use(width)  #?
""",
    "values of a dictionary": """\
widths = {name: 2 * len(name) for name in names}  #<
for name, width in widths.items():
    use(width)  #?
""",
    "a generator": """\
def batches():
    for index in range(3):
        yield index, 2 * index  #<

for x, y in batches():
    use(y)  #?
""",
    "a comprehension": """\
widths = [make() for _ in range(3)]  #<
use(widths[0])  #?
""",
    "what a comprehension loops over": """\
pairs = load_pairs()  #<
firsts = [first for first, second in pairs]
use(firsts[0])  #?
""",
    "the output of an own network": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        x = self.head(x)  #<
        return x

net = Net().to(device)
out = net(torch.zeros(2, 8))
use(out)  #?
""",
    "the input of an own network": """\
class Net(nn.Module):
    def forward(self, x):
        use(x)  #?

model = Net()
batch = torch.zeros(2, 8)  #<
model(batch)
""",
    "an assignment in a condition": """\
if (count := len_of(data)) > 3:  #<
    use(count)  #?
""",
    "a context": """\
with open_data("x") as data:  #<
    use(data)  #?
""",
    "a change in place": """\
rate = 0.1
rate *= 0.5  #<
use(rate)  #?
""",
    "the way through a branch": """\
rate = 0.1
if fast:
    rate = 0.5  #<
use(rate)  #?
""",
    "a file that does not parse further down": """\
rate = 0.1  #<
use(rate)  #?
for x in
print "done"
""",
}


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
