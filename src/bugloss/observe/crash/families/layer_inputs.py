"""Inputs that a layer refuses: wrong last axis, wrong number of axes, wrong state, too few samples, sizes left open."""

from __future__ import annotations

import re

from bugloss.core.diagnosis import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import Example, Pattern, Story, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape, show_shape

_RECURRENT = re.compile(r"lstm|gru|rnn|recurrent|conv_?lstm", re.IGNORECASE)
_CONVOLUTION = re.compile(r"conv(?P<axes>[123])d|pooling(?P<more>[123])d", re.IGNORECASE)


def _axis(scene: Scene, match: re.Match[str]) -> Story:
    """Keras: one axis of the input has another length than when the layer was built."""
    layer, wanted, given = match["layer"], match["wanted"], read_shape(match["given"])
    got = "?" if not given or given[-1] is None else str(given[-1])
    evidence = (f"{layer} takes {wanted} in axis {match['axis']}; what it gets is {show_shape(given)}.",)
    advice = f"Feed data with {wanted} in that axis, or declare the input with {got} where the model is built."
    if _CONVOLUTION.search(layer) and {wanted, got} <= {"1", "3"}:
        advice = f"The layer was built for {wanted} channels and the pictures have {got}: convert them, or change input_shape."
    return Story(f"Layer {layer} was built for {wanted} features and gets {got}.", advice, evidence)


def _rank(scene: Scene, match: re.Match[str]) -> Story:
    """Keras: another number of axes than the layer takes."""
    layer = match["layer"] or match["old"] or match["checked"] or "the layer"
    wanted = int(match["wanted"] or match["axes"])
    given = read_shape(match["full"] or match["array"] or "")
    got = int(match["got"]) if match["got"] else len(given)
    evidence = (f"{layer} takes {wanted} axes; what it gets has {got}{f' ({show_shape(given)})' if given else ''}.",)
    return Story(f"{layer} takes tensors of {wanted} axes and gets {got}.", _rank_advice(layer, wanted, got), evidence)


def _rank_advice(layer: str, wanted: int, got: int) -> str:
    if got == wanted - 1 and _RECURRENT.search(layer):
        return (
            "Between recurrent layers set return_sequences=True in the one before; data need an axis of features: "
            "x = x[..., np.newaxis]."
        )
    if got == wanted - 1 and _CONVOLUTION.search(layer):
        return "Add the axis of channels, x = x[..., np.newaxis], or for a single sample the batch, x = x[np.newaxis]."
    if got < wanted:
        return "Add the missing axis: x[np.newaxis] for the batch of a single sample, x[..., np.newaxis] for one feature."
    return "Drop the axis that is too much: flatten or squeeze the data, or put layers.Flatten() before this layer."


def _checked(scene: Scene, match: re.Match[str]) -> Story:
    """Keras: the shape of one sample differs from the declared one."""
    wanted = read_shape(match["wanted"] or match["declared"] or match["named"] or "")
    given = read_shape(match["given"] or match["found"] or match["got"] or "")
    layer = match["layer"] or match["model"] or "the model"
    evidence = (f"{layer} was declared for {show_shape(wanted)}; the data are {show_shape(given)}.",)
    advice = f"Declare input_shape={_plain(given)} or reshape the data to {_plain(wanted)}."
    if len(wanted) == len(given) + 1 and given and wanted[-len(given) :] != given and given[0] is None:
        advice = f"The declared shape has one axis more than the data: declare {_plain(given[1:])} per sample, or add the axis."
    elif len(wanted) > 1 and sorted(map(str, wanted)) == sorted(map(str, given)):
        advice = "The axes are the same in another order: transpose the data (channels first against channels last)."
    return Story("The data have another shape than the input that the model declares.", advice, evidence)


