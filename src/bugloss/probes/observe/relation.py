"""What a relation is: two computations that agree in every correct program, tried on a copy of a model.

A relation is one file in ``relations/``: its docstring says what agrees with what and what a break means; ``FAMILY``
and ``COST`` (from QUICK to LATER, in this order) say where it belongs; ``ask(subject, allowance)`` returns
``held(…)``, ``broken(…)`` or ``unknown(…)`` with the numbers, or raises ``Untold`` with the reason why it cannot be
tried. Nothing else names a relation: the file is found by its place, and the file's name is the relation's.

A subject is a copy of a model as it was before its first step, one batch, and the loss. Arrays are NumPy's. It offers

- ``size`` (samples), ``rate`` (the learning rate in use, or None), ``lesson`` (None at first; kept by relations);
- ``parts()``: inputs of the model that have one row a sample; ``given(parts)``: inputs made of others like them, which
  every method below takes; ``reordered()``, ``doubled()``, ``blank()``: inputs changed in a usual way;
- ``links_samples()``: whether an input, such as the adjacency of a graph, says which samples belong together;
- ``answers(inputs=None)``: outputs of a fresh copy in evaluation mode; ``trained_answers()``: those of the model as it
  is at the end; ``two_answers(first=None)``: those of one copy that is asked about ``first``, then about the batch;
  ``training_answers()``: two in training mode; ``restless()``: whether outputs are drawn at random;
- ``influence()``: for each part, the gradient of a random sum of all outputs by that part, or None for integers;
- ``trace(inputs=None)``: every operation (or layer) of a forward pass, as ``Traced``; ``first_break(inputs, test)``:
  the first one on the way to the output whose values before and after the change meet ``test``, as a ``Where``;
- ``state_changes()``: names of buffers and parameters that a forward pass in evaluation mode has changed;
  ``kept_rows()``: names of buffers with a row for each sample; ``layers()``: (name, kind, settings) of all layers,
  ``shared_layers()``: names that stand for one and the same layer;
- ``target()``, ``judge(inputs=None, target=None)``: the loss in evaluation mode;
  ``judge_outputs(outputs, target=None)``; ``output_gradient(outputs=None)``: of the loss;
  ``gradient_size(inputs=None)``: the norm over all parameters;
  ``loss_functions()``: names of functions between outputs and loss; ``terms(doubled=False)``: the summands of the loss,
  as ``Term``; ``loss_inputs(inputs=None)``: (loss, what it is given, ``Where``) for losses that take logits;
  ``unreached()``: how many parameters an optimizer steps, how many of them get no gradient, ``Where``; ``descent()``;
- ``both_modes``, ``learn``, ``short_training``, ``doubled_target``, ``dealt``: see the relations that use them.
"""

QUICK, SLOW, LESSON, LATER = 0, 1, 2, 3  # a few passes; a few dozen; a training; others that are compared with it
OVERFIT_STEPS = 150
LEARN_STEPS = 40
NO_TIME = {"why": "no time left"}


class Untold(Exception):
    """A question that cannot be asked of this model."""


class Answer(object):
    """Whether a relation holds (None: not known), its numbers, and the place where it first breaks."""

    def __init__(self, holds, facts, where=None):
        self.holds, self.facts, self.where = holds, facts, where


class Where(object):
    """The operation or layer after which a relation no longer holds: sites are fields of a ``Site`` or None."""

    def __init__(self, operation="", layer="", site=None, made=None):
        self.operation, self.layer, self.site, self.made = operation, layer, site, made


class Traced(object):
    """One operation or layer of a forward pass: its name, the layer it ran in, inputs, output, and where it is."""

    def __init__(self, operation, layer, values, given, settings, place):
        self.operation, self.layer, self.values = operation, layer, values
        self.given = given  # arrays
        self.settings = settings  # arguments that are no tensors
        self.place = place  # for ``subject.where_of``


class Term(object):
    """One summand of the loss: value, norm of its gradient (None: it reaches no parameter), and where it is."""

    def __init__(self, name, value, gradient, where, of_output=True):
        self.name, self.value, self.gradient, self.where = name, value, gradient, where
        self.of_output = of_output  # whether it is computed from outputs of a model


class Subject(object):
    """What subjects of all frameworks share."""

    shows_pairing = False  # whether ``pairing`` can find the operation that compares all samples with each other

    def first_break(self, inputs, test):
        for before, after in zip(self.trace(), self.trace(inputs)):
            if before.operation != after.operation or before.values.shape != after.values.shape:
                return None
            if before.values.dtype.kind == "f" and test(before.values, after.values):
                return self.where_of(before)
        return None

    def where_of(self, step):
        return self.where(step.operation, step.layer, step.place)


def held(**facts):
    return Answer(True, facts)


def broken(where=None, **facts):
    return Answer(False, facts, where)


def unknown(**facts):
    return Answer(None, facts)


def judged(holds, where=None, **facts):
    """Held or broken; ``where`` is a function that looks for the place, called only where it is needed."""
    return Answer(bool(holds), facts, where() if where is not None and not holds else None)


def largest(values):
    """The largest size of a number in an array."""
    return float(abs(values).max()) if values.size else 0.0


def tolerance(values):
    """How far equal outputs may differ: other batch sizes are computed by other kernels."""
    return 1e-4 * (1 + largest(values))


def unchanged(subject, answers, change):
    """Whether a change of outputs is none; what changes by itself says nothing about its cause."""
    allowed = tolerance(answers)
    if change > allowed and subject.restless():
        raise Untold("the same inputs do not give the same outputs")
    return not change > allowed


def batched_answers(subject):
    """Outputs with one row a sample."""
    answers = subject.answers()
    if not answers.ndim or len(answers) != subject.size:
        raise Untold("the output has no batch axis")
    if answers.dtype.kind != "f":
        raise Untold("the outputs are not real numbers")
    return answers


def relates(shape, kind, size):
    """Whether an array has a value for every pair of samples, or lists pairs of them by number, as graphs do."""
    pairs = len(shape) == 2 and shape[0] == 2 and "int" in kind
    return pairs or (len(shape) == 2 and shape[0] == shape[1] == size)


def apart(subject):
    """Raises where samples are meant to have an influence on each other."""
    if subject.links_samples():
        raise Untold("an input says which samples belong together")


def with_part(parts, index, changed):
    """The same inputs with one of them replaced."""
    return [changed if place == index else part for place, part in enumerate(parts)]


def taught(subject, allowance):
    """Losses on the batch as it is; the lesson that was to overfit it began just so."""
    if subject.lesson is None:
        subject.lesson = subject.learn(LEARN_STEPS, allowance)
    return subject.lesson[:LEARN_STEPS]


def mean(values):
    return sum(values) / len(values)


def spread(values):
    middle = mean(values)
    return (sum((value - middle) ** 2 for value in values) / len(values)) ** 0.5
