"""``torch.utils.data`` and torchvision's data sets: what a loader returns in each iteration."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.core.network.dataset import KnownDataset, datasets_of
from bugloss.source.follow.call import Call, Semantics, passed
from bugloss.source.semantics.binding import bound, sizes
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Dim,
    FunctionValue,
    Instance,
    Interval,
    Items,
    Other,
    Shape,
    TableValue,
    Tensor,
    Value,
    integer_of,
    truth_of,
)

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
_VISION = {row.name: row for row in datasets_of("torchvision")}
# Transforms of one image that keep its shape; those that set its size are looked at one by one.
_SAME_SHAPE = {
    "Normalize", "RandomHorizontalFlip", "RandomVerticalFlip", "RandomRotation", "ColorJitter", "RandomAffine",
    "RandomErasing", "GaussianBlur",
}  # fmt: skip
_SIZING = {"ToTensor", "Compose", "Grayscale", "Resize", "CenterCrop", "RandomCrop", "RandomResizedCrop"}


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


def images(known: KnownDataset) -> Callable[[Call], Value]:
    def make(call: Call) -> Value:
        arguments = bound(call, ("root", "train", "transform", "target_transform", "download"))
        element = Items([_image(known, arguments.get("transform", UNKNOWN)), _label(known)], True)
        plain = "target_transform" not in arguments
        return Other(f"torchvision.{known.name}", {**arguments, **({"element": element} if plain else {})}, call.node)

    return make


def _label(known: KnownDataset) -> Tensor:
    facts = frozenset({"class-ids", f"classes:{known.classes}"})
    return Tensor("torch", (), "int64", Interval(0, known.classes - 1), facts=facts)


def _image(known: KnownDataset, transform: Value) -> Value:
    """An image after its transforms, as far as they are known: ``ToTensor`` must be among them."""
    steps = _steps(transform)
    if steps is None or "ToTensor" not in [step.kind.rsplit(".", 1)[-1] for step in steps]:
        return UNKNOWN
    shape: Shape | None = known.sample
    for step in steps:
        shape = _sized(step, shape)
    scaled = steps[-1].kind.endswith("ToTensor")
    interval = Interval(known.low or 0, known.high or 1) if scaled else ANYTHING
    return Tensor("torch", shape, "float32", interval, facts=frozenset({f"dataset:{known.name}"}))


def _steps(transform: Value) -> list[Other] | None:
    if not isinstance(transform, Other):
        return None
    inner = transform.arguments.get("transforms")
    if not transform.kind.endswith("Compose"):
        return [transform]
    if not isinstance(inner, Items) or not inner.complete:
        return None
    known = [step for step in inner.items if isinstance(step, Other)]
    return known if len(known) == len(inner.items) else None


def _sized(step: Other, shape: Shape | None) -> Shape | None:
    """The shape (channels, height, width) after a transform; unknown after one that is not in the table."""
    kind = step.kind.rsplit(".", 1)[-1]
    if shape is None or kind in _SAME_SHAPE or kind == "ToTensor":
        return shape
    if kind == "Grayscale":
        return (1, *shape[1:]) if "num_output_channels" not in step.arguments else (None, *shape[1:])
    if kind in {"Resize", "CenterCrop", "RandomCrop", "RandomResizedCrop"}:
        size = sizes(step.arguments.get("size"), 2)
        square = isinstance(step.arguments.get("size"), Items) or kind != "Resize" or shape[1] == shape[2]
        return (shape[0], *(size if square else (None, None)))
    return None


def transform(kind: str) -> Callable[[Call], Value]:
    first = {"Compose": "transforms", "Grayscale": "num_output_channels"}.get(kind, "size")
    return lambda call: Other(f"torchvision.{kind}", bound(call, (first,)), call.node)


def subset(call: Call) -> Value:
    """``Subset(data, indices)``: the same elements."""
    dataset = call.argument(0, "dataset")
    return Other("Subset", {"element": element_of_dataset(call, dataset), "of": dataset}, call.node)


def random_split(call: Call) -> Value:
    """Parts of a data set, as many as lengths are given."""
    lengths = call.argument(1, "lengths")
    if not isinstance(lengths, Items) or not lengths.complete:
        return UNKNOWN
    return Items([subset(call) for _ in lengths.items])


def element_of_dataset(call: Call, dataset: Value) -> Value:
    """One sample: of a known data set, or what the ``__getitem__`` of a class of the file returns."""
    if isinstance(dataset, Other):
        return dataset.arguments.get("element", UNKNOWN)
    if isinstance(dataset, Tensor):
        return dataset.with_(shape=dataset.shape[1:] if dataset.shape else None)
    if isinstance(dataset, Instance) and dataset.class_ is not None and "__getitem__" in dataset.class_.methods:
        method = dataset.class_.methods["__getitem__"]
        place = Other("index", {}, call.node)  # some whole number
        return call.interpreter.call_function(FunctionValue(method, dataset.class_.scope, dataset), passed(place))
    return UNKNOWN


def data_loader(call: Call) -> Value:
    """``DataLoader``: samples under a batch axis; the last batch may be smaller unless it is dropped."""
    arguments = bound(call, _LOADER)
    dataset = arguments.get("dataset", UNKNOWN)
    collated = "collate_fn" in arguments or "batch_sampler" in arguments or call.starred
    element = UNKNOWN if collated else element_of_dataset(call, dataset)
    fixed = truth_of(arguments.get("drop_last", UNKNOWN)) is True
    size = integer_of(arguments["batch_size"]) if "batch_size" in arguments else 1
    batch: Dim = size if fixed else "batch"
    return Other("DataLoader", {**arguments, "element": _batched(element, batch)}, call.node)


def _batched(value: Value, batch: Dim) -> Value:
    """What the default collate function makes of samples: tensors under a batch axis, also of arrays and numbers."""
    if isinstance(value, Items):
        # The default collate function returns a list.
        return Items([_batched(item, batch) for item in value.items])
    if isinstance(value, TableValue):
        return TableValue({key: _batched(item, batch) for key, item in value.items.items()})
    if isinstance(value, Tensor):
        return value.with_(library="torch", shape=None if value.shape is None else (batch, *value.shape))
    return UNKNOWN


SEMANTICS: Semantics = {
    "torch.utils.data.TensorDataset": tensor_dataset,
    "torch.utils.data.DataLoader": data_loader,
    "torch.utils.data.dataloader.DataLoader": data_loader,
    "torch.utils.data.Subset": subset,
    "torch.utils.data.random_split": random_split,
    **{f"torchvision.datasets.{name}": images(row) for name, row in _VISION.items()},
    **{f"torchvision.transforms.{name}": transform(name) for name in sorted(_SAME_SHAPE | _SIZING)},
}
