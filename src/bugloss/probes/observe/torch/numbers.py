"""Tensors in a few numbers: what the PyTorch probe says of inputs, labels, outputs and data sets.

Nothing here draws random numbers, writes to a tensor of the program or keeps a graph alive. Large tensors are thinned
by a fixed stride. What is read from a device is read at once.
"""

import sys

from ..labels import counts_of, label_facts, whole

MOST_VALUES = 4096
MOST_FEATURES = 4096
LEAST_ROWS, MOST_TABLE = 20, 200000  # of a table whose columns are checked
EXACT = 1e-4  # what single precision leaves of a mean of 0
MOST_HASHES = 64
WORD = 0xFFFFFFFFFFFFFFFF
MOST_ROW = 256  # values of a sample that are hashed


def nonzero_count(torch, values):
    """How many are not zero; PyTorch has a function for it since 1.7."""
    return torch.count_nonzero(values) if hasattr(torch, "count_nonzero") else (values != 0).sum()


def is_plain(value):
    """Whether this is an ordinary dense tensor of numbers that can be read."""
    torch = sys.modules["torch"]
    if type(value) not in (torch.Tensor, torch.nn.Parameter, getattr(torch.nn, "Buffer", torch.Tensor)):
        return False
    if value.layout is not torch.strided or value.is_quantized or value.device.type == "meta":
        return False
    return not is_wrapped(torch, value)


def is_wrapped(torch, value):
    """Whether this is a stand-in of ``torch.func`` for many tensors or for a derivative."""
    asked = getattr(getattr(torch._C, "_functorch", None), "is_functorch_wrapped_tensor", None)
    return asked is not None and asked(value)


def transformation(torch):
    """What shows the current transformation of ``torch.func``, whose tensors have no values of their own, or None."""
    return getattr(getattr(torch._C, "_functorch", None), "maybe_current_level", lambda: None)


def tensors_in(value, most=8, depth=0):
    """The tensors in arguments or results: nests of lists, tuples and dicts, and objects that hold them."""
    torch = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        return [value]
    if depth > 3 or value is None or isinstance(value, (str, bytes, int, float, bool, type)):
        return []
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, (list, tuple)):
        parts = list(value[: 4 * most + 4])
    else:
        held = getattr(value, "__dict__", None)
        parts = list(held.values()) if isinstance(held, dict) and not isinstance(value, torch.nn.Module) else []
    found = []
    for part in parts[: 4 * most + 4]:
        found.extend(tensors_in(part, most, depth + 1))
        if len(found) >= most:
            break
    return found[:most]