def _plain(shape: tuple[int | None, ...]) -> str:
    inner = ", ".join(str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def _normalised(scene: Scene, match: re.Match[str]) -> Story:
    got, takes = match["got"], match["takes"]
    layer = scene.made("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", num_features=int(takes))
    called = layer.called if layer else "The batch normalization"
    return Story(
        f"{called} normalises {takes} features and gets {got}.",
        f"Write num_features={got}{f' in line {layer.line}' if layer else ''}: the number of channels of the layer before.",
        (f"{called} holds running statistics for {takes} features; the input has {got}.",),
        (Location(layer.path, layer.line, 0.8, layer.name or None, "the layer is made here"),) if layer else (),
    )


def _recurrent(scene: Scene, match: re.Match[str]) -> Story:
    takes, got = match["takes"], match["got"]
    layer = scene.made("LSTM", "GRU", "RNN", input_size=int(takes))
    called = layer.called if layer else "The recurrent layer"
    return Story(
        f"{called} takes {takes} features a time step and gets {got}.",
        f"Write input_size={got}{f' in line {layer.line}' if layer else ''}, or put the {takes} features into the last axis "
        "(time, batch, features; batch first only with batch_first=True).",
        (f"{called} has input_size={takes}; the last axis of its input is {got}.",),
        (Location(layer.path, layer.line, 0.8, layer.name or None, "the layer is made here"),) if layer else (),
    )


def _hidden(scene: Scene, match: re.Match[str]) -> Story:
    wanted, got = read_shape(match["wanted"]), read_shape(match["got"])
    advice = "Make the state from the batch at hand: torch.zeros(layers, x.size(batch_axis), hidden)."
    if len(wanted) == 3 and len(got) == 3 and wanted[1] != got[1]:
        advice += " The last batch is often smaller (drop_last=True helps), and batch_first=True does not change the state."
    return Story(
        f"The initial state is {show_shape(got)} where the layer needs {show_shape(wanted)} (layers, batch, hidden).",
        advice,
        (f"Expected {show_shape(wanted)}, got {show_shape(got)}.",),
    )


_LAYER_NAME = r"layer [\"']?(?P<layer>[\w./-]+)[\"']?"

PATTERNS = (
    Pattern(
        "input-axis-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("of input shape to have value",),
        _LAYER_NAME + r".*expected axis (?P<axis>-?\d+) of input shape to have value (?P<wanted>\d+),? but (?:got|received input "
        r"with) shape (?P<given>[\[(][^\])]*[\])])",
        _axis,
        (
            Example(
                "Input 0 with name 'None' of layer 'dense_2' is incompatible with the layer: expected axis -1 of input shape "
                "to have value 4, but received input with shape (None, 5)",
                ("Layer dense_2 was built for 4 features and gets 5",),
                "ValueError",
            ),
            Example(
                "Input 0 is incompatible with layer dense_51: expected axis -1 of input shape to have value 3 but got shape "
                "(None, 4)",
                ("dense_51",),
                "ValueError",
            ),
            Example(
                'Input 0 of layer "conv2d_4" is incompatible with the layer: expected axis -1 of input shape to have value 3, '
                "but received input with shape (None, 8, 8, 1)",
                ("3 channels and the pictures have 1",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "input-rank-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("expected ndim=", "expected min_ndim=", "Error when checking input", "Error when checking model input"),
        r"(?:layer [\"'](?P<layer>[\w./-]+)[\"']|layer (?P<old>\w+):?).*expected (?:min_)?ndim=(?P<wanted>\d+), found ndim="
        r"(?P<got>\d+)(?:\. Full shape received: (?P<full>[\[(][^\])]*[\])]))?"
        r"|Error when checking (?:model )?input: expected (?P<checked>\w+) to have (?P<axes>\d+) dimensions, but got array with "
        r"shape (?P<array>\([^)]*\))",
        _rank,
        (
            Example(
                "Input 0 with name 'None' of layer 'lstm_2' is incompatible with the layer: expected ndim=3, found ndim=2. "
                "Full shape received: (None, 4)",
                ("lstm_2 takes 3 axes; what it gets has 2 (?×4)", "return_sequences=True"),
                "ValueError",
            ),
            Example("Input 0 is incompatible with layer lstm_1: expected ndim=3, found ndim=2", ("lstm_1",), "ValueError"),
            Example(
                "Error when checking input: expected conv2d_1_input to have 4 dimensions, but got array with shape (3, 28, 28)",
                ("conv2d_1_input takes tensors of 4 axes and gets 3", "np.newaxis"),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "input-shape-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Error when checking input", "expected shape=", "Invalid input shape for input", "Cannot feed value of shape"),
        r"checking (?:model )?input: expected (?P<layer>\w+) to have shape (?P<wanted>\([^)]*\)) but got array with shape "
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
                'Input 0 of layer "sequential_1" is incompatible with the layer: expected shape=(None, 4), found shape=(None, 5)',
                ("sequential_1",),
                "ValueError",
            ),
            Example(
                'Invalid input shape for input Tensor("data:0", shape=(None, 30), dtype=float32) with name \'keras_tensor\' and '
                "path ''. Expected shape (None, 569, 30), but input has incompatible shape (None, 30)",
                ("one axis more than the data", "(30,)"),
                "ValueError",
            ),
            Example(
                "Error when checking input: expected conv2d_5_input to have shape (28, 28, 1) but got array with shape (1, 28, 28)",
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
        r"Cannot feed value of shape (?P<given>\([^)]*\)) for Tensor '?(?P<name>[^',]+)'?, which has shape '?(?P<wanted>\([^)]*\))",
        plain(
            "The array fed to placeholder {name} has shape {given}; the placeholder was declared with {wanted}.",
            "Reshape the array before feeding it, or declare the placeholder with the shape of the data (None for the batch).",
        ),
        (
            Example(
                "Cannot feed value of shape (2, 4) for Tensor 'x:0', which has shape '(?, 3)'", ("x:0", "(2, 4)"), "ValueError"
            ),
            Example("Cannot feed value of shape (2, 4) for Tensor x:0, which has shape (None, 3)", ("x:0",), "ValueError"),
        ),
    ),
    Pattern(
        "input-rank-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("must have rank at least", "but is rank", "must be at least rank"),
        r"(?:Shape (?P<shape>\([^)]*\)) must have rank at least (?P<least>\d+))|Shape must be rank (?P<rank>\d+) but is rank "
        r"(?P<got>\d+)|must be at least rank",
        plain(
            "A tensor has fewer or more axes than the operation takes.",
            "Print its shape; stack steps into one tensor (batch, time, features), or add and drop axes with expand_dims, squeeze.",
        ),
        (
            Example("Shape (4, ?) must have rank at least 3", (), "ValueError"),
            Example("Shape must be rank 4 but is rank 3 for 'Conv2D' (op: 'Conv2D') with input shapes: [?,8,8]", (), "ValueError"),
        ),
    ),
    Pattern(
        "normalization-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("running_mean should contain",),
        r"running_mean should contain (?P<got>\d+) elements not (?P<takes>\d+)",
        _normalised,
        (
            Example(
                "running_mean should contain 12 elements not 10",
                ("self.norm normalises 10 features and gets 12", "num_features=12 in line 1"),
                program="self.norm = nn.BatchNorm1d(10)\ny = self.norm(x)\n",
                line=2,
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "normalization-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("Given normalized_shape=",),
        r"normalized_shape=(?P<takes>\[[^\]]*\]).*input of size(?P<given>\[[^\]]*\])",
        plain(
            "A layer normalization was made for trailing axes {takes} and gets a tensor of {given}.",
            "Make it with the sizes of the last axes of its input.",
        ),
        (
            Example(
                "Given normalized_shape=[10], expected input with shape [*, 10], but got input of size[4, 12]", ("[10]", "[4, 12]")
            ),
        ),
    ),
    Pattern(
        "input-rank-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("expected 2D", "expected 3D", "expected 4D", "expected 5D", "Expected input to be", "input must have 3 dimensions"),
        r"(?i)expected (?:input to be )?(?P<wanted>\dD(?: or \dD)*)(?: input)?,? \(?got (?P<got>\dD)|input must have (?P<axes>\d) "
        r"dimensions, got (?P<have>\d)",
        plain(
            "The layer takes {wanted}{axes} axes and gets {got}{have}.",
            "Use the layer for this many axes (BatchNorm1d, BatchNorm2d, …), or reshape the tensor before it.",
        ),
        (
            Example("expected 4D input (got 2D input)", ("4D", "2D"), "ValueError"),
            Example("RNN: Expected input to be 2D or 3D, got 4D tensor instead", ("2D or 3D",), "ValueError"),
            Example("input must have 3 dimensions, got 2", ("3", "2")),
        ),
    ),
    Pattern(
        "single-sample-batch",
        CrashKind.SHAPE,
        FixPattern.DATA_WRANGLING,
        ("Expected more than 1 value per channel",),
        r"got input size (?:torch\.Size\()?(?P<size>\[[^\]]*\])",
        plain(
            "Batch normalization cannot train on a batch with one value per channel; the batch is {size}.",
            "A last batch of a single sample does this: set drop_last=True in the loader; for prediction call model.eval() first.",
        ),
        (
            Example(
                "Expected more than 1 value per channel when training, got input size torch.Size([1, 10])",
                ("[1, 10]", "drop_last=True"),
                "ValueError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "layer-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("must be equal to input_size",),
        r"Expected (?P<takes>\d+), got (?P<got>\d+)",
        _recurrent,
        (
            Example(
                "input.size(-1) must be equal to input_size. Expected 10, got 12",
                ("self.rnn takes 10 features a time step and gets 12", "input_size=12 in line 1"),
                program="self.rnn = nn.LSTM(10, 20)\nout, _ = self.rnn(x)\n",
                line=2,
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "state-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Expected hidden",),
        r"Expected hidden(?:\[\d\])? size (?P<wanted>\([^)]*\)), got (?P<got>[\[(][^\])]*[\])])",
        _hidden,
        (Example("Expected hidden[0] size (1, 3, 20), got [1, 4, 20]", ("1×4×20", "1×3×20", "drop_last=True")),),
    ),
    Pattern(
        "open-input-size",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("should be defined. Found", "is not fully defined", "must be fully-defined"),
        r"should be defined|is not fully defined|must be fully-defined",
        plain(
            "A layer must know the size of its input to make its weights, and an axis before it was left open (None).",
            "Give the input layer a full shape, pad sequences to one length, or pool over the open axis instead of flattening it.",
        ),
        (
            Example(
                "The last dimension of the inputs to a Dense layer should be defined. Found None. Full input shape received: "
                "(None, None)",
                (),
                "ValueError",
            ),
            Example('The shape of the input to "Flatten" is not fully defined (got (None, 4)).', (), "ValueError"),
            Example(
                "Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: shape=(None, 3) for "
                "variable path='dense_58/kernel'",
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
        r"expects (?P<wanted>\d+) (?:named )?input\(s\).*received (?P<got>\d+) input|Expected to see (?P<arrays>\d+) array\(s\), "
        r"but instead got the following list of (?P<given>\d+)",
        plain(
            "The model has {wanted}{arrays} input(s) and gets {got}{given} array(s).",
            "Pass one array per input, model.fit([a, b], y); a list of samples must become one array first: np.array(samples).",
        ),
        (
            Example(
                "Layer \"functional_32\" expects 2 named input(s) with keys ['a', 'b'], but it received 1 input tensors.",
                ("has 2 input(s) and gets 1",),
                "ValueError",
            ),
            Example(
                "Error when checking model input: the list of Numpy arrays that you are passing to your model is not the size the "
                "model expected. Expected to see 1 array(s), but instead got the following list of 4 arrays: [array([[1.]])]...",
                ("np.array(samples)",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "attention-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("embed_dim must be divisible", "expecting embedding dimension", "must be divisible by num_groups"),
        r"embed_dim must be divisible|expecting embedding dimension of (?P<wanted>\d+), but got (?P<got>\d+)|divisible by num_groups",
        plain(
            "The sizes of this layer do not divide: heads must divide the embedding, groups the channels, and inputs have its width.",
            "Choose heads (or groups) that divide the width evenly, and feed the width that the layer was made for.",
        ),
        (
            Example("embed_dim must be divisible by num_heads", (), "AssertionError"),
            Example("was expecting embedding dimension of 16, but got 12", (), "AssertionError"),
            Example("num_channels (10) must be divisible by num_groups (3)", (), "ValueError"),
        ),
    ),
)
