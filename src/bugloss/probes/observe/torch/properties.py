"""Properties that a sound model has, tried on a copy once the program is over.

``Properties.remember`` keeps a copy of a model from before its first step, with one batch and the loss that judged it;
``Properties.try_all`` asks about the copies and emits one "property" event an answer. The user's model, optimizer and
random numbers are the same afterwards, to the bit.
"""

import copy
import random
import sys
import time

MOST_PARAMETERS = 5000000
MOST_SAMPLES = 32
OVERFIT_STEPS = 150
LEARN_STEPS = 40
RATES = tuple(10.0**exponent for exponent in range(-6, 2))


class Subject(object):
    """A copy of a model as it was at first, a batch, and how its outputs become a loss."""

    def __init__(self, torch, module, arguments, named, target, loss):
        self.torch = torch
        self.module = copy.deepcopy(module)
        self.arguments = torch.utils._pytree.tree_map(self.part, arguments)
        self.named = torch.utils._pytree.tree_map(self.part, named)
        self.target = self.part(target)
        self.loss = loss
        self.size = len(self.target)
        self.rate = None  # of the user's optimizer, and its class: known with the first step
        self.optimizer = None

    def part(self, value):
        """A copy of the first samples of a tensor; anything else as it is."""
        if isinstance(value, self.torch.Tensor):
            return value.detach()[:MOST_SAMPLES].clone() if value.dim() else value.detach().clone()
        return value

    def fresh(self):
        return copy.deepcopy(self.module)

    def judge(self, module, arguments=None, target=None):
        """The loss of a model on the batch, or on another one."""
        given = self.arguments if arguments is None else arguments
        return self.loss(module(*given, **self.named), self.target if target is None else target)

    def changed(self, change):
        """The inputs with each floating or integer tensor changed."""
        return self.torch.utils._pytree.tree_map(
            lambda value: change(value) if isinstance(value, self.torch.Tensor) and value.dim() else value,
            self.arguments,
        )

    def learn(self, steps, target=None, arguments=None, deadline=None):
        """First and last loss of a fresh copy that is taught the batch."""
        module = self.fresh()
        module.train()
        wanted = [one for one in module.parameters() if one.requires_grad]
        optimizer = self.torch.optim.Adam(wanted, lr=0.003)
        losses = []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = self.judge(module, arguments, target)
            loss.backward()
            optimizer.step()
            losses.append(float(loss))
            if deadline is not None and time.time() > deadline:
                break
        return losses


class Properties(object):
    """Remembers at most one subject a model, and asks it when the program is over."""

    def __init__(self, recorder, observer, seconds=4.0):
        self.recorder = recorder
        self.observer = observer
        self.torch = sys.modules["torch"]
        self.seconds = seconds
        self.subjects = {}

    def remember(self, one, call, loss):
        """Called once a model's first loss is known, before any update; ``loss(outputs, target)`` computes it anew."""
        name = one.record.name
        if name in self.subjects or call.target is None or not self.fits(one, call):
            return
        with self.kept_random():
            self.subjects[name] = Subject(
                self.torch, one.record.module(), one.arguments, one.named, call.target, loss
            )  # fmt: skip

    def learn_optimizer(self, optimizer):
        """The first optimizer that steps is asked about: its class and its learning rate."""
        for subject in self.subjects.values():
            if subject.rate is None:
                subject.rate = float(optimizer.param_groups[0].get("lr", 0.0))
                subject.optimizer = type(optimizer)

    def fits(self, one, call):
        """Whether the loss judges the model's own output, sample by sample, and a copy is affordable."""
        module = one.record.module()
        if module is None or one.module is not module or call.output is None or one.output is None:
            return False
        size = sum(part.numel() for part in module.parameters())
        same = call.output.data_ptr() == one.output.data_ptr() and call.output.shape == one.output.shape
        return same and size <= MOST_PARAMETERS and len(call.target) == len(call.output) > 1

    def try_all(self):
        self.observer.paused = True
        try:
            for subject in self.subjects.values():
                self.try_one(subject)
        finally:
            self.observer.paused = False
            self.subjects = {}

    def try_one(self, subject):
        start = time.time()
        for name, ask in QUESTIONS:
            if time.time() - start > self.seconds:
                self.recorder.emit("property", name=name, holds=None, facts={"why": "no time left"})
                continue
            try:
                with self.kept_random():
                    self.torch.manual_seed(0)
                    holds, facts = ask(self.torch, subject, start + self.seconds)
            except Exception as error:
                holds, facts = None, {"why": "%s: %s" % (type(error).__name__, str(error).split("\n")[0][:150])}
            if not all(map(is_finite, facts.values())):  # numbers that are none say nothing
                holds = None
            self.recorder.emit("property", name=name, holds=holds, facts=facts, step=self.recorder.step)

    def kept_random(self):
        return KeptRandom(self.torch)


