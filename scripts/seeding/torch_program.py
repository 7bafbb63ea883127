"""An ordinary PyTorch training program: ``python torch_program.py plan.json`` (parameters: ``blueprint.py``)."""

import json
import sys
from pathlib import Path

import generated_data
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACTIVATIONS = {
    "relu": nn.ReLU,
    "tanh": nn.Tanh,
    "elu": nn.ELU,
    "sigmoid": nn.Sigmoid,
    "softmax": lambda: nn.Softmax(dim=1),
    "linear": nn.Identity,
}


def build(plan):
    layers = []
    if plan["network"] == "cnn":
        width = 1
        for size in plan["hidden"][:2]:
            layers += [nn.Conv2d(width, size // 2, 3, padding=1), ACTIVATIONS[plan["activation"]](), nn.MaxPool2d(2)]
            width = size // 2
        side = 8 // 2 ** len(plan["hidden"][:2])
        layers.append(nn.Flatten())
        width = width * side * side
    else:
        width = plan["features"]
        for size in plan["hidden"]:
            layers.append(nn.Linear(width, size))
            if plan["batch_norm"]:
                layers.append(nn.BatchNorm1d(size))
            layers.append(ACTIVATIONS[plan["activation"]]())
            width = size
    if plan["dropout"]:
        layers.append(nn.Dropout(plan["dropout"]))
    layers.append(nn.Linear(width, plan["classes"]))
    layers += head(plan)
    return nn.Sequential(*layers)


def head(plan):
    """The usual losses take logits, so a sound head has no activation of its own."""
    usual = {"classes": "softmax", "binary": "sigmoid", "regression": "linear"}[plan["task"]]
    logits = plan["loss"] in ("cross-entropy", "binary-cross-entropy")
    if plan["output"] == usual and (logits or plan["task"] == "regression"):
        return []
    if plan["task"] == "classes" and plan["output"] == "linear":
        return [nn.Softmax(dim=1)]  # the mistake that PyTorch users make: softmax before a loss that has one
    if plan["task"] == "binary" and plan["output"] == "linear":
        return [nn.Sigmoid()]
    return [ACTIVATIONS[plan["output"]]()]


def loss_of(plan, outputs, labels):
    if plan["task"] == "classes":
        wanted = labels if plan["loss"] == "cross-entropy" else nn.functional.one_hot(labels, plan["classes"]).float()
    elif plan["loss"] == "cross-entropy":
        wanted = labels.float().unsqueeze(1)  # one unit: softmax makes it a certainty
    else:
        outputs, wanted = outputs.squeeze(1), labels.float()
    if plan["loss"] == "hinge":
        return torch.clamp(1 - (2 * wanted - 1) * outputs, min=0).mean()
    losses = {
        "cross-entropy": nn.functional.cross_entropy,
        "binary-cross-entropy": nn.functional.binary_cross_entropy_with_logits,
        "mse": nn.functional.mse_loss,
        "mae": nn.functional.l1_loss,
    }
    return losses[plan["loss"]](outputs, wanted)


def score(plan, model, inputs, labels):
    """Accuracy, or the explained share of the variance."""
    model.eval()
    with torch.no_grad():
        outputs = model(inputs)
    model.train()
    if plan["task"] == "regression":
        left = ((outputs.squeeze(1) - labels) ** 2).mean()
        return 1 - (left / labels.var()).item()
    if plan["task"] == "classes":
        return (outputs.argmax(1) == labels).float().mean().item()
    border = 0.5 if plan["loss"] in ("mse", "mae") or plan["output"] != "sigmoid" else 0.0
    return ((outputs.squeeze(1) > border) == (labels > 0)).float().mean().item()


def main():
    plan = json.loads(Path(sys.argv[1]).read_text())
    torch.manual_seed(plan["seed"])
    arrays = [torch.from_numpy(array) for array in generated_data.make(plan)]
    if plan["network"] == "cnn":
        arrays[0], arrays[2] = arrays[0].permute(0, 3, 1, 2), arrays[2].permute(0, 3, 1, 2)
    loader = DataLoader(TensorDataset(arrays[0], arrays[1]), batch_size=plan["batch"], shuffle=True)
    model = build(plan)
    settings = {"lr": plan["learning_rate"]}
    if plan["optimizer"] == "SGD":
        settings["momentum"] = plan["momentum"]
    optimizer = getattr(torch.optim, plan["optimizer"])(model.parameters(), **settings)
    for epoch in range(plan["epochs"]):
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = loss_of(plan, model(inputs), labels)
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", loss.item())
    print(json.dumps({"score": score(plan, model, arrays[2], arrays[3])}))


if __name__ == "__main__":
    main()
