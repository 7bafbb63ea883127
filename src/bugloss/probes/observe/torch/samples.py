"""Sampled steps, written down: numbers of layers, of the batch, of memory."""

from ..memory import resident_megabytes
from .batches import batch_fields, target_of
from .copies import hooks_of
from .layers import quiet, read
from .numbers import WORD, is_plain, row_hashes, tensors_in
from .weights import gradient_norm, layer_numbers

MOST_MET = 20000
MOST_BATCHES = 12
SETTLED = 3  # sampled steps after which it is known which layers are used


class Samples(object):
    """Joins what was seen of a step forward and at its update."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.count = 0
        self.met = set()  # hashes of samples in training batches
        recorder.megabytes = self.megabytes

    def megabytes(self):
        """What tensors hold on an accelerator; without one, what the process holds."""
        cuda = self.observer.torch.cuda
        return cuda.memory_allocated() / 1e6 if cuda.is_initialized() else resident_megabytes()

    def write(self, update, watches):
        """Writes the "sample" events of a step. Returns the norm of all gradients."""
        if not any("norm" in part.numbers for part in update.everything()):
            update.look_at_gradients()  # an optimizer that calls back for its gradients has them only now
        update.look_after()
        groups = list(update.parts.items()) + [("", (None, update.loose))]
        listed = [
            dict(part.numbers, role=part.role, moves=part.moves, layer=part.layer, model=name)
            for name, (_, parts) in groups for part in parts
        ]  # fmt: skip
        watched = {record.name: watch.fields for record, (_, watch, _) in watches.items()}
        numbers = read(self.observer.torch, {"parts": listed, "layers": watched})
        self.count += 1
        for name, (record, _) in update.parts.items():
            own = [part for part in numbers["parts"] if part["model"] == name]
            self.write_model(record, own, numbers["layers"].get(name, {}))
        hooks = hooks_of([record for record, _ in update.parts.values()])
        self.recorder.read_memory(hooks=hooks, graph=self.observer.turn.graph)
        return gradient_norm(numbers["parts"])

    def write_model(self, record, parts, watched):
        layers = {name: dict(fields) for name, fields in watched.items()}
        for name in unique([part["layer"] for part in parts]):
            own = [part for part in parts if part["layer"] == name]
            layers.setdefault(name, {}).update(layer_numbers(own))
            if any(part.get("norm") is not None for part in own):
                record.graded.add(name)
        ordered = {name: layers[name] for name, _, _ in record.ordered() if name in layers}
        self.recorder.emit("sample", step=self.recorder.step, model=record.name, layers=ordered)
        self.observer.book.describe(record, self.recorder.step, settled=self.count >= SETTLED)

    def batch(self, one, phase, step):
        """Writes a "batch" event for a forward pass."""
        fields = batch_fields(one, one.loader and self.observer.loaders.batch)
        if fields:
            self.recorder.emit("batch", step=step, phase=phase, site=self.recorder.site_of(one.place), **fields)
            if phase == "train" and len(self.met) < MOST_MET:
                self.met.update(fields["features"][0].get("hashes", ()))


class Validation(object):
    """The first batches of evaluations: a few are written down, and compared with what was trained on."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.written = 0
        self.overlaps = {}
        self.described = set()

    def look(self, one, stretch):
        if stretch.batches == 1:
            self.compare(one, stretch)
        if self.written < MOST_BATCHES and self.recorder.clock.affords():
            self.written += 1
            self.observer.samples.batch(one, "validation", stretch.step)
            if one.loader is None and stretch.batches == 1:
                self.describe(one, stretch)

    def compare(self, one, stretch):
        """How many of its first samples were met in training; asked again while few were."""
        met, known = self.observer.samples.met, self.overlaps.get(stretch.key)
        if known is None or known[0] < len(met) // 2:
            inputs = inputs_of(one)
            with quiet(self.observer.torch):
                found = ["%016x" % (value & WORD) for value in row_hashes(inputs[:64])] if inputs is not None else []
            share = sum(1 for value in found if value in met) / float(len(found)) if found else None
            known = self.overlaps[stretch.key] = (len(met), share)
        stretch.overlap = known[1]

    def describe(self, one, stretch):
        """Data for validation that no loader gave; described once for every line."""
        inputs = inputs_of(one)
        if inputs is not None and one.place not in self.described:
            self.described.add(one.place)
            target = target_of(one, [inputs], None)
            stretch.data = self.observer.loaders.facts("validation", inputs, target)


def inputs_of(one):
    """The first tensor that a pass was given."""
    found = [part for part in tensors_in((one.arguments, one.named), 1) if is_plain(part) and part.dim()]
    return found[0] if found and found[0].numel() else None


def unique(things):
    """The things in their order, each once."""
    found, seen = [], set()
    for thing in things:
        key = thing if isinstance(thing, str) else id(thing)
        if thing is not None and key not in seen:
            seen.add(key)
            found.append(thing)
    return found
