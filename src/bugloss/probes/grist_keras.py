"""What ``grist.py`` knows of Keras on TensorFlow 2: remembers a model with a batch and traces its loss as a graph.

The graph shows every dangerous operation, however it was written, with the line that made it. Keras 3 and the Keras
of TensorFlow 2 are served in the same way; a loss that a hand-written loop computes outside the model is not seen.
"""

import functools
import sys

TARGETS = {
    "Log": "low",
    "Log1p": "low",
    "Sqrt": "low",
    "Rsqrt": "low",
    "Acosh": "low",
    "Reciprocal": "zero",
    "Inv": "zero",
    "RealDiv": "zero",
    "Div": "zero",
    "Exp": "high",
    "Expm1": "high",
    "Acos": "far",
    "Asin": "far",
    "Atanh": "far",
}
BATCH = 32
KEPT_MODELS = 3
MOST_SITES = 12


class KerasInputs(object):
    """Wraps the ways in which a program puts data into a model."""

    def __init__(self, frames):
        self.frames = frames
        self.depth = 0
        self.kept = []
        self.patched = []
        self.trouble = None

    def install(self):
        model = getattr(sys.modules.get("keras"), "Model", None)
        if model is None or self.patched:
            return
        for name in ("fit", "train_on_batch", "evaluate", "predict", "__call__"):
            self.wrap(model, name)

    def wrap(self, model, name):
        original, watcher = getattr(model, name), self
        own = name in model.__dict__

        def outermost(self, *arguments, **named):
            watcher.note(self, name, arguments, named)
            watcher.depth += 1
            try:
                return original(self, *arguments, **named)
            finally:
                watcher.depth -= 1

        functools.update_wrapper(outermost, original)
        setattr(model, name, outermost)
        self.patched.append((model, name, original if own else None))

    def note(self, model, name, arguments, named):
        """Keeps the first batch of a model; one with targets takes the place of one without."""
        if self.depth:
            return
        try:
            x = arguments[0] if arguments else named.get("x", named.get("inputs"))
            trains = name in ("fit", "train_on_batch", "evaluate")
            y = (arguments[1] if len(arguments) > 1 else named.get("y")) if trains else None
            known = [entry for entry in self.kept if entry["model"] is model]
            if x is None or len(self.kept) >= KEPT_MODELS or (known and (known[0]["trains"] or not trains)):
                return
            self.kept = [entry for entry in self.kept if entry["model"] is not model]
            place = self.frames.innermost()
            self.kept.append({"model": model, "x": head(x), "y": head(y), "trains": trains, "place": place})
        except Exception as error:
            self.trouble = self.trouble or error

    def seen(self):
        return bool(self.kept)

    def finish(self):
        for model, name, original in self.patched:
            if original is None:
                delattr(model, name)
            else:
                setattr(model, name, original)
        self.patched = []
        tensorflow = sys.modules.get("tensorflow")
        if self.trouble is not None and not self.kept:
            raise self.trouble
        if tensorflow is None:
            return
        for entry in self.kept:
            subject = KerasStepGraph(tensorflow, entry, self.frames)
            try:
                subject.find_sites()
                yield subject
            finally:
                subject.restore()


def head(data):
    """Copies of the first rows; what is not an array (a data set that can be read again) is kept as it is."""
    numpy = sys.modules["numpy"]
    if isinstance(data, (list, tuple)) and data and hasattr(data[0], "shape"):
        return type(data)([head(part) for part in data])
    if isinstance(data, dict):
        return {name: head(part) for name, part in data.items()}
    if not hasattr(data, "shape"):
        return data
    return numpy.array(data[:BATCH])


