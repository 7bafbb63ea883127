"""Sound PyTorch programs of many kinds: none of them breaks a relation that is reported."""

from relation_programs.torch_missed import BEGIN

_PROGRAMS = {
    "cnn": """
model = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.2),
    nn.Linear(128, 4),
)
x = torch.randn(24, 3, 8, 8)
y = x.mean((2, 3)).argmax(1)
train(lambda: F.cross_entropy(model(x), y), model)
""",
    "rnn": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.line = nn.LSTM(4, 16, batch_first=True), nn.Linear(16, 1)

    def forward(self, x):
        return self.line(self.lstm(x)[0][:, -1]).squeeze(-1)


model, x = Model(), torch.randn(24, 7, 4)
train(lambda: F.mse_loss(model(x), x.sum((1, 2))), model)
""",
    "rnn-time-first": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.line = nn.GRU(4, 16), nn.Linear(16, 3)

    def forward(self, x):
        h, _ = self.gru(x.transpose(0, 1))
        return self.line(h[-1])


model, x = Model(), torch.randn(24, 7, 4)
y = x.mean(1)[:, :3].argmax(1)
train(lambda: F.cross_entropy(model(x), y), model)
""",
    "clips-of-many-lengths": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.front, self.line = nn.Conv1d(1, 16, 9, padding=4), nn.Linear(16, 3)

    def forward(self, waves, lengths):
        hidden = torch.relu(self.front(waves[:, None]))  # mixes a little padding into the last steps
        kept = (torch.arange(waves.shape[1])[None] < lengths[:, None]).float()[:, None]
        return self.line((hidden * kept).sum(-1) / lengths[:, None])


model, kinds, lengths = Model(), torch.arange(24) % 3, torch.randint(40, 81, (24,))
time = torch.arange(int(lengths.max()))[None] * torch.tensor([0.3, 0.8, 2.0])[kinds][:, None]
waves = torch.sin(time + torch.rand(24, 1)) * (torch.arange(time.shape[1])[None] < lengths[:, None])
train(lambda: F.cross_entropy(model(waves, lengths), kinds), model)
""",
    "clips-without-a-mask": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.line = nn.GRU(1, 16, batch_first=True), nn.Linear(16, 3)

    def forward(self, waves):
        return self.line(self.gru(waves[..., None])[0].mean(1))


model, kinds, lengths = Model(), torch.arange(24) % 3, torch.randint(40, 81, (24, 1))
time = torch.arange(80)[None] * torch.tensor([0.3, 0.8, 2.0])[kinds][:, None]
waves = torch.sin(time + torch.rand(24, 1)) * (torch.arange(80)[None] < lengths)
train(lambda: F.cross_entropy(model(waves), kinds), model)
""",
    "masked-transformer": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.position = nn.Embedding(20, 16, padding_idx=0), nn.Parameter(torch.randn(9, 16))
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        self.encoder, self.head = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(16, 2)

    def forward(self, tokens, padding):
        h = self.encoder(self.embedding(tokens) + self.position[: tokens.shape[1]], src_key_padding_mask=padding)
        keep = (~padding).unsqueeze(-1).float()
        return self.head((h * keep).sum(1) / keep.sum(1))


lengths = torch.randint(3, 8, (24,))
padding = torch.arange(8)[None] >= lengths[:, None]
tokens = torch.randint(1, 20, (24, 8)).masked_fill(padding, 0)
model = Model()
y = (tokens == 5).any(1).long()
train(lambda: F.cross_entropy(model(tokens, padding), y), model)
""",
    "autoencoder": """
model = nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 20), nn.Sigmoid())
x = torch.rand(24, 20)
train(lambda: F.binary_cross_entropy(model(x), x), model)
""",
    "siamese": """
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
one, two = torch.randn(24, 6), torch.randn(24, 6)
same = torch.randint(0, 2, (24,)).float()


def step():
    distance = F.pairwise_distance(model(one), model(two))
    return (same * distance ** 2 + (1 - same) * F.relu(1 - distance) ** 2).mean()


train(step, model)
""",
    "contrastive": """
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8))
x = torch.randn(16, 6)


def step():
    first, second = F.normalize(model(x), dim=1), F.normalize(model(x + 0.01 * torch.randn_like(x)), dim=1)
    return F.cross_entropy(first @ second.t() / 0.1, torch.arange(16))


