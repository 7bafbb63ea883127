"""Products of matrices whose inner sizes differ: dense layers, ``matmul``, ``bmm``, ``dot``, ``einsum``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, Rival, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import Shape, read_shape, show_shape, side_of
from bugloss.observe.crash_event import Operand

if TYPE_CHECKING:
    from bugloss.observe.crash.crashed_file import Made

_WRITTEN_PRODUCT = re.compile(r"@|\b(?:mm|matmul|addmm|dot)\(")


def _torch_product(scene: Scene, match: re.Match[str]) -> CrashText:
    """``mat2`` of a linear layer is its transposed weight: inputs × outputs."""
    rows, columns, takes, gives = (int(match[name]) for name in ("rows", "columns", "takes", "gives"))
    layer = scene.made("Linear", in_features=takes, out_features=gives)
    if layer is None and scene.place and _WRITTEN_PRODUCT.search(scene.place.text):
        return _product((rows, columns), (takes, gives), scene)
    given = _Input(scene.entering(rows, columns), rows, columns)
    if scene.flattened(rows, columns, takes):
        return _flatten(layer, takes, given)
    return _resize(layer, takes, gives, given, scene)


class _Input:
    """What reaches a dense layer: a tensor of the user's frame where one fits, else what the message says."""

    def __init__(self, operand: Operand | None, rows: int, columns: int) -> None:
        self.features = columns
        self.name = operand.name if operand else ""
        self.shape: Shape = operand.shape if operand else (rows, columns)

    def __str__(self) -> str:
        return f"the tensor that reaches it{f', {self.name},' if self.name else ''}"


def _flatten(layer: Made | None, takes: int, given: _Input) -> CrashText:
    called = layer.called if layer else "the linear layer"
    seen = f"{given} still has {len(given.shape)} axes ({show_shape(given.shape)})"
    if len(given.shape) == 2:
        seen = f"{given} has {given.features} in its last axis and more than one axis before it"
    name = given.name or "x"
    return CrashText(
        f"{_begin(called)} takes {takes} features per sample, but its input is not flattened.",
        f"Flatten before the layer: {name} = torch.flatten({name}, 1), or put nn.Flatten() in front of it.",
        (f"{_begin(called)} takes {takes} features; {seen}.", f"All axes except the batch multiply to {takes}."),
        _at(layer, 0.4),
        FixPattern.ADD_LAYER,
    )


def _resize(layer: Made | None, takes: int, gives: int, given: _Input, scene: Scene) -> CrashText:
    called = layer.called if layer else "the linear layer"
    features = given.features
    evidence = [f"{_begin(called)} takes {takes} features; {given} has {features} (shape {show_shape(given.shape)})."]
    evidence += _image_side(scene, takes, features)
    width = layer.arguments.get("out_features", str(gives)) if layer else str(gives)
    where = f" in line {layer.line}" if layer else ""
    return CrashText(
        f"{_begin(called)} takes {takes} features per sample, but gets {features}.",
        f"Write nn.Linear({features}, {width}){where}, or resize the input so that {takes} features reach the layer.",
        tuple(evidence),
        _at(layer, 0.8),
        rivals=(_other_input(called, takes, features),),
    )


def _begin(called: str) -> str:
    """As a sentence begins; a name of the program is left as it is written."""
    return called.replace("the ", "The ", 1) if called.startswith("the ") else called


def _other_input(called: str, takes: int, features: int) -> Rival:
    return Rival(
        "input-size-mismatch",
        FixPattern.DATA_DIMENSION,
        0.25,
        f"The data have {features} features, but {called} needs {takes}.",
        f"Resize, crop or select the input so that {takes} features reach the layer.",
    )


def _image_side(scene: Scene, takes: int, features: int) -> list[str]:
    """Both numbers as channels × side × side, where a convolution of the program gives the channels."""
    program = scene.program
    if program is None:
        return []
    convolutions = [made.sizes for made in program.layers() if made.kind.startswith("Conv")]
    for channels in reversed([sizes["out_channels"] for sizes in convolutions if "out_channels" in sizes]):
        wanted, got = side_of(takes, channels), side_of(features, channels)
        if wanted and got:
            sides = f"With {channels} channels that is {got}×{got} instead of {wanted}×{wanted}"
            return [f"{sides}: the input images have another size than the layer expects."]
    return []


def _at(layer: Made | None, score: float) -> tuple[Location, ...]:
    return (
        (Location(layer.path, layer.line, score, layer.name or None, f"{layer.kind} is created here"),) if layer else ()
    )


