"""Forward passes and what became of them: those that a backward pass followed train, the others evaluate.

``Pass`` is one call of a model from outside. ``Phases`` gathers evaluating passes into stretches and writes
"evaluation" and "epoch" events.
"""

from ..ledger.passes import joined
from ..patches import Identities
from .layers import quiet, read
from .numbers import is_plain, spread, tensors_in

MOST_OPEN = 64
MOST_HELD = 1000000
MOST_CLASSES = 64
LOOKED_AT = 40  # batches of a stretch whose answers are counted


class Reach(object):
    """Whether a backward pass came by; the graph holds this and nothing else of ours."""

    __slots__ = ("gradient", "reached")

    def __init__(self):
        self.reached = False
        self.gradient = None

    def __call__(self, gradients):
        self.reached = True
        self.gradient = gradients[0] if gradients else None


def follow(output, reach):
    """Calls back when a backward pass reaches an output."""
    register = getattr(output.grad_fn, "register_prehook", None)
    if register is not None:
        register(reach)
    else:
        output.register_hook(lambda gradient: reach((gradient,)))


class Pass(object):
    """One forward pass of a model, or of its parts one after the other."""

    __slots__ = (
        "arguments", "batch", "calls", "corrects", "cut", "feeds", "gradients", "labels", "loader", "marks", "members",
        "modes", "module", "named", "on_training", "output", "place", "reach", "record", "requires", "source", "step",
        "training",
    )  # fmt: skip

    def __init__(self, record, module, place):
        self.record = record
        self.module = module
        self.place = place
        self.members = {id(module)}
        self.calls = []
        self.corrects = None
        self.labels = None  # what a program compared its answers with
        self.feeds = False  # whether another model took its output
        self.cut = None  # the tensor that the batch was cut from, and where
        self.output = None
        self.requires = False
        self.reach = Reach()
        self.on_training = False
        self.loader = None
        self.source = None
        self.arguments, self.named = (), {}
        self.batch = None
        self.modes = ()
        self.gradients = self.training = False
        self.step = 0
        self.marks = None  # hashes of its samples

    @property
    def origin(self):
        """The line and the loader that it came from."""
        return self.place, self.loader and id(self.loader.record)

    def asks_for_inputs(self):
        """Whether the program wants the gradient of what it put in."""
        return any(one.requires_grad and one.is_leaf for one in tensors_in((self.arguments, self.named)))

    def release(self):
        """Gives up the tensors of the program."""
        self.arguments, self.named, self.output, self.labels = (), {}, None, None
        for call in self.calls:
            call.output = call.target = None


class Stretch(object):
    """Evaluating passes of one model over one source of data."""

    def __init__(self, evaluated, step):
        self.record = evaluated.record
        self.step = step
        self.place = evaluated.place
        self.on_training = evaluated.on_training
        self.batches = self.samples = self.looked = 0
        self.losses, self.accuracies, self.spreads = [], [], []
        self.gradients = False
        self.modes = set()
        self.predicted = {}
        self.key = None
        self.overlap = None  # the share of its first samples that were met in training batches
        self.data = None  # what the first batch tells; it is the whole where there is no second
        self.marked = []  # hashes of its samples, None where some were not looked at
        self.marked_targets = []  # hashes of their targets, None where some are not known
        self.random = False  # whether the code that makes samples draws numbers
        self.met = 0  # how many of them had been trained on
        self.partial = False  # whether the loss reads only some of the outputs
        self.by_loss = []  # right answers as the loss function reads outputs

    def add(self, one, main_loss):
        size = one.batch or 1
        self.batches += 1
        self.samples += size
        self.gradients = self.gradients or (one.gradients and one.requires)
        self.modes.update(one.modes)
        chosen = [call for call in one.calls if call.name == main_loss] or one.calls
        if chosen and chosen[0].value is not None:
            self.losses.append((chosen[0].value.detach(), size))
            self.partial = self.partial or 0 < chosen[0].size < size
        by_loss = chosen[0].accuracy if chosen else None
        right = one.corrects if one.corrects is not None else by_loss
        if right is not None:
            self.accuracies.append((right, size))
        if by_loss is not None:
            self.by_loss.append((by_loss, size))

    def fields(self, torch):
        raw = {"losses": self.losses, "right": self.accuracies, "by_loss": self.by_loss}
        facts = read(torch, {name: [one for one, _ in pairs] for name, pairs in raw.items()})
        loss, accuracy, by_loss = (
            mean(facts[name], [size for _, size in raw[name]]) for name in ("losses", "right", "by_loss")
        )  # fmt: skip
        readings = dict(
            self.readings("accuracy", facts["right"], self.accuracies),
            **self.readings("loss", facts["losses"], self.losses)
        )  # fmt: skip
        if len(self.by_loss) == len(self.accuracies) == self.batches:
            readings["accuracy by loss"] = by_loss
        return {
            "batches": self.batches, "samples": self.samples, "loss": loss, "accuracy": accuracy,
            "training_modes": sorted(self.modes), "gradients_on": self.gradients,
            "output_spread": mean(self.spreads, [1] * len(self.spreads)), "predicted": self.predicted,
            "data": "train" if self.on_training else "validation", "readings": readings, "model": self.record.name,
            "met": self.met / float(len(self.marked)) if self.marked else None,
            "content": joined(self.marked) if self.marked else "", "random": self.random, "partial": self.partial,
            "target_content": joined(self.marked_targets) if self.marked_targets else "",
        }  # fmt: skip

    def readings(self, name, values, pairs):
        """The same measurement as programs often get it wrong, where every batch was measured."""
        if len(values) != self.batches or self.batches < 2:
            return {}
        sizes = [size for _, size in pairs]
        return {
            name + ", mean of batches": sum(values) / len(values), name + " of the last batch": values[-1],
            name + ", sum over batches by samples": sum(values) / float(sum(sizes)),
            name + ", sum over samples by batches": sum(v * size for v, size in zip(values, sizes)) / len(values),
        }  # fmt: skip


