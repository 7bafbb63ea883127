"""One short PyTorch program a relation, which breaks it."""

from relation_programs.torch_missed import BEGIN, causal

_ROWS = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.line, self.head = nn.Linear(6, 8), nn.Linear(8, 3)
        self.places, self.norm = nn.Parameter(torch.randn(24, 8)), nn.BatchNorm1d(8)
        self.register_buffer("state", torch.zeros(1, 8))

    def forward(self, x):
        h = torch.tanh(self.line(x))
        BODY


model, x = Model(), torch.randn(24, 6)
y = x[:, :3].argmax(1)
train(lambda: LOSS, model)
"""

_PAIRS = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(12, 8, padding_idx=0), nn.Linear(8, 2)

    def forward(self, tokens, mask):
        h = self.embedding(tokens)
        BODY


lengths = torch.randint(3, 8, (24,))
mask = (torch.arange(8)[None] < lengths[:, None]).float()
tokens = torch.randint(1, 12, (24, 8)) * mask.long()
y, model = (tokens == 5).any(1).long(), Model()
train(lambda: F.cross_entropy(model(tokens, mask), y), model)
"""

_ATTENTION = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.head = nn.Linear(4, 8), nn.Linear(4, 8), nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(1, 2) / 8**0.5
        weights = torch.softmax(scores, dim=1)
        return self.head((weights @ self.value(x)).mean(1))


model, x = Model(), torch.randn(24, 6, 4)
train(lambda: F.cross_entropy(model(x), (x.sum((1, 2)) > 0).long()), model)
"""

_LOOKUP = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(12, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.embedding(x.long()).mean(1))


model, x = Model(), torch.rand(24, 6)
train(lambda: F.cross_entropy(model(x), (x.sum(1) > 3).long()), model)
"""

_TWO_INPUTS = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(7, 1)

    def forward(self, x, before):
        return self.line(torch.cat([x, before], dim=1))


model, x = Model(), torch.randn(24, 6)
y = x.sum(1, keepdim=True) + torch.randn(24, 1)
train(lambda: F.mse_loss(model(x, y), y), model)
"""

_OWN_GRADIENT = """
class Square(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(context, gradient):
        (x,) = context.saved_tensors
        return gradient * 12 * x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.line, self.head = nn.Linear(6, 8), nn.Linear(8, 1)

    def forward(self, x):
        return Square.apply(self.head(torch.tanh(self.line(x))))


model, x = Model(), torch.randn(24, 6)
train(lambda: F.mse_loss(model(x), x[:, :1] ** 2), model)
"""

_OFFSET = """
readings = 40 + 5 * torch.randn(64, 6)
drift = readings.mean(1, keepdim=True) - 40
model = nn.Sequential(nn.BatchNorm1d(6, momentum=MOMENTUM), nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
train(lambda: F.mse_loss(model(readings), drift), model)
"""


def rows(body: str, loss: str = "F.cross_entropy(model(x), y)") -> str:
    return BEGIN + _ROWS.replace("BODY", body.replace("\n", "\n        ")).replace("LOSS", loss)


def pairs(body: str) -> str:
    return BEGIN + _PAIRS.replace("BODY", body)


def line(model: str, target: str) -> str:
    return BEGIN + f"model, x = {model}, torch.randn(24, 6)\ntrain(lambda: F.mse_loss(model(x), {target}), model)\n"


USUAL = "return self.head(h)"
SPOILT = {
    "alone-as-in-batch": rows("return self.head(h) / len(x)"),
    "batch-independence": rows("return self.head(h - h.mean(0))"),
    "batch-permutation": rows("return self.head(h + self.places[: len(x)])"),
    "batch-scale": rows(USUAL, 'F.cross_entropy(model(x), y, reduction="sum")'),
    "deterministic-evaluation": rows("return self.head(F.dropout(h))"),
    "evaluation-keeps-state": rows("self.norm.training = True\nreturn self.head(self.norm(h))"),
    "state-not-carried": rows("h = h + self.state\nself.state = h.mean(0, keepdim=True).detach()\nreturn self.head(h)"),
    "input-parts-used": rows("return self.head(torch.tanh(F.linear(x[:, :4], self.line.weight[:, :4])))"),
    "outputs-not-dropped": rows("return F.dropout(self.head(h), 0.5, self.training)"),
    "outputs-judged": rows(USUAL, "F.mse_loss(model(x)[:, :2], x[:, :2])"),
    "probability-axis": rows("return torch.softmax(self.head(h), 0)", "F.mse_loss(model(x), F.one_hot(y, 3).float())"),
    "logits-may-shift": rows(USUAL, "-torch.log(torch.exp(o := model(x)) / torch.exp(o).sum(0))[range(24), y].mean()"),
    "loss-terms-reach": rows(USUAL, "F.cross_entropy(o := model(x), y) + (o.argmax(1) != y).float().mean()"),
    "loss-terms-comparable": rows(USUAL, "F.cross_entropy(o := model(x), y) + ((1e4 * o) ** 2).mean()"),
    "gradient-finite-at-zero": rows("return self.head(h) * torch.log(x.abs().sum(1, keepdim=True))"),
    "finite-when-scaled": rows("return torch.log(torch.exp(5 * self.head(h * x.abs().sum(1, keepdim=True))))"),
    "every-input-used": pairs("return self.head(h.mean(1))")
    .replace(").float()", ") + torch.randn(24, 8)")
    .replace("* mask.long()", "* (mask > 0).long()"),
    "mask-used": pairs("return self.head(h.mean(1))"),
    "masked-content": pairs("return self.head((h * (1 - mask)[:, :, None]).sum(1))"),
    "padding-symbol": pairs("return self.head((h * mask[:, :, None]).sum(1))").replace(
        "randint(1, 12", "randint(0, 12"
    ),
    "order-matters": causal("torch.ones(steps, steps).triu(1).bool()").replace(
        " + self.position(torch.arange(steps))", ""
    ),
    "layers-not-shared": line("nn.Sequential(*[nn.Linear(6, 6)] * 3)", "2 * x"),
    "first-step-descends": line("nn.Linear(6, 1)", "x[:, :1]").replace("lr=0.01", "lr=0.01, maximize=True"),
    "outputs-differ": rows("return self.head(h * 0)"),
    "attention-axis": BEGIN + _ATTENTION,
    "embedding-ids-differ": BEGIN + _LOOKUP,
    "longer-padding": pairs("return self.head((h * mask[:, :, None]).mean(1))"),
    "padding-in-loss": pairs("return self.head(h)")
    .replace("nn.Linear(8, 2)", "nn.Linear(8, 12)")
    .replace("(tokens == 5).any(1).long()", "(tokens % 11 + 1) * mask.long()")
    .replace("model(tokens, mask), y", "model(tokens, mask).transpose(1, 2), y"),
    "target-given-as-input": BEGIN + _TWO_INPUTS,
    "gradient-matches-loss": BEGIN + _OWN_GRADIENT,
    "target-in-window": line("nn.Linear(6, 1)", "x[:, 5:]"),
    "train-evaluation-consistency": BEGIN + _OFFSET.replace("MOMENTUM", "0.001"),
}
BREAKS = {name: name for name in SPOILT}
HEALTHY = {"sensor-drift": BEGIN + _OFFSET.replace("MOMENTUM", "0.1")}