def _product(left: Sequence[int | None], right: Sequence[int | None], scene: Scene) -> CrashText:
    first, second = scene.name_of(left) or "the first matrix", scene.name_of(right) or "the second matrix"
    evidence = f"{first} is {show_shape(left)}, {second} is {show_shape(right)}."
    advice = "Make the last axis of the first and the first axis of the second equal."
    if left and left[-1] is not None and left[-1] == right[-1]:
        advice = f"Both end in {left[-1]}: transpose the second one, {_name(scene, right)}.T."
    elif len(left) == 2 and left[0] is not None and left[0] == right[0]:
        advice = f"Both begin with {left[0]}: transpose the first one, {_name(scene, left)}.T."
    return CrashText(
        f"In a matrix product {first} has {_count(left, -1)} columns, so {second} needs as many rows, but has "
        f"{_count(right, -2)}.",
        advice,
        (evidence,),
    )


def _count(shape: Sequence[int | None], axis: int) -> str:
    at = axis if len(shape) >= -axis else -1
    return "?" if not shape or shape[at] is None else str(shape[at])


def _name(scene: Scene, shape: Sequence[int | None]) -> str:
    return scene.name_of(shape) or "it"


def _any_two(scene: Scene, match: re.Match[str]) -> CrashText:
    """The two shapes, whichever wording gave them; of NumPy's ``matmul`` only the two sizes are known."""
    found = [value for value in match.groupdict().values() if value is not None]
    if match["rows"]:
        return _product((None, int(match["columns"])), (int(match["rows"]), None), scene)
    return _product(read_shape(found[0]), read_shape(found[1]), scene)


def _einsum(scene: Scene, match: re.Match[str]) -> CrashText:
    if match["letter"]:
        return CrashText(
            f"In the einsum equation the letter '{match['letter']}' is used for axes of {match['other']} and "
            f"{match['size']}.",
            f"Use another letter for that axis of operand {match['operand']}, or make the two axes equally long.",
        )
    return CrashText(
        f"The einsum equation has {match['letters']} letters for operand {match['position']}, which has "
        f"{match['axes']} axes.",
        f"Write {match['axes']} letters for it, one per axis, or start with '...'.",
    )


def _graph_product(scene: Scene, match: re.Match[str]) -> CrashText:
    """TensorFlow's own words for a product; a Dense layer's kernel is inputs × units."""
    left = read_shape(match["left"] or match["first"])
    right = read_shape(match["right"] or match["second"])
    if not scene.layer:
        return _product(left, right, scene)
    given, takes = _count(left, -1), _count(right, -2)
    return CrashText(
        f"Layer {scene.layer} was built for {takes} features, but gets {given}.",
        f"Give every input of the layer {takes} features, or use another layer for inputs of {given}.",
        (f"Layer {scene.layer} has weights of {show_shape(right)}; the input is {show_shape(left)}.",),
    )


def _batched(scene: Scene, match: re.Match[str]) -> CrashText:
    wanted, got = read_shape(match["wanted"]), read_shape(match["got"])
    return CrashText(
        f"The second tensor of a batched product must start with {show_shape(wanted)}, but starts with "
        f"{show_shape(got)}.",
        "Transpose the last two axes of the second tensor, tensor.transpose(-1, -2), or correct its batch size.",
        (f"Expected {show_shape(wanted)} (batch and rows), got {show_shape(got)}.",),
    )


