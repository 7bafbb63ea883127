"""Properties that a sound PyTorch model has, tried on a copy once the program is over.

``remember`` keeps a copy of a model from before its first step, with one batch and the loss that judged it; ``try_all``
asks about the copies and emits one "property" event an answer. The user's model, optimizer and random numbers are the
same afterwards, to the bit.
"""

import copy
import random
import sys

from ..properties import LEARNING_RATE, MOST_PARAMETERS, MOST_SAMPLES, SHORT_STEPS, Asking

PASSES = 12  # in training mode, until running statistics have settled


def tree_map(change, tree):
    """The same lists, tuples and dicts with every other value changed; PyTorch does more since 1.8."""
    pytree = getattr(sys.modules["torch"].utils, "_pytree", None)
    if pytree is not None:
        return pytree.tree_map(change, tree)
    if isinstance(tree, dict):
        return {key: tree_map(change, value) for key, value in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(tree_map(change, value) for value in tree)
    return change(tree)


class TorchSubject(object):
    """A copy of a model as it was at first, a batch, and how its outputs become a loss."""

    def __init__(self, torch, module, arguments, named, target, loss):
        self.torch = torch
        self.module = copy.deepcopy(module)
        self.arguments = tree_map(self.part, arguments)
        self.named = tree_map(self.part, named)
        self.target = self.part(target)
        self.loss = loss
        self.size = len(self.target)
        self.rate = None  # of the user's optimizer, and its class: known with the first step
        self.optimizer = None
        self.lesson = None

    def part(self, value):
        """A copy of the first samples of a tensor; anything else as it is."""
        if isinstance(value, self.torch.Tensor):
            return value.detach()[:MOST_SAMPLES].clone() if value.dim() else value.detach().clone()
        return value

    def fresh(self):
        return copy.deepcopy(self.module)

    def loss_of(self, module, inputs=None, target=None):
        given = self.arguments if inputs is None else inputs
        return self.loss(module(*given, **self.named), self.target if target is None else target)

    def changed(self, change):
        """The inputs with each floating or integer tensor changed."""
        return tree_map(
            lambda value: change(value) if isinstance(value, self.torch.Tensor) and value.dim() else value,
            self.arguments,
        )

    def changed_samples(self, change):
        return self.changed(lambda value: change(value) if len(value) == self.size else value)

    def reordered(self):
        return self.changed_samples(lambda value: self.torch.cat([value[:1], value[1:].flip(0)]))

    def doubled(self):
        return self.changed_samples(lambda value: self.torch.cat([value, value]))

    def doubled_target(self):
        return self.torch.cat([self.target, self.target])

    def blank(self):
        return self.changed(self.torch.zeros_like)

    def dealt(self, number):
        dealt = self.target[self.torch.randperm(self.size)]
        return dealt, bool((dealt == self.target).all())

    def tokens(self):
        tokens = (tuple(self.arguments) + (None,))[0]
        if not predicts_next(self.torch, tokens, self.target):
            return False, 0, None
        changed = tokens.clone()
        changed[:, -1] = (changed[:, -1] + 1) % (int(tokens.max()) + 1)
        return True, tokens.shape[1], (changed,) + tuple(self.arguments[1:])

    def answers(self, inputs=None):
        return self.answers_of(self.fresh().eval(), inputs)

    def two_answers(self):
        module = self.fresh().eval()
        return self.answers_of(module), self.answers_of(module)

    def answers_of(self, module, inputs=None):
        with self.torch.no_grad():
            given = self.arguments if inputs is None else inputs
            return outputs_of(self.torch, module(*given, **self.named))

    def judge(self, inputs=None, target=None):
        with self.torch.no_grad():
            return float(self.loss_of(self.fresh().eval(), inputs, target))

    def both_modes(self, allowance):
        module = self.fresh().train()
        with self.torch.no_grad():
            train = [float(self.loss_of(module)) for _ in range(PASSES)]
            return train, float(self.loss_of(module.eval()))

    def learn(self, steps, allowance, inputs=None, target=None):
        module = self.fresh().train()
        optimizer = self.torch.optim.Adam(trainable(module), lr=LEARNING_RATE)
        losses = []
        while len(losses) < steps and not (losses and allowance.spent):
            losses.append(self.step(module, optimizer, inputs, target))
        return losses

    def short_training(self, rate):
        module = self.fresh().train()
        kind = self.optimizer or self.torch.optim.SGD
        optimizer = kind(trainable(module), lr=max(rate, 1e-12))
        return [self.step(module, optimizer) for _ in range(SHORT_STEPS)][-1]

    def step(self, module, optimizer, inputs=None, target=None):
        optimizer.zero_grad()
        loss = self.loss_of(module, inputs, target)
        loss.backward()
        optimizer.step()
        return float(loss.detach())


class TorchProperties(Asking):
    """The subjects of one process, and the way they are taken."""

    def __init__(self, recorder, observer):
        super(TorchProperties, self).__init__(recorder)
        self.observer = observer
        self.torch = sys.modules["torch"]

    def remember(self, one, call, loss):
        """Called once a model's first loss is known, before any update; ``loss(outputs, target)`` computes it again."""
        name = one.record.name
        if name in self.subjects or call.target is None or not self.fits(one, call):
            return
        with KeptRandom(self.torch):
            self.subjects[name] = TorchSubject(
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
            super(TorchProperties, self).try_all()
        finally:
            self.observer.paused = False

    def kept_random(self):
        return KeptRandom(self.torch, seed=0)


class KeptRandom(object):
    """Puts every generator back as it was."""

    def __init__(self, torch, seed=None):
        self.torch = torch
        self.seed = seed

    def __enter__(self):
        numpy = sys.modules.get("numpy")
        self.states = (random.getstate(), numpy.random.get_state() if numpy else None, self.torch.get_rng_state())
        self.devices = self.torch.cuda.get_rng_state_all() if self.torch.cuda.is_initialized() else None
        self.gradients = self.torch.is_grad_enabled()
        self.torch.set_grad_enabled(True)
        if self.seed is not None:
            self.torch.manual_seed(self.seed)
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


def trainable(module):
    return [one for one in module.parameters() if one.requires_grad]


def predicts_next(torch, tokens, target):
    if not isinstance(tokens, torch.Tensor) or tokens.is_floating_point() or tokens.dim() != 2 or tokens.shape[1] < 3:
        return False
    wanted = target.reshape(tokens.shape) if target.numel() == tokens.numel() else None
    return wanted is not None and bool((wanted[:, :-1] == tokens[:, 1:]).float().mean() > 0.9)


def outputs_of(torch, result):
    """The first tensor of a model's answer."""
    if isinstance(result, torch.Tensor):
        return result
    parts = result.values() if isinstance(result, dict) else result
    return next(part for part in parts if isinstance(part, torch.Tensor))
