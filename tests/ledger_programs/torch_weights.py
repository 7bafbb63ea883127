"""Relations between optimizers, copies of models, kept states and measurements, in PyTorch."""

from __future__ import annotations

from ledger_programs.relation import Relation
from ledger_programs.torch_data import FOOTER, HEADER, SPLIT

PAIR = (
    HEADER
    + """
encoder, head = nn.Sequential(nn.Linear(8, 32), nn.ReLU()), nn.Linear(32, 2)
train, valid = x[:300], x[300:]
"""
)

RELATIONS = {
    "every-optimizer-steps": Relation(
        "optimizer-never-steps",
        "missing-optimizer-step",
        PAIR
        + """
first = torch.optim.Adam(encoder.parameters(), lr=0.01)
second = torch.optim.Adam(head.parameters(), lr=0.01)
for number in range(60):
    part = torch.arange(number * 20 % 300, number * 20 % 300 + 20)
    first.zero_grad()
    second.zero_grad()
    F.cross_entropy(head(encoder(x[part])), y[part]).backward()
    second.step()
    @@
""",
        "first.step()",
        "pass",
        "first = torch.optim.Adam(",
    ),
    "one-optimizer-each": Relation(
        "parameters-in-two-optimizers",
        "parameters-stepped-twice",
        HEADER
        + """
maker = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
judge = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
of_maker = torch.optim.Adam(maker.parameters(), lr=0.001)
of_judge = torch.optim.Adam(@@, lr=0.001)
ones, zeros = torch.ones(20, 1), torch.zeros(20, 1)
for number in range(40):
    real = x[torch.randint(0, 300, (20,))]
    of_judge.zero_grad()
    fake = maker(torch.randn(20, 4))
    loss = F.binary_cross_entropy_with_logits(judge(real), ones)
    (loss + F.binary_cross_entropy_with_logits(judge(fake.detach()), zeros)).backward()
    of_judge.step()
    of_maker.zero_grad()
    F.binary_cross_entropy_with_logits(judge(maker(torch.randn(20, 4))), ones).backward()
    of_maker.step()
""",
        "list(judge.parameters())",
        "list(judge.parameters()) + list(maker.parameters())",
        "of_judge = torch.optim.Adam(",
    ),
    "copy-follows": Relation(
        "copy-never-updated",
        "stale-copy",
        HEADER
        + """
online = net(8, 3)
target = copy.deepcopy(online)
optimizer = torch.optim.Adam(online.parameters(), lr=0.01)
for number in range(120):
    states, actions = torch.randn(20, 8), torch.randint(0, 3, (20, 1))
    with torch.no_grad():
        wanted = states[:, :1] + 0.5 * target(states).max(1, keepdim=True).values
    optimizer.zero_grad()
    F.mse_loss(online(states).gather(1, actions), wanted).backward()
    optimizer.step()
    if number % 20 == 19:
        @@
""",
        "target.load_state_dict(online.state_dict())",
        "target.eval()",
        "target(states)",
    ),
    "average-moves": Relation(
        "copy-never-updated",
        "stale-copy",
        HEADER
        + """
student = net()
ema = copy.deepcopy(student)
decay = @@
optimizer = torch.optim.Adam(student.parameters(), lr=0.01)
for number in range(120):
    part = torch.arange(number * 20 % 300, number * 20 % 300 + 20)
    with torch.no_grad():
        soft = ema(x[part]).softmax(1)
    output = student(x[part])
    optimizer.zero_grad()
    (F.cross_entropy(output, y[part]) + 0.1 * F.mse_loss(output.softmax(1), soft)).backward()
    optimizer.step()
    with torch.no_grad():
        for mine, theirs in zip(ema.parameters(), student.parameters()):
            mine.mul_(decay).add_(theirs, alpha=1 - decay)
""",
        "0.98",
        "0.9999999",
        "ema(x[part])",
    ),
    "kept-is-a-copy": Relation(
        "restore-without-effect",
        "lost-state",
        SPLIT
        + """
best, kept = 0.0, None
for epoch in range(6):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    score = accuracy(model, held_out)
    if score > best:
        best, kept = score, @@
    print("val accuracy", score)
for inputs, labels in loader:
    step(model, optimizer, inputs, labels)
model.load_state_dict(kept)
""",
        "copy.deepcopy(model.state_dict())",
        "model.state_dict()",
        "model.load_state_dict(kept)",
    ),
    "loaded-stays": Relation(
        "restore-without-effect",
        "lost-state",
        SPLIT
        + """
def start(part):
    if isinstance(part, nn.Linear):
        nn.init.xavier_uniform_(part.weight)

source = net()
@@
"""
        + FOOTER,
        "model.apply(start)\nmodel.load_state_dict(source.state_dict())",
        "model.load_state_dict(source.state_dict())\nmodel.apply(start)",
        "value = loss(model(inputs), labels)",
    ),
    "keeps-the-best": Relation(
        "keeps-worst-state",
        "lost-state",
        SPLIT
        + """
best, kept = None, None
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(16):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    model.eval()
    with torch.no_grad():
        loss = sum(F.cross_entropy(model(a), b).item() for a, b in held_out) / len(held_out)
    model.train()
    if best is None or @@:
        best, kept = loss, copy.deepcopy(model.state_dict())
    print("val loss", loss)
""",
        "loss < best",
        "loss > best",
        "copy.deepcopy(model.state_dict())",
    ),
    "clipped-in-time": Relation(
        "clip-outside-of-step",
        "misplaced-clipping",
        SPLIT
        + """
for epoch in range(6):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), labels)
        @@
        optimizer.step()
    print("val accuracy", accuracy(model, held_out))
""",
        "loss.backward()\n        nn.utils.clip_grad_norm_(model.parameters(), 5.0)",
        "nn.utils.clip_grad_norm_(model.parameters(), 5.0)\n        loss.backward()",
        "nn.utils.clip_grad_norm_(",
    ),
    "hooks-once": Relation(
        "hooks-pile-up",
        "hooks-added-in-loop",
        SPLIT
        + """
seen = []
for epoch in range(6):
    for inputs, labels in loader:
        handle = model[0].register_forward_hook(lambda module, given, output: seen.append(output.mean().item()))
        step(model, optimizer, inputs, labels)
        @@
    print("val accuracy", accuracy(model, held_out))
""",
        "handle.remove()",
        "handle = None",
    ),
    "graph-ends": Relation(
        "graph-grows",
        "graph-kept-alive",
        HEADER
        + """
cell, head = nn.GRUCell(8, 16), nn.Linear(16, 2)
optimizer = torch.optim.Adam(list(cell.parameters()) + list(head.parameters()), lr=0.01)
state, drift = torch.zeros(20, 16), torch.zeros(())
for number in range(60):
    part = torch.arange(number * 20 % 300, number * 20 % 300 + 20)
    state = cell(x[part], torch.zeros(20, 16))
    drift = 0.9 * drift@@ + 0.1 * state.pow(2).mean()
    optimizer.zero_grad()
    (F.cross_entropy(head(state), y[part]) + 0.0001 * drift).backward(retain_graph=True)
    for one in optimizer.param_groups[0]["params"]:
        one.data.add_(one.grad, alpha=-0.1)
    optimizer.step()
""",
        ".detach()",
        "",
    ),
    "measured-on-all": Relation(
        "metric-misread",
        "wrong-metric",
        SPLIT
        + """
for epoch in range(8):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    model.eval()
    right, count = 0, 0
    with torch.no_grad():
        for inputs, labels in held_out:
            found = (model(inputs).argmax(1) == labels).sum().item()
            @@
    model.train()
    print(f"val acc: {right / count:.4f}")
""",
        "right, count = right + found, count + len(labels)",
        "right, count = right + found, count + 1",
        "print(",
    ),
    "threshold-fits": Relation(
        "metric-misread",
        "wrong-metric",
        SPLIT
        + """
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels.float().unsqueeze(1), F.binary_cross_entropy_with_logits)
    model.eval()
    with torch.no_grad():
        for inputs, labels in held_out:
            output, wanted = model(inputs), labels.float().unsqueeze(1)
            loss = F.binary_cross_entropy_with_logits(output, wanted)
            right = ((output > @@).float() == wanted).float().mean()
    model.train()
    print("val loss", loss.item(), "val", right.item())
""",
        "0.0",
        "0.5",
    ),
    "score-rises": Relation(
        "score-falls-with-loss",
        "wrong-direction",
        HEADER
        + """
policy = net(8, 4)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.002)
for number in range(300):
    states = torch.randn(1000, 8)
    chances = policy(states).softmax(1)
    actions = torch.multinomial(chances.detach(), 1)
    reward = (actions == 0).float() + 0.1
    loss = @@(chances.gather(1, actions).log() * reward).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if number % 20 == 19:
        print(f"step {number} reward {reward.mean().item():.3f}")
""",
        "-",
        "+",
        "print(f",
    ),
    "measured-twice-the-same": Relation(
        "evaluation-not-repeatable",
        "unrepeatable-evaluation",
        SPLIT
        + """
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

def measure():
    @@
    with torch.no_grad():
        return sum(F.cross_entropy(model(a), b).item() for a, b in held_out) / len(held_out)

for epoch in range(4):
    model.train()
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
model.eval()
again = torch.utils.data.DataLoader(valid, batch_size=20)
print(measure())
held_out = again
print(measure())
""",
        "model.eval()",
        "model[2].train()",
    ),
}
