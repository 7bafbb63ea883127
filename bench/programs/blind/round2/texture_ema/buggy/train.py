import torch
from torch import nn

from ema import AveragedModel
from textures import NAMES, dataset


def conv_bn(cin, cout, stride):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1, bias=False),
                         nn.BatchNorm2d(cout), nn.ReLU())


def build_model():
    return nn.Sequential(conv_bn(1, 16, 1), conv_bn(16, 24, 2), conv_bn(24, 32, 2),
                         conv_bn(32, 32, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(32, len(NAMES)))


@torch.no_grad()
def score(network, images, labels):
    network.eval()
    logits = network(images)
    loss = nn.functional.cross_entropy(logits, labels).item()
    return loss, (logits.argmax(1) == labels).float().mean().item()


def as_tensors(images, labels):
    return torch.from_numpy(images).float().div(255).sub(0.5).mul(4), torch.from_numpy(labels)


def main():
    torch.manual_seed(1)
    x_train, y_train = as_tensors(*dataset(1500, seed=1))
    x_val, y_val = as_tensors(*dataset(400, seed=2))
    model = build_model()
    average = AveragedModel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

    for epoch in range(1, 11):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x_train)).split(50):
            loss = nn.functional.cross_entropy(model(x_train[idx]), y_train[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            average.update(model)
            total += loss.item() * len(idx)
        val_loss, val_acc = score(average.module, x_val, y_val)
        print(f"epoch {epoch:2d}  train loss {total / len(x_train):.4f}  "
              f"val loss {val_loss:.4f}  val acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
