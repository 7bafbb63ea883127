"""A PyTorch model to try relations on: a copy as it was at first, a batch, and how its outputs become a loss."""

import copy

from ..properties import LEARNING_RATE, SHORT_STEPS
from ..relation import Term, Untold
from .asked import SEED, AskedModel
from .replay import StepReplay
from .tape import Ref, leaves, name_of
from .trace import array_of

NEAR = 1e-5  # a step along the gradient, far below where a loss bends
PASSES = 12  # in training mode, until running statistics have settled
LOSSES = ("cross_entropy", "binary_cross_entropy_with_logits", "nll_loss", "kl_div")
CUTS = ("detach", "data", "detach_", "argmax", "numpy", "round", "sign")  # ends of a gradient's way


def cuts(call):
    """Whether a call on the way to the loss keeps the gradient from what is behind it."""
    return call.name in CUTS or (call.module is not None and not call.gradients)


class TorchSubject(AskedModel):
    """What ``relation`` asks for, on copies of the models of one tape."""

    # -- the loss ------------------------------------------------------------------------------------------------------

    def target_index(self):
        target = self.judging.target
        if target is None:
            raise Untold("no target with a row a sample is known")
        return target

    def target(self):
        return array_of(self.target_tensor())

    def target_tensor(self):
        index = self.target_index()
        if index in self.judging.constants:
            return self.judging.constants[index]
        with self.torch.no_grad():
            return self.judging.run(self.models(False))[index]

    def constants(self, target):
        if target is None:
            return None
        index = self.target_index()
        own = self.target_tensor()
        return {index: target if isinstance(target, self.torch.Tensor) else self.tensor(target, own)}

    def loss_of(self, models, inputs=None, target=None, outputs=None):
        made = self.judging.run(models, inputs, self.constants(target), outputs)
        return made[self.tape.loss]

    def judge(self, inputs=None, target=None):
        with self.torch.no_grad():
            return float(self.loss_of(self.models(False), inputs, target))

    def judge_doubled(self):
        with self.torch.no_grad():
            return float(self.judging.doubled().run(self.models(False))[self.tape.loss])

    def judge_outputs(self, outputs, target=None):
        own = self.output_tensor()
        with self.torch.no_grad():
            return float(self.loss_of(self.models(False), None, target, self.tensor(outputs, own)))

    def output_tensor(self):
        with self.torch.no_grad():
            return self.outputs_of(self.main(self.models(False)))

    def output_gradient(self, outputs=None):
        own = self.output_tensor()
        given = (own if outputs is None else self.tensor(outputs, own)).detach().clone().requires_grad_(True)
        (gradient,) = self.torch.autograd.grad(
            self.loss_of(self.models(False), outputs=given), [given], allow_unused=True
        )
        if gradient is None:
            raise Untold("the loss does not depend on the first output")
        return array_of(gradient)

    def gradient_size(self, inputs=None):
        models = self.models(False)
        loss = self.loss_of(models, inputs)
        return float(loss.detach()), self.norm_of(loss, models)

    def norm_of(self, value, models):
        """The norm of a gradient over all parameters, or None where it reaches none."""
        wanted = [part for model in models for part in trainable(model)]
        if not value.requires_grad or not wanted:
            return None
        found = self.torch.autograd.grad(value, wanted, retain_graph=True, allow_unused=True)
        found = [one for one in found if one is not None]
        return float(sum((one.double() ** 2).sum() for one in found) ** 0.5) if found else None

    def loss_functions(self):
        calls = self.judging.after_main()
        return [name_of(call.function) for call in calls if call.module is None]

    def loss_inputs(self, inputs=None):
        """(name of a loss function, what it is given first, where) for each on the way to the loss."""
        replay = self.judging
        with self.torch.no_grad():
            made = replay.run(self.models(False), inputs)
        found = [
            (call, leaves((call.arguments, call.named), Ref)) for call in replay.after_main() if call.module is None
        ]
        return [(call.name, array_of(made[refs[0].index]), replay.where_of(call, self.recorder))
                for call, refs in found if call.name in LOSSES and refs]  # fmt: skip

    def terms(self, doubled=False):
        replay = self.judging.doubled() if doubled else self.judging
        models = self.models(False)
        made = replay.run(models)
        derived = replay.derived()
        return [
            Term(
                call.name,
                float(made[index].detach()),
                self.norm_of(made[index], models),
                replay.where_of(call, self.recorder),
                index in derived,
            )  # fmt: skip
            for index, call in replay.summands()
            if made[index].numel() == 1
        ]

    def unreached(self):
        """(how many parameters are stepped, how many of them have no gradient, where the way is cut)."""
        if self.tape.starved:
            return self.tape.starved, self.tape.starved, self.cut()
        if not self.tape.stepped:
            raise Untold("no optimizer stepped after this loss")
        models = self.models(True)
        loss = self.judging.run(models)[self.tape.loss]
        known = [dict(model.named_parameters()) for model in models]
        wanted = [known[number][name] for number, name in self.tape.stepped if known[number][name].requires_grad]
        if not wanted:
            raise Untold("nothing that is stepped is trained")
        found = (
            self.torch.autograd.grad(loss, wanted, allow_unused=True) if loss.requires_grad else [None] * len(wanted)
        )
        return len(wanted), sum(1 for gradient in found if gradient is None), self.cut()

    def cut(self):
        """The last operation that ends a gradient's way; where none is seen, the first call of a model."""
        calls = self.tape.calls
        found = [call for call in calls if call.name in CUTS or not call.gradients]
        return self.replay.where_of(found[-1] if found else calls[0], self.recorder)

    def descent(self):
        """The cosine between the first update of the parameters and the gradient of the loss."""
        if not self.tape.after:
            raise Untold("no step was seen")
        models = copy.deepcopy(self.tape.models)
        whole = StepReplay(self.torch, self.tape)
        random = self.torch.get_rng_state()
        if self.tape.random is not None:
            self.torch.set_rng_state(self.tape.random)
        loss = whole.run(models)[self.tape.loss]
        self.torch.set_rng_state(random)
        names = [(number, name) for number, model in enumerate(models) for name, part in model.named_parameters()
                 if part.requires_grad and (number, name) in self.tape.after]  # fmt: skip
        known = [dict(model.named_parameters()) for model in models]
        before = [known[number][name] for number, name in names]
        found = self.torch.autograd.grad(loss, before, allow_unused=True)
        pairs = [
            (gradient.double().flatten(), (self.tape.after[name] - old.detach()).double().flatten())
            for name, old, gradient in zip(names, before, found) if gradient is not None
        ]  # fmt: skip
        product = sum(float((one * other).sum()) for one, other in pairs)
        sizes = [sum(float((part**2).sum()) for part in side) ** 0.5 for side in zip(*pairs)]
        if not pairs or not all(sizes):
            raise Untold("the step changed nothing, or there is no gradient")
        return product / (sizes[0] * sizes[1])

    shows_pairing = True

    def pairing(self):
        """The first operation on the way to the loss that puts every sample beside every other."""
        replay = self.judging
        with self.torch.no_grad():
            made = replay.run(self.models(False))
        for call in replay.after_main():
            results = [made[ref.index] for ref in leaves(call.result, Ref)]
            given = [made[ref.index] for ref in leaves((call.arguments, call.named), Ref)]
            if any(pairs(one, replay.size) for one in results) and not any(pairs(one, replay.size) for one in given):
                return replay.where_of(call, self.recorder)
            if len(given) == 2 and self.stretches(*given):
                return replay.where_of(call, self.recorder)
        return None

    def stretches(self, one, other):
        """Whether two tensors with a row a sample become larger than either where they meet."""
        if not (one.dim() and other.dim()) or not len(one) == len(other) == self.size:
            return False
        try:
            both = self.torch.broadcast_tensors(one, other)[0]
        except RuntimeError:
            return False
        return both.numel() > max(one.numel(), other.numel())

    def slope(self):
        """The norm of the gradient, and how much the loss changes along it; in double precision."""
        self.keeps_nothing()
        models = [model.double() for model in self.models(False)]
        if any(step.operation in CUTS for step in self.trace()) or any(map(cuts, self.tape.calls)):
            raise Untold("the model or the loss detaches something on purpose")
        constants = {index: one.double() if one.is_floating_point() else one
                     for index, one in self.judging.constants.items()}  # fmt: skip
        parameters = [part for model in models for part in trainable(model)]

        def loss():
            self.torch.manual_seed(SEED)
            return self.judging.run(models, constants=constants)[self.tape.loss]

        found = self.torch.autograd.grad(loss(), parameters, allow_unused=True)
        followed = [(part, one) for part, one in zip(parameters, found) if one is not None]
        norm = float(sum((one**2).sum() for _, one in followed) ** 0.5) if followed else 0.0
        if not norm:
            raise Untold("there is no gradient")
        values = []
        with self.torch.no_grad():
            for distance in (NEAR, -2 * NEAR):
                for part, one in followed:
                    part.add_(one, alpha=distance / norm)
                values.append(float(loss()))
        return norm, (values[0] - values[1]) / (2 * NEAR)

    # -- lessons -------------------------------------------------------------------------------------------------------

    def dealt(self, number):
        own = self.target_tensor()
        dealt = own[self.torch.randperm(len(own))]
        return dealt, bool((dealt == own).all())

    def both_modes(self, allowance):
        models = self.models(True)
        with self.torch.no_grad():
            train = [float(self.loss_of(models)) for _ in range(PASSES)]
            for model in models:
                model.eval()
            return train, float(self.loss_of(models))

    def learn(self, steps, allowance, inputs=None, target=None):
        models = self.models(True)
        optimizer = self.torch.optim.Adam(self.taught(models), lr=LEARNING_RATE)
        losses = []
        while len(losses) < steps and not (losses and allowance.spent):
            losses.append(self.step(models, optimizer, inputs, target))
        return losses

    def taught(self, models):
        """Parameters of the main model: in a contest of models, one alone can always be taught."""
        return trainable(models[self.replay.main.module[0]])

    def short_training(self, rate):
        models = self.models(True)
        kind = self.tape.optimizer or self.torch.optim.SGD
        optimizer = kind(self.taught(models), lr=max(rate, 1e-12))
        return [self.step(models, optimizer) for _ in range(SHORT_STEPS)][-1]

    def step(self, models, optimizer, inputs=None, target=None):
        optimizer.zero_grad()
        loss = self.loss_of(models, inputs, target)
        loss.backward()
        optimizer.step()
        return float(loss.detach())


def pairs(tensor, size):
    """Whether a tensor has a value for every pair of samples."""
    return sum(1 for extent in tensor.shape if extent == size) > 1


def trainable(module):
    return [one for one in module.parameters() if one.requires_grad]
