"""Names what first made inf or NaN out of finite numbers, once a loss has turned bad.

Which samples were in the bad batch is not known under shuffling. So the model is tried with the last weights that were
finite, on several hundred samples of the training data: inputs, layers in their order, loss, gradients. Where all of
these are finite still, the update itself is to blame, and the first layer with spoilt weights is named.
"""

from . import births, compiled, models
from . import data as sources
from . import numbers as figures

MOST_ROWS = 512


def locate(subject, step):
    """Writes one "nonfinite" event."""
    batch = larger_batch(subject)
    bad = bad_inputs(batch)
    if bad is not None:
        tell(subject, step, "input", inputs=[bad])
        return
    now = subject.read()
    bad = [name for name, tensors in now.items() if figures.not_finite([array for _, array in tensors])]
    view = look(subject, batch, bool(bad))
    if view is not None and record_view(subject, step, view):
        return
    if bad:
        tell(subject, step, "weights", layer=bad[0])
    else:
        tell(subject, step, "loss", operation=loss_name(subject))


def larger_batch(subject):
    """More samples than usual: the culprit may be one of many."""
    arrays = subject.arrays
    if arrays is None or not arrays.known:
        return subject.batch
    size = subject.probe_size(arrays.inputs[0])
    size = size if size not in (8, 16, 32, sources.PROBE_ROWS) else MOST_ROWS * size // sources.PROBE_ROWS
    return tuple(subject.prepared(part) for part in arrays.probe(size))


def bad_inputs(batch):
    for part in batch or ():
        for array in sources.parts_of(part) or ():
            if array.dtype.kind == "f" and figures.not_finite([array]):
                return figures.numbers(array)
    return None


def look(subject, batch, replace):
    """A view of the model, with the last good weights where those of now are spoilt."""
    if batch is None or not subject.can_look() or (replace and subject.good is None):
        return None
    if subject.in_graph:
        return look_graph(subject, batch, replace)
    if not replace:
        return subject.look(batch=batch)
    # Spoilt as they are, the weights of now come back afterwards.
    with births.borrowed(subject.edition, list(good_values(subject))):
        return subject.look(batch=batch)


def look_graph(subject, batch, replace):
    copy = subject.graph_copy()
    values = subject.edition.values(copy.variables)
    if replace:
        good = {id(variable): value for variable, value in good_values(subject)}
        values = [good.get(id(variable), value) for variable, value in zip(copy.variables, values)]
    return copy.look(values, batch, True)


def good_values(subject):
    """(variable, value) of the last sample whose weights were all finite."""
    for name, _, own in subject.tensors():
        for (_, variable), (_, value) in zip(own, subject.good.get(name, ())):
            yield variable, value


def record_view(subject, step, view):
    """Whether the first bad layer, the loss or a gradient is to blame; the event is written if so."""
    leaves = {id(layer): (name, layer) for name, layer in models.leaves(subject.model)}
    before = None
    for key in view.order:
        output = view.outputs.get(key)
        if key not in leaves or output is None or output.dtype.kind != "f":
            continue
        if figures.not_finite([output]):
            name, layer = leaves[key]
            tell(subject, step, "forward", name, operation_of(layer), facts_of(before))
            return True
        before = output
    if view.loss is not None and (view.loss != view.loss or abs(view.loss) == float("inf")):
        tell(subject, step, "loss", operation=loss_name(subject), inputs=facts_of(view.prediction))
        return True
    return record_gradients(subject, step, view)


def record_gradients(subject, step, view):
    """Gradients run from the end to the beginning: the last layer with a bad one is where they turned bad."""
    culprit = None
    for name, _, own in subject.tensors():
        found = [view.gradients[id(variable)] for _, variable in own if id(variable) in view.gradients]
        if figures.not_finite(found):
            culprit = name
    if culprit is None:
        return False
    tell(subject, step, "backward", culprit)
    return True


def facts_of(array):
    return [figures.numbers(array)] if array is not None else []


def operation_of(layer):
    activation = models.activation_of(layer)
    return activation if activation not in ("", "linear") else type(layer).__name__


def loss_name(subject):
    loss = models.attribute(subject.model, "loss")
    return loss if isinstance(loss, str) else (models.function_name(loss) if callable(loss) else "")


def tell(subject, step, direction, layer="", operation="", inputs=()):
    place = next((made for name, made in models.leaves(subject.model) if name == layer), None)
    site = subject.watch.site_of(place) if place is not None else None
    if site is None and direction == "loss":
        site = compiled.loss_site(subject, models.attribute(subject.model, "loss"))
    if site is None and direction == "input":
        site = subject.recorder.site_of(subject.data_place)
    facts = {"direction": direction, "layer": layer, "operation": operation, "inputs": list(inputs), "site": site}
    subject.recorder.emit("nonfinite", step=step, **facts)