class KeptRandom(object):
    """Puts every generator back as it was."""

    def __init__(self, torch):
        self.torch = torch

    def __enter__(self):
        numpy = sys.modules.get("numpy")
        self.states = (random.getstate(), numpy.random.get_state() if numpy else None, self.torch.get_rng_state())
        self.devices = self.torch.cuda.get_rng_state_all() if self.torch.cuda.is_initialized() else None
        self.gradients = self.torch.is_grad_enabled()
        self.torch.set_grad_enabled(True)
        return self

    def __exit__(self, *error):
        self.torch.set_grad_enabled(self.gradients)
        python, array, tensor = self.states
        random.setstate(python)
        if array is not None:
            sys.modules["numpy"].random.set_state(array)
        self.torch.set_rng_state(tensor)
        if self.devices is not None:
            self.torch.cuda.set_rng_state_all(self.devices)
        return False


def train_evaluation_consistency(torch, subject, deadline):
    """The same batch is judged alike in both modes, once the running statistics have seen it."""
    module = subject.fresh()
    with torch.no_grad():
        module.train()
        train = [float(subject.judge(module)) for _ in range(12)]
        module.eval()
        evaluation = float(subject.judge(module))
    usual = sum(train) / len(train)
    gap = abs(evaluation - usual)
    holds = gap <= 0.5 * max(abs(usual), 1e-6) + 3 * spread(train)
    return bool(holds), {"train_loss": usual, "evaluation_loss": evaluation, "train_spread": spread(train)}


def deterministic_evaluation(torch, subject, deadline):
    """In evaluation mode the same batch gives the same outputs."""
    module = subject.fresh().eval()
    with torch.no_grad():
        first, second = (outputs_of(torch, module(*subject.arguments, **subject.named)) for _ in range(2))
    change = float((first - second).abs().max())
    return change <= 1e-6 * (1 + float(first.abs().max())), {"largest_change": change}


def batch_independence(torch, subject, deadline):
    """In evaluation mode a sample's output does not depend on the others of its batch."""
    module = subject.fresh().eval()
    with torch.no_grad():
        whole = outputs_of(torch, module(*subject.arguments, **subject.named))
        if len(whole) != subject.size:
            return None, {"why": "the output has no batch axis"}
        others = subject.changed(
            lambda value: torch.cat([value[:1], value[1:].flip(0)]) if len(value) == subject.size else value
        )
        again = outputs_of(torch, module(*others, **subject.named))
    change = float((whole[0] - again[0]).abs().max())
    return change <= 1e-4 * (1 + float(whole.abs().max())), {"largest_change": change}


def batch_scale(torch, subject, deadline):
    """A batch twice over has the same loss: it is a mean, not a sum."""
    module = subject.fresh().eval()
    with torch.no_grad():
        once = float(subject.judge(module))
        double = subject.changed(lambda value: torch.cat([value, value]) if len(value) == subject.size else value)
        twice = float(subject.judge(module, double, torch.cat([subject.target, subject.target])))
    ratio = twice / once if once else float("nan")
    return abs(ratio - 1) < 0.25, {"loss": once, "loss_doubled": twice, "ratio": ratio}


def overfit_batch(torch, subject, deadline):
    """A few samples can be learned by heart."""
    losses = subject.learn(OVERFIT_STEPS, deadline=deadline)
    first, last = losses[0], min(losses[-5:])
    return bool(last < 0.5 * first or last < 0.02), {"first_loss": first, "last_loss": last, "steps": len(losses)}


def input_matters(torch, subject, deadline):
    """Real inputs teach more than zeros do."""
    real = subject.learn(LEARN_STEPS, deadline=deadline)
    blank = subject.learn(LEARN_STEPS, arguments=subject.changed(torch.zeros_like), deadline=deadline)
    gained, idle = real[0] - real[-1], blank[0] - blank[-1]
    holds = (
        None if len(real) != len(blank) else bool(real[-1] < blank[-1] - 0.02 * abs(blank[0]) or gained > 1.2 * idle)
    )
    return holds, {"loss_real": real[-1], "loss_zero": blank[-1]}


