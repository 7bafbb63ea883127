"""Convolutions and pooling: channels that differ, missing axes, windows larger than what is left of the image."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, Rival, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape, show_shape
from bugloss.observe.crash_event import Operand

if TYPE_CHECKING:
    from bugloss.observe.crash.crashed_file import Made

_FEW_CHANNELS = 4


def _channels(scene: Scene, match: re.Match[str]) -> CrashText:
    weight, given = read_shape(match["weight"]), read_shape(match["input"])
    takes, got = int(match["takes"]), int(match["got"])
    outputs = weight[1] if match["transposed"] == "1" else weight[0]
    layer = scene.made("Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", in_channels=takes, out_channels=outputs or 0)
    called, name = (layer.called if layer else "The convolution"), scene.name_of(given)
    tensor = f"{name} ({show_shape(given)})" if name else f"a tensor of {show_shape(given)}"
    evidence = (f"{called} takes {takes} channels; {tensor} has {got} in its channel axis.",)
    explanation = f"{called} takes {takes} input channels, but gets {got}."
    if given[-1] == takes and got != takes:
        order = "0, 3, 1, 2" if len(given) == 4 else "0, 2, 1"
        advice = f"The {takes} channels are the last axis: move them with {name or 'x'}.permute({order})."
        return CrashText(explanation, advice, evidence, fix_pattern=FixPattern.DATA_DIMENSION)
    if len(given) == 4 and given[0] == 1 and got > _FEW_CHANNELS and takes <= _FEW_CHANNELS:
        advice = f"The batch axis is used as the channel axis: pass a batch of {takes}-channel images."
        return CrashText(explanation, advice, evidence, fix_pattern=FixPattern.DATA_DIMENSION, confidence=0.7)
    where = f" in line {layer.line}" if layer else ""
    advice = f"Create the layer with {got} input channels{where}, or pass a tensor with {takes}."
    if {takes, got} == {1, 3}:
        advice += " Greyscale images have 1 channel, colour images 3: convert the images if the layer is right."
    rival = Rival(
        "input-channel-mismatch",
        FixPattern.DATA_DIMENSION,
        0.3,
        f"The images have {got} channels, but {called} needs {takes}.",
        f"Convert the images to {takes} channels where they are read.",
    )
    return CrashText(explanation, advice, evidence, _at(layer), rivals=(rival,))


def _at(layer: Made | None) -> tuple[Location, ...]:
    return (
        (Location(layer.path, layer.line, 0.8, layer.name or None, f"{layer.kind} is created here"),) if layer else ()
    )


def _rank(scene: Scene, match: re.Match[str]) -> CrashText:
    given = read_shape(match["size"] or match["old"])
    wanted = {"1": 3, "2": 4, "3": 5}.get(match["axes"] or "", 0) or int(match["rank"] or 0)
    name = scene.name_of(given) or "the input"
    evidence = (f"{name} has {len(given)} axes ({show_shape(given)}); a batch for this layer has {wanted}.",)
    variable = name if name != "the input" else "x"
    if len(given) == wanted - 1:
        axis, what = (1, "channels") if len(given) > 2 and (given[0] or 0) > _FEW_CHANNELS else (0, "the batch")
        advice = f"Add the missing {what} axis: {variable} = {variable}.unsqueeze({axis})."
    elif len(given) == wanted - 2:
        advice = f"Add the batch and channel axes: {variable} = {variable}[None, None]."
    else:
        advice = f"Reshape {name} to batch, channels and {max(wanted - 2, 1)} spatial axes."
    return CrashText(f"The convolution takes {wanted} axes, but {name} has {len(given)}.", advice, evidence)


def _window(scene: Scene, match: re.Match[str]) -> CrashText:
    if match["kernel"]:
        kernel = read_shape(match["kernel"])
        axes = len(kernel) - 2
        layer = scene.made(f"Conv{axes}D", filters=kernel[-1] or 0)
        left, size = show_shape(read_shape(match["given"])[1 : 1 + axes]), show_shape(kernel[:axes])
        found = _too_small((f"The input is {left}, the window {size}.",), scene)
        return replace(found, locations=_at(layer))
    given = read_shape(match["input"] or "")
    window = read_shape(match["window"] or "")
    evidence = (f"The input is {show_shape(given)}, the window {show_shape(window)}.",) if given and window else ()
    return _too_small(evidence, scene)


def _too_small(evidence: tuple[str, ...], scene: Scene) -> CrashText:
    layer = f" ({scene.layer})" if scene.layer else ""
    return CrashText(
        f"The input of this layer{layer} is smaller than its window, after the convolutions and poolings before it.",
        "Use a smaller kernel or padding ('same', padding=1), fewer pooling layers before it, or larger images.",
        evidence,
    )


def _subtracted(scene: Scene, match: re.Match[str]) -> CrashText:
    window, given = match["window"], match["input"]
    shape = read_shape(match["shape"] or "")
    found = _too_small((f"An axis has {given} entries, the window {window}.",), scene)
    if len(shape) == 4 and shape[1] == 1 and (shape[3] or 0) > _FEW_CHANNELS:
        channels_first = (
            "The image may have its channels first (channels, height, width): put them last, or set data_format."
        )
        return CrashText(found.explanation, channels_first, found.evidence, fix_pattern=FixPattern.DATA_DIMENSION)
    return found


_PROGRAM = """\
model = nn.Sequential(
    nn.Conv2d(3, 8, 3),
    nn.ReLU(),
)
scores = model(images)
"""

PATTERNS = (
    Pattern(
        "channel-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("channels, but got",),
        r"Given (?:groups=\d+|transposed=(?P<transposed>[01])), weight of size (?P<weight>\[[^\]]*\]).*?expected input"
        r"(?P<input>\[[^\]]*\]) to have (?P<takes>\d+) channels, but got (?P<got>\d+)",
        _channels,
        (
            Example(
                "Given groups=1, weight of size [8, 3, 3, 3], expected input[1, 16, 16, 3] to have 3 channels, but got "
                "16 channels instead",
                ("images (1×16×16×3)", "images.permute(0, 3, 1, 2)"),
                program=_PROGRAM,
                line=5,
                operands=(Operand("images", (1, 16, 16, 3), "float32"),),
            ),
            Example(
                "Given groups=1, weight of size [8, 3, 3, 3], expected input[32, 1, 28, 28] to have 3 channels, but "
                "got 1 channels instead",
                ("`nn.Conv2d(1, 8, 3)` in line 2",),
                program=_PROGRAM,
                line=5,
            ),
            Example(
                "Given transposed=1, weight of size [3, 4, 2, 2], expected input[1, 5, 4, 4] to have 3 channels, but "
                "got 5 channels instead",
                ("3 input channels, but gets 5",),
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "missing-axis",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("input to conv", "-dimensional weight"),
        r"input to conv(?:_transpose)?(?P<axes>[123])d, but got input of size: (?P<size>\[[^\]]*\])"
        r"|Expected (?P<rank>\d)-dimensional (?:input|weight).*(?:of size|input of size) (?P<old>\[[^\]]*\])",
        _rank,
        (
            Example(
                "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [8, 8]",
                ("has 2 axes (8×8)", "x[None, None]"),
            ),
            Example(
                "Expected 4-dimensional input for 4-dimensional weight [8, 3, 3, 3], but got 3-dimensional input of "
                "size [3, 32, 32] instead",
                ("unsqueeze(0)",),
            ),
            Example(
                "Expected 4-dimensional input for 4-dimensional weight 8 1 3, but got 3-dimensional input of size [64, "
                "28, 28] instead",
                ("unsqueeze(1)", "channels"),
            ),
        ),
    ),
    Pattern(
        "window-larger-than-input",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("Kernel size can't be greater", "Output size is too small", "output size would be", "is too small for"),
        r"(?:input size per channel: (?P<input>\([^)]*\))\. Kernel size: (?P<window>\([^)]*\)))"
        r"|output size would be (?:zero or )?negative.*inputs shape=(?P<given>\([^)]*\))`, `kernel shape="
        r"(?P<kernel>\([^)]*\))"
        r"|Output size is too small|output size would be (?:zero or )?negative",
        _window,
        (
            Example(
                "Calculated padded input size per channel: (3 x 3). Kernel size: (5 x 5). Kernel size can't be greater "
                "than actual input size",
                ("The input is 3×3, the window 5×5",),
            ),
            Example("Given input size: (3x1x1). Calculated output size: (3x0x0). Output size is too small"),
            Example(
                "Computed output size would be zero or negative. Received `inputs shape=(None, 4, 9, 16)`, `kernel "
                "shape=(5, 5, 16, 32)`, `dilation_rate=[1 1]`, `strides=(1, 1)`, `padding=valid`.",
                ("The input is 4×9, the window 5×5",),
                "ValueError",
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "window-larger-than-input",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("Negative dimension size caused by subtracting",),
        r"subtracting (?P<window>\d+) from (?P<input>-?\d+)(?:.*with input shapes: (?P<shape>\[[^\]]*\]))?",
        _subtracted,
        (
            Example(
                "Negative dimension size caused by subtracting 5 from 3 for 'conv2d_4/convolution' (op: 'Conv2D') with "
                "input shapes: [?,3,3,1], [5,5,1,8].",
                ("An axis has 3 entries, the window 5",),
                "ValueError",
            ),
            Example(
                "Negative dimension size caused by subtracting 3 from 1 for 'conv2d_1/convolution' (op: 'Conv2D') with "
                "input shapes: [?,1,28,28], [3,3,28,32].",
                ("channels first",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "window-larger-than-input",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("due to downsampling in",),
        r"due to downsampling in (?P<layer>\w+)",
        plain(
            "The input of layer {layer} is too small: its output would be empty.",
            "Use padding='same', a smaller kernel or stride, fewer pooling layers before it, or larger images.",
        ),
        (
            Example(
                "One of the dimensions in the output is <= 0 due to downsampling in conv2d_3. Consider increasing the "
                "input size.",
                ("conv2d_3",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "channel-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("number of groups", "evenly divisible by filter depth", "corresponding dimension of filter"),
        r"number of groups|evenly divisible by filter depth|corresponding dimension of filter",
        plain(
            "The filter of a convolution has another number of channels than its input.",
            "Give the filter as many input channels (its third axis) as the last axis of the input has.",
        ),
        (
            Example(
                "output depth must be evenly divisible by number of groups: 4 vs 3 [Op:Conv2D]",
                (),
                "InvalidArgumentError",
            ),
            Example("input depth must be evenly divisible by filter depth: 1 vs 3", (), "InvalidArgumentError"),
            Example(
                "number of input channels does not match corresponding dimension of filter, 3 != 1", (), "ValueError"
            ),
        ),
    ),
    Pattern(
        "window-settings",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Padding size", "pad should be at most half", "Padding length too large", "pixel_shuffle expects"),
        r"Padding size|pad should be at most half|Padding length too large|pixel_shuffle expects",
        plain(
            "The padding does not fit the kernel or the input of this layer.",
            "Compare the number of axes of the input with what the layer pads, and the padding with half the kernel.",
        ),
        (
            Example("Padding size 4 is not supported for 2D input tensor.", (), "NotImplementedError"),
            Example("pad should be at most half of effective kernel size, but got pad=2, kernel_size=2 and dilation=1"),
        ),
        confidence=0.7,
    ),
)

FAMILY = CrashFamily("window_shapes", PATTERNS)
