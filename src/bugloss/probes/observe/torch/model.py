"""Models of a PyTorch program: what belongs together, what it is made of, and which line made each part."""

import sys
import weakref

from ..patches import Identities
from .names import MODE_LAYERS, settings_of

MOST_LAYERS = 2000
WRAPPERS = {"OptimizedModule": "_orig_mod", "DataParallel": "module", "DistributedDataParallel": "module"}


class ModelBook(object):
    """Knows every module's maker and parent, and names models in the order in which they are used."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.places = Identities()  # module: (place, whether it was made during a forward pass)
        self.parents = Identities()  # module: reference to the module that it was given to
        self.records = Identities()  # top module: ModelRecord
        self.tops = Identities()  # called module: ModelRecord, or False where it has nothing to learn
        self.count = 0

    def created(self, module, in_forward):
        self.places.set(module, (self.recorder.place(1, passing=module), in_forward))

    def registered(self, parent, child):
        if child is not None:
            self.parents.set(child, weakref.ref(parent))
            self.tops = Identities()

    def record_of(self, module):
        """The model that a called module belongs to, or None where nothing in it can be trained or loaded."""
        known = self.tops.get(module)
        if known is None:
            top = self.top_of(module)
            has_parameters = next(iter(top.parameters()), None) is not None
            known = (self.records.get(top) or self.add(top)) if has_parameters else False
            if known and isinstance(module, sys.modules["torch"].jit.ScriptModule):
                self.recorder.limit("TorchScript: the inside of a scripted model cannot be observed")
            self.tops.set(module, known)
        return known or None

    def top_of(self, module):
        """The outermost module that holds this one, without wrappers that only pass calls on."""
        module = unwrapped(module)
        seen = set()
        while id(module) not in seen:
            seen.add(id(module))
            parent = self.parents.get(module)
            parent = parent and parent()
            if parent is None or type(parent).__name__ in WRAPPERS:
                return module
            if not any(child is module for _, child in children_of(parent)):
                return module
            module = parent
        return module

    def add(self, top):
        record = ModelRecord("model-%d" % self.count, top)
        self.count += 1
        return self.records.set(top, record)

    def all(self):
        return [record for _, record in self.records.alive()]

    def name_of(self, thing):
        """The name of a layer for the crash report."""
        torch = sys.modules["torch"]
        if not isinstance(thing, torch.nn.Module):
            return None
        for record in self.all():
            name = record.refresh().names.get(id(thing))
            if name is not None:
                return name
        return type(thing).__name__ if not list(thing.children()) else None

    def site_of(self, module, above=()):
        """The user's line that made a module, or the nearest thing that holds it (copies have no maker)."""
        for one in (module,) + tuple(above):
            place = self.places.get(one)
            if place is not None and place[0] is not None:
                return self.recorder.site_of(place[0])
        return None

    def describe(self, record, step, settled=False):
        """Writes a "model" event where this one is new or has changed."""
        module = record.module()
        if module is None or not record.news(settled):
            return
        layers = [self.layer(record, name, part, above, settled) for name, part, above in record.ordered()]
        layers.extend(self.foreign_module(record, place) for place in record.foreign)
        total, trainable = record.sizes()
        fields = {
            "model": record.name, "kind": type(module).__name__, "layers": layers, "site": self.site_of(module),
            "parameters": total, "trainable": trainable, "unregistered": record.unregistered(),
            "output_activation": record.output_activation,
        }  # fmt: skip
        signature = repr(fields)
        if signature != record.described:
            record.described = signature
            self.recorder.emit("model", step=step, **fields)

    def layer(self, record, name, module, above, settled):
        own = parameters_of(module)
        settings = settings_of(module)
        activation = record.activations.get(name)
        if activation and "activation" not in settings:
            settings["activation"] = activation
        place = self.places.get(module)
        return {
            "name": name, "kind": type(module).__name__, "parameters": sum(count(part) for part in own),
            "trainable": sum(count(part) for part in own if part.requires_grad), "settings": settings,
            "site": self.site_of(module, above), "used": not settled or record.is_used(name, module, above),
            "in_forward": bool(place and place[1]),
        }  # fmt: skip

    def foreign_module(self, record, place):
        """A layer that took part in a forward pass without belonging to the model."""
        kind, size, found, in_forward = record.foreign[place]
        return {
            "name": "%s (not registered)" % kind.lower(), "kind": kind, "parameters": size, "trainable": size,
            "settings": {}, "site": self.recorder.site_of(found), "used": True, "in_forward": in_forward,
        }  # fmt: skip