def labels_matter(torch, subject, deadline):
    """True labels are learned faster than the same labels dealt out anew."""
    real = subject.learn(LEARN_STEPS, deadline=deadline)
    order = torch.randperm(subject.size)
    dealt = subject.learn(LEARN_STEPS, target=subject.target[order], deadline=deadline)
    same = bool((subject.target[order] == subject.target).all())
    holds = None if same or len(real) != len(dealt) else bool(mean(real[-10:]) < mean(dealt[-10:]))
    return holds, {"loss_real": mean(real[-10:]), "loss_shuffled": mean(dealt[-10:])}


def causality(torch, subject, deadline):
    """Where the next token is to be told, no output depends on a later token."""
    tokens = (tuple(subject.arguments) + (None,))[0]
    if not predicts_next(torch, tokens, subject.target):
        return None, {"why": "the targets are not the inputs one step on"}
    module = subject.fresh().eval()
    changed = tokens.clone()
    changed[:, -1] = (changed[:, -1] + 1) % (int(tokens.max()) + 1)
    with torch.no_grad():
        before = outputs_of(torch, module(tokens, *subject.arguments[1:], **subject.named))
        after = outputs_of(torch, module(changed, *subject.arguments[1:], **subject.named))
    change = (before - after).abs().flatten(2).amax(dim=(0, 2))[: tokens.shape[1] - 1]
    position = int(change.argmax())
    holds = float(change.max()) <= 1e-4 * (1 + float(before.abs().max()))
    return holds, {"largest_change": float(change.max()), "position": position}


def predicts_next(torch, tokens, target):
    if not isinstance(tokens, torch.Tensor) or tokens.is_floating_point() or tokens.dim() != 2 or tokens.shape[1] < 3:
        return False
    wanted = target.reshape(tokens.shape) if target.numel() == tokens.numel() else None
    return wanted is not None and bool((wanted[:, :-1] == tokens[:, 1:]).float().mean() > 0.9)


def learning_rate_range(torch, subject, deadline):
    """The learning rate in use lies where a short training falls and does not burst."""
    used = subject.rate
    losses = [short_training(torch, subject, rate) for rate in RATES]
    finite = [(loss, rate) for loss, rate in zip(losses, RATES) if loss == loss and loss < 1e6]
    if used is None or not finite:
        return None, {"rates": list(RATES), "losses": losses}
    best = min(finite)[1]
    first = short_training(torch, subject, 0.0)
    bursts = [rate for loss, rate in zip(losses, RATES) if rate > best and not loss < 2 * first]
    facts = {
        "rates": list(RATES),
        "losses": losses,
        "best": best,
        "used": used,
        "diverges_at": min(bursts) if bursts else None,
    }
    return bool(best / 1000 <= used and (not bursts or used < min(bursts))), facts


def short_training(torch, subject, rate):
    module = subject.fresh()
    module.train()
    kind = subject.optimizer or torch.optim.SGD
    optimizer = kind([one for one in module.parameters() if one.requires_grad], lr=max(rate, 1e-12))
    for _ in range(8):
        optimizer.zero_grad()
        loss = subject.judge(module)
        loss.backward()
        optimizer.step()
    return float(loss)


def is_finite(fact):
    return not isinstance(fact, float) or abs(fact) < float("inf")


def mean(values):
    return sum(values) / len(values)


def spread(values):
    mean = sum(values) / len(values)
    return (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


def outputs_of(torch, result):
    """The first tensor of a model's answer."""
    if isinstance(result, torch.Tensor):
        return result
    parts = result.values() if isinstance(result, dict) else result
    return next(part for part in parts if isinstance(part, torch.Tensor))


QUESTIONS = (
    ("train-evaluation-consistency", train_evaluation_consistency),
    ("deterministic-evaluation", deterministic_evaluation),
    ("batch-independence", batch_independence),
    ("batch-scale", batch_scale),
    ("overfit-batch", overfit_batch),
    ("input-matters", input_matters),
    ("labels-matter", labels_matter),
    ("causality", causality),
    ("learning-rate-range", learning_rate_range),
)
