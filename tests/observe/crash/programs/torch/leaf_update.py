import torch

torch.manual_seed(0)
x = torch.rand(50, 3)
y = x @ torch.tensor([1.0, -2.0, 0.5]) + 0.3
weights = torch.zeros(3, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)
rate = 0.1
for step in range(20):
    loss = ((x @ weights + bias - y) ** 2).mean()
    loss.backward()
    weights -= rate * weights.grad
    bias -= rate * bias.grad
    weights.grad.zero_()
    bias.grad.zero_()
print(loss.item())
