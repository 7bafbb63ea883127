"""Inputs that a PyTorch layer refuses: wrong width, wrong number of axes, wrong state, too few samples."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.crashed_file import Made
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape, show_shape


def _normalised(scene: Scene, match: re.Match[str]) -> CrashText:
    got, takes = match["got"], match["takes"]
    layer = scene.made("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", num_features=int(takes))
    called = layer.called if layer else "The batch normalization"
    return _of_width(
        layer,
        f"{called} normalizes {takes} features, but gets {got}.",
        (f"num_features={got}", ": the number of channels of the layer before."),
        f"{called} has running statistics for {takes} features; the input has {got}.",
    )


def _recurrent(scene: Scene, match: re.Match[str]) -> CrashText:
    takes, got = match["takes"], match["got"]
    layer = scene.made("LSTM", "GRU", "RNN", input_size=int(takes))
    called = layer.called if layer else "The recurrent layer"
    return _of_width(
        layer,
        f"{called} takes {takes} features per time step, but gets {got}.",
        (
            f"input_size={got}",
            f", or put the {takes} features into the last axis.",
        ),
        f"{called} has input_size={takes}; the last axis of its input is {got}.",
    )


def _of_width(layer: Made | None, text: str, argument: tuple[str, str], evidence: str) -> CrashText:
    """A layer that was created for another number of features: the argument to write, and where."""
    written, rest = argument
    place = f" in line {layer.line}" if layer else ""
    where = (Location(layer.path, layer.line, 0.8, layer.name or None, "the layer is created here"),) if layer else ()
    return CrashText(text, f"Write {written}{place}{rest}", (evidence,), where)


def _hidden(scene: Scene, match: re.Match[str]) -> CrashText:
    wanted, got = read_shape(match["wanted"]), read_shape(match["got"])
    advice = "Create the state with the current batch size: torch.zeros(layers, x.size(batch_axis), hidden)."
    if len(wanted) == 3 and len(got) == 3 and wanted[1] != got[1]:
        advice += (
            " The last batch is often smaller (drop_last=True helps), and batch_first=True does not change the state."
        )
    return CrashText(
        f"The initial state is {show_shape(got)}, but the layer needs {show_shape(wanted)} (layers, batch, hidden).",
        advice,
        (f"Expected {show_shape(wanted)}, got {show_shape(got)}.",),
    )


PATTERNS = (
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
                ("self.norm normalizes 10 features, but gets 12", "`nn.BatchNorm1d(12)` in line 1"),
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
            "A layer normalization for the last axes {takes} gets a tensor of {given}.",
            "Create it with the sizes of the last axes of its input.",
        ),
        (
            Example(
                "Given normalized_shape=[10], expected input with shape [*, 10], but got input of size[4, 12]",
                ("[10]", "[4, 12]"),
            ),
        ),
    ),
    Pattern(
        "input-rank-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        (
            "expected 2D",
            "expected 3D",
            "expected 4D",
            "expected 5D",
            "Expected input to be",
            "input must have 3 dimensions",
        ),
        r"(?i)expected (?:input to be )?(?P<wanted>\dD(?: or \dD)*)(?: input)?,? \(?got (?P<got>\d)D|input must have "
        r"(?P<axes>\d) "
        r"dimensions, got (?P<have>\d)",
        plain(
            "The layer takes {wanted}{axes} axes, but gets {got}{have}.",
            "Use the layer for this many axes (BatchNorm1d, BatchNorm2d, …), or reshape the tensor before it.",
        ),
        (
            Example("expected 4D input (got 2D input)", ("4D", "gets 2"), "ValueError"),
            Example("RNN: Expected input to be 2D or 3D, got 4D tensor instead", ("2D or 3D", "gets 4"), "ValueError"),
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
            "A last batch of a single sample causes this: set drop_last=True in the loader; for prediction call "
            "model.eval() first.",
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
                ("self.rnn takes 10 features per time step, but gets 12", "`nn.LSTM(12, 20)` in line 1"),
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
        "sequence-lengths",
        CrashKind.SHAPE,
        FixPattern.API_CONTRACT,
        (
            "must be sorted in decreasing order",
            "input_lengths must be of size",
            "target_lengths must be of size",
            "Length of all samples has to be",
        ),
        r"decreasing order|lengths must be of size|has to be greater than 0",
        plain(
            "The list of sequence lengths does not fit the batch.",
            "Give one positive length per sample of this batch; for packing sort by length or pass "
            "enforce_sorted=False.",
        ),
        (
            Example(
                "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True.",
                ("enforce_sorted=False",),
            ),
            Example("input_lengths must be of size batch_size"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "attention-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("embed_dim must be divisible", "expecting embedding dimension", "must be divisible by num_groups"),
        r"embed_dim must be divisible|expecting embedding dimension of (?P<wanted>\d+), but got (?P<got>\d+)|divisible "
        r"by num_groups",
        plain(
            "The sizes of this layer do not fit: num_heads must divide embed_dim, num_groups the channels, and "
            "inputs need its size.",
            "Choose heads (or groups) that divide the size evenly, and pass inputs of the size that the layer expects.",
        ),
        (
            Example("embed_dim must be divisible by num_heads", (), "AssertionError"),
            Example("was expecting embedding dimension of 16, but got 12", (), "AssertionError"),
            Example("num_channels (10) must be divisible by num_groups (3)", (), "ValueError"),
        ),
    ),
)

FAMILY = CrashFamily("layer_inputs", PATTERNS)