class KerasStepGraph(object):
    """A model's step as a graph that can be evaluated with other inputs and weights."""

    def __init__(self, tensorflow, entry, frames):
        self.tf = tensorflow
        self.frames = frames
        self.entry = entry
        self.model = entry["model"]
        self.x, self.y = self.batch(entry["x"], entry["y"])
        self.arrays = [numpy_of(part) for part in tensorflow.nest.flatten(self.x)]
        self.varied = [position for position, array in enumerate(self.arrays) if array.dtype.kind == "f"]
        self.variables = [raw(tensorflow, variable) for variable in self.model.trainable_variables]
        self.before = [(variable, variable.numpy()) for variable in self.all_variables()]
        self.dirty = False
        self.steps = {}
        self.sites = []

    def batch(self, x, y):
        """The first batch of a data set, or the arrays themselves; a generator would be another one afterwards."""
        if (
            y is None
            and hasattr(x, "__getitem__")
            and not hasattr(x, "shape")
            and not isinstance(x, (list, tuple, dict))
        ):
            first = x[0]  # a Sequence or PyDataset
        elif isinstance(x, self.tf.data.Dataset):
            first = next(iter(x))
        elif hasattr(x, "__next__"):
            raise ValueError("the data come from a generator, which cannot be read again")
        else:
            return x, y
        parts = first if isinstance(first, tuple) else (first,)
        return parts[0], parts[1] if len(parts) > 1 else None

    def all_variables(self):
        return [raw(self.tf, variable) for variable in self.model.variables]

    def restore(self):
        for variable, value in self.before:
            variable.assign(value)

    def inputs(self):
        return [self.arrays[position] for position in self.varied]

    def weights(self):
        values = {id(variable): value for variable, value in self.before}
        return [values[id(variable)] for variable in self.variables]

    def find_sites(self):
        """One trace lists the dangerous operations; those that neither inputs nor weights reach are left out."""
        known = set()
        for position, operation in enumerate(self.operations()):
            place = self.place(operation) or self.entry["place"]
            if place is None or (place, operation.type) in known or len(self.sites) >= MOST_SITES:
                continue
            known.add((place, operation.type))
            site = {"path": place[0], "line": place[1], "operation": operation.type.lower(), "position": position}
            site["target"], site["index"] = danger(self.tf, operation)
            sight = self.look(site, self.inputs(), len(self.varied))
            site["observed"] = sight["operand"]
            if sight["hit"] or sight["reachable"]:
                self.sites.append(site)

    def operations(self):
        found = []

        def look(operations, tape, loss, inputs):
            found.extend(operations)
            return loss

        self.trace(look)
        return found

    def place(self, operation):
        for frame in reversed(list(operation.traceback or ())):
            path, line = frame[0], frame[1]
            if self.frames.owns(path):
                return self.frames.short(path), line
        return None

    def trace(self, look):
        """A concrete function of the varied inputs; ``look`` chooses what it returns."""
        tf = self.tf

        def step(*inputs):
            tf.config.run_functions_eagerly(True)  # functions inside are traced in line, where we see them
            try:
                with tf.GradientTape(persistent=True) as tape:
                    tape.watch(list(inputs))
                    loss = self.loss(inputs)
                    graph = tf.compat.v1.get_default_graph()
                    operations = [one for one in graph.get_operations() if danger(tf, one) is not None]
                    return look(operations, tape, loss, list(inputs))
            finally:
                tf.config.run_functions_eagerly(False)

        specs = [tf.TensorSpec(array.shape, array.dtype) for array in self.inputs()]
        return tf.function(step, autograph=False).get_concrete_function(*specs)

    def loss(self, inputs):
        tf = self.tf
        parts = [tf.constant(array) for array in self.arrays]
        for position, tensor in zip(self.varied, inputs):
            parts[position] = tensor
        x = tf.nest.pack_sequence_as(self.x, parts)
        trains = self.entry["trains"]
        predicted = self.model(x, training=trains)
        if not trains:
            return total(tf, predicted)
        y = tf.nest.map_structure(tf.convert_to_tensor, self.y)
        if hasattr(self.model, "compute_loss"):
            return total(tf, self.model.compute_loss(x, y, predicted, None))
        return total(tf, self.model.compiled_loss(y, predicted, None, regularization_losses=self.model.losses))

    def look(self, site, values, variables):
        """Runs the graph; says whether the danger was reached, else in which direction it is."""
        count = len(self.varied)
        if variables > count or self.dirty:
            chosen = values[count:] if variables > count else self.weights()
            for variable, value in zip(self.variables, chosen):
                variable.assign(value)
            self.dirty = variables > count
        key = (site["position"], variables > count)
        if key not in self.steps:
            self.steps[key] = self.trace(lambda *seen: self.observe(site, variables > count, *seen))
        flags, numbers, gradients = self.steps[key](*[self.tf.constant(value) for value in values[:count]])
        low, high, distance = [float(number) for number in numbers]
        return {
            "hit": verdict(site["target"], low, high, *[bool(flag) for flag in flags]),
            "operand": [low, high],
            "distance": distance,
            "gradients": [numpy_of(gradient) for gradient in gradients],
            "reachable": any(bool((numpy_of(gradient) != 0).any()) for gradient in gradients) or not gradients,
        }

    def observe(self, site, with_weights, operations, tape, loss, inputs):
        """What one site shows, as tensors of the graph."""
        tf, operation = self.tf, operations[site["position"]]
        operand, result = operation.inputs[site["index"]], operation.outputs[0]
        low, high = tf.reduce_min(operand), tf.reduce_max(operand)
        size = tf.abs(operand)
        distance = tf.reduce_min({"low": operand, "zero": size, "high": -operand, "far": -size}[site["target"]])
        wanted = inputs + (self.variables if with_weights else [])
        zero = tf.UnconnectedGradients.ZERO
        with tape.stop_recording():
            gradients = tape.gradient(distance, wanted, unconnected_gradients=zero)
            upstream, gradient = tape.gradient(loss, [result, operand], unconnected_gradients=zero)
        operands = tf.reduce_all([finite(tf, tensor) for tensor in operation.inputs])
        flags = [operands] + [finite(tf, tensor) for tensor in (result, loss, upstream, gradient)]
        return flags, [low, high, distance], [tf.convert_to_tensor(part) for part in gradients]


