"""``torch.utils.data`` and torchvision's data sets: what a loader returns in each iteration."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics.binding import bound
from bugloss.source.values.values import UNKNOWN, Dim, Interval, Items, Other, Tensor, Value, integer_of, truth_of

_LOADER = (
    "dataset",
    "batch_size",
    "shuffle",
    "sampler",
    "batch_sampler",
    "num_workers",
    "collate_fn",
    "pin_memory",
    "drop_last",
)
# Pictures of torchvision once ToTensor has made them tensors: channels, height, width, classes.
_IMAGE_SETS = {
    "MNIST": (1, 28, 28, 10),
    "FashionMNIST": (1, 28, 28, 10),
    "KMNIST": (1, 28, 28, 10),
    "CIFAR10": (3, 32, 32, 10),
    "CIFAR100": (3, 32, 32, 100),
}


def tensor_dataset(call: Call) -> Value:
    """``TensorDataset(x, y)``: one row of each."""
    rows: list[Value] = []
    for value in call.positional:
        known = isinstance(value, Tensor)
        rows.append(
            value.with_(shape=value.shape[1:] if value.shape else None)
            if isinstance(value, Tensor) and known
            else UNKNOWN
        )
    element: Value = UNKNOWN if call.starred else Items(rows, True)
    return Other("TensorDataset", {"element": element, "tensors": Items(list(call.positional))}, call.node)


def images(name: str) -> Callable[[Call], Value]:
    def make(call: Call) -> Value:
        arguments = bound(call, ("root", "train", "transform", "target_transform", "download"))
        element = _image(name, arguments.get("transform", UNKNOWN))
        return Other(f"torchvision.{name}", {**arguments, "element": element}, call.node)

    return make


def _image(name: str, transform: Value) -> Value:
    channels, height, width, classes = _IMAGE_SETS[name]
    plain = isinstance(transform, Other) and transform.kind == "torchvision.ToTensor"
    label = Tensor("torch", (), "int64", Interval(0, classes - 1), facts=frozenset({"class-ids", f"classes:{classes}"}))
    if not plain:
        return Items([UNKNOWN, label], True)
    image = Tensor("torch", (channels, height, width), "float32", Interval(0, 1), facts=frozenset({f"dataset:{name}"}))
    return Items([image, label], True)


def transform(kind: str) -> Callable[[Call], Value]:
    return lambda call: Other(f"torchvision.{kind}", dict(call.keywords), call.node)


def compose(call: Call) -> Value:
    """``Compose([ToTensor()])`` is ``ToTensor()``; with anything else the shape or range may change."""
    steps = call.argument(0, "transforms")
    if isinstance(steps, Items) and steps.complete and len(steps.items) == 1:
        return steps.items[0]
    return Other("torchvision.Compose", {"transforms": steps}, call.node)


def data_loader(call: Call) -> Value:
    """``DataLoader``: samples under a batch axis; the last batch may be smaller unless it is dropped."""
    arguments = bound(call, _LOADER)
    dataset = arguments.get("dataset", UNKNOWN)
    collated = "collate_fn" in arguments or "batch_sampler" in arguments or call.starred
    element = dataset.arguments.get("element", UNKNOWN) if isinstance(dataset, Other) and not collated else UNKNOWN
    fixed = truth_of(arguments.get("drop_last", UNKNOWN)) is True
    size = integer_of(arguments["batch_size"]) if "batch_size" in arguments else 1
    batch: Dim = size if fixed else "batch"
    return Other("DataLoader", {**arguments, "element": _batched(element, batch)}, call.node)


def _batched(value: Value, batch: Dim) -> Value:
    if isinstance(value, Items):
        # The default collate function returns a list.
        return Items([_batched(item, batch) for item in value.items])
    if isinstance(value, Tensor):
        return value.with_(shape=None if value.shape is None else (batch, *value.shape))
    return UNKNOWN


SEMANTICS: Semantics = {
    "torch.utils.data.TensorDataset": tensor_dataset,
    "torch.utils.data.DataLoader": data_loader,
    "torch.utils.data.dataloader.DataLoader": data_loader,
    **{f"torchvision.datasets.{name}": images(name) for name in _IMAGE_SETS},
    "torchvision.transforms.ToTensor": transform("ToTensor"),
    "torchvision.transforms.Compose": compose,
}