class Phases(object):
    """What is open, what is training, what evaluates."""

    def __init__(self, recorder, torch):
        self.recorder = recorder
        self.torch = torch
        self.open = []
        self.trained = []  # passes since the last step that a backward pass has reached
        self.stretches = {}
        self.training_places = set()
        self.main_loss = None
        self.on_evaluation = []  # called with every evaluating pass
        self.before_close = []  # called before evaluations are written down
        self.after_evaluation = lambda: None
        self.epochs = Epochs(recorder)
        self.evaluated = Identities()
        self.rare = 0

    def begin(self, one):
        """A new pass: those before it that can be judged are."""
        self.resolve(False)
        for older in self.open + self.trained:
            older.release()
        self.open.append(one)

    def forget(self, one):
        """A pass that ended in an exception was neither."""
        self.open = [other for other in self.open if other is not one]

    def resolve(self, stepped):
        """Judges open passes. A pass with a graph waits for its backward pass until the weights were updated."""
        waiting = []
        for one in self.open:
            if one.reach.reached:
                one.record.in_training = True
                self.training_places.add(one.origin)
                if len(self.trained) < MOST_OPEN:
                    self.trained.append(one)
            elif not one.gradients or not one.requires:
                self.judge(one)
            elif stepped:
                self.judge(one)
            else:
                waiting.append(one)
        while len(waiting) > MOST_OPEN:
            self.judge(waiting.pop(0))
        self.open = waiting

    def take_trained(self):
        """The weights were updated: the passes that it was done for."""
        self.resolve(True)
        trained, self.trained = self.trained, []
        return trained

    def judge(self, one):
        """Whether a pass without a backward pass was an evaluation, or only fed something else."""
        evaluated = bool(one.calls) or one.corrects is not None
        teaching = self.training_places and not one.record.in_training
        if one.training and not evaluated and (one.gradients or one.feeds or teaching):
            return
        if teaching and (one.training or one.on_training):  # a model that others learn from
            return
        if one.training and one.gradients and one.origin in self.training_places:
            return
        self.evaluate(one)

    def evaluate(self, one):
        key = self.key_of(one)
        stretch = self.stretches.get(key)
        if stretch is None:
            stretch = self.stretches[key] = Stretch(one, self.recorder.step)
            stretch.key = key
        stretch.add(one, self.main_loss)
        for callback in self.on_evaluation:
            callback(one, stretch)
        if one.output is not None and stretch.looked < LOOKED_AT and self.recorder.clock.affords():
            stretch.looked += 1
            with self.recorder.clock.work(), quiet(self.torch):
                self.look(one.output, stretch)
        one.release()

    def key_of(self, one):
        """What distinguishes evaluations: the model, and the loader or the lines and the tensor that is evaluated."""
        if one.loader is not None:
            return one.record.name, id(one.loader.record), one.on_training
        given = one.cut[3]() if one.cut is not None else None
        # A tensor that was evaluated before is a data set of its own; others may be batches of one.
        known = given is not None and self.evaluated.get(given) is not None
        if given is not None and not known:
            self.evaluated.set(given, True)
        return one.record.name, one.source, one.on_training, id(given) if known else None

    def look(self, output, stretch):
        """Which classes were answered, and how different the answers are."""
        if not is_plain(output) or not output.is_floating_point() or not output.dim():
            return
        deviation = spread(output)
        if deviation is not None:
            stretch.spreads.append(deviation)
        if self.main_loss not in CLASSIFYING and not (self.main_loss is None and stretch.accuracies):
            return
        if output.dim() == 2 and 2 <= output.shape[1] <= 1000:
            answers = output.argmax(1).tolist()
        elif output.numel() == output.shape[0] and self.main_loss in BINARY:
            answers = (output.reshape(-1) > BINARY[self.main_loss]).to(self.torch.int64).tolist()
        else:
            return
        for answer in answers:
            key = str(answer)
            if key in stretch.predicted or len(stretch.predicted) < MOST_CLASSES:
                stretch.predicted[key] = stretch.predicted.get(key, 0) + 1

    def close(self):
        """Training goes on, or the program ends: what was evaluated is written down."""
        if not self.stretches:
            return
        for callback in self.before_close:
            callback()
        stretches, self.stretches = list(self.stretches.values()), {}
        tell_apart(stretches)
        self.after_evaluation()
        for stretch in stretches:
            fields = stretch.fields(self.torch)
            untold = fields["loss"] is None and fields["accuracy"] is None
            if untold and self.epochs.steps_since <= 2:
                # Models that feed others answer between any two steps; that is no evaluation worth a line each.
                self.rare += 1
                if self.rare > 20:
                    continue
            site = self.recorder.site_of(stretch.place)
            if stretch.data is not None and stretch.batches == 1:
                self.recorder.emit("data", phase="validation", samples=stretch.samples, site=site, **stretch.data)
            self.recorder.emit("evaluation", step=stretch.step, site=site, **fields)
            self.epochs.evaluated(fields, stretch.on_training)


