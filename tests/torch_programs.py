"""Programs for PyTorch that the observing probe is tried on."""

from __future__ import annotations

# Everything whose result could be touched by looking: random numbers, running statistics, kernels, scalers, warnings.
SAME = """
def mlp():
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 3))
    data = torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
    loader = torch.utils.data.DataLoader(data, batch_size=16, shuffle=True, num_workers=1)
    optimizer = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    for _ in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
        schedule.step()
    return digest(model)

def cnn():
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(144, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    x, y = torch.randn(32, 1, 8, 8), torch.rand(32)
    for _ in range(6):
        optimizer.zero_grad(set_to_none=False)
        nn.MSELoss()(model(x), y).backward()  # warns of a broadcast
        optimizer.step()
    return digest(model)

class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.frozen = nn.TransformerEncoder(copy.deepcopy(layer), 1).eval().requires_grad_(False)
        self.blocks = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(16, 20)

    def forward(self, tokens):
        return self.head(self.blocks(self.frozen(self.words(tokens).detach()) + self.words(tokens)))

def transformer():
    model, tokens = Speaker(), torch.randint(20, (8, 6))
    first, second = torch.optim.AdamW(model.blocks.parameters()), torch.optim.RMSprop(model.head.parameters())
    for _ in range(4):
        loss = F.cross_entropy(model(tokens).transpose(1, 2), tokens.roll(1, 1))
        first.zero_grad(), second.zero_grad()
        loss.backward()
        first.step(), second.step()
    with torch.inference_mode():
        held_out = (model.eval()(tokens).argmax(-1) == tokens).float().mean().item()
    return digest(model), held_out

def mixed():
    model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 1))
    optimizer, scaler = torch.optim.Adagrad(model.parameters()), torch.amp.GradScaler("cpu", init_scale=64.0)
    x = torch.randn(32, 8)
    for number in range(5):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = model(x).float().pow(2).mean() * (1e39 if number == 2 else 1)
        scaler.scale(loss).backward()
        scaler.step(optimizer), scaler.update()
    return digest(model), scaler.get_scale()

def closures():
    model, x = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1)), torch.randn(20, 3)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)
    def closure():
        optimizer.zero_grad()
        loss = (model(x) - x.prod(1, keepdim=True)).pow(2).mean()
        loss.backward()
        return loss
    for _ in range(3):
        optimizer.step(closure)
    return digest(model)

def bad_step():
    model, x = Ratio(), torch.randn(16, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number in range(4):
        loss = model(x * (number < 2)).mean()  # 0 / 0 from the third step on; looking for it runs a copy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return digest(model)

class Ratio(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4, bias=False)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        print("forward")
        out = self.drop(self.lin(x))
        return out / out.norm(dim=1, keepdim=True)

def scripted():
    class Judge(nn.Module):
        def __init__(self):
            super().__init__()
            self.lin, self.loss = nn.Linear(4, 2), nn.CrossEntropyLoss()

        def forward(self, x, y: torch.Tensor):
            return self.loss(F.relu(self.lin(x)), y)

    model, traced = torch.jit.script(Judge()), torch.jit.trace(nn.Linear(4, 1), torch.randn(2, 4))
    optimizer = torch.optim.SGD(list(model.parameters()) + list(traced.parameters()), lr=0.1)
    for _ in range(3):
        x = torch.randn(8, 4)
        (model(x, torch.ones(8).long()) + traced(x).mean()).backward()
        optimizer.step()
        optimizer.zero_grad()
    answers = []
    worker = threading.Thread(target=lambda: answers.append(traced(torch.ones(1, 4)).item()))
    worker.start(), worker.join()
    return digest(model, traced), answers

for part in (mlp, cnn, transformer, mixed, closures, bad_step, scripted):
    print(part.__name__, part())

import atexit
def last_words():
    kinds = nn.Module.__call__, nn.Module.__init__, F.mse_loss, torch.Tensor.backward, torch.autograd.backward, torch.save
    print([kind.__code__.co_filename.rsplit("/", 1)[-1] for kind in kinds], "__eq__" in vars(torch.Tensor))
atexit.register(last_words)
raise ValueError("the end")
"""


HEALTHY = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(10, 16)
        self.drop = nn.Dropout(0.2)
        self.fc2 = nn.Linear(
            16, 3
        )

    def forward(self, x):
        return self.fc2(self.drop(F.relu(self.fc1(x))))

x = torch.randn(160, 10)
y = x[:, :3].argmax(1)
train = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x[:128], y[:128]), 16, shuffle=True)
held_out = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x[128:], y[128:]), 16)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    model.train()
    for inputs, labels in train:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for inputs, labels in held_out:
            outputs = model(inputs)
            val = criterion(outputs, labels)
            right = (outputs.argmax(1) == labels).sum()
"""


FAULTY = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.hidden = [nn.Linear(8, 8)]
        self.spare = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        x = torch.tanh(self.hidden[0](self.first(x)))
        return nn.Linear(8, 1)(self.drop(x))

x, y = torch.randn(40, 4), torch.rand(40)
net, other = Net(), nn.Linear(4, 1)
optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
for _ in range(4):
    loss = F.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
with torch.no_grad():
    for _ in range(3):
        F.mse_loss(net(x).squeeze(1), y)

part = nn.Linear(4, 2)
only = torch.optim.SGD([part.weight], lr=0.1)
for number in range(6):
    for piece in x.split(20):
        F.cross_entropy(part(piece), (piece[:, 0] > 0).long()).backward()
    if number >= 3:
        only.zero_grad()
    only.step()

weights = nn.Linear(4, 1)
for _ in range(5):
    loss = ((weights(x) - y) ** 2).mean()
    weights.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in weights.parameters():
            p -= 0.01 * p.grad

def far(a, b):
    return torch.sqrt(((a - b) ** 2).sum(1)).mean()

judge = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid())
teacher = torch.optim.SGD(judge.parameters(), lr=0.1)
for number in range(3):
    out = judge(x)
    loss = far(out, torch.rand(40, 4) if number < 2 else out.detach())
    teacher.zero_grad()
    loss.backward()
    teacher.step()

class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 2, 3)
        self.out = nn.Linear(10, 2)

    def forward(self, x):
        return self.out(self.conv(x).flatten(1))

Chain()(torch.randn(3, 1, 4))
"""


COMPILED = """
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
fast = torch.compile(model, backend="eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 6)
for _ in range(4):
    loss = F.cross_entropy(fast(x), (x[:, 0] > 0).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
counters = torch._dynamo.utils.counters
print(digest(model), dict(counters["graph_break"]), counters["stats"]["unique_graphs"])
"""