class ModelRecord(object):
    """One model: its layers by name, and what forward passes have shown of them."""

    def __init__(self, name, module):
        self.name = name
        self.module = weakref.ref(module)
        self.names = {}
        self.layers = []
        self.modes = []
        self.mode_names = {}
        self.weighted = set()  # names of layers with parameters
        self.order = []  # names of layers as the first pass met them
        self.called = set()
        self.met = set()  # ids of all modules that were called, layers or not
        self.graded = set()
        self.activations = {}
        self.foreign = {}
        self.output_activation = ""
        self.described = None
        self.reported = None
        self.shape = None
        self.in_training = False  # whether a backward pass ever reached it

    def refresh(self):
        """Looks at the structure again where it may have changed."""
        module = self.module()
        shape = None if module is None else self.signature(module)
        if module is not None and shape != self.shape:
            self.shape = shape
            self.layers = list(find_layers(module))
            self.names = {id(part): name for name, part, _ in self.layers}
            self.modes = [(name, part) for name, part, _ in self.layers if is_drop(part) or is_norm(part)]
            self.mode_names = {}
            self.weighted = {name for name, part, _ in self.layers if parameters_of(part)}
        return self

    def news(self, settled):
        """Whether there is anything to say that was not there when this was last asked."""
        self.refresh()
        seen = (
            self.shape, settled, len(self.called), len(self.graded), len(self.activations), len(self.foreign),
            self.output_activation,
        )  # fmt: skip
        before, self.reported = self.reported, seen
        return seen != before

    def signature(self, module):
        """Changes with modules, parameters and flags; cheap enough for sampled steps."""
        parts = tuple(id(part) for part in module.modules())
        return parts, tuple((id(part), part.requires_grad) for part in module.parameters())

    def ordered(self):
        """Layers in the order of use, then those that no pass has met."""
        places = {name: place for place, name in enumerate(self.order)}
        last = len(places)
        return sorted(self.layers, key=lambda layer: places.get(layer[0], last))[:MOST_LAYERS]

    def sizes(self):
        module = self.module()
        parameters = list(module.parameters()) if module is not None else []
        return (
            sum(count(part) for part in parameters),
            sum(count(part) for part in parameters if part.requires_grad),
        )  # fmt: skip

    def is_used(self, name, module, above):
        """Called, or given a gradient, or inside a library's module that may use its parts' weights directly."""
        if not self.called:  # no pass was looked at closely, or nothing could be seen
            return True
        if name in self.called or name in self.graded:
            return True
        called_library = any(
            type(one).__module__.startswith("torch.nn.modules") and id(one) in self.met for one in above
        )
        trainable = any(part.requires_grad for part in parameters_of(module))
        return called_library and not (trainable and self.graded)

    def in_mode(self, training):
        """Names of dropout and norm layers that are in that mode now."""
        state = (training,) + tuple(part.training for _, part in self.modes)
        known = self.mode_names.get(state)
        if known is None:
            known = tuple(name for name, part in self.modes if part.training is training)
            self.mode_names[state] = known
        return known

    def unregistered(self):
        """Attribute paths of modules and parameters in plain lists, tuples and dicts, which no optimizer will find."""
        module = self.module()
        owned = {id(part) for part in module.parameters()} if module is not None else set()
        found = []
        for prefix, part in module.named_modules() if module is not None else ():
            for name, value in vars(part).items():
                if not name.startswith("_") and isinstance(value, (list, tuple, dict)):
                    path = "%s.%s" % (prefix, name) if prefix else name
                    found.extend(path + key for key, item in hidden(value) if not all_owned(item, owned))
        return found[:50]


def find_layers(top):
    """Name, module and the modules above it, nearest first, for everything that counts as a layer."""
    torch = sys.modules["torch"]
    loss = torch.nn.modules.loss._Loss
    seen = set()

    def visit(module, name, above):
        if id(module) in seen or isinstance(module, loss):
            return
        seen.add(id(module))
        children = children_of(module)
        if not children or parameters_of(module):
            yield name or type(module).__name__, module, above
        for key, child in children:
            for found in visit(child, "%s.%s" % (name, key) if name else key, (module,) + above):
                yield found

    return visit(top, "", ())


def children_of(module):
    """Names and modules; TorchScript keeps them in containers of its own."""
    return list(module.named_children())


def parameters_of(module):
    """The parameters that are a module's own."""
    return [parameter for _, parameter in module.named_parameters(recurse=False)]


def unwrapped(module):
    """The module inside torch.compile's, DataParallel's and their like."""
    wrapped = WRAPPERS.get(type(module).__name__)
    inner = dict(children_of(module)).get(wrapped) if wrapped is not None else None
    return module if inner is None else unwrapped(inner)


def is_drop(module):
    return type(module).__name__ in MODE_LAYERS and getattr(module, "p", 1) != 0


def is_norm(module):
    """Layers that behave differently in evaluation: those that keep running statistics."""
    return getattr(module, "track_running_stats", False) is True and "running_mean" in module._buffers


def count(parameter):
    """Lazy parameters have no size before their first use."""
    torch = sys.modules["torch"]
    lazy = getattr(getattr(torch.nn, "parameter", None), "UninitializedTensorMixin", ())
    return 0 if lazy and isinstance(parameter, lazy) else parameter.numel()


def hidden(value):
    """Modules and parameters in a plain container, with the key that finds them."""
    torch = sys.modules["torch"]
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(pairs)[:100]:
        if isinstance(item, (torch.nn.Module, torch.nn.Parameter)):
            yield "[%r]" % (key,), item


def all_owned(item, owned):
    torch = sys.modules["torch"]
    parts = [item] if isinstance(item, torch.nn.Parameter) else list(item.parameters())
    return all(id(part) in owned for part in parts if part.requires_grad)
