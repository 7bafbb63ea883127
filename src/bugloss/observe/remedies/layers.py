"""Edits of parameters: how they begin, which of them are trained, and by which optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit, merged
from bugloss.observe.case import Case
from bugloss.source.editing import remove_argument, replace_node
from bugloss.source.origins.origins import made_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import calls_in, dotted, is_constant, method_of, receiver_of, walk_here
from bugloss.source.training.trainings import written_trainings

_CONSTANT = {"zeros_", "ones_", "constant_", "fill_", "zero_"}
_RANDOM = {"uniform_", "normal_", "trunc_normal_"}
_FLAGS = {"requires_grad", "trainable"}


def usual_weights(case: Case) -> Iterator[Edit]:
    """The framework's own start, or Glorot's, for weights that start constant or out of scale."""
    yield from _without_initializer(case, "kernel_initializer", "embeddings_initializer")
    constant = case.saw("symmetric-weights") is not None
    for module, call in _filling(case, _CONSTANT if constant else _CONSTANT | _RANDOM):
        filled = _filled(module, call)
        if "bias" not in filled and module.names.imported.get("nn") == "torch.nn":
            yield replace_node(module, call, f"nn.init.xavier_uniform_({filled})")


def zero_biases(case: Case) -> Iterator[Edit]:
    yield from _without_initializer(case, "bias_initializer")
    for module, call in _filling(case, {"ones_", "constant_", "fill_"} | _RANDOM):
        filled = _filled(module, call)
        if "bias" in filled and module.names.imported.get("nn") == "torch.nn":
            yield replace_node(module, call, f"nn.init.zeros_({filled})")


def unfrozen(case: Case) -> Iterator[Edit]:
    """``requires_grad`` or ``trainable`` set to true where it is set to false."""
    for module in case.sources.project.modules():
        for statement in module.nodes[ast.Assign]:
            if isinstance(statement, ast.Assign) and _sets_flag(statement) and is_constant(statement.value, False):
                yield replace_node(module, statement, module.source.segment(statement).replace("False", "True"))
        for call in module.called("requires_grad_"):
            if call.args and is_constant(call.args[0], False):
                yield replace_node(module, call.args[0], "True")


def _sets_flag(statement: ast.Assign) -> bool:
    return any(isinstance(target, ast.Attribute) and target.attr in _FLAGS for target in statement.targets)


def all_parameters(case: Case) -> Iterator[Edit]:
    """The optimizer made from the parameters of the model that runs in the training loop."""
    optimizer = case.optimizer
    module = case.sources.module(optimizer.site) if optimizer is not None else None
    if optimizer is None or module is None:
        return
    running = _running(module)
    for call in case.sources.calls(optimizer.site):
        for inner in calls_in(call, "parameters"):
            receiver = receiver_of(inner)
            written = dotted(receiver)
            model = next((name for name in running if written.startswith(f"{name}.") or name != written), "")
            if receiver is not None and model and written not in running:
                yield replace_node(module, receiver, model)
                return


def _running(module: SourceModule) -> list[str]:
    """What is called in the training loops and made as an object of the file, the first called first."""
    made = {name for name, found in module.assignments.items() if any(_makes(one.value) for one in found)}
    called = [
        dotted(node.func)
        for training in written_trainings(module)
        for node in walk_here(training.node)
        if isinstance(node, ast.Call)
    ]
    return [name for name in dict.fromkeys(called) if name in made]


def _makes(value: ast.expr) -> bool:
    """Whether an expression makes a network: a class is called, perhaps moved to a device; losses are not networks."""
    while isinstance(value, ast.Call) and method_of(value) in {"to", "cuda", "cpu"} and receiver_of(value) is not None:
        value = receiver_of(value) or value
    name = method_of(value)
    return name[:1].isupper() and not name.endswith("Loss")


def _without_initializer(case: Case, *names: str) -> Iterator[Edit]:
    """Removes the initializer of layers, or changes it where several layers take it from."""
    found: list[Edit] = []
    for module, call, keyword in _stated(case, *names):
        where, made = made_node(case.sources.project, module, keyword.value)
        if isinstance(made, ast.expr) and made is not keyword.value:
            yield replace_node(where, made, '"zeros"' if "bias" in names[0] else '"glorot_uniform"')
        else:
            found.append(remove_argument(module, call, keyword))
    if found:
        yield merged(found)


def _stated(case: Case, *names: str) -> Iterator[tuple[SourceModule, ast.Call, ast.keyword]]:
    """The initializers of the layers that symptoms name, or of all; a call that makes several layers comes once."""
    layers = case.recording.layers
    concerned = [layers[name] for symptom in case.symptoms if (name := symptom.layer or "") in layers]
    seen: set[ast.keyword] = set()
    for layer in concerned or layers.values():
        module = case.sources.module(layer.site)
        for call in case.sources.calls(layer.site, layer.kind) if module is not None else ():
            for keyword in call.keywords:
                if module is not None and keyword.arg in names and keyword not in seen:
                    seen.add(keyword)
                    yield module, call, keyword


def _filling(case: Case, names: set[str]) -> Iterator[tuple[SourceModule, ast.Call]]:
    sites = [layer.site for layer in case.recording.layers.values()]
    for path in dict.fromkeys(site.path for site in sites if site is not None):
        module = case.sources.project.module(path)
        if module is not None:
            yield from ((module, call) for call in module.called(*names) if isinstance(call.func, ast.Attribute))


def _filled(module: SourceModule, call: ast.Call) -> str:
    """The tensor that a call fills: the first argument of ``nn.init.zeros_(w)``, ``w`` of ``w.data.fill_(1)``."""
    receiver = receiver_of(call)
    by_function = receiver is not None and dotted(receiver).endswith("init") and call.args
    node = call.args[0] if by_function else receiver
    text = module.source.segment(node) if node is not None else ""
    return text.removesuffix(".data")
