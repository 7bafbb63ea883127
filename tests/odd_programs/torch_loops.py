"""Loops that programs write themselves in PyTorch."""

from __future__ import annotations

from forked_programs import Program

HEADER = """
import hashlib, torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.randn(128, 8)
y = (x[:, 0] + x[:, 1] > 0).long()

def net():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))

def train(model, steps=30, make=torch.optim.Adam):
    optimizer = make(model.parameters(), lr=0.01)
    for number in range(steps):
        part = slice(number * 32 % 128, number * 32 % 128 + 32)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[part]), y[part])
        loss.backward()
        optimizer.step()
    return loss.item()

def show(*models):
    values = b"".join(v.detach().double().numpy().tobytes() for m in models for v in m.state_dict().values())
    print(hashlib.sha1(values).hexdigest(), torch.rand(1).item())
"""

PROGRAMS = {
    "workers": Program(
        HEADER
        + """
data = torch.utils.data.TensorDataset(x, y)
loader = torch.utils.data.DataLoader(data, batch_size=16, shuffle=True, num_workers=2)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for inputs, labels in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
show(model)
"""
    ),
    "bfloat16": Program(
        HEADER
        + """
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", enabled=False)
for number in range(40):
    part = slice(number * 32 % 128, number * 32 % 128 + 32)
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x[part]), y[part])
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
"""
    ),
    "bfloat16-scaler": Program(
        HEADER
        + """
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", enabled=False)
for number in range(40):
    part = slice(number * 32 % 128, number * 32 % 128 + 32)
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x[part]), y[part])
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
print(loss.item())
show(model)
"""
    ),
    "gan": Program(
        HEADER
        + """
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
judge = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))
d_optimizer = torch.optim.Adam(judge.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
for step in range(60):
    real = torch.randn(32, 2) * 0.5 + 1
    fake = generator(torch.randn(32, 4))
    d_optimizer.zero_grad()
    (bce(judge(real), torch.ones(32, 1)) + bce(judge(fake.detach()), torch.zeros(32, 1))).backward()
    d_optimizer.step()
    g_optimizer.zero_grad()
    bce(judge(fake), torch.ones(32, 1)).backward()
    g_optimizer.step()
show(generator, judge)
"""
    ),
    "by-hand": Program(
        HEADER
        + """
weight = (torch.randn(8, 2) * 0.1).requires_grad_()
bias = torch.zeros(2, requires_grad=True)
for _ in range(40):
    loss = F.cross_entropy(x @ weight + bias, y)
    loss.backward()
    with torch.no_grad():
        for part in (weight, bias):
            part -= 0.5 * part.grad
            part.grad.zero_()
print(loss.item(), weight.sum().item())
"""
    ),
    "by-hand-model": Program(
        HEADER
        + """
weight = (torch.randn(8, 2) * 0.1).requires_grad_()
for _ in range(4):
    F.cross_entropy(x @ weight, y).backward()
model = net()
for _ in range(60):
    model.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    with torch.no_grad():
        for part in model.parameters():
            part -= 0.3 * part.grad
print(loss.item())
show(model)
"""
    ),
    "accumulated": Program(
        HEADER
        + """
model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.3, total_steps=30)
for epoch in range(30):
    optimizer.zero_grad()
    for part in range(4):
        loss = F.cross_entropy(model(x[part * 32:part * 32 + 32]), y[part * 32:part * 32 + 32]) / 4
        loss.backward()
    optimizer.step()
    schedule.step()
print(loss.item())
show(model)
"""
    ),
    "lbfgs": Program(
        HEADER
        + """
model = nn.Sequential(nn.Linear(8, 6), nn.Tanh(), nn.Linear(6, 1))
target = x[:, :1] * 0.5 + x[:, 1:2] ** 2 * 0.2
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=5, line_search_fn="strong_wolfe")
def closure():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), target)
    loss.backward()
    return loss
for _ in range(8):
    loss = optimizer.step(closure)
print(loss.item())
show(model)
"""
    ),
    "checkpointing": Program(
        HEADER
        + """
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1))
        self.middle = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU())
        self.last = nn.Linear(16, 2)
    def forward(self, x):
        x = checkpoint(self.first, x, use_reentrant=False)
        x = checkpoint_sequential(self.middle, 2, x, use_reentrant=True)
        return self.last(x)
model = Deep()
print(train(model, 40))
show(model)
"""
    ),
    "double-backward": Program(
        HEADER
        + """
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
target = x[:, :1] * 0.5
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(40):
    inputs = x.clone().requires_grad_()
    out = model(inputs)
    slope, = torch.autograd.grad(out.sum(), inputs, create_graph=True)
    loss = F.mse_loss(out, target) + 0.1 * slope.pow(2).sum(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
"""
    ),
    "maml": Program(
        HEADER
        + """
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(30):
    weights = dict(model.named_parameters())
    inner = F.cross_entropy(torch.func.functional_call(model, weights, (x[:64],)), y[:64])
    slopes = torch.autograd.grad(inner, list(weights.values()), create_graph=True)
    fast = {name: part - 0.1 * slope for (name, part), slope in zip(weights.items(), slopes)}
    loss = F.cross_entropy(torch.func.functional_call(model, fast, (x[64:],)), y[64:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
"""
    ),
    "functional": Program(
        HEADER
        + """
from torch.func import functional_call, grad, vmap, grad_and_value, jacrev, stack_module_state
model = net()
weights = {name: part.detach() for name, part in model.named_parameters()}
def loss_of(weights, inputs, labels):
    return F.cross_entropy(functional_call(model, weights, (inputs,)), labels)
for _ in range(40):
    slopes, loss = grad_and_value(loss_of)(weights, x, y)
    weights = {name: part - 0.3 * slopes[name] for name, part in weights.items()}
single = lambda weights, one, label: loss_of(weights, one[None], label[None])
rows = vmap(grad(single), in_dims=(None, 0, 0))(weights, x[:8], y[:8])
print(loss.item(), sum(part.sum() for part in rows.values()).item())
print(jacrev(lambda one: functional_call(model, weights, (one,)))(x[0]).shape)
states, _ = stack_module_state([net(), net()])
print(vmap(lambda state: functional_call(model, state, (x,)))(states).shape)
model.load_state_dict(weights)
show(model)
"""
    ),
    "policy": Program(
        HEADER
        + """
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for episode in range(60):
    states = torch.randn(32, 4)
    choice = torch.distributions.Categorical(logits=model(states))
    actions = choice.sample()
    reward = ((states[:, 0] > 0).long() == actions).float()
    loss = -(choice.log_prob(actions) * (reward - reward.mean())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(reward.mean().item())
show(model)
"""
    ),
    "vae": Program(
        HEADER
        + """
class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(8, 8), nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
    def forward(self, inputs):
        middle, spread = self.encoder(inputs).chunk(2, 1)
        code = middle + torch.randn_like(middle) * (0.5 * spread).exp()
        return self.decoder(code), middle, spread
model = Vae()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(250):
    again, middle, spread = model(x)
    loss = F.mse_loss(again, x, reduction="sum") / 128 - 0.5 * (1 + spread - middle ** 2 - spread.exp()).sum(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
"""
    ),
    "attack": Program(
        HEADER
        + """
model = net().eval()
for number in range(30):
    inputs = x[number:number + 8].clone().requires_grad_()
    F.cross_entropy(model(inputs), y[number:number + 8]).backward()
    with torch.no_grad():
        moved = inputs + 0.05 * inputs.grad.sign()
print(moved.sum().item())
show(model)
"""
    ),
    "style": Program(
        HEADER
        + """
model = net().requires_grad_(False)
image = torch.randn(4, 8).requires_grad_()
optimizer = torch.optim.Adam([image], lr=0.1)
for _ in range(60):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(image), torch.ones(4).long()) + 0.01 * image.pow(2).mean()
    loss.backward()
    optimizer.step()
print(loss.item(), image.sum().item())
show(model)
"""
    ),
    "step-in-backward": Program(
        HEADER
        + """
model = net()
optimizers = {part: torch.optim.Adam([part], lr=0.01) for part in model.parameters()}
def update(part):
    optimizers[part].step()
    optimizers[part].zero_grad()
for part in model.parameters():
    part.register_post_accumulate_grad_hook(update)
for _ in range(40):
    loss = F.cross_entropy(model(x), y)
    loss.backward()
print(loss.item())
show(model)
"""
    ),
    "errors-as-warnings": Program(
        HEADER
        + """
import warnings
warnings.simplefilter("error")
model = net()
print(train(model, 40))
show(model)
"""
    ),
    "double-precision": Program(
        HEADER
        + """
torch.set_default_dtype(torch.float64)
torch.autograd.set_detect_anomaly(True)
torch.use_deterministic_algorithms(True)
x = x.double()
model = net()
print(train(model, 40))
show(model)
"""
    ),
}
