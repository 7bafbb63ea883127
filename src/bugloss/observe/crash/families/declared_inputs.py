"""Inputs that differ from what a Keras or TensorFlow model declares: axes, lengths, numbers of arrays, open sizes."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape, show_shape

_RECURRENT = re.compile(r"lstm|gru|rnn|recurrent|conv_?lstm", re.IGNORECASE)
_CONVOLUTION = re.compile(r"conv(?P<axes>[123])d|pooling(?P<more>[123])d", re.IGNORECASE)


def _axis(scene: Scene, match: re.Match[str]) -> CrashText:
    """Keras: one axis of the input has another length than when the layer was built."""
    layer, wanted, given = match["layer"], match["wanted"], read_shape(match["given"])
    got = "?" if not given or given[-1] is None else str(given[-1])
    evidence = (f"{layer} expects {wanted} in axis {match['axis']}; its input is {show_shape(given)}.",)
    advice = f"Feed data with {wanted} in that axis, or declare the input with {got} where the model is built."
    if _CONVOLUTION.search(layer) and {wanted, got} <= {"1", "3"}:
        advice = (
            f"The layer was built for {wanted} channels, but the images have {got}: convert them, or change "
            "input_shape."
        )
    return CrashText(f"Layer {layer} was built for {wanted} features, but gets {got}.", advice, evidence)


def _rank(scene: Scene, match: re.Match[str]) -> CrashText:
    """Keras: another number of axes than the layer takes."""
    layer = match["layer"] or match["old"] or match["checked"] or "the layer"
    wanted = int(match["wanted"] or match["axes"])
    given = read_shape(match["full"] or match["array"] or "")
    got = int(match["got"]) if match["got"] else len(given)
    evidence = (f"{layer} takes {wanted} axes; its input has {got}{f' ({show_shape(given)})' if given else ''}.",)
    return CrashText(
        f"{layer} takes tensors of {wanted} axes, but gets {got}.", _rank_advice(layer, wanted, got), evidence
    )


def _rank_advice(layer: str, wanted: int, got: int) -> str:
    if got == wanted - 1 and _RECURRENT.search(layer):
        return (
            "Set return_sequences=True in the recurrent layer before it; for data without a feature axis: x = x[..., "
            "np.newaxis]."
        )
    if got == wanted - 1 and _CONVOLUTION.search(layer):
        return "Add the channel axis, x = x[..., np.newaxis], or the batch axis of a single sample, x = x[np.newaxis]."
    if got < wanted:
        return (
            "Add the missing axis: x[np.newaxis] for the batch of a single sample, x[..., np.newaxis] for one feature."
        )
    return "Remove the extra axis: flatten or squeeze the data, or put layers.Flatten() before this layer."


def _checked(scene: Scene, match: re.Match[str]) -> CrashText:
    """Keras: the shape of one sample differs from the declared one."""
    wanted = read_shape(match["wanted"] or match["declared"] or match["named"] or "")
    given = read_shape(match["given"] or match["found"] or match["got"] or "")
    layer = match["layer"] or match["model"] or "the model"
    evidence = (f"{layer} was declared for {show_shape(wanted)}; the data are {show_shape(given)}.",)
    advice = f"Declare input_shape={_plain(given)} or reshape the data to {_plain(wanted)}."
    if len(wanted) == len(given) + 1 and given and wanted[-len(given) :] != given and given[0] is None:
        advice = (
            f"The declared shape has one axis more than the data: declare {_plain(given[1:])} per sample, or add the "
            "axis."
        )
    elif len(wanted) > 1 and sorted(map(str, wanted)) == sorted(map(str, given)):
        advice = "The axes are the same in another order: transpose the data (channels first against channels last)."
    return CrashText("The shape of the data differs from the declared input shape of the model.", advice, evidence)


def _plain(shape: tuple[int | None, ...]) -> str:
    inner = ", ".join(str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


_LAYER_NAME = r"layer [\"']?(?P<layer>[\w./-]++)[\"']?"

PATTERNS = (
    Pattern(
        "input-axis-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("of input shape to have value",),
        _LAYER_NAME
        + r".*expected axis (?P<axis>-?\d+) of input shape to have value (?P<wanted>\d+),? but (?:got|received input "
        r"with) shape (?P<given>[\[(][^\])]*[\])])",
        _axis,
        (
            Example(
                "Input 0 with name 'None' of layer 'dense_2' is incompatible with the layer: expected axis -1 of input "
                "shape to have value 4, but received input with shape (None, 5)",
                ("Layer dense_2 was built for 4 features, but gets 5",),
                "ValueError",
            ),
            Example(
                "Input 0 is incompatible with layer dense_51: expected axis -1 of input shape to have value 3 but got "
                "shape (None, 4)",
                ("dense_51",),
                "ValueError",
            ),
            Example(
                'Input 0 of layer "conv2d_4" is incompatible with the layer: expected axis -1 of input shape to have '
                "value 3, "
                "but received input with shape (None, 8, 8, 1)",
                ("3 channels, but the images have 1",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "input-rank-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("expected ndim=", "expected min_ndim=", "Error when checking input", "Error when checking model input"),
        r"(?:layer [\"'](?P<layer>[\w./-]+)[\"']|layer (?P<old>\w+):?).*expected (?:min_)?ndim=(?P<wanted>\d+), found "
        r"ndim="
        r"(?P<got>\d+)(?:\. Full shape received: (?P<full>[\[(][^\])]*[\])]))?"
        r"|Error when checking (?:model )?input: expected (?P<checked>\w+) to have (?P<axes>\d+) dimensions, but got "
        r"array with "
        r"shape (?P<array>\([^)]*\))",
        _rank,
        (
            Example(
                "Input 0 with name 'None' of layer 'lstm_2' is incompatible with the layer: expected ndim=3, found "
                "ndim=2. Full shape received: (None, 4)",
                ("lstm_2 takes 3 axes; its input has 2 (?×4)", "return_sequences=True"),
                "ValueError",
            ),
            Example(
                "Input 0 is incompatible with layer lstm_1: expected ndim=3, found ndim=2", ("lstm_1",), "ValueError"
            ),
            Example(
                "Error when checking input: expected conv2d_1_input to have 4 dimensions, but got array with shape (3, "
                "28, 28)",
                ("conv2d_1_input takes tensors of 4 axes, but gets 3", "np.newaxis"),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "input-shape-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Error when checking input", "expected shape=", "Invalid input shape for input", "Cannot feed value of shape"),
        r"checking (?:model )?input: expected (?P<layer>\w+) to have shape (?P<wanted>\([^)]*\)) but got array with "
        r"shape "
        r"(?P<given>\([^)]*\))"
        r"|layer [\"'](?P<model>\w+)[\"'].*expected shape=(?P<declared>\([^)]*\)), found shape=(?P<found>\([^)]*\))"
        r"|Expected shape (?P<named>\([^)]*\)), but input has incompatible shape (?P<got>\([^)]*\))",
        _checked,
        (
            Example(
                "Error when checking input: expected dense_1_input to have shape (4,) but got array with shape (5,)",
                ("dense_1_input was declared for 4; the data are 5", "input_shape=(5,)"),
                "ValueError",
            ),
            Example(
                'Input 0 of layer "sequential_1" is incompatible with the layer: expected shape=(None, 4), found '
                "shape=(None, 5)",
                ("sequential_1",),
                "ValueError",
            ),
            Example(
                'Invalid input shape for input Tensor("data:0", shape=(None, 30), dtype=float32) with name '
                "'keras_tensor' and "
                "path ''. Expected shape (None, 569, 30), but input has incompatible shape (None, 30)",
                ("one axis more than the data", "(30,)"),
                "ValueError",
            ),
            Example(
                "Error when checking input: expected conv2d_5_input to have shape (28, 28, 1) but got array with shape "
                "(1, 28, 28)",
                ("transpose",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "input-shape-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Cannot feed value of shape",),
        r"Cannot feed value of shape (?P<given>\([^)]*\)) for Tensor '?(?P<name>[^',]+)'?, which has shape '?"
        r"(?P<wanted>\([^)]*\))",
        plain(
            "The array fed to placeholder {name} has shape {given}; the placeholder was declared with {wanted}.",
            "Reshape the array before feeding it, or declare the placeholder with the shape of the data (None for the "
            "batch).",
        ),
        (
            Example(
                "Cannot feed value of shape (2, 4) for Tensor 'x:0', which has shape '(?, 3)'",
                ("x:0", "(2, 4)"),
                "ValueError",
            ),
            Example(
                "Cannot feed value of shape (2, 4) for Tensor x:0, which has shape (None, 3)", ("x:0",), "ValueError"
            ),
        ),
    ),
    Pattern(
        "input-rank-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("must have rank at least", "but is rank", "must be at least rank"),
        r"(?:Shape (?P<shape>\([^)]*\)) must have rank at least (?P<least>\d+))|Shape must be rank (?P<rank>\d+) but "
        r"is rank "
        r"(?P<got>\d+)|must be at least rank",
        plain(
            "A tensor has fewer or more axes than the operation takes.",
            "Print its shape; stack steps into one tensor (batch, time, features), or add and drop axes with "
            "expand_dims, squeeze.",
        ),
        (
            Example("Shape (4, ?) must have rank at least 3", (), "ValueError"),
            Example(
                "Shape must be rank 4 but is rank 3 for 'Conv2D' (op: 'Conv2D') with input shapes: [?,8,8]",
                (),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "open-input-size",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("should be defined. Found", "is not fully defined", "must be fully-defined"),
        r"should be defined|is not fully defined|must be fully-defined",
        plain(
            "A layer needs a known input size for its weights, but an axis of its input is None.",
            "Give the input layer a full shape, pad sequences to one length, or pool over the unknown axis instead "
            "of flattening it.",
        ),
        (
            Example(
                "The last dimension of the inputs to a Dense layer should be defined. Found None. Full input shape "
                "received: (None, None)",
                (),
                "ValueError",
            ),
            Example('The shape of the input to "Flatten" is not fully defined (got (None, 4)).', (), "ValueError"),
            Example(
                "Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: "
                "shape=(None, 3) for variable path='dense_58/kernel'",
                (),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "number-of-inputs",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("input(s)", "is not the size the model expected"),
        r"expects (?P<wanted>\d+) (?:named )?input\(s\).*received (?P<got>\d+) input|Expected to see (?P<arrays>\d+) "
        r"array\(s\), "
        r"but instead got the following list of (?P<given>\d+)",
        plain(
            "The model has {wanted}{arrays} inputs, but gets {got}{given} arrays.",
            "Pass one array per input, model.fit([a, b], y); a list of samples must become one array first: "
            "np.array(samples).",
        ),
        (
            Example(
                "Layer \"functional_32\" expects 2 named input(s) with keys ['a', 'b'], but it received 1 input "
                "tensors.",
                ("has 2 inputs, but gets 1",),
                "ValueError",
            ),
            Example(
                "Error when checking model input: the list of Numpy arrays that you are passing to your model is not "
                "the size the model expected. Expected to see 1 array(s), but instead got the following list of 4 "
                "arrays: [array([[1.]])]...",
                ("np.array(samples)",),
                "ValueError",
            ),
        ),
    ),
)

FAMILY = CrashFamily("declared_inputs", PATTERNS)
