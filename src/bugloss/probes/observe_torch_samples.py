"""Sampled steps, written down: numbers of layers, of the batch, of memory."""

from observe_torch_batches import batch_fields, process_megabytes  # type: ignore[import-not-found]
from observe_torch_layers import read  # type: ignore[import-not-found]
from observe_torch_weights import gradient_norm, layer_numbers  # type: ignore[import-not-found]

SETTLED = 3  # sampled steps after which it is known which layers are used


class Samples(object):
    """Joins what was seen of a step forward and at its update."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.count = 0

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
        megabytes = process_megabytes(self.observer.torch)
        self.recorder.emit("memory", step=self.recorder.step, megabytes=megabytes)
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


def unique(things):
    """The things in their order, each once."""
    found, seen = [], set()
    for thing in things:
        key = thing if isinstance(thing, str) else id(thing)
        if thing is not None and key not in seen:
            seen.add(key)
            found.append(thing)
    return found
