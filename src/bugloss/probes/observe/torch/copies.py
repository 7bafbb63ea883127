"""Models beside the one that trains: copies that are to follow it, states that are kept and put back.

A target network, a moving average or a teacher has the architecture of the model that trains and is used between its
steps. A kept state that still shares memory with its model is not a copy: putting it back changes nothing.
"""

from ..patches import Identities
from .layers import quiet
from .numbers import is_plain, thin

PROBES = 4  # parameters of a model that are compared
VALUES = 512  # of each
LEAST_TURNS = 5  # steps with use of a model: fewer are an evaluation, or a start
MOST_STATES = 200


class PossibleCopy(object):
    """What is known of one model as a possible copy of another."""

    def __init__(self, record, shapes, start, pointers, place):
        self.record, self.shapes, self.start, self.pointers, self.place = record, shapes, start, pointers, place
        self.turns, self.last, self.apart, self.moved, self.shared = 0, None, {}, None, {}


class CopyWatch(object):
    """Follows models of equal architecture and the states that are kept of them."""

    def __init__(self, recorder, observer):
        self.recorder, self.observer, self.torch = recorder, observer, observer.torch
        self.companions = {}
        self.states = Identities()  # dict of a state: the step at which it was taken
        self.loaded = Identities()  # module: values after the last load
        self.kept, self.kept_place = [], None  # steps after which a state was taken
        self.depth = 0

    def install(self, patches):
        module = self.torch.nn.Module
        patches.wrap(module, "state_dict", self.wrap_state)
        patches.wrap(module, "load_state_dict", self.wrap_load)

    # -- states --------------------------------------------------------------------------------------------------------

    def wrap_state(self, original):
        watch = self

        def state_dict(module, *arguments, **named):
            watch.depth += 1
            try:
                state = original(module, *arguments, **named)
            finally:
                watch.depth -= 1
            if not watch.depth and watch.observer.watching() and watch.observer.steps_taken:
                with watch.recorder.guard("a state"):
                    watch.note_kept(state)
            return state

        return state_dict

    def note_kept(self, state):
        step = self.observer.steps_taken
        if len(self.kept) < MOST_STATES and step not in self.kept:
            self.kept.append(step)
            self.kept_place = self.kept_place or self.recorder.place(2)
            self.states.set(state, step)

    def wrap_load(self, original):
        watch = self

        def load_state_dict(module, state, *arguments, **named):
            watching = watch.observer.watching()
            if watching:
                with watch.recorder.guard("a state"):
                    watch.note_restored(module, state)
            result = original(module, state, *arguments, **named)
            if watching:
                with watch.recorder.guard("a state"):
                    watch.loaded.set(module, self.values_of(module))
            return result

        return load_state_dict

    def note_restored(self, module, state):
        """A state that is the model's own memory: what training did since cannot be undone by it."""
        taken = self.states.get(state)
        now = self.observer.steps_taken
        if taken is None or taken >= now:
            return
        own = {one.data_ptr() for one in module.parameters() if one.numel()}
        given = [one for one in state.values() if isinstance(one, self.torch.Tensor) and one.numel()]
        shared = sum(1 for one in given if one.data_ptr() in own)
        if own and shared >= len(own):
            self.recorder.occasion("restored-itself", self.recorder.place(2), taken=taken, now=now)

    def saved(self, thing):
        """A state that was taken steps ago is written to a file; if it is not a copy, it is the state of now."""
        taken = self.states.get(thing) if isinstance(thing, dict) else None
        now = self.observer.steps_taken
        if taken is None or taken >= now:
            return
        current = {one.data_ptr() for record in self.observer.book.all() for one in self.parameters_of(record)}
        if any(isinstance(one, self.torch.Tensor) and one.data_ptr() in current for one in thing.values()):
            self.recorder.occasion("saved-later", self.recorder.place(2), taken=taken, now=now)

    def parameters_of(self, record):
        module = record.module()
        return [one for one in module.parameters() if one.numel()] if module is not None else []

    # -- models beside each other --------------------------------------------------------------------------------------

    def used(self, one):
        """A pass of a model begins."""
        step = self.recorder.step
        known = self.companions.get(one.record.name)
        if known is None:
            self.meet(one.record, one.place)
            self.check_loaded(one.module)
        elif known.last != step:
            known.last = step
            known.turns += 1

    def meet(self, record, place):
        module = record.module()
        parameters = [one for one in module.parameters() if is_plain(one)] if module is not None else []
        shapes = tuple(tuple(one.shape) for one in parameters)
        pointers = {one.data_ptr() for one in parameters if one.numel()}
        found = PossibleCopy(record, shapes, self.values_of(module), pointers, place)
        for other in self.companions.values():
            if other.shapes == shapes and len(shapes) > 1 and other.record.module() is not None:
                found.apart[other.record.name] = distance(self.values_of(other.record.module()), found.start)
                other.apart[record.name] = found.apart[other.record.name]
                found.shared[other.record.name] = other.shared[record.name] = bool(pointers & other.pointers)
        self.companions[record.name] = found

    def values_of(self, module):
        if module is None:
            return []
        parameters = [one for one in module.parameters() if is_plain(one) and one.numel() and one.is_floating_point()]
        chosen = parameters[:: max(len(parameters) // PROBES, 1)][:PROBES]
        with quiet(self.torch):
            return [thin(one, VALUES).to(self.torch.float32).clone().cpu() for one in chosen]

    def check_loaded(self, module):
        """The first pass of a model: whether its weights are still those that were loaded."""
        before = self.loaded.get(module)
        if before is None or self.observer.steps_taken:
            return
        gap = distance(before, self.values_of(module))
        if gap is not None and gap > 0.05:
            self.recorder.occasion("loaded-then-changed", self.recorder.place(2), distance=gap)

    def finish(self):
        if self.kept:
            site = self.recorder.site_of(self.kept_place)
            self.recorder.emit(
                "occasion", kind="states-kept", step=self.recorder.step, count=len(self.kept), site=site,
                facts={"steps": self.kept},
            )  # fmt: skip
        for known in self.companions.values():
            module = known.record.module()
            known.moved = distance(known.start, self.values_of(module)) if module is not None else None
        for known in self.companions.values():
            if known.record.in_training or known.turns < LEAST_TURNS:
                continue
            for other, apart in known.apart.items():
                main = self.companions[other]
                if main.record.in_training and main.moved is not None:
                    module = known.record.module()
                    self.recorder.emit(
                        "copy", model=known.record.name, of=other, turns=known.turns, apart=apart, moved=known.moved,
                        other_moved=main.moved, shared=known.shared.get(other, False),
                        site=self.observer.book.site_of(module) or self.recorder.site_of(known.place),
                    )  # fmt: skip


def distance(one, other):
    """How far apart two sets of values are, relative to the size of the first."""
    if len(one) != len(other) or not one or any(left.shape != right.shape for left, right in zip(one, other)):
        return None
    gap = sum(float((left - right).pow(2).sum()) for left, right in zip(one, other))
    size = sum(float(left.pow(2).sum()) for left in one)
    return (gap / size) ** 0.5 if size else None


def hooks_of(records):
    """How many functions models call around their passes."""
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks")
    modules = [part for record in records if record.module() is not None for part in record.module().modules()]
    return sum(len(getattr(part, kind, None) or ()) for part in modules for kind in kinds)


def graph_size(loss, most=4000):
    """How many operations a backward pass goes through, up to a limit."""
    waiting, seen = [loss.grad_fn], set()
    while waiting and len(seen) < most:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting.extend(one for one, _ in node.next_functions)
    return len(seen)
