"""A remembered PyTorch step, replayed on copies with other inputs and weights, for ``grist_torch.py``."""


class Slot(object):
    """Stands for a tensor in a remembered call."""

    def __init__(self, number):
        self.number = number


def translate(value, kind, replace):
    """The same nest of lists, tuples and dicts with every ``kind`` in it replaced."""
    if isinstance(value, kind):
        return replace(value)
    if type(value) in (list, tuple):
        return type(value)([translate(part, kind, replace) for part in value])
    if isinstance(value, tuple) and hasattr(value, "_fields"):  # a packed sequence, say
        return type(value)(*[translate(part, kind, replace) for part in value])
    if isinstance(value, tuple):  # what torch.max and its like return; nobody hands it back as an argument
        return tuple([translate(part, kind, replace) for part in value])
    if type(value) is dict:
        return {key: translate(part, kind, replace) for key, part in value.items()}
    return value


def collect(value, kind):
    """Every ``kind`` in the nest, in order."""
    found = []

    def note(part):
        found.append(part)
        return part

    translate(value, kind, note)
    return found


class RememberedStep(object):
    """A remembered step that can be looked at with other values in its leaves."""

    def __init__(self, torch, segment):
        self.torch = torch
        self.segment = segment
        self.graded = any(call["grad"] for call in segment.calls)
        self.order = [slot for wanted in ("input", "weight") for slot in self.slots(wanted)]
        self.sites = [self.site(key, positions) for key, positions in segment.places.items()]

    def site(self, key, positions):
        target, _, observed = self.segment.calls[positions[0]]["danger"]
        return {
            "path": key[0],
            "line": key[1],
            "operation": key[2],
            "target": target,
            "observed": observed,
            "positions": positions,
        }

    def inputs(self):
        return self.arrays("input")

    def weights(self):
        return self.arrays("weight")

    def arrays(self, wanted):
        return [self.segment.leaves[slot][1].cpu().numpy() for slot in self.slots(wanted)]

    def slots(self, wanted):
        return [slot for slot, (role, _) in sorted(self.segment.leaves.items()) if role == wanted]

    def look(self, site, values, variables):
        """Replays the step; says whether the danger was reached, else in which direction it is."""
        torch = self.torch
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.manual_seed(0)
            leaves = self.fill(values)
            watched, tensors = self.replay(leaves, set(site["positions"]))
            for operand, result, finite in watched:
                hit = finite and self.hit(site, operand, result, tensors.get(self.segment.final), leaves)
                if hit:
                    return {"hit": hit, "operand": extent(operand)}
            distance, gradients = self.gradients(site, watched, leaves, variables)
            return {"hit": None, "distance": distance, "gradients": gradients}

    def fill(self, values):
        """Fresh leaves: the given values in the first variables, the remembered ones in the rest."""
        given = dict(zip(self.order, values))
        leaves = {}
        for slot, (role, copy) in self.segment.leaves.items():
            leaf = self.torch.tensor(given[slot]) if slot in given else copy.clone()
            leaves[slot] = leaf.requires_grad_(True) if role != "constant" else leaf
        return leaves

    def replay(self, leaves, positions):
        torch, watched = self.torch, []
        tensors = {slot: leaf * 1 if leaf.requires_grad else leaf for slot, leaf in leaves.items()}
        for position, call in enumerate(self.segment.calls):
            arguments = translate(call["arguments"], Slot, lambda slot: tensors[slot.number])
            named = translate(call["named"], Slot, lambda slot: tensors[slot.number])
            with torch.set_grad_enabled(call["grad"] or not self.graded):
                operand = tensors[call["danger"][1]] if position in positions else None
                finite = operand is not None and all_finite(torch, [arguments, named])
                result = call["function"](*arguments, **named)
            for slot, tensor in zip(collect(call["result"], Slot), collect(result, torch.Tensor)):
                tensors[slot.number] = tensor
            if operand is not None:
                watched.append((operand, result, finite))
        return watched, tensors

    def hit(self, site, operand, result, final, leaves):
        """``value`` or ``gradient``: where the operation makes inf or NaN that reaches the loss or its gradient."""
        torch = self.torch
        born = not bool(torch.isfinite(result).all())
        if final is None or (born and not bool(torch.isfinite(final).all())):
            return "value" if born else None
        on_edge = {"low": (operand <= 0).any(), "far": (operand.abs() >= 1).any()}.get(site["target"], False)
        if not (born or bool(on_edge)) or not self.graded or not (operand.requires_grad and final.requires_grad):
            return None
        upstream, gradient = torch.autograd.grad(final.sum(), [result, operand], retain_graph=True, allow_unused=True)
        if gradient is None or bool(torch.isfinite(gradient).all()):
            return None
        return "gradient" if born or bool(torch.isfinite(upstream).all()) else None

    def gradients(self, site, watched, leaves, variables):
        """The gradient of the distance to the danger zone for each of the first variables."""
        operand = watched[0][0]
        wanted = [leaves[slot] for slot in self.order[:variables]]
        if not operand.requires_grad or not operand.numel():
            return 0.0, [None] * variables
        # Towards minus infinity, zero, infinity or away from zero: in each case something to make smaller.
        pull = {"low": operand, "zero": operand.abs(), "high": -operand, "far": -operand.abs()}
        distance = pull[site["target"]].min()
        found = self.torch.autograd.grad(distance, wanted, allow_unused=True)
        return float(distance.detach()), [None if gradient is None else gradient.numpy() for gradient in found]


def all_finite(torch, nest):
    tensors = collect(nest, torch.Tensor)
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors if tensor.is_floating_point())


def extent(tensor):
    tensor = tensor.detach()
    return [float(tensor.min()), float(tensor.max())] if tensor.numel() else [0.0, 0.0]
