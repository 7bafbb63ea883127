"""Models and tensors that are not of the usual kind."""

from __future__ import annotations

from forked_programs import Program

from odd_programs.torch_loops import HEADER

PROGRAMS = {
    "data-parallel": Program(
        HEADER
        + """
model = net()
print(train(nn.DataParallel(model), 40))
show(model)
"""
    ),
    "distributed": Program(
        HEADER
        + """
import tempfile, torch.distributed as dist
store = dist.FileStore(tempfile.mktemp(), 1)
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
model = net()
print(train(nn.parallel.DistributedDataParallel(model), 40))
show(model)
dist.destroy_process_group()
"""
    ),
    "compiled": Program(
        HEADER
        + """
model = net()
fast = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(12):
    optimizer.zero_grad()
    F.cross_entropy(fast(x), y).backward()
    optimizer.step()
show(model)
"""
    ),
    "copied": Program(
        HEADER
        + """
import copy, io, pickle
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(8, 16), nn.Linear(16, 2)
    def forward(self, x):
        return self.head(F.relu(self.body(x)))
model = Net()
average = torch.optim.swa_utils.AveragedModel(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for number in range(40):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    average.update_parameters(model)
    if number % 10 == 5:
        twin = copy.deepcopy(model)
        torch.save(model, "model.pt")
        again = torch.load("model.pt", weights_only=False)
        other = pickle.loads(pickle.dumps(model))
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "state.pt")
        optimizer.load_state_dict(torch.load("state.pt")["optimizer"])
        copy.deepcopy(optimizer)
        with torch.no_grad():
            print(twin(x).sum().item(), again(x).sum().item(), other(x).sum().item(), average(x).sum().item())
        print(sorted(vars(model)), sorted(vars(optimizer)), len(pickle.dumps(model)))
show(model, average, twin, again)
"""
    ),
    "scripted": Program(
        HEADER
        + """
scripted = torch.jit.script(net())
traced = torch.jit.trace(net(), x[:4])
print(train(scripted, 40), train(traced, 40))
scripted.save("scripted.pt")
print(torch.jit.load("scripted.pt")(x).sum().item())
show(scripted, traced)
from torch import fx
drawn = fx.symbolic_trace(net())
print(train(drawn, 40), len(list(drawn.graph.nodes)))
show(drawn)
exported = torch.export.export(net(), (x[:4],))
print(exported.module()(x[:4]).sum().item())
"""
    ),
    "sparse": Program(
        HEADER
        + """
class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(50, 8, sparse=True, mode="mean")
        self.head = nn.Linear(8, 2)
    def forward(self, tokens):
        return self.head(self.words(tokens))
tokens = torch.randint(50, (128, 6))
labels = (tokens[:, 0] < 25).long()
tokens[:, 1:3] = tokens[:, :1]
model = Words()
sparse = torch.optim.SparseAdam(model.words.parameters(), lr=0.05)
dense = torch.optim.Adam(model.head.parameters(), lr=0.02)
for _ in range(40):
    sparse.zero_grad(), dense.zero_grad()
    loss = F.cross_entropy(model(tokens), labels)
    loss.backward()
    sparse.step(), dense.step()
print(loss.item())
show(model)
plain = nn.Sequential(nn.Embedding(50, 8, sparse=True), nn.Flatten(), nn.Linear(48, 2))
optimizer = torch.optim.SGD(plain.parameters(), lr=0.5)
for _ in range(40):
    optimizer.zero_grad()
    loss = F.cross_entropy(plain(tokens), labels)
    loss.backward()
    optimizer.step()
print(loss.item())
show(plain)
"""
    ),
    "tied": Program(
        HEADER
        + """
class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(12, 16)
        self.body = nn.GRU(16, 16, batch_first=True)
        self.head = nn.Linear(16, 12, bias=False)
        self.head.weight = self.words.weight
    def forward(self, tokens):
        return self.head(self.body(self.words(tokens))[0])
start = torch.randint(12, (64, 1))
tokens = (start + torch.arange(7)) % 12
model = Speaker()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for _ in range(40):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(tokens[:, :-1]).transpose(1, 2), tokens[:, 1:])
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
"""
    ),
    "own-function": Program(
        HEADER
        + """
class Swish(torch.autograd.Function):
    @staticmethod
    def forward(context, values):
        context.save_for_backward(values)
        return values * values.sigmoid()
    @staticmethod
    def backward(context, slope):
        values, = context.saved_tensors
        gate = values.sigmoid()
        return slope * (gate + values * gate * (1 - gate))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(8, 16), nn.Linear(16, 2)
    def forward(self, inputs):
        return self.head(Swish.apply(self.body(inputs)))
model = Net()
print(train(model, 40))
show(model)
"""
    ),
    "strange-modules": Program(
        HEADER
        + """
import collections, dataclasses
Out = collections.namedtuple("Out", "logits hidden")
class Falsy(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"body": nn.Linear(8, 16), "head": nn.Linear(16, 2)})
    def __len__(self): return 0
    def __bool__(self): return False
    def __eq__(self, other): return [] if other is None else self is other
    __hash__ = nn.Module.__hash__
    def __getattr__(self, name):
        return super().__getattr__(name) if name in ("parts", "training") else getattr(self.parts, name)
    def forward(self, inputs):
        hidden = self.parts["body"](inputs).relu()
        return Out(self.parts["head"](hidden), hidden)
class Called(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 2)
    def __call__(self, inputs):
        return self.body(inputs)
@dataclasses.dataclass
class Answer:
    logits: object
    more: dict
class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = net()
    def forward(self, batch):
        return Answer(self.body(batch["inputs"]), {"labels": batch["labels"]})
for model, call in ((Falsy(), lambda m: m(x).logits), (Called(), lambda m: m(x)),
                    (Wrapped(), lambda m: m({"inputs": x, "labels": y}).logits)):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(40):
        optimizer.zero_grad()
        loss = F.cross_entropy(call(model), y)
        loss.backward()
        optimizer.step()
    print(loss.item())
    show(model)
"""
    ),
    "reparametrised": Program(
        HEADER
        + """
from torch.nn.utils import parametrizations, parametrize
first = nn.Sequential(parametrizations.weight_norm(nn.Linear(8, 16)), nn.ReLU(), nn.Linear(16, 2))
second = nn.Sequential(parametrizations.spectral_norm(nn.Linear(8, 16)), nn.ReLU(), nn.Linear(16, 2))
third = nn.Sequential(nn.LazyLinear(16), nn.ReLU(), nn.LazyLinear(2))
third(x)
for model in (first, second, third):
    print(train(model, 40))
show(first, second, third)
"""
    ),
    "packed": Program(
        HEADER
        + """
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.LSTM(4, 12, batch_first=True), nn.Linear(12, 2)
    def forward(self, packed):
        _, (last, _) = self.body(packed)
        return self.head(last[-1])
series = torch.randn(64, 6, 4)
lengths = torch.randint(2, 7, (64,))
labels = (series[:, 0, 0] > 0).long()
model = Reader()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for _ in range(40):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(pack_padded_sequence(series, lengths, batch_first=True, enforce_sorted=False)), labels)
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
"""
    ),
    "inside-func": Program(
        HEADER
        + """
class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = net()
    def forward(self, inputs):
        return torch.vmap(self.body)(inputs)
model = Rows()
print(train(model, 40))
show(model)
"""
    ),
    "many-kinds": Program(
        HEADER
        + """
import io
sparse = torch.eye(8).to_sparse()
class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(8, 8), nn.Linear(8, 2)
        self.register_buffer("seen", torch.zeros(1))
    def forward(self, adjacency, nodes):
        self.seen += 1
        return self.two(torch.sparse.mm(adjacency, self.one(nodes)).relu())
nodes, labels = torch.randn(8, 8), torch.tensor([0, 1] * 4)
model = Graph()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for _ in range(60):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(sparse, nodes), labels)
    loss.backward()
    optimizer.step()
print(loss.item(), model.seen)
show(model)
quantized = torch.ao.quantization.quantize_dynamic(net(), {nn.Linear}, dtype=torch.qint8)
with torch.no_grad():
    print(quantized(x).sum().item())
with torch.device("meta"):
    print(net()(torch.empty(3, 8)).shape)
wave = nn.Linear(4, 4, dtype=torch.complex64)
print(wave(torch.ones(2, 4, dtype=torch.complex64)).abs().sum().item())
nested = torch.nested.nested_tensor([torch.randn(2, 8), torch.randn(3, 8)], layout=torch.jagged)
print(nn.Linear(8, 2)(nested).values().sum().item())
"""
    ),
    "inference": Program(
        HEADER
        + """
model = net().eval()
with torch.no_grad():
    print(model(x).argmax(1).sum().item())
with torch.inference_mode():
    print(model(x).softmax(1).mean(0))
show(model)
"""
    ),
}
