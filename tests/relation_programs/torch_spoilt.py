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
    "target-in-window": line("nn.Linear(6, 1)", "x[:, 5:]"),
}
BREAKS = {name: name for name in SPOILT}
