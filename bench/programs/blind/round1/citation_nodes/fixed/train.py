import os
import tempfile

import torch
import torch.nn.functional as F

from data import make_graph
from models import LinkAutoencoder, NodeClassifier


def pretrain(x, adj, path, epochs=120):
    model = LinkAutoencoder(x.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    left, right = torch.nonzero(torch.triu(adj, 1), as_tuple=True)
    target = torch.cat([torch.ones(len(left)), torch.zeros(len(left))])
    for epoch in range(epochs):
        model.train()
        neg_left = torch.randint(len(x), (len(left),))
        neg_right = torch.randint(len(x), (len(left),))
        logits = model(x, adj, torch.cat([left, neg_left]), torch.cat([right, neg_right]))
        loss = F.binary_cross_entropy_with_logits(logits, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (epoch + 1) % 40 == 0:
            print(f"pretrain {epoch + 1}: link loss {loss.item():.4f}")
    torch.save(model.encoder.state_dict(), path)


def accuracy(logits, y, mask):
    return (logits[mask].argmax(1) == y[mask]).float().mean().item()


def finetune(x, adj, y, masks, path, epochs=60):
    model = NodeClassifier(x.shape[1], int(y.max()) + 1)
    model.encoder.load_state_dict(torch.load(path))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, adj)[masks["train"]], y[masks["train"]])
        loss.backward()
        optimizer.step()
        if (epoch + 1) % 20 == 0:
            model.eval()
            with torch.no_grad():
                val = accuracy(model(x, adj), y, masks["val"])
            print(f"epoch {epoch + 1}: loss {loss.item():.4f}  val acc {val:.3f}")
    model.eval()
    with torch.no_grad():
        return accuracy(model(x, adj), y, masks["test"])


def main():
    torch.manual_seed(0)
    x, adj, y, masks = make_graph()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "encoder.pt")
        pretrain(x, adj, path)
        test = finetune(x, adj, y, masks, path)
    print(f"test acc {test:.3f}")


if __name__ == "__main__":
    main()
