"""Copies of the models of a tape, to be asked about outputs, layers and state; ``subject`` adds the loss."""

import copy
import sys

from ..relation import Subject, Untold, Where, relates
from .replay import StepReplay, part_of
from .tape import leaves, tree_map
from .trace import Trace, array_of

SEED = 0


class AskedModel(Subject):
    """What ``relation`` asks about a model. The first question prepares it."""

    def __init__(self, torch, recorder, book, tape):
        self.torch, self.recorder, self.book, self.tape = torch, recorder, book, tape
        self.lesson = None
        self.known = None
        self.refused = None

    @property
    def rate(self):
        return self.tape.rate

    @property
    def replay(self):
        """The tape, ready to be run; if it cannot be, every question gets the same reason."""
        if self.refused is not None:
            raise Untold(self.refused)
        if self.known is None:
            try:
                self.known = self.prepared()
            except Exception as error:
                self.refused = str(error)[:150]
                raise
        return self.known

    def prepared(self):
        if "numpy" not in sys.modules:
            raise Untold("NumPy is not in use")
        replay = StepReplay(self.torch, self.tape)
        replay.learn_sizes()
        replay.keep_few()
        if replay.size < 2:
            raise Untold("the batch has only one sample")
        with self.torch.no_grad():
            made = replay.run(replay.fresh())
        main = replay.valued(replay.main, made)
        self.inputs = tree_map(lambda one: one.detach() if isinstance(one, self.torch.Tensor) else one, main)
        return replay

    @property
    def judging(self):
        """The tape, where its loss can be computed again."""
        replay = self.replay
        if not replay.faithful:
            raise Untold("the loss does not come out as it did when the step is computed again")
        if replay.bakes():
            raise Untold("the loss depends on numbers that were read from tensors")
        return replay

    @property
    def size(self):
        return self.replay.size

    # -- inputs --------------------------------------------------------------------------------------------------------

    def batch_tensors(self):
        size = self.replay.size
        return [one for one in leaves(self.inputs, self.torch.Tensor) if one.dim() and len(one) == size]

    def parts(self):
        return [array_of(one) for one in self.batch_tensors()]

    def links_samples(self):
        """Whether an input says which samples belong together: a matrix of all pairs, or pairs of their numbers."""
        given = leaves(self.inputs_known(), self.torch.Tensor)
        return any(one.is_sparse or relates(one.shape, str(one.dtype), self.size) for one in given)

    def given(self, parts):
        own = self.batch_tensors()
        replaced = {id(one): self.tensor(part, one) for one, part in zip(own, parts)}
        return tree_map(lambda one: replaced.get(id(one), one), self.inputs)

    def tensor(self, array, like):
        return self.torch.as_tensor(array).to(device=like.device, dtype=like.dtype)

    def changed(self, change):
        return tree_map(
            lambda one: change(one) if isinstance(one, self.torch.Tensor) and one.dim() else one, self.inputs_known()
        )

    def inputs_known(self):
        self.replay  # noqa: B018 (it prepares the inputs)
        return self.inputs

    def blank(self):
        return self.changed(self.torch.zeros_like)

    # -- outputs -------------------------------------------------------------------------------------------------------

    def models(self, training=None):
        """Fresh copies; in evaluation mode each draws the same random numbers, so that two of them can be compared."""
        models = self.replay.fresh()
        if training is False:
            self.torch.manual_seed(SEED)
        for model in models:
            if training is not None:
                model.train(training)
        return models

    def main(self, models):
        number, name = self.replay.main.module
        return part_of(models[number], name)

    def outputs_of(self, module, inputs=None):
        arguments, named = self.inputs_known() if inputs is None else inputs
        outputs = leaves(module(*arguments, **named), self.torch.Tensor)
        if not outputs:
            raise Untold("the model returns no tensors")
        return outputs[0]

    def answers(self, inputs=None):
        with self.torch.no_grad():
            return array_of(self.outputs_of(self.main(self.models(False)), inputs))

    def restless(self):
        """Whether outputs in evaluation mode are drawn at random."""
        module = self.main(self.models(False))
        self.torch.manual_seed(SEED + 1)
        with self.torch.no_grad():
            return bool((array_of(self.outputs_of(module)) != self.answers()).any())

    def trained(self):
        """A copy of the model as it is at the end, in evaluation mode."""
        number, name = self.replay.main.module
        original = self.tape.originals[number].module()
        if original is None:
            raise Untold("the model is gone")
        return part_of(copy.deepcopy(original).eval(), name)

    def trained_answers(self, inputs=None):
        with self.torch.no_grad():
            return array_of(self.outputs_of(self.trained(), inputs))

    def trained_pull(self, weights):
        """The gradient of a weighted sum of the trained outputs by each part of the input; None for integers."""
        parts = [self.tensor(part, part_tensor) for part, part_tensor in zip(self.parts(), self.batch_tensors())]
        wanted = [part.detach().requires_grad_() if part.is_floating_point() else part for part in parts]
        outputs = self.outputs_of(self.trained(), self.given(wanted))
        asked = [part for part in wanted if part.requires_grad]
        total = (outputs * self.tensor(weights, outputs)).sum()
        found = iter(self.torch.autograd.grad(total, asked, allow_unused=True))
        gradients = [next(found) if part.requires_grad else None for part in wanted]
        return [None if one is None else array_of(one) for one in gradients]

    def two_answers(self, first=None):
        if first is None:
            self.keeps_nothing()
        module = self.main(self.models(False))
        with self.torch.no_grad():
            before = array_of(self.outputs_of(module, first))
            return before, array_of(self.outputs_of(module))

    def training_answers(self):
        module = self.main(self.models(True))
        with self.torch.no_grad():
            return array_of(self.outputs_of(module)), array_of(self.outputs_of(module))

    def influence(self):
        module = self.main(self.models(False))
        own = self.batch_tensors()
        floating = [one.clone().requires_grad_(True) if one.is_floating_point() else one for one in own]
        replaced = {id(one): other for one, other in zip(own, floating)}
        with self.torch.backends.cudnn.flags(enabled=False):
            output = self.outputs_of(module, tree_map(lambda one: replaced.get(id(one), one), self.inputs))
        weights = self.torch.randn_like(output)
        asked = [one for one in floating if one.requires_grad]
        found = iter(self.torch.autograd.grad((output * weights).sum(), asked, allow_unused=True) if asked else ())
        gradients = [next(found) if one.requires_grad else None for one in floating]
        return [
            (sys.modules["numpy"].zeros(one.shape) if gradient is None else array_of(gradient))
            if one.requires_grad else None for one, gradient in zip(floating, gradients)
        ]  # fmt: skip

    # -- places --------------------------------------------------------------------------------------------------------

    def trace(self, inputs=None):
        arguments, named = self.inputs_known() if inputs is None else inputs
        return Trace(self.torch, self.recorder.frames).run(self.main(self.models(False)), arguments, named)

    def where(self, operation, layer, place=None):
        number, name = self.replay.main.module
        whole = ".".join(part for part in (name, layer) if part)
        original = self.tape.originals[number].module()
        made = self.book.site_of(part_of(original, whole)) if original is not None and whole else None
        return Where(operation, whole, self.recorder.site_of(place), made)

    # -- layers and state ----------------------------------------------------------------------------------------------

    def layers(self):
        found = self.main(self.replay.tape.models).named_modules()
        return [(name, type(module).__name__, settings_of(module)) for name, module in found if not module._modules]

    def shared_layers(self):
        """Names in one container that stand for the same layer with parameters."""
        for name, module in self.main(self.replay.tape.models).named_modules():
            if type(module).__name__ not in ("ModuleList", "Sequential", "ModuleDict"):
                continue
            known = {}
            for key, child in module._modules.items():
                if child is not None and next(iter(child.parameters()), None) is not None:
                    known.setdefault(id(child), []).append(".".join(part for part in (name, key) if part))
            for names in known.values():
                if len(names) > 1:
                    return names
        return []

    def kept_rows(self):
        """Buffers with as many rows as the batch that was seen: state of the program's own, sample by sample."""
        size = self.replay.sizes.get("taped", self.replay.size)
        found = self.main(self.replay.tape.models).named_buffers()
        return [name for name, one in found if one.dim() > 1 and len(one) == size]

    def state_changes(self):
        module = self.main(self.models(False))
        before = {name: value.clone() for name, value in module.state_dict().items()}
        with self.torch.no_grad():
            self.outputs_of(module)
        after = module.state_dict()
        return [name for name, value in before.items() if not self.torch.equal(value, after[name])]

    def keeps_nothing(self):
        """A model that changes its state as it answers is another model at the second answer."""
        if self.state_changes():
            raise Untold("a forward pass changes the state of the model")


def settings_of(module):
    """The settings of a layer that relations ask about."""
    asked = ("padding_idx", "num_embeddings", "batch_first", "bidirectional", "in_features", "out_features")
    return {name: getattr(module, name) for name in asked if hasattr(module, name)}
