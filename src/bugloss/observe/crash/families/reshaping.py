"""Reshapes whose numbers do not multiply to what the tensor holds, and views of memory that is not in order."""

from __future__ import annotations

import math
import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import elements, read_shape, show_shape
from bugloss.observe.crash_event import Operand


def _counted(scene: Scene, match: re.Match[str]) -> CrashText:
    found = {name: value for name, value in match.groupdict().items() if value is not None}
    target = read_shape(found.get("shape") or found.get("target") or found.get("into") or found.get("output") or "")
    held = int(found["size"]) if "size" in found else elements(read_shape(found.get("input", ""))) or 0
    return _describe_reshape(scene, target, held)


def _describe_reshape(scene: Scene, target: tuple[int | None, ...], held: int) -> CrashText:
    operand = next((item for item in scene.operands if math.prod(item.shape) == held), None)
    name = operand.name if operand else "the tensor"
    fixed = math.prod(size for size in target if size is not None and size >= 0)
    evidence = [
        f"{name} has {held} values{f' ({show_shape(operand.shape)})' if operand else ''}; {_wanted(target, fixed)}."
    ]
    explanation = f"{held} values cannot be reshaped to {show_shape(target)}."
    if operand and len(operand.shape) > 1:
        per_sample = math.prod(operand.shape[1:])
        evidence.append(f"Each of the {operand.shape[0]} samples has {per_sample} values.")
        advice = (
            f"Write {name}.view({name}.size(0), -1): {per_sample} values per sample; the next layer then takes "
            f"{per_sample}."
        )
        return CrashText(explanation, advice, tuple(evidence))
    advice = "Keep the batch axis first, x.view(x.size(0), -1), and adapt the size of the next layer."
    if len(target) > 1 and target[0] not in (-1, None) and fixed and held % (fixed // max(target[0] or 1, 1) or 1) == 0:
        advice = (
            f"The first size, {target[0]}, looks like a fixed batch size; the last batch is often smaller. Use "
            "x.size(0) or -1 for it, or drop_last=True in the loader."
        )
    return CrashText(explanation, advice, tuple(evidence))


def _wanted(target: tuple[int | None, ...], fixed: int) -> str:
    open_axes = [size for size in target if size is None or size < 0]
    return f"{show_shape(target)} needs {'a multiple of ' if open_axes else ''}{fixed}"


PATTERNS = (
    Pattern(
        "reshape-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("is invalid for input",),
        r"(?:shape|size) '(?P<shape>\[[^\]]*\])' is invalid for input (?:of size|with) (?P<size>\d+)",
        _counted,
        (
            Example(
                "shape '[-1, 400]' is invalid for input of size 2560",
                ("x has 2560 values (10×16×4×4); -1×400 needs a multiple of 400", "x.view(x.size(0), -1)", "256"),
                program="x = x.view(-1, 400)\n",
                operands=(Operand("x", (10, 16, 4, 4), "float32"),),
            ),
            Example("shape '[64, 10]' is invalid for input of size 160", ("drop_last=True",)),
            Example("invalid argument 2: size '[-1 x 784]' is invalid for input with 4096 elements", ("4096 values",)),
        ),
        confidence=0.9,
    ),
    Pattern(
        "reshape-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        (
            "cannot reshape array of size",
            "Input to reshape is a tensor with",
            "Cannot reshape a tensor with",
            "must be unchanged",
        ),
        r"array of size (?P<size>\d+) into shape (?P<into>\([^)]*\))"
        r"|input_shape ?= ?(?P<input>[\[(][^\])]*[\])]), (?:target|output)_shape ?= ?(?P<target>[\[(][^\])]*[\])])",
        _counted,
        (
            Example("cannot reshape array of size 3 into shape (2,2)", ("3 values", "2×2"), "ValueError"),
            Example(
                "The total size of the tensor must be unchanged. Received: input_shape=(100,), target_shape=(7, 7, 3)",
                ("100 values", "7×7×3 needs 147"),
                "ValueError",
            ),
            Example(
                "total size of new array must be unchanged, input_shape = [8], output_shape = [3, 3]",
                ("3×3 needs 9",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "reshape-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        (
            "Input to reshape is a tensor with",
            "Cannot reshape a tensor with",
            "total size of new array must be unchanged",
        ),
        r"tensor with (?P<held>\d+) (?:values|elements).*?(?P<wanted>\d+)(?: elements\))?|must be unchanged",
        plain(
            "The target shape of the reshape has another number of values than the tensor.",
            "Write -1 for one of the axes and keep the batch axis; check the output shape of the layer before.",
        ),
        (
            Example(
                "Input to reshape is a tensor with 5 values, but the requested shape has 6", (), "InvalidArgumentError"
            ),
            Example(
                "Cannot reshape a tensor with 5 elements to shape [2,3] (6 elements) for 'Reshape'", (), "ValueError"
            ),
            Example("total size of new array must be unchanged", (), "ValueError"),
        ),
    ),
    Pattern(
        "view-of-scattered-memory",
        CrashKind.SHAPE,
        FixPattern.API_CONTRACT,
        ("view size is not compatible", "input is not contiguous"),
        r"view size is not compatible|input is not contiguous",
        plain(
            "view() needs contiguous memory; after transpose, permute or a slice the tensor is not contiguous.",
            "Use .reshape(…) instead of .view(…), or call .contiguous() before it.",
        ),
        (
            Example(
                "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
                "two contiguous subspaces). Use .reshape(...) instead.",
                (".reshape(",),
            ),
            Example("input is not contiguous at /pytorch/aten/src/THC/generic/THCTensor.cpp:227", (".contiguous()",)),
        ),
        confidence=0.95,
    ),
    Pattern(
        "axis-order",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("number of dims don't match in permute", "desired ordering of dimensions", "axes don't match array"),
        r"permute|desired ordering of dimensions|axes don't match array",
        plain(
            "The number of listed axes differs from the number of axes of the tensor.",
            "Name every axis of the tensor once; print its shape to see how many it has.",
        ),
        (
            Example("number of dims don't match in permute"),
            Example(
                "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
                "desired ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 3"
            ),
            Example("axes don't match array", (), "ValueError"),
        ),
    ),
)

FAMILY = CrashFamily("reshaping", PATTERNS)
