"""One update of the weights, looked at closely: gradients before it, weights before and after.

Large parameters are thinned to a fixed selection of their values; sums over them are scaled up to the whole.
"""

import math

from .layers import quiet
from .numbers import floats, is_plain, nonzero_count, thin

MOST_VALUES = 16384
MOST_PARAMETERS = 1500
SYMMETRY_ROWS, SYMMETRY_COLUMNS = 256, 64


class ParameterMove(object):
    """One parameter of one layer during one step."""

    def __init__(self, layer, role, parameter, moves):
        self.layer = layer
        self.role = role
        self.parameter = parameter
        self.moves = moves  # whether the optimizer at work updates it
        self.version = parameter._version
        self.before = None
        self.numbers = {}


class UpdateWatch(object):
    """The parameters that one optimizer is about to change, by model."""

    def __init__(self, torch, records, parameters):
        self.torch = torch
        self.moving = {id(parameter) for parameter in parameters}
        self.loose = []
        self.parts = {}
        owned = set()
        for record in records:
            listed = list(self.parts_of(record))
            if any(part.moves for part in listed):
                self.parts[record.name] = (record, listed[:MOST_PARAMETERS])
                owned.update(id(part.parameter) for part in listed)
        self.loose = [
            ParameterMove("", "weight", one, True) for one in parameters if id(one) not in owned and is_plain(one)
        ]

    def parts_of(self, record):
        for name, module, _ in record.refresh().layers:
            for key, parameter in module.named_parameters(recurse=False):
                if is_plain(parameter) and parameter.numel():
                    role = "bias" if "bias" in key else "weight"
                    yield ParameterMove(name, role, parameter, id(parameter) in self.moving)

    def everything(self):
        return [part for _, parts in self.parts.values() for part in parts] + self.loose

    def look_before(self):
        with quiet(self.torch):
            for part in self.everything():
                values = thin(part.parameter, MOST_VALUES)
                part.before = values.clone()
                part.numbers.update(self.weight_numbers(part, floats(part.before)))

    def look_at_gradients(self):
        with quiet(self.torch):
            for part in self.everything():
                part.numbers.update(self.gradient_numbers(part))
                if part.numbers.get("norm") is not None and part.layer:
                    part.numbers["graded"] = True

    def weight_numbers(self, part, values):
        variance, mean = self.torch.var_mean(values, unbiased=False)
        facts = {"size": values.numel(), "variance": variance, "mean": mean, "weight_bad": self.bad(variance, values)}
        if part.role == "bias":
            facts["most"] = values.abs().max()
        elif part.layer:
            facts["symmetric"] = self.symmetric(part.parameter)
        return facts

    def symmetric(self, parameter):
        """Whether all units have the same incoming weights."""
        if parameter.dim() < 2 or parameter.shape[0] < 2:
            return None
        rows = parameter.detach()[:SYMMETRY_ROWS].reshape(min(parameter.shape[0], SYMMETRY_ROWS), -1)
        rows = rows[:, :SYMMETRY_COLUMNS]
        if rows.device.type == "cpu" and not self.torch.equal(rows[0], rows[-1]):
            return False
        return (rows == rows[:1]).all()

    def gradient_numbers(self, part):
        gradient = part.parameter.grad
        if gradient is None:
            return {}
        gradient = gradient.detach()
        if gradient.is_sparse:
            gradient = gradient.coalesce().values()
        if not gradient.numel():
            return {}
        values = floats(thin(gradient, MOST_VALUES))
        square = values.dot(values)
        return {
            "norm": square, "thinned": gradient.numel() / float(values.numel()),
            "gradient_size": part.parameter.numel(), "gradient_most": values.abs().max(),
            "gradient_zeros": 1 - nonzero_count(self.torch, values) / float(values.numel()),
            "gradient_bad": self.bad(square, values),
        }  # fmt: skip

    def bad(self, variance, values):
        """The number of NaN or infinite values; counted only where their sum is not finite, if that is cheap."""
        if values.device.type == "cpu" and math.isfinite(variance.item()):
            return 0
        return values.numel() - self.torch.isfinite(values).sum()

    def look_after(self):
        with quiet(self.torch):
            for part in self.everything():
                if part.moves and part.before is not None:
                    after = thin(part.parameter, MOST_VALUES)
                    moved = floats(after) - floats(part.before)
                    part.numbers["moved"] = moved.dot(moved)
                    part.numbers["same"] = self.same(part.numbers["moved"], after, part.before)
                    part.numbers["whole"] = part.before.numel() == part.parameter.numel()
                    part.numbers["written"] = part.parameter._version != part.version
                part.before = None

    def same(self, moved, after, before):
        """Whether no bit changed; a change may be too small to have a square."""
        if after.device.type == "cpu" and moved.item() != 0:
            return False
        return (after == before).all()


def gradient_norm(parts):
    """The norm over all parameters that the optimizer updates, from numbers that have been read."""
    squares = [part["norm"] * part["thinned"] for part in parts if part.get("moves") and part.get("norm") is not None]
    return root(sum(squares), 1) if squares else None


def layer_numbers(parts):
    """The fields of ``LayerNumbers`` for one layer, from the numbers of its parameters that have been read."""
    facts = {}
    weights = [part for part in parts if part["role"] == "weight"] or parts
    biases = [part for part in parts if part["role"] == "bias"]
    size = sum(part["size"] for part in weights)
    facts["weight_rms"] = root(square(weights), size)
    facts["weight_std"] = root(sum(part["variance"] * part["size"] for part in weights), size)
    facts["weight_nonfinite"] = int(sum(part["weight_bad"] for part in parts))
    if biases:
        total = sum(part["size"] for part in biases)
        facts["bias_mean"] = sum(part["mean"] * part["size"] for part in biases) / total
        facts["bias_maximum"] = max(part["most"] for part in biases)
    flags = [part["symmetric"] for part in weights if part.get("symmetric") is not None]
    if flags:
        facts["symmetric"] = all(flags)
    facts.update(arrived(parts))
    facts.update(movement(parts, weights))
    return facts


def arrived(parts):
    """What is said of gradients; nothing where none arrived."""
    given = [part for part in parts if part.get("norm") is not None]
    if not given:
        return {}
    size = sum(part["gradient_size"] for part in given)
    return {
        "gradient_rms": root(sum(part["norm"] * part["thinned"] for part in given), size),
        "gradient_maximum": max(part["gradient_most"] for part in given),
        "gradient_zero_share": sum(part["gradient_zeros"] * part["gradient_size"] for part in given) / size,
        "gradient_nonfinite": int(sum(part["gradient_bad"] for part in given)),
    }


def movement(parts, weights):
    """How far the step moved the layer. A large parameter is only partly compared: then "unchanged" is not known."""
    moved = [part for part in parts if part.get("moved") is not None]
    if not moved:
        return {}
    facts = {"changed": any(not part["same"] for part in moved)}
    if not facts["changed"] and any(part["written"] and not part["whole"] for part in moved):
        facts["changed"] = None
    chosen = [part for part in weights if part.get("moved") is not None]
    size = square(chosen)
    if size > 0:
        facts["update_ratio"] = root(sum(part["moved"] for part in chosen), size)
    return facts


def square(parts):
    """The sum of the squares of all values that were looked at."""
    return sum((part["variance"] + part["mean"] ** 2) * part["size"] for part in parts)


def root(total, count):
    """The root of a quotient, which may be NaN."""
    if not count:
        return None
    quotient = total / count
    return math.sqrt(quotient) if quotient >= 0 else quotient
