x = torch.randn(100, 2)
y = 10 + 9 * x[:, 0] - 2 * x[:, 1] + torch.randn(100)

model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
mse = nn.MSELoss()

for epoch in range(30):
    opt.zero_grad()
    loss = mse(model(x), y)
    loss.backward()
    opt.step()
    print(loss.item())  # does not go down to 1

print(model.weight.data, model.bias.data)
