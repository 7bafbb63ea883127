"""Forward passes: which calls are a model's, which are looked at closely, and what came out."""

import threading

from ..patches import unseen
from .layers import PassWatch, make_mode
from .names import FUNCTIONS
from .numbers import is_plain, tensors_in
from .phases import MOST_HELD, Pass, follow

MOST_WATCHES = 3  # of one model within one step
MOST_CALLS = 24  # of one model within one step that are followed one by one


class ForwardWatch(object):
    """Stands between the program and the modules that it calls."""

    def __init__(self, observer):
        self.observer, self.recorder, self.clock = observer, observer.recorder, observer.clock
        self.torch, self.book = observer.torch, observer.book
        self.mode = make_mode(self.torch)
        self.inside, self.inside_thread, self.watch = False, None, None  # within a call of a model
        self.watches = {}  # by model, in this step
        self.calls = {}  # by model, in this step
        self.compiled = False
        self.work = self.clock.work()
        self.layer_guard = self.recorder.guard("a layer")
        self.enter = self.recorder.guard("the beginning of a forward pass")(self._enter)
        self.leave = self.recorder.guard("the end of a forward pass")(self._leave)

    def next_step(self, written):
        """What was seen of a model whose own optimizer is still to step is kept for that step."""
        self.calls = {}
        kept = self.watches.items() if self.observer.sampling else ()
        self.watches = {record: seen for record, seen in kept if record.name not in written}

    @unseen
    def outer(self, original, module, arguments, named):
        """A call from the program: maybe a model's."""
        one = self.enter(module, arguments, named)
        if one is None:
            return original(module, *arguments, **named)
        taping = self.observer.properties.taping if self.observer.properties is not None else None
        if taping is not None:
            taping.enter_model(one.record)
        mode = self.mode_of(one) if self.watch is not None else None
        self.inside, self.inside_thread = True, threading.get_ident()
        try:
            if mode is None:
                result = original(module, *arguments, **named)
            else:
                with mode:
                    result = original(module, *arguments, **named)
        except BaseException:
            self.observer.phases.forget(one)
            raise
        finally:
            self.inside = False
            watch, self.watch = self.watch, None
        self.leave(one, watch, module, arguments, result)
        if taping is not None:
            taping.leave_model(module, arguments, named, result, one.place)
        return result

    @unseen
    def inner(self, original, module, arguments, named):
        """A call within a model, on a sampled step."""
        watch = self.watch
        if watch is None or self.inside_thread != threading.get_ident():  # another thread's model, or a replica
            return original(module, *arguments, **named)
        leaf = not module._modules
        watch.inside += leaf
        try:
            result = original(module, *arguments, **named)
        finally:
            watch.inside -= leaf
        with self.layer_guard, self.work:
            watch.see(module, arguments, result)
        return result

    def _enter(self, module, arguments, named):
        if self.torch._C._get_tracing_state() is not None:
            return None
        with self.work:
            record = self.book.record_of(module)
            if record is None:
                return None
            gradients = self.torch.is_grad_enabled()
            calls = self.calls[record] = self.calls.get(record, 0) + 1
            if gradients and calls > MOST_CALLS:  # a cell in a hand-made loop, say
                return None
            if not self.observer.begun:
                self.observer.begin(module)
            one = self.continued(record, module) or self.begin_pass(record, module, arguments, named, gradients)
            self.watch = self.choose_watch(one, record, gradients)
            return one

    def continued(self, record, module):
        """The pass under way, where a program calls the parts of a model one after the other."""
        one = self.observer.current
        if one is None or one.record is not record or one.reach.reached or id(module) in one.members:
            return None
        if one.module is record.module() or module is record.module() or one.gradients != self.torch.is_grad_enabled():
            return None
        one.members.add(id(module))
        return one

    def begin_pass(self, record, module, arguments, named, gradients):
        self.observer.manual.look(record)
        for done in self.observer.last_turn[1]:
            done.release()
        one = Pass(record, module, self.recorder.place(1, passing=record.module()))
        one.gradients = gradients
        one.training = bool(module.training)
        one.loader = self.observer.loaders.use()
        one.step = self.recorder.step
        inputs = tensors_in((arguments, named), 1)
        plain = bool(inputs) and is_plain(inputs[0])
        if inputs and inputs[0].dim():
            one.batch = int(inputs[0].shape[0])
        if one.loader is not None:
            one.on_training = one.loader.record.trains
        elif plain and inputs[0].dim():
            one.cut = self.observer.loaders.own.cut(inputs[0])
            one.on_training = self.observer.loaders.own.knows(one.cut)
        if not gradients or not one.training:
            one.source = self.recorder.frames.path(1)
        one.modes = record.in_mode(True)
        one.arguments, one.named = arguments, named
        self.observer.ledger.mark(one, inputs[0] if plain else None)
        self.observer.copies.used(one)
        self.observer.statistics.used(one)
        before = self.observer.current
        if before is not None and before.record is not record and plain and before.output is not None:
            before.feeds = before.output.data_ptr() == inputs[0].data_ptr()
        self.observer.phases.begin(one)
        self.observer.current = one
        return one

    def choose_watch(self, one, record, gradients):
        """Whether this pass is looked at closely."""
        if self.observer.sampling is None and gradients:
            self.observer.sampling = self.clock.due(0)
        if not self.observer.sampling or not gradients or self.compiled:
            return None
        record.refresh()
        known = self.watches.get(record)
        if known is None or known[0] is not one:
            count = known[2] + 1 if known is not None else 1
            if count > MOST_WATCHES:
                return None
            known = self.watches[record] = (one, PassWatch(record, self.book.places), count)
        return known[1]

    def mode_of(self, one):
        """A mode that sees functions, unless it could change which kernels run."""
        if self.mode is None or self.compiled:
            return None
        for module in one.module.modules():
            # In evaluation these take a fast path only while no function mode is on.
            if not module.training and type(module).__name__.startswith(("Transformer", "MultiheadAttention")):
                return None
        watch = self.watch

        def seen(func, arguments, result):
            name = getattr(func, "__name__", "")
            if name in FUNCTIONS and not watch.inside:
                with self.layer_guard, self.work:
                    watch.see_function(name, arguments, result)

        return self.mode(seen)

    def _leave(self, one, watch, module, arguments, result):
        with self.work:
            outputs = tensors_in(result, 3)
            for output in outputs:
                if one.gradients and output.grad_fn is not None:
                    one.requires = True
                    follow(output, one.reach)
            floating = [part for part in outputs if part.is_floating_point() and part.dim()]
            if floating and floating[0].numel() <= MOST_HELD and is_plain(floating[0]):
                one.output = floating[0].detach()
            self.observer.graphs.used(one)
            self.observer.losses.pairs.note(one)
            if watch is not None:
                watch.see(module, arguments, result)
                watch.result = [part.detach() for part in outputs]
            if one.record.described is None:
                self.book.describe(one.record, self.recorder.step)