def verdict(target, low, high, operands, result, loss, upstream, gradient):
    """``value`` or ``gradient``: where the operation makes inf or NaN that reaches the loss or its gradient."""
    if not operands:
        return None
    if not result and not loss:
        return "value"
    on_edge = (target == "low" and low <= 0) or (target == "far" and max(abs(low), abs(high)) >= 1)
    if gradient or not (on_edge or not result):
        return None
    return "gradient" if upstream or not result else None


def danger(tf, operation):
    """Towards what the operand must be driven and which one it is, or None."""
    kind = operation.type
    if kind == "Pow":
        base, exponent = [tf.get_static_value(part) for part in operation.inputs]
        if exponent is None or exponent.size != 1:
            return ("high", 1) if base is not None else None
        if exponent < 0:
            return "zero", 0
        return ("low", 0) if exponent != int(exponent) else None
    if kind not in TARGETS or operation.outputs[0].dtype.is_complex:
        return None
    index = 1 if kind in ("RealDiv", "Div") else 0
    # What is known while the graph is built depends on nothing that could be searched.
    return None if tf.get_static_value(operation.inputs[index]) is not None else (TARGETS[kind], index)


def raw(tf, variable):
    return variable if isinstance(variable, tf.Variable) else variable.value


def numpy_of(value):
    numpy = sys.modules["numpy"]
    return numpy.asarray(value.numpy() if hasattr(value, "numpy") else value)


def total(tf, nest):
    return tf.add_n([tf.reduce_sum(tf.cast(part, "float32")) for part in tf.nest.flatten(nest)])


def finite(tf, tensor):
    return tf.reduce_all(tf.math.is_finite(tensor)) if tensor.dtype.is_floating else tf.constant(True)


WATCHER = KerasInputs  # what grist.py starts
