"""Properties that a sound model has, asked of copies once the program is over: what all frameworks share.

A framework's ``Properties`` remembers a subject a model: a copy from before the first step, one batch, and the loss.
Each question is asked of a subject, which offers

- ``size`` (samples), ``rate`` (the learning rate in use, or None), ``lesson`` (None at first; kept by us);
- ``answers(inputs=None)``: the outputs of a fresh copy in evaluation mode, an array or a tensor; ``two_answers()``:
  those of one copy that is asked twice; ``judge(inputs=None, target=None)``: the loss in evaluation mode;
  ``both_modes(allowance)``: losses in training mode until running statistics have settled, then one in evaluation mode;
- ``learn(steps, allowance, inputs=None, target=None)``: losses of a fresh copy that is taught the batch, as many as
  there was time for; ``short_training(rate)``: the last loss of a few steps with the program's kind of optimizer;
- ``reordered()``, ``doubled()`` and ``blank()``: inputs with all samples but the first in another order, twice over,
  and without content; ``doubled_target()``; ``dealt(number)``: targets in another order, and whether they are the same;
- ``tokens()``: whether the targets are the inputs one step on, the number of positions, and inputs with another token
  in the last position.

``Untold`` is raised where a question cannot be asked; its text is the reason.
"""

import time

MOST_PARAMETERS = 5000000
MOST_SAMPLES = 32
OVERFIT_STEPS = 150
LEARN_STEPS = 40
SHORT_STEPS = 8
DEALS = 3  # of labels, at random
LEARNING_RATE = 0.003  # of Adam, which teaches
RATES = tuple(10.0**exponent for exponent in range(-6, 2))
SECONDS = 4.0  # for all questions about one model
NO_TIME = {"why": "no time left"}


class Untold(Exception):
    """A question that cannot be asked of this model."""


class Allowance(object):
    """How long one model may be asked. Where others use the machine too, it may take up to three times as long."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.began, self.began_work = time.time(), time.process_time()

    @property
    def spent(self):
        return self.spent_part(1.0)

    def spent_part(self, share):
        """Whether this share of the time is over."""
        passed, worked = time.time() - self.began, time.process_time() - self.began_work
        seconds = share * self.seconds
        return passed > seconds and (worked > seconds or passed > 3 * seconds)


class Asking(object):
    """Remembers at most one subject a model, and asks it when the program is over."""

    def __init__(self, recorder, seconds=SECONDS):
        self.recorder = recorder
        self.seconds = seconds
        self.subjects = {}

    def kept_random(self):
        """A context that seeds every generator, and puts it back as it was."""
        raise NotImplementedError

    def try_all(self):
        subjects, self.subjects = self.subjects, {}
        for subject in subjects.values():
            self.try_one(subject)

    def try_one(self, subject):
        allowance = Allowance(self.seconds)
        for name, ask in QUESTIONS:
            holds, facts = (None, NO_TIME) if allowance.spent else self.answer(ask, subject, allowance)
            if not all(map(is_finite, facts.values())):  # numbers that are none say nothing
                holds = None
            self.recorder.emit("property", name=name, holds=holds, facts=facts, step=self.recorder.step)

    def answer(self, ask, subject, allowance):
        try:
            with self.kept_random():
                return ask(subject, allowance)
        except Untold as reason:
            return None, {"why": str(reason)}
        except Exception as error:
            return None, {"why": explain(error)}


def explain(error):
    return "%s: %s" % (type(error).__name__, str(error).strip().split("\n")[0][:150])


def train_evaluation_consistency(subject, allowance):
    """The same batch is judged alike in both modes, once the running statistics have seen it."""
    train, evaluation = subject.both_modes(allowance)
    usual = mean(train)
    holds = abs(evaluation - usual) <= 0.5 * max(abs(usual), 1e-6) + 3 * spread(train)
    return bool(holds), {"train_loss": usual, "evaluation_loss": evaluation, "train_spread": spread(train)}


def deterministic_evaluation(subject, allowance):
    """In evaluation mode the same batch gives the same outputs."""
    first, second = subject.two_answers()
    change = largest(first - second)
    return change <= 1e-6 * (1 + largest(first)), {"largest_change": change}


def batch_independence(subject, allowance):
    """In evaluation mode a sample's output does not depend on the others of its batch."""
    whole = subject.answers()
    if len(whole) != subject.size:
        raise Untold("the output has no batch axis")
    change = largest(whole[0] - subject.answers(subject.reordered())[0])
    return unchanged(subject, whole, change), {"largest_change": change}


def unchanged(subject, answers, change):
    """Whether a change of outputs is none; what changes by itself says nothing about its cause."""
    allowed = 1e-4 * (1 + largest(answers))
    if change > allowed and largest(answers - subject.answers()) > allowed:
        raise Untold("the same inputs do not give the same outputs")
    return not change > allowed


