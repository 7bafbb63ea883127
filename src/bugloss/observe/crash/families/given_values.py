"""Values that are not what a line takes them for, known by message and program together."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene

_SURE_OF_SAMPLE = 0.8
_UNFINISHED = "class Scale(Layer):\n    def __init__(self):\n        self.factor = 2\nScale().call(1)\n"


def _lacks_parent(scene: Scene) -> bool:
    from bugloss.observe.crash.fixes.autograd import constructor_without_parent

    owner = re.search(r"'(?P<owner>[\w.]+)' object has no attribute", scene.text)
    return (
        scene.program is not None
        and owner is not None
        and bool(constructor_without_parent(scene.program, owner["owner"]))
    )


def _none_in_sample(scene: Scene, match: re.Match[str]) -> CrashText:
    from bugloss.observe.crash.fixes.settings import sample_return

    sample = sample_return(scene.program) if scene.program is not None else None
    return CrashText(
        "A sample contains None, of which the loader can make no tensor.",
        "Return a number or tensor in its place, for example -1 as ignore_index of the loss, or leave such samples out "
        "of the data set.",
        locations=(Location(sample[0].path, sample[1].lineno, _SURE_OF_SAMPLE, None, "the sample is returned here"),)
        if sample is not None
        else (),
    )


PATTERNS = (
    Pattern(
        "iterator-exhausted",
        CrashKind.DATA,
        FixPattern.API_CONTRACT,
        ("",),
        r"",
        plain(
            "next(…) asks an iterator for more than it has: every batch was already taken.",
            "Make the iterator again at the start of each epoch, or loop over the loader itself: for batch in loader.",
        ),
        (Example("", ("at the start of each epoch",), "StopIteration"),),
        exceptions=("StopIteration",),
    ),
    Pattern(
        "text-for-number",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("not supported between instances of",),
        r"'[<>]=?' not supported between instances of (?:'(?:int|float)' and 'str'|'str' and '(?:int|float)')",
        plain(
            "Text is compared with a number: a setting was read as text.",
            "Convert it where it is read: float(…) or int(…); in YAML write 1.0e-3, since 1e-3 is text there.",
        ),
        (Example("'<=' not supported between instances of 'float' and 'str'", ("read as text",), "TypeError"),),
    ),
    Pattern(
        "missing-value",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("non-iterable NoneType", "None values not supported", "must be Tensor, not NoneType"),
        r"non-iterable NoneType|None values not supported|must be Tensor, not NoneType",
        plain(
            "A function gave None where a value is needed.",
            "Look for a function without return: forward, call, train_step and collate_fn must return their result.",
        ),
        (
            Example("cannot unpack non-iterable NoneType object", ("gave None",), "TypeError"),
            Example(
                "linear(): argument 'input' (position 1) must be Tensor, not NoneType", ("gave None",), "TypeError"
            ),
            Example("None values not supported.", ("must return their result",), "ValueError"),
        ),
    ),
    Pattern(
        "uncollatable-sample",
        CrashKind.COLLATE,
        FixPattern.DATA_WRANGLING,
        ("Could not infer dtype of NoneType",),
        r"Could not infer dtype of NoneType",
        _none_in_sample,
        (Example("Could not infer dtype of NoneType", ("contains None",)),),
    ),
    Pattern(
        "numbers-for-tensors",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("expected Tensor as element",),
        r"expected Tensor as element \d+ in argument \d+, but got (?P<type>\w+)",
        plain(
            "stack and cat join tensors, but get values of type {type}.",
            "Use torch.tensor(…) for plain numbers, or collect the tensors themselves: without .item().",
        ),
        (Example("expected Tensor as element 0 in argument 0, but got float", ("of type float",), "TypeError"),),
    ),
    Pattern(
        "generator-shape-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("yielded an element of shape",),
        r"yielded an element of shape (?P<given>\([^)]*\)) where an element of shape (?P<declared>\([^)]*\)) was",
        plain(
            "The generator yields elements of shape {given}, but its data set declares {declared}.",
            "Declare the shape that the generator yields in output_signature (output_shapes), or change the generator.",
        ),
        (
            Example(
                "`generator` yielded an element of shape (6,) where an element of shape (5,) was expected.",
                ("yields elements of shape (6,)", "declares (5,)"),
                "TypeError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "batch-axis",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("key_padded_mask", "key_padding_mask"),
        r"key_padd(?:ed|ing)_mask\.shape\[0\] to be (?P<wanted>\d+), but got (?P<given>\d+)"
        r"|(?:shape|size) of (?:the )?key_padding_mask|key_padding_mask shape",
        plain(
            "The padding mask has the batch as its first axis, but the layer takes the sequence first⟨: it needs "
            "{wanted} rows and gets {given}⟩.",
            "Create the layer with batch_first=True, or transpose input and keep the mask as (batch, length).",
        ),
        (Example("Expected key_padded_mask.shape[0] to be 6, but got 3", ("batch_first=True",), "AssertionError"),),
    ),
    Pattern(
        "constant-for-variable",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        (
            "has no attribute '_unique_id'",
            "has no attribute '_in_graph_mode'",
            "has no attribute 'overwrite_with_gradient'",
        ),
        r"EagerTensor",
        plain(
            "An optimizer updates variables, but gets a tensor that cannot be changed.",
            "Make it with tf.Variable(…); a tape watches variables by itself.",
        ),
        (
            Example(
                "'tensorflow.python.framework.ops.EagerTensor' object has no attribute '_unique_id'",
                ("tf.Variable",),
                "AttributeError",
            ),
        ),
    ),
    Pattern(
        "missing-super-init",
        CrashKind.UNINITIALISED,
        FixPattern.API_CONTRACT,
        ("object has no attribute",),
        r"'(?P<owner>[\w.]+)' object has no attribute '(?P<name>\w+)'",
        plain(
            "{owner}.__init__ does not call super().__init__(), which makes {name} and all else that its parent needs.",
            "Write super().__init__() as the first line of __init__.",
        ),
        (
            Example(
                "'Scale' object has no attribute 'name'",
                ("does not call super().__init__()",),
                "AttributeError",
                program=_UNFINISHED,
                line=4,
            ),
        ),
        only_if=_lacks_parent,
    ),
)

FAMILY = CrashFamily("given_values", PATTERNS)