def thin(tensor, most):
    """At most about so many values, spread over the tensor, as one row of their own dtype."""
    row = tensor.detach().reshape(-1)
    if row.numel() <= most:
        return row
    # A stride that shares a factor with the last axis would look at few of its columns only.
    return row[:: -(-row.numel() // most) | 1]


def floats(tensor):
    """The values in a precision that can be summed."""
    torch = sys.modules["torch"]
    if tensor.is_complex():
        tensor = tensor.abs()
    return tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.to(torch.float32)


def dtype_of(tensor):
    return str(tensor.dtype).replace("torch.", "")


def shape_of(tensor):
    return [int(size) for size in tensor.shape]


def numbers(tensor, most=MOST_VALUES):
    """The fields of ``Numbers``."""
    torch = sys.modules["torch"]
    facts = {"shape": shape_of(tensor), "dtype": dtype_of(tensor)}
    if not is_plain(tensor) or not tensor.numel():
        return facts
    values = floats(thin(tensor, most))
    finite = torch.isfinite(values)
    bad = int(values.numel() - int(finite.sum()))
    facts["nonfinite"] = bad
    values = values[finite] if bad else values
    if values.numel():
        facts.update(minimum=float(values.min()), maximum=float(values.max()), mean=float(values.mean()))
        facts.update(std=float(values.std(unbiased=False)), zero_share=float((values == 0).sum()) / values.numel())
    return facts


def bits_of(torch, values):
    """32-bit floats as the integers of the same bits; a view has another type since PyTorch 1.7."""
    try:
        return values.view(torch.int32)
    except TypeError:
        return torch.from_numpy(values.cpu().numpy().view("int32")).to(values.device)


def row_hashes(tensor):
    """One number for each sample: equal samples have equal numbers, others hardly ever."""
    torch = sys.modules["torch"]
    values = tensor.detach()
    values = torch.stack((values.real, values.imag), -1) if values.is_complex() else values
    rows = values.reshape(tensor.shape[0], -1)
    if rows.shape[1] > MOST_ROW:
        rows = rows[:, :: -(-rows.shape[1] // MOST_ROW) | 1]
    if rows.is_floating_point():
        rows = bits_of(torch, rows.to(torch.float32).contiguous())
    words = rows.to(torch.int64)
    places = torch.arange(1, words.shape[1] + 1, dtype=torch.int64, device=words.device)
    # Odd multipliers from a fixed recurrence; integers wrap around, which is as good as a remainder.
    factors = (places * 0x1E3779B97F4A7C15) ^ (places << 17) | 1
    mixed = (words ^ (words >> 7)) * factors
    mixed = mixed ^ (mixed >> 31)
    return (mixed * factors).sum(1).tolist()


def features(tensor, hashes=None, padding=0):
    """The fields of ``Features``; the features of images are their channels, else the positions of the last axis."""
    torch = sys.modules["torch"]
    if not is_plain(tensor) or not tensor.numel() or tensor.dim() < 1:
        return None
    facts = feature_scales(tensor)
    values = thin(tensor, MOST_VALUES)
    whole = not tensor.is_floating_point() or bool((values == values.round()).all())
    facts["integer_grid"] = whole and not tensor.is_complex()
    if tensor.dtype in (torch.int64, torch.int32) and tensor.dim() == 2:
        facts["padding_share"] = float((values == padding).sum()) / values.numel()
    if hashes:
        facts["duplicate_share"] = 1.0 - len(set(hashes)) / float(len(hashes))
        facts["hashes"] = ["%016x" % (value & WORD) for value in hashes[:MOST_HASHES]]
    return facts


def is_standard(tensor):
    """Whether each feature of a table has mean 0 and deviation 1, but for rounding: its own statistics were used."""
    if tensor.dim() != 2 or not tensor.is_floating_point() or not LEAST_ROWS <= tensor.shape[0] <= MOST_TABLE:
        return False
    columns = tensor.detach().double()
    means, deviations = columns.mean(0), columns.std(0, unbiased=False)
    moving = deviations > 0
    slack = 1.0 / columns.shape[0]  # either way of dividing, by n or by n - 1
    exact = means.abs().max() < EXACT and bool(((deviations - 1).abs() < slack)[moving].all())
    return bool(moving.any()) and bool(exact)


def feature_scales(tensor):
    """How many features never change, and how unlike their deviations are."""
    if tensor.shape[0] < 2:
        return {}
    columns = tensor.detach()
    columns = columns[:: max(columns.numel() // (16 * MOST_VALUES), 1)] if columns.dim() > 2 else columns
    if columns.dim() >= 4:
        columns = columns.movedim(1, -1) if hasattr(columns, "movedim") else columns
    columns = columns.reshape(columns.shape[0], -1) if columns.dim() < 3 else columns.reshape(-1, columns.shape[-1])
    columns = columns[:, :MOST_FEATURES]
    columns = floats(columns[:: max(columns.numel() // (16 * MOST_VALUES), 1)])
    if columns.shape[0] < 2:
        return {}
    deviations = columns.std(0, unbiased=False)
    constant = columns.max(0)[0] == columns.min(0)[0]
    moving = deviations[(deviations > 0) & ~constant & (deviations < float("inf"))]
    spread = float(moving.max() / moving.min()) if moving.numel() else 1.0
    return {"constant_share": float(constant.sum()) / constant.numel(), "scale_spread": spread}


def targets(tensor, hashes=None):
    """The fields of ``Targets``."""
    if not is_plain(tensor) or not tensor.numel() or tensor.is_complex():
        return {"encoding": ""}
    labels, encoding, classes = labels_of(tensor.detach())
    facts = {"encoding": encoding, "classes": classes}
    if labels is None:
        return facts
    facts.update(label_facts(labels, hashes) if labels.dim() == 1 else {"counts": counts_of(whole(labels))})
    return facts


def labels_of(tensor):
    """The class of each sample where there is one, the encoding, and how many classes it provides for."""
    width = tensor.shape[-1] if tensor.dim() > 1 else 1
    real = tensor.is_floating_point()
    if tensor.dim() == 2 and width == 1:
        tensor = tensor[:, 0]
    elif width > 1 and (real or tensor.dim() == 2):
        two_valued = bool(((tensor == 0) | (tensor == 1)).all())
        if two_valued and bool((tensor.sum(-1) == 1).all()):
            return tensor.argmax(-1), "one-hot", int(width)
        if two_valued and tensor.dim() == 2:
            return None, "multi-label", int(width)
    values = tensor[tensor == tensor] if real else tensor
    values = values[values.abs() != float("inf")] if real else values
    if not values.numel() or (real and not bool((values == values.floor()).all())):
        return None, "real", 0
    return whole_labels(values, real)


def whole_labels(values, real):
    """Whole numbers are labels unless they are too many different ones."""
    different = values.unique().numel()
    if bool(((values == 0) | (values == 1)).all()):
        return values, "binary", 2
    if different > (max(min(1000, values.numel() // 5), 2) if real else 10000):
        return None, "real", 0
    return values, "index", max(int(values.max()) + 1, 0)


def spread(outputs):
    """The mean over output units of the standard deviation across the samples."""
    if not is_plain(outputs) or not outputs.is_floating_point() or outputs.dim() < 1 or outputs.shape[0] < 2:
        return None
    rows = floats(outputs.detach().reshape(outputs.shape[0], -1)[:, :MOST_FEATURES])
    return float(rows.std(0, unbiased=False).mean())
