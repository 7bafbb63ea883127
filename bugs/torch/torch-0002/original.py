class Model(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embed = nn.Embedding(words + 1, 300)
        self.lstm = nn.LSTM(300, 100, batch_first=True)
        self.lin1 = nn.Linear(100, 512)
        self.lin2 = nn.Linear(512, 3)

    def forward(self, inp):
        out, (h_t, c_t) = self.lstm(self.embed(inp))
        h_t = F.relu(self.lin1(h_t))
        return F.softmax(self.lin2(h_t))


model = Model(tokenizer.count).to("cuda")
optimizer = optim.AdamW(model.parameters(), lr=1e-2)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(10):
    for feature, target in author_dataloader:  # [64, 80] and [64]
        train_loss = loss_fn(model(feature.to("cuda")).view(-1, 3), target.to("cuda"))
        optimizer.zero_grad()
        train_loss.backward()
        optimizer.step()
    print("epoch", epoch + 1, "loss", train_loss.item())  # always 1.0986