CLASSIFYING = (
    "cross_entropy",
    "nll_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "multi_margin_loss",
)
BINARY = {"binary_cross_entropy": 0.5, "binary_cross_entropy_with_logits": 0.0}


def tell_apart(stretches):
    """Of several evaluations at one time, the one whose samples occur in training is not validation."""
    open_ones = [stretch for stretch in stretches if not stretch.on_training and stretch.overlap is not None]
    for stretch in open_ones:
        others = [other.overlap for other in open_ones if other is not stretch]
        if others and stretch.overlap >= 0.3 and min(others) < 0.5 * stretch.overlap:
            stretch.on_training = True


class Epochs(object):
    """Adds up training until it is evaluated or a pass over the training loader ends."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.number = 0
        self.steps_since = 0
        self.losses, self.accuracies = [], []
        self.rate = None
        self.step = 0
        self.passed = False
        self.validated = None
        self.on_training = None
        self.between = False  # whether evaluations come within passes over the loader
        self.began = None

    def stepped(self, loss, accuracy, rate, step=0, moment=0.0):
        """One training step, recorded some time after it; whatever came before it and was complete is written first."""
        self.complete(moment)
        self.steps_since += 1
        self.rate, self.step = rate, step
        self.began = moment if self.began is None else self.began
        if loss is not None:
            self.losses.append(loss)
        if accuracy is not None:
            self.accuracies.append(accuracy)

    def passed_loader(self):
        self.passed = self.steps_since > 0

    def evaluated(self, fields, on_training):
        if not self.steps_since:  # before training begins, or after its last epoch: no end of an epoch
            return
        measured = fields["loss"] is not None or fields["accuracy"] is not None
        if on_training:
            self.on_training = self.on_training or (fields if measured else None)
        elif measured and self.validated is None:
            self.validated = fields
            self.between = self.between or (self.steps_since > 0 and not self.passed)

    def complete(self, moment=0.0):
        """An epoch is over once a loader was passed or the model was validated, and there was training before."""
        over = self.validated or self.on_training or (self.passed and not self.between)
        if not self.steps_since or not over:
            return
        validated, measured = self.validated or {}, self.on_training or {}
        accuracy = mean(self.accuracies, [1] * len(self.accuracies))
        loss = mean(self.losses, [1] * len(self.losses))
        self.recorder.emit(
            "epoch", epoch=self.number, step=self.step,
            loss=measured.get("loss") if loss is None else loss,
            accuracy=measured.get("accuracy") if accuracy is None else accuracy,
            validation_loss=validated.get("loss"), validation_accuracy=validated.get("accuracy"),
            learning_rate=self.rate, seconds=max(moment - self.began, 0.0),
        )  # fmt: skip
        self.number += 1
        self.steps_since = 0
        self.losses, self.accuracies = [], []
        self.passed, self.validated, self.on_training, self.began = False, None, None, None


def mean(values, sizes):
    """The weighted mean, or None of nothing."""
    total = sum(sizes)
    return sum(value * size for value, size in zip(values, sizes)) / total if total else None
