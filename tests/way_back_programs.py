"""Programs of one file in which a value is followed from its use (``#?``) to the line to change (``#<``)."""

from __future__ import annotations

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
