"""PyTorch programs with a fault that raises nothing; the line at fault ends in ``# here``."""

BEGIN = """
import torch, math
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)


def train(step, *models, steps=4):
    optimizer = torch.optim.Adam([one for model in models for one in model.parameters()], lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = step()
        loss.backward()
        optimizer.step()

"""

VAE = (
    BEGIN
    + """
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.mean, self.log = nn.Linear(20, 16), nn.Linear(16, 3), nn.Linear(16, 3)
        self.decoder = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 20))

    def forward(self, x):
        hidden = torch.relu(self.encoder(x))
        mean, log = self.mean(hidden), self.log(hidden)
        code = mean + torch.randn_like(mean) * torch.exp(0.5 * log)
        return self.decoder(code), mean, log


x, model = torch.rand(24, 20), VAE()


def step():
    output, mean, log = model(x)
    RECONSTRUCTION
    KL
    return reconstruction + kl


train(step, model)
"""
)

RECONSTRUCTION_SUM = "reconstruction = F.mse_loss(output, x, reduction='sum')"
RECONSTRUCTION_MEAN = "reconstruction = F.mse_loss(output, x)"
RECONSTRUCTION_ROWS = "reconstruction = ((output - x) ** 2).sum(1).mean()"
KL_SUM = "kl = -0.5 * torch.sum(1 + log - mean.pow(2) - log.exp())"
KL_MEAN = "kl = -0.5 * torch.mean(1 + log - mean.pow(2) - log.exp())"
KL_ROWS = "kl = -0.5 * (1 + log - mean.pow(2) - log.exp()).sum(1).mean()"


def vae(reconstruction: str, divergence: str) -> str:
    return VAE.replace("RECONSTRUCTION", reconstruction).replace("KL", divergence)


CAUSAL = (
    BEGIN
    + """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.position = nn.Embedding(11, 16), nn.Embedding(12, 16)
        self.query, self.key, self.value = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)
        self.head = nn.Linear(16, 11)

    def forward(self, x):
        steps = x.shape[1]
        h = self.embedding(x) + self.position(torch.arange(steps))
        scores = self.query(h) @ self.key(h).transpose(1, 2) / 4
        mask = MASK
        scores = scores.masked_fill(mask, float("-inf"))
        weights = torch.softmax(scores, -1)  # here
        h = RESIDUAL weights @ self.value(h)
        return self.head(h)


tokens = (torch.randint(0, 11, (16, 1)) + torch.arange(10) * torch.randint(1, 3, (16, 1))) % 11
model = Model()


def step():
    output = model(tokens[:, :-1])
    return F.cross_entropy(output.reshape(-1, 11), tokens[:, 1:].reshape(-1))


train(step, model)
"""
)


def causal(mask: str, residual: str = "h +") -> str:
    return CAUSAL.replace("MASK", mask).replace("RESIDUAL", residual)


GAN = (
    BEGIN
    + """
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 6))
critic = nn.Sequential(nn.Linear(6, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
first = torch.optim.Adam(generator.parameters(), lr=1e-3)
second = torch.optim.Adam(critic.parameters(), lr=1e-3)
judge = nn.BCEWithLogitsLoss()
for _ in range(5):
    real = torch.randn(16, 6) + 2
    noise = torch.randn(16, 4)
    fake = generator(noise)
    second.zero_grad()
    loss = judge(critic(real), torch.ones(16, 1)) + judge(critic(fake.detach()), torch.zeros(16, 1))
    loss.backward()
    second.step()
    first.zero_grad()
    FOOLED
    fooled.backward()
    first.step()
"""
)

NAMED = (
    BEGIN
    + """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.kind, self.flag = nn.Linear(8, 16), nn.Linear(16, 5), nn.Linear(16, 3)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return {"kind": KIND, "flags": FLAGS}


x, model = torch.randn(24, 8), Model()
kinds, flags = x[:, :5].argmax(1), (x[:, 5:] > 0).float()


def step():
    output = model(x)
    one = F.cross_entropy(output["kind"], kinds)
    other = FLAGLOSS
    return one + other


train(step, model)
"""
)


def named(kind: str, flags: str, loss: str) -> str:
    return (
        NAMED.replace("KIND", kind)
        .replace("FLAGS", flags)
        .replace("FLAGLOSS".replace("FLAGS", flags), loss)
        .replace("FLAGLOSS", loss)
    )


SHAPES = (
    BEGIN
    + """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution, self.line = nn.Conv1d(3, 8, 3, padding=1), nn.Linear(80, 4)

    def forward(self, x):
        TURN
        h = torch.relu(self.convolution(h))
        return self.line(h.flatten(1))


x, model = torch.randn(24, 10, 3), Model()
y = x.mean(1).argmax(1)
train(lambda: F.cross_entropy(model(x), y), model)
"""
)

HEADS = (
    BEGIN
    + """
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.head = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 4)

    def split(self, x):
        SPLIT

    def forward(self, x):
        n, steps, width = x.shape
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        weights = torch.softmax(q @ k.transpose(-1, -2) / 2, -1)
        h = weights @ v
        JOIN
        return self.head(h.mean(1))


x, model = torch.randn(24, 6, 16), Attention()
y = x.mean(1)[:, :4].argmax(1)
train(lambda: F.cross_entropy(model(x), y), model)
"""
)

