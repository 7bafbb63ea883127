"""What of PyTorch is wrapped, and how it is put back."""

import sys

from ..patches import Patches


class Wraps(object):
    """Puts the observer's eyes into PyTorch. Every wrapper first asks whether it is to look at all."""

    def __init__(self, observer):
        self.observer = observer
        self.recorder = observer.recorder
        self.torch = observer.torch
        self.patches = Patches()
        self.handles = []

    def install(self):
        torch, patches, observer = self.torch, self.patches, self.observer
        patches.wrap(torch.nn.Module, "__init__", self.wrap_module_init)
        patches.wrap(torch.nn.Module, "__call__", self.wrap_module_call)
        patches.wrap(torch.autograd, "backward", self.wrap_backward)
        patches.wrap(torch.optim.Optimizer, "__init__", self.wrap_optimizer_init)
        self.install_hooks()
        for part in (observer.losses, observer.loaders, observer.steering, observer.answers, observer.copies):
            part.install(patches)
        patches.wrap(torch, "compile", self.wrap_compile)
        patches.wrap(torch.nn.Module, "compile", self.wrap_compile)
        patches.wrap(torch.jit, "script", self.wrap_script)
        for owner, name in ((torch.jit, "trace"), (getattr(torch, "onnx", None), "export")):
            if owner is not None:
                patches.wrap(owner, name, self.wrap_converter)

    def undo(self):
        self.patches.undo()
        handles, self.handles = self.handles, []
        for handle in handles:
            handle.remove()

    def install_hooks(self):
        module = sys.modules["torch.nn.modules.module"]
        register = getattr(module, "register_module_module_registration_hook", None)
        if register is not None:
            self.handles.append(register(self.registered))
        optimizer = sys.modules["torch.optim.optimizer"]
        if hasattr(optimizer, "register_optimizer_step_pre_hook"):
            self.handles.append(optimizer.register_optimizer_step_pre_hook(self.observer.before_step))
            self.handles.append(optimizer.register_optimizer_step_post_hook(self.observer.after_step))

    def registered(self, parent, name, child):
        self.observer.book.registered(parent, child)

    def wrap_module_init(self, original):
        observer = self.observer

        def __init__(self, *arguments, **named):  # noqa: N807 (it takes the place of nn.Module's)
            original(self, *arguments, **named)
            if observer.watching():
                with observer.recorder.guard("where a module is created"):
                    observer.book.created(self, observer.forward.inside)

        return __init__

    def wrap_module_call(self, original):
        observer, forward = self.observer, self.observer.forward

        def __call__(self, *arguments, **named):  # noqa: N807
            if forward.inside:
                if forward.watch is None:
                    return original(self, *arguments, **named)
                return forward.inner(original, self, arguments, named)
            if not observer.watching():
                return original(self, *arguments, **named)
            return forward.outer(original, self, arguments, named)

        return __call__

    def wrap_optimizer_init(self, original):
        observer, wraps = self.observer, self

        def __init__(self, *arguments, **named):  # noqa: N807
            original(self, *arguments, **named)
            if observer.watching():
                with observer.recorder.guard("where an optimizer is created"):
                    observer.optimizers.created(self)
                    observer.optimizers.record_of(self)
                    wraps.wrap_old_step(type(self))

        return __init__

    def wrap_old_step(self, kind):
        """Before 2.0 there are no hooks around all optimizers' steps."""
        if hasattr(sys.modules["torch.optim.optimizer"], "register_optimizer_step_pre_hook"):
            return
        if "step" in vars(kind) and not hasattr(kind.step, "bugloss"):
            observer = self.observer

            def make(original):
                def step(optimizer, *arguments, **named):
                    observer.before_step(optimizer, (optimizer,) + arguments, named)
                    result = original(optimizer, *arguments, **named)
                    observer.after_step(optimizer, (optimizer,) + arguments, named)
                    return result

                return step

            self.patches.wrap(kind, "step", make)
            kind.step.bugloss = True

    def wrap_compile(self, original):
        observer = self.observer

        def compile(*arguments, **named):  # noqa: A001
            if not observer.forward.compiled:
                observer.forward.compiled = True
                observer.recorder.limit("torch.compile: the inside of a compiled model cannot be observed")
            with observer.recorder.guard("torch.compile"):
                observer.recorder.occasion("compile", observer.recorder.place(1))
            return original(*arguments, **named)

        return compile

    def wrap_script(self, original):
        """TorchScript reads the source of what it meets; it must meet PyTorch's own."""
        patches = self.patches

        def script(*arguments, **named):
            named["_frames_up"] = named.get("_frames_up", 0) + 1
            with patches.lifted():
                return original(*arguments, **named)

        return script

    def wrap_converter(self, original):
        """A converter runs the model to see what it does; that is not a pass of the program."""
        observer = self.observer

        def convert(*arguments, **named):
            before, observer.paused = observer.paused, True
            try:
                return original(*arguments, **named)
            finally:
                observer.paused = before

        return convert

    def wrap_backward(self, original):
        observer, guard = self.observer, self.recorder.guard("a backward pass")

        def backward(tensors, *arguments, **named):
            if not observer.watching():
                return original(tensors, *arguments, **named)
            with guard:
                observer.before_backward(tensors)
            observer.in_backward = True
            try:
                result = original(tensors, *arguments, **named)
            finally:
                observer.in_backward = False
            with guard:
                observer.after_backward(tensors)
            return result

        return backward
