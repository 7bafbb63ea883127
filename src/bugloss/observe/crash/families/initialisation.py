"""Things used before they were made ready: variables, placeholders, models not compiled or built, classes."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene


def _unready(scene: Scene, match: re.Match[str]) -> CrashText:
    program = scene.program
    built = [call.lineno for call in program.calling("global_variables_initializer")] if program else []
    path = scene.place.path if scene.place else ""
    return CrashText(
        f"Variable {match['name'] or match['variable']} is used before it is initialized.",
        "Run session.run(tf.compat.v1.global_variables_initializer()) in this session, after all variables are "
        "created and before training; variables created later, such as those of an optimizer, need it again.",
        locations=tuple(Location(path, line, 0.7, None, "the initializer is built here") for line in built[:2]),
    )


_ASSIGNED = re.compile(r"^\s*(\w+)\s*=")


def _unfed(scene: Scene, match: re.Match[str]) -> CrashText:
    """The line that makes the placeholder has its name in the program; the one that runs the session lacks it."""
    named = _ASSIGNED.match(scene.place.text) if scene.place else None
    name = named[1] if named and scene.raised_at else match["name"]
    run = scene.raised_at
    where = f" in line {run.line}" if run else ""
    shape = f" and shape {match['shape']}" if match["shape"] else ""
    return CrashText(
        f"Placeholder {match['name']} got no value in this call of session.run.",
        f"Add {name} to feed_dict{where} with an array of type {match['dtype']}{shape}; summaries and accuracies need "
        "their placeholders too.",
        locations=(Location(run.path, run.line, 0.7, None, f"{name} is not fed here"),) if run else (),
    )


PATTERNS = (
    Pattern(
        "uninitialised-variable",
        CrashKind.UNINITIALISED,
        FixPattern.INITIALIZATION,
        ("uninitialized value", "it can also mean the variable is uninitialized", "Could not find variable"),
        r"uninitialized value (?P<name>[\w/:.-]+)|find variable (?P<variable>[\w/:.-]+?)\.",
        _unready,
        (
            Example(
                "Attempting to use uninitialized value Embedding/char_embedding",
                ("Embedding/char_embedding",),
                "FailedPreconditionError",
            ),
            Example(
                "Could not find variable w. This could mean that the variable has been deleted. In TF1, it can also "
                "mean the variable is uninitialized.",
                ("Variable w ",),
                "FailedPreconditionError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "unfed-placeholder",
        CrashKind.UNINITIALISED,
        FixPattern.API_CONTRACT,
        ("You must feed a value for placeholder",),
        r"placeholder tensor '(?P<name>[^']+)' with dtype (?P<dtype>\w+)(?: and shape (?P<shape>\[[^\]]*\]))?",
        _unfed,
        (
            Example(
                "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3]",
                ("x", "[?,3]"),
                "InvalidArgumentError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "not-compiled",
        CrashKind.UNINITIALISED,
        FixPattern.API_CONTRACT,
        ("must compile your model", "must compile a model", "must call `compile()`"),
        r"compile",
        plain(
            "The model is trained or evaluated before compile() sets its loss and optimizer.",
            "Call model.compile(optimizer=…, loss=…) first; a model that was loaded with compile=False needs it again.",
        ),
        (
            Example("You must call `compile()` before using the model.", (), "ValueError"),
            Example("You must compile your model before training/testing. Use `model.compile(optimizer, loss)`."),
        ),
        confidence=0.98,
    ),
    Pattern(
        "not-built",
        CrashKind.UNINITIALISED,
        FixPattern.API_CONTRACT,
        (
            "has not yet been built",
            "the layer isn't built",
            "have not yet been created",
            "has never been called",
            "has no defined",
        ),
        r"built|created|never been called|has no defined",
        plain(
            "The model has no weights yet, because its input size is not known.",
            "Start it with keras.Input(shape=…), call model.build(input_shape), or call it on a batch before summary, "
            "count_params, load_weights or layer.output.",
        ),
        (
            Example("This model has not yet been built. Build the model first by calling `build()`", (), "ValueError"),
            Example(
                "You tried to call `count_params` on layer 'sequential_25', but the layer isn't built.",
                (),
                "ValueError",
            ),
            Example("Weights for model sequential_1 have not yet been created.", (), "ValueError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "missing-super-init",
        CrashKind.UNINITIALISED,
        FixPattern.API_CONTRACT,
        ("before Module.__init__() call", "forgot to call `super"),
        r"Module\.__init__|forgot to call",
        plain(
            "The class sets layers before super().__init__() is called.",
            "Make super().__init__() the first line of __init__.",
        ),
        (
            Example("cannot assign module before Module.__init__() call", ("super().__init__()",), "AttributeError"),
            Example("It looks like you are subclassing `Model` and you forgot to call `super().__init__()`."),
        ),
        confidence=0.98,
    ),
    Pattern(
        "missing-forward",
        CrashKind.UNINITIALISED,
        FixPattern.API_CONTRACT,
        (
            'missing the required "forward" function',
            "does not have a `call()` method",
            "Unimplemented `tf.keras.Model.call()`",
        ),
        r"Module \[(?P<module>\w+)\]|call\(\)",
        plain(
            "The class⟨ {module}⟩ has no forward or call method.",
            "Define forward(self, x) (Keras: call(self, x)) in the class itself: check for a typo or wrong "
            "indentation. ModuleList has none: loop over its layers, or use Sequential.",
        ),
        (
            Example(
                'Module [ModuleList] is missing the required "forward" function', ("ModuleList",), "NotImplementedError"
            ),
            Example("Model M does not have a `call()` method implemented.", (), "NotImplementedError"),
        ),
        confidence=0.95,
    ),
)

FAMILY = CrashFamily("initialisation", PATTERNS)