BROADCAST = (
    BEGIN
    + """
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
x = torch.randn(24, 6)
y = x.sum(1)


def step():
    output = model(x)
    LOSS


train(step, model)
"""
)

SPOILT = {
    "kl-sum": vae(RECONSTRUCTION_MEAN, KL_SUM + "  # here"),
    "kl-mean": vae(RECONSTRUCTION_SUM + "  # here", KL_MEAN),
    "kl-rows-and-mean": vae(RECONSTRUCTION_MEAN, KL_ROWS),
    "rows-and-kl-mean": vae(RECONSTRUCTION_ROWS, KL_MEAN),
    "mask-sees-next": causal("torch.ones(steps, steps).triu(2).bool()"),
    "mask-hides-itself": causal("torch.ones(steps, steps).triu(0).bool() & ~torch.eye(steps)[0].bool()[None]", ""),
    "mask-sees-next-trained": causal("~torch.ones(steps, steps).tril(1).bool()"),
    "fooled-detached": GAN.replace(
        "FOOLED", "fooled = judge(critic(generator(noise).detach()), torch.ones(16, 1))  # here"
    ),
    "fooled-reused": GAN.replace("FOOLED", "fooled = judge(critic(fake.detach()), torch.ones(16, 1))  # here"),
    "fooled-no-grad": GAN.replace(
        "FOOLED",
        "with torch.no_grad():\n        made = generator(noise)\n    fooled = judge(critic(made), torch.ones(16, 1))  # here",
    ),
    "softmax-kind": named(
        "torch.softmax(self.kind(h), -1)", "self.flag(h)", 'F.binary_cross_entropy_with_logits(output["flags"], flags)'
    ),
    "sigmoid-flags": named(
        "self.kind(h)",
        "torch.sigmoid(self.flag(h))",
        'F.binary_cross_entropy_with_logits(output["flags"], flags)  # here',
    ),
    "view-channels": SHAPES.replace("TURN", "h = x.view(-1, 3, 10)  # here"),
    "view-heads": HEADS.replace("SPLIT", "return x.view(len(x), 4, -1, 4)  # here").replace(
        "JOIN", "h = h.transpose(1, 2).reshape(n, steps, width)"
    ),
    "view-join": HEADS.replace("SPLIT", "return x.view(len(x), -1, 4, 4).transpose(1, 2)").replace(
        "JOIN", "h = h.reshape(n, steps, width)  # here"
    ),
    "broadcast-by-hand": BROADCAST.replace("LOSS", "return ((output - y) ** 2).mean()  # here"),
    "broadcast-loss": BROADCAST.replace("LOSS", "return F.mse_loss(output, y)  # here"),
    "broadcast-huber": BROADCAST.replace(
        "LOSS", "error = torch.abs(output - y)  # here\n    return torch.where(error < 1, error ** 2, error).mean()"
    ),
}
HEALTHY = {
    "vae-sums": vae(RECONSTRUCTION_SUM, KL_SUM),
    "vae-rows": vae(RECONSTRUCTION_ROWS, KL_ROWS),
    "vae-means": vae(RECONSTRUCTION_MEAN, KL_MEAN),
    "vae-beta": vae(RECONSTRUCTION_SUM, KL_SUM.replace("-0.5", "-2.0")),
    "causal": causal("torch.ones(steps, steps).triu(1).bool()"),
    "gan": GAN.replace("FOOLED", "fooled = judge(critic(fake), torch.ones(16, 1))"),
    "gan-anew": GAN.replace("FOOLED", "fooled = judge(critic(generator(torch.randn(16, 4))), torch.ones(16, 1))"),
    "named": named("self.kind(h)", "self.flag(h)", 'F.binary_cross_entropy_with_logits(output["flags"], flags)'),
    "named-probabilities": named(
        "self.kind(h)", "torch.sigmoid(self.flag(h))", 'F.binary_cross_entropy(output["flags"], flags)'
    ),
    "transposed": SHAPES.replace("TURN", "h = x.transpose(1, 2)"),
    "heads": HEADS.replace("SPLIT", "return x.view(len(x), -1, 4, 4).transpose(1, 2)").replace(
        "JOIN", "h = h.transpose(1, 2).reshape(n, steps, width)"
    ),
    "regression": BROADCAST.replace("LOSS", "return ((output.squeeze(1) - y) ** 2).mean()"),
}
BREAKS = {
    "kl-sum": "loss-terms-scale-alike",
    "kl-mean": "loss-terms-scale-alike",
    "mask-sees-next": "causality",
    "mask-hides-itself": "own-step-used",
    "mask-sees-next-trained": "causality",
    "fooled-detached": "stepped-parameters-reached",
    "fooled-reused": "stepped-parameters-reached",
    "fooled-no-grad": "stepped-parameters-reached",
    "softmax-kind": "logits-expected",
    "sigmoid-flags": "logits-expected",
    "view-channels": "reshape-keeps-axes",
    "view-heads": "reshape-keeps-axes",
    "view-join": "reshape-keeps-axes",
    "broadcast-by-hand": "loss-pairs-samples",
    "broadcast-loss": "loss-pairs-samples",
    "broadcast-huber": "loss-pairs-samples",
}