train(step, model)
""",
    "two-inputs": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.table, self.head = nn.Conv2d(1, 4, 3), nn.Linear(5, 8), nn.Linear(152, 3)

    def forward(self, image, table):
        left = torch.relu(self.image(image)).flatten(1)
        return self.head(torch.cat([left, torch.relu(self.table(table))], 1))


image, table, model = torch.randn(24, 1, 8, 8), torch.randn(24, 5), Model()
y = table[:, :3].argmax(1)
train(lambda: F.cross_entropy(model(image, table), y), model)
""",
    "two-outputs": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.kind, self.size = nn.Linear(8, 16), nn.Linear(16, 4), nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.kind(h), self.size(h).squeeze(1)


model, x = Model(), torch.randn(24, 8)
y, size = x[:, :4].argmax(1), x.sum(1)


def step():
    kind, measured = model(x)
    return F.cross_entropy(kind, y) + 0.5 * F.mse_loss(measured, size)


train(step, model)
""",
    "policy-gradient": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.policy, self.value = nn.Linear(4, 16), nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return self.policy(h), self.value(h).squeeze(-1)


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(4):
    states = torch.randn(24, 4)
    logits, values = model(states)
    choice = torch.distributions.Categorical(logits=logits)
    actions = choice.sample()
    returns = states.sum(1) * (actions == 0).float()
    advantage = (returns - values).detach()
    loss = -(choice.log_prob(actions) * advantage).mean() + 0.5 * F.mse_loss(values, returns) - 0.01 * choice.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "deep-q": """
import copy
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
frozen = copy.deepcopy(model)
state, following = torch.randn(32, 4), torch.randn(32, 4)
action, reward = torch.randint(0, 2, (32,)), torch.randn(32)


def step():
    value = model(state).gather(1, action[:, None]).squeeze(1)
    with torch.no_grad():
        wanted = reward + 0.9 * frozen(following).max(1).values
    return F.smooth_l1_loss(value, wanted)


train(step, model)
""",
    "u-net": """
class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.deep = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1)
        self.up, self.last = nn.ConvTranspose2d(8, 8, 2, stride=2), nn.Conv2d(16, 1, 1)

    def forward(self, x):
        first = torch.relu(self.down(x))
        deep = torch.relu(self.deep(F.max_pool2d(first, 2)))
        return self.last(torch.cat([first, torch.relu(self.up(deep))], 1))


model, x = UNet(), torch.randn(16, 3, 8, 8)
y = (x.mean(1, keepdim=True) > 0).float()
train(lambda: F.binary_cross_entropy_with_logits(model(x), y), model)
""",
    "graph-network": """
class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(5, 16), nn.Linear(16, 3)

    def forward(self, x, adjacency):
        h = torch.relu(adjacency @ self.first(x))
        return adjacency @ self.second(h)


links = (torch.rand(30, 30) < 0.15).float()
adjacency = ((links + links.t()) > 0).float() + torch.eye(30)
adjacency = adjacency / adjacency.sum(1, keepdim=True)
x, model = torch.randn(30, 5), Graph()
y, known = x[:, :3].argmax(1), torch.arange(30) < 20
train(lambda: F.cross_entropy(model(x, adjacency)[known], y[known]), model)
""",
    "graphs-in-batch": """
class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.head = nn.Linear(5, 16), nn.Linear(16, 2)

    def forward(self, x, adjacency):
        return self.head(torch.relu(adjacency @ self.first(x)).mean(1))


x, adjacency = torch.randn(24, 6, 5), torch.softmax(torch.randn(24, 6, 6), -1)
model, y = Graph(), (x.mean((1, 2)) > 0).long()
train(lambda: F.cross_entropy(model(x, adjacency), y), model)
""",
    "sequence-to-sequence": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(14, 16)
        self.encoder, self.decoder = nn.GRU(16, 24, batch_first=True), nn.GRU(16, 24, batch_first=True)
        self.head = nn.Linear(24, 14)

    def forward(self, source, target):
        _, state = self.encoder(self.embedding(source))
        return self.head(self.decoder(self.embedding(target), state)[0])


source = torch.randint(1, 14, (24, 7))
target = torch.cat([torch.zeros(24, 1, dtype=torch.long), source.flip(1)], 1)
model = Model()


def step():
    output = model(source, target[:, :-1])
    return F.cross_entropy(output.reshape(-1, 14), target[:, 1:].reshape(-1))


train(step, model)
""",
    "penalty": """
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
x = torch.randn(24, 8)
y = x[:, :1] * 2


def step():
    return F.l1_loss(model(x), y) + 1e-4 * sum(one.abs().sum() for one in model.parameters())


train(step, model)
""",
}

HEALTHY = {name: BEGIN + text for name, text in _PROGRAMS.items()}
