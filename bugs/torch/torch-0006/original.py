model = AlexNet(output_dim=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = optim.Adam(model.parameters())


def train(model, iterator):
    for x, y in iterator:  # y: tensor([0, 1, 1, 0, ...])
        optimizer.zero_grad()
        y_pred = model(x)
        y = y.unsqueeze(1)
        loss = criterion(y_pred, y)  # RuntimeError
        loss.backward()
        optimizer.step()
