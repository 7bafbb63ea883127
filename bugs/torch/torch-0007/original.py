class ContrastiveLoss(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, out1, out2, target):
        dist = (out1 - out2).pow(2).sum(1)
        loss = target * dist + (1 - target) * F.relu(self.margin - dist.sqrt()).pow(2)
        return 0.5 * loss.mean()


for (img1, img2), target in train_loader:
    optimizer.zero_grad()
    loss = loss_fn(net(img1), net(img2), target.float())
    loss.backward()
    optimizer.step()
    print(loss.item())  # 0.31, 0.28, 0.30, nan, nan, nan, ...
