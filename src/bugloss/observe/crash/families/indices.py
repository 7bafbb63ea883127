"""Indices, class indices and token ids that lie outside what they index."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene


def _label(scene: Scene, match: re.Match[str]) -> CrashText:
    label = int(next(value for name, value in match.groupdict().items() if name.startswith("label") and value))
    classes = match.groupdict().get("classes")
    if label < 0:
        advice = (
            "If negative labels mark samples to ignore, pass ignore_index; otherwise shift the labels so that they "
            "start at 0."
        )
    else:
        advice = (
            "Labels must run from 0 to classes - 1. If they start at 1, subtract 1; otherwise give the last layer at "
            f"least {label + 1} outputs."
        )
    return CrashText(
        f"Label {label} is out of range: the model has {f'{classes} classes' if classes else 'fewer classes'}.",
        advice,
        (f"The label {label} is outside 0 … {int(classes) - 1}.",) if classes else (),
    )


def _token(scene: Scene, match: re.Match[str]) -> CrashText:
    groups = match.groupdict()
    index, size = groups.get("index"), groups.get("size")
    layer = scene.made("Embedding")
    evidence = [f"Index {index} is not in 0 … {int(size) - 1}."] if index and size else []
    if layer and layer.arguments:
        evidence.append(f"{layer.called} has {layer.arguments.get('num_embeddings', '?')} entries.")
    return CrashText(
        "A token or category id is too large for the embedding.",
        "Make the embedding larger than the largest id: num_embeddings (input_dim) = max id + "
        f"1{f' = {int(index) + 1} here' if index else ''}; include the ids for padding and unknown words.",
        tuple(evidence),
        (Location(layer.path, layer.line, 0.75, layer.name or None, "the embedding is created here"),) if layer else (),
    )


def _bounds(scene: Scene, match: re.Match[str]) -> CrashText:
    index, axis, size = (int(match[name]) for name in ("index", "axis", "size"))
    explanation = f"Index {index} does not exist in axis {axis}, which has {size} entries (0 … {size - 1})."
    if scene.went_through("to_categorical", "one_hot"):
        advice = (
            f"The largest label is {index}: encode with {index + 1} classes, or subtract 1 if the labels start at 1."
        )
        return CrashText(explanation, advice, fix_pattern=FixPattern.DATA_WRANGLING, confidence=0.9)
    if index == size:
        return CrashText(explanation, "Indices start at 0, so the last one is size - 1: this index is one too large.")
    return CrashText(
        explanation,
        "Check where the index comes from: labels, ids in a file, or an axis that is shorter than expected.",
    )


PATTERNS = (
    Pattern(
        "label-out-of-range",
        CrashKind.INDEX,
        FixPattern.DATA_WRANGLING,
        ("is out of bounds.", "outside the valid range of"),
        r"Target (?P<label>-?\d+) is out of bounds"
        r"|label value of (?P<label2>-?\d+) which is outside the valid range of \[0, (?P<classes>\d+)\)",
        _label,
        (
            Example("Target 3 is out of bounds.", ("Label 3", "subtract 1", "at least 4 outputs"), "IndexError"),
            Example("Target -1 is out of bounds.", ("ignore_index",), "IndexError"),
            Example(
                "Received a label value of 3 which is outside the valid range of [0, 3).  Label values: 3 3 3 3",
                ("outside 0 … 2",),
                "InvalidArgumentError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "label-out-of-range",
        CrashKind.INDEX,
        FixPattern.DATA_WRANGLING,
        ("n_classes", "Class values must be smaller than num_classes", "Class values must be non-negative"),
        r"n_classes|Class values must be",
        plain(
            "A label is negative or not smaller than the number of classes.",
            "Labels must run from 0 to classes - 1: print min() and max() of the labels, subtract 1 if they start at "
            "1, or widen the last layer.",
        ),
        (
            Example(
                "CUDA error: device-side assert triggered\n../aten/src/ATen/native/cuda/Loss.cu:242: nll_loss_forward: "
                "block: [0,0,0], thread: [4,0,0] Assertion `t >= 0 && t < n_classes` failed."
            ),
            Example(
                "Assertion `cur_target >= 0 && cur_target < n_classes' failed.  at "
                "/pytorch/aten/src/THNN/generic/ClassNLLCriterion.c:94"
            ),
            Example("Class values must be smaller than num_classes."),
        ),
        confidence=0.95,
    ),
    Pattern(
        "token-out-of-range",
        CrashKind.INDEX,
        FixPattern.LAYER_DIMENSION,
        ("index out of range in self", "is not in [0,", "srcIndex < srcSelectDimSize"),
        r"indices\[[\d,]*\] = (?P<index>-?\d+) is not in \[0, (?P<size>\d+)\)|index out of range in self|srcIndex < "
        r"srcSelect",
        _token,
        (
            Example(
                "index out of range in self",
                ("self.words has 1000 entries",),
                "IndexError",
                program="self.words = nn.Embedding(1000, 16)\nx = self.words(ids)\n",
                line=2,
            ),
            Example(
                "indices[0,0] = 10 is not in [0, 10)", ("Index 10 is not in 0 … 9", "= 11 here"), "InvalidArgumentError"
            ),
            Example(
                "CUDA error: device-side assert triggered\nIndexing.cu:1141: indexSelectLargeIndex: Assertion "
                "`srcIndex < srcSelectDimSize` failed."
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "device-side-assert",
        CrashKind.INDEX,
        FixPattern.DATA_WRANGLING,
        ("device-side assert triggered",),
        r"device-side assert triggered",
        plain(
            "A GPU kernel got an index out of range, usually a label or a token id.",
            "Run the same batch on the CPU, which reports the index, or set CUDA_LAUNCH_BLOCKING=1 to get the "
            "right line; then compare min() and max() of labels and ids with the sizes of the last layer and of "
            "embeddings.",
        ),
        (Example("CUDA error: device-side assert triggered"),),
        confidence=0.7,
    ),
    Pattern(
        "index-out-of-range",
        CrashKind.INDEX,
        FixPattern.DATA_WRANGLING,
        ("is out of bounds for",),
        r"index (?P<index>-?\d+) is out of bounds for (?:dimension|axis) (?P<axis>\d+) with size (?P<size>\d+)",
        _bounds,
        (
            Example("index 3 is out of bounds for dimension 0 with size 3", ("Index 3", "one too large"), "IndexError"),
            Example("index 5 is out of bounds for axis 1 with size 3", ("axis 1",), "IndexError"),
        ),
        confidence=0.8,
    ),
    Pattern(
        "axis-out-of-range",
        CrashKind.INDEX,
        FixPattern.DATA_DIMENSION,
        ("Dimension out of range", "is out of bounds for array of dimension", "Invalid axis."),
        r"in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got (?P<axis>-?\d+)|axis (?P<number>-?\d+) is out of "
        r"bounds for array of "
        r"dimension (?P<axes>\d+)|Invalid axis",
        plain(
            "Axis {axis}{number} does not exist: the tensor has fewer axes than this line expects.",
            "Print its shape; an axis was squeezed, the batch axis is missing, or the axis should be counted from the "
            "end (dim=-1).",
        ),
        (
            Example(
                "Dimension out of range (expected to be in range of [-1, 0], but got 1)", ("Axis 1",), "IndexError"
            ),
            Example("axis 1 is out of bounds for array of dimension 1", ("Axis 1",), "AxisError"),
        ),
    ),
    Pattern(
        "index-out-of-range",
        CrashKind.INDEX,
        FixPattern.API_CONTRACT,
        (
            "list index out of range",
            "tuple index out of range",
            "too many indices for",
            "invalid index of a 0-dim tensor",
        ),
        r"(?P<what>list|tuple) index out of range|too many indices for|invalid index of a 0-dim",
        plain(
            "An index is out of range⟨ for a {what}⟩.",
            "Print its length or shape before this line. Since PyTorch 0.4 a loss is a scalar: loss.item() instead "
            "of loss.data[0].",
        ),
        (
            Example("list index out of range", ("list",), "IndexError"),
            Example(
                "invalid index of a 0-dim tensor. Use tensor.item() to convert a 0-dim tensor to a Python number",
                (".item()",),
                "IndexError",
            ),
            Example("too many indices for tensor of dimension 1", (), "IndexError"),
        ),
        confidence=0.6,
    ),
    Pattern(
        "float-index",
        CrashKind.INDEX,
        FixPattern.DATA_TYPE,
        ("are valid indices", "list indices must be integers", "slice indices must be integers"),
        r"valid indices|must be integers",
        plain(
            "An index is a float or a string, but must be an integer.",
            "Divide with // or wrap it in int(…); columns of a table are selected with frame['name'], not "
            "array['name'].",
        ),
        (
            Example(
                "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
                "are valid indices",
                (),
                "IndexError",
            ),
            Example("list indices must be integers or slices, not float", (), "TypeError"),
        ),
    ),
)

FAMILY = CrashFamily("indices", PATTERNS)