def batch_scale(subject, allowance):
    """A batch twice over has the same loss: it is a mean, not a sum."""
    once, twice = subject.judge(), subject.judge(subject.doubled(), subject.doubled_target())
    ratio = twice / once if once else float("nan")
    return abs(ratio - 1) < 0.25, {"loss": once, "loss_doubled": twice, "ratio": ratio}


def overfit_batch(subject, allowance):
    """The model can overfit a few samples."""
    losses = subject.lesson = subject.learn(OVERFIT_STEPS, allowance)
    first, last = losses[0], min(losses[-5:])
    learned = last < 0.5 * first or last < 0.02
    facts = {"first_loss": first, "last_loss": last, "steps": len(losses)}
    if not learned and len(losses) < OVERFIT_STEPS:  # it might have been, with more time
        return None, dict(facts, **NO_TIME)
    return bool(learned), facts


def taught(subject, allowance):
    """Losses on the batch as it is; the lesson that was to overfit it began just so."""
    if subject.lesson is None:
        subject.lesson = subject.learn(LEARN_STEPS, allowance)
    return subject.lesson[:LEARN_STEPS]


def input_matters(subject, allowance):
    """Real inputs teach more than zeros do."""
    real = taught(subject, allowance)
    blank = subject.learn(LEARN_STEPS, allowance, inputs=subject.blank())
    facts = {"loss_real": real[-1], "loss_zero": blank[-1]}
    if len(real) != len(blank):
        return None, dict(facts, **NO_TIME)
    gained, idle = real[0] - real[-1], blank[0] - blank[-1]
    return bool(real[-1] < blank[-1] - 0.02 * abs(blank[0]) or gained > 1.2 * idle), facts


def labels_matter(subject, allowance):
    """True labels are learned faster than the same labels shuffled."""
    deals = [subject.dealt(number) for number in range(DEALS)]
    if any(same for _, same in deals):
        raise Untold("the shuffled labels are the same as before")
    real, others = taught(subject, allowance), []
    for target, _ in deals:
        others.append(subject.learn(LEARN_STEPS, allowance, target=target))
        if len(others[-1]) != len(real):
            return None, NO_TIME
    known, dealt = mean(real[-10:]), [mean(other[-10:]) for other in others]
    # A deal may be learned quickly by chance: one alone proves nothing.
    holds = True if known < min(dealt) else False if known >= mean(dealt) else None
    return holds, {"loss_real": known, "loss_shuffled": mean(dealt)}


def causality(subject, allowance):
    """Where the next token is predicted, no output depends on a later token."""
    follow, positions, changed = subject.tokens()
    if not follow:
        raise Untold("the targets are not the inputs shifted by one step")
    before = subject.answers()
    difference = abs(before - subject.answers(changed))
    if len(before.shape) < 2 or before.shape[1] != positions:
        raise Untold("the output has no position axis")
    changes = [float(difference[:, position].max()) for position in range(positions - 1)]
    facts = {"largest_change": max(changes), "position": changes.index(max(changes))}
    return unchanged(subject, before, max(changes)), facts


def learning_rate_range(subject, allowance):
    """With the learning rate in use a short training reduces the loss and does not diverge."""
    losses = []
    for rate in RATES:
        if allowance.spent:
            return None, NO_TIME
        losses.append(subject.short_training(rate))
    finite = [(loss, rate) for loss, rate in zip(losses, RATES) if loss == loss and loss < 1e6]
    facts = {"rates": list(RATES), "losses": losses}
    used = subject.rate
    if used is None or not finite:
        return None, facts
    best = min(finite)[1]
    first = subject.short_training(0.0)
    bursts = [rate for loss, rate in zip(losses, RATES) if rate > best and not loss < 2 * first]
    facts.update(best=best, used=used, diverges_at=min(bursts) if bursts else None)
    return bool(best / 1000 <= used and (not bursts or used < min(bursts))), facts


def largest(values):
    """The largest size of a number in an array or tensor."""
    return float(abs(values).max())


def is_finite(fact):
    return not isinstance(fact, float) or abs(fact) < float("inf")


def mean(values):
    return sum(values) / len(values)


def spread(values):
    middle = mean(values)
    return (sum((value - middle) ** 2 for value in values) / len(values)) ** 0.5


# The quick ones first: what takes long may use up the time.
QUESTIONS = (
    ("deterministic-evaluation", deterministic_evaluation),
    ("batch-independence", batch_independence),
    ("batch-scale", batch_scale),
    ("causality", causality),
    ("train-evaluation-consistency", train_evaluation_consistency),
    ("overfit-batch", overfit_batch),
    ("input-matters", input_matters),
    ("labels-matter", labels_matter),
    ("learning-rate-range", learning_rate_range),
)