_PROGRAM = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 10)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))
"""

PATTERNS = (
    Pattern(
        "layer-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("shapes cannot be multiplied", "size mismatch, m1"),
        r"(?:multiplied \(|m1: \[)(?P<rows>\d+) ?x ?(?P<columns>\d+)\]?(?: and |, m2: \[)(?P<takes>\d+) ?x ?"
        r"(?P<gives>\d+)",
        _torch_product,
        (
            Example(
                "mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)",
                (
                    "self.fc1 takes 400 features; the tensor that reaches it, x, has 256 (shape 10×256)",
                    "`nn.Linear(256, 120)` in line 5",
                    "4×4 instead of 5×5",
                ),
                program=_PROGRAM,
                line=9,
                operands=(Operand("x", (10, 256), "float32"),),
            ),
            Example(
                "mat1 and mat2 shapes cannot be multiplied (800x5 and 400x120)",
                ("x, still has 4 axes (10×16×5×5)", "`self.fc1(x.flatten(1))` in line 9"),
                program=_PROGRAM,
                line=9,
                operands=(Operand("x", (10, 16, 5, 5), "float32"),),
            ),
            Example("size mismatch, m1: [1 x 214720], m2: [400 x 120]", ("400", "214720"), program=_PROGRAM, line=9),
            Example(
                "mat1 and mat2 shapes cannot be multiplied (3x4 and 5x4)",
                ("transpose the second",),
                program="scores = queries @ keys\n",
            ),
            Example("mat1 and mat2 shapes cannot be multiplied (8x20 and 30x5)", ("nn.Linear(20, 5)",)),
        ),
        confidence=0.9,
    ),
    Pattern(
        "matrix-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("Matrix size-incompatible", "MatMul"),
        r"(?:In\[0\]: (?P<left>\[[^\]]*\]), In\[1\]: (?P<right>\[[^\]]*\]))"
        r"|MatMul.*with input shapes: (?P<first>\[[^\]]*\]), (?P<second>\[[^\]]*\])",
        _graph_product,
        (
            Example(
                "Matrix size-incompatible: In[0]: [3,4], In[1]: [5,6] [Op:MatMul]",
                ("the first matrix is 3×4", "second matrix is 5×6"),
                "InvalidArgumentError",
            ),
            Example(
                "Dimensions must be equal, but are 4 and 5 for 'MatMul' (op: 'MatMul') with input shapes: [?,4], "
                "[5,6].",
                ("?×4", "5×6"),
                "ValueError",
            ),
            Example(
                'Exception encountered when calling layer "dense_50" (type Dense).\n\nDimensions must be equal, but '
                "are 4 and 3 "
                "for '{{node dense_50/MatMul}} = MatMul[T=DT_FLOAT](Placeholder, dense_50/MatMul/ReadVariableOp)' with "
                "input "
                "shapes: [?,4], [3,2].\n\nCall arguments received:\n  • inputs=tf.Tensor(shape=(None, 4), "
                "dtype=float32)",
                ("dense_50", "built for 3 features, but gets 4"),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "matrix-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("not aligned", "has a mismatch in its core dimension", "dot_general requires", "inconsistent tensor size"),
        r"shapes (?P<left>\([^)]*\)) and (?P<right>\([^)]*\)) not aligned"
        r"|size (?P<rows>\d+) is different from (?P<columns>\d+)"
        r"|same shape, got (?P<first>\([^)]*\)) and (?P<second>\([^)]*\))"
        r"|expected tensor (?P<one>\[[^\]]*\]) and src (?P<other>\[[^\]]*\])",
        _any_two,
        (
            Example("shapes (3,4) and (3,4) not aligned: 4 (dim 1) != 3 (dim 0)", ("3×4",), "ValueError"),
            Example(
                "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                "(n?,k),(k,m?)->(n?,m?) (size 3 is different from 4)",
                ("4", "3"),
                "ValueError",
            ),
            Example(
                "dot_general requires contracting dimensions to have the same shape, got (4,) and (5,).",
                (),
                "TypeError",
            ),
            Example(
                "inconsistent tensor size, expected tensor [3] and src [4] to have the same number of elements, but "
                "got 3 and 4 elements respectively"
            ),
        ),
    ),
    Pattern(
        "matrix-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("batch2 tensor to be", "mat1 dim 1 must match mat2 dim 0", "size mismatch, got input", "must be a 3D tensor"),
        r"batch2 tensor to be: (?P<wanted>\[[^\]]*\]) but got: (?P<got>\[[^\]]*\])",
        _batched,
        (
            Example(
                "Expected size for first two dimensions of batch2 tensor to be: [4, 5] but got: [4, 6].", ("4×5", "4×6")
            ),
        ),
    ),
    Pattern(
        "matrix-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        (
            "mat1 dim 1 must match mat2 dim 0",
            "size mismatch, got input",
            "size mismatch, get vec",
            "must be a 3D tensor",
        ),
        r"mat1 dim 1|size mismatch, g[eo]t|must be a 3D tensor",
        plain(
            "The tensors of a product do not match: the last axis of the first must be as long as the first axis of "
            "the second.",
            "Print both shapes before this line; change the layer's input size or the tensor's axes until they agree.",
        ),
        (
            Example("mat1 dim 1 must match mat2 dim 0"),
            Example("size mismatch, got input (3), mat (3x5), vec (4)"),
            Example("batch1 must be a 3D tensor"),
        ),
        confidence=0.75,
    ),
    Pattern(
        "einsum-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("einsum",),
        r"subscript (?P<letter>\w) has size (?P<size>\d+) for operand (?P<operand>\d+).*previously seen size "
        r"(?P<other>\d+)"
        r"|number of subscripts in the equation \((?P<letters>\d+)\) does not match the number of dimensions "
        r"\((?P<axes>\d+)\) for operand (?P<position>\d+)",
        _einsum,
        (
            Example(
                "einsum(): subscript j has size 4 for operand 1 which does not broadcast with previously seen size 3",
                ("'j'", "4", "3"),
            ),
            Example(
                "einsum(): the number of subscripts in the equation (2) does not match the number of dimensions (3) "
                "for operand 0 and no ellipsis was given",
                ("2 letters", "3 axes"),
            ),
        ),
    ),
)

FAMILY = CrashFamily("matrix_shapes", PATTERNS)
