"""Keras networks are followed from their source: shapes, contradictions, what they are trained with."""

from __future__ import annotations

import pytest

from bugloss.source.networks.heads import head_of, trained_heads
from bugloss.source.networks.network import chain, straight_networks
from bugloss.source.program import Program
from bugloss.source.semantics.keras_data import class_count
from bugloss.source.semantics.keras_training import loss_of, spelled
from bugloss.source.text.source_file import SourceFile, parse_source
from bugloss.source.values.shapes import show
from bugloss.source.values.values import Constant, Model, Tensor

IMPORTS = "import keras\nfrom keras import layers\nimport numpy as np\n"


def program(text: str) -> Program:
    source = parse_source(IMPORTS + text, "program.py")
    assert isinstance(source, SourceFile)
    return Program(source)


def model_of(text: str) -> Model:
    return program(text).models[-1]


def output_shape(text: str) -> str:
    output = model_of(text).outputs[0]
    assert isinstance(output, Tensor)
    return show(output.shape)


SHAPES = [
    ("(28, 28, 1)", "layers.Conv2D(8, 3)", "(batch, 26, 26, 8)"),
    ("(28, 28, 1)", "layers.Conv2D(8, (5, 3), strides=2)", "(batch, 12, 13, 8)"),
    ("(28, 28, 1)", "layers.Conv2D(8, 3, padding='same', strides=2)", "(batch, 14, 14, 8)"),
    ("(3, 28, 28)", "layers.Conv2D(8, 3, data_format='channels_first')", "(batch, 8, 26, 26)"),
    ("(28, 28, 3)", "layers.Convolution2D(8, 3, 5, border_mode='valid')", "(batch, 26, 24, 8)"),
    ("(28, 28, 3)", "layers.Conv2D(nb_filter=8, nb_row=3, nb_col=3, subsample=(2, 2))", "(batch, 13, 13, 8)"),
    ("(28, 28, 3)", "layers.SeparableConv2D(8, 3)", "(batch, 26, 26, 8)"),
    ("(28, 28, 3)", "layers.DepthwiseConv2D(3, depth_multiplier=2)", "(batch, 26, 26, 6)"),
    ("(7, 7, 3)", "layers.Conv2DTranspose(8, 3, strides=2, padding='same')", "(batch, 14, 14, 8)"),
    ("(7, 7, 3)", "layers.Conv2DTranspose(8, 4, strides=2)", "(batch, 16, 16, 8)"),
    ("(20, 4)", "layers.Conv1D(8, 3, padding='causal')", "(batch, 20, 8)"),
    ("(20, 4)", "layers.MaxPooling1D(3)", "(batch, 6, 4)"),
    ("(9, 9, 2)", "layers.MaxPooling2D((2, 3), padding='same')", "(batch, 5, 3, 2)"),
    ("(9, 9, 2)", "layers.GlobalAveragePooling2D()", "(batch, 2)"),
    ("(9, 9, 2)", "layers.UpSampling2D()", "(batch, 18, 18, 2)"),
    ("(9, 9, 2)", "layers.ZeroPadding2D(((1, 0), (2, 2)))", "(batch, 10, 13, 2)"),
    ("(9, 9, 2)", "layers.Cropping2D(2)", "(batch, 5, 5, 2)"),
    ("(9, 9, 2)", "layers.Flatten()", "(batch, 162)"),
    ("(9, 9, 2)", "layers.Reshape((-1, 2))", "(batch, 81, 2)"),
    ("(3, 5)", "layers.Permute((2, 1))", "(batch, 5, 3)"),
    ("(5,)", "layers.RepeatVector(7)", "(batch, 7, 5)"),
    ("(5,)", "layers.Embedding(100, 8)", "(batch, 5, 8)"),
    ("(20, 4)", "layers.LSTM(8)", "(batch, 8)"),
    ("(20, 4)", "layers.GRU(8, return_sequences=True)", "(batch, 20, 8)"),
    ("(20, 4)", "layers.Bidirectional(layers.LSTM(8, return_sequences=True))", "(batch, 20, 16)"),
    ("(20, 4)", "layers.TimeDistributed(layers.Dense(3))", "(batch, 20, 3)"),
    ("(20, 4)", "layers.Dropout(0.5)", "(batch, 20, 4)"),
    ("(20, 4)", "layers.Lambda(lambda x: x[:, 0])", "an unknown shape"),
]


@pytest.mark.parametrize(("declared", "layer", "made"), SHAPES)
def test_a_layer_changes_the_shape_as_keras_says(declared: str, layer: str, made: str) -> None:
    assert output_shape(f"model = keras.Sequential([keras.Input(shape={declared}), {layer}])") == made
    assert output_shape(f"x = keras.Input(shape={declared})\nmodel = keras.Model(x, {layer}(x))") == made


def test_layers_added_in_a_short_loop_are_added_one_by_one() -> None:
    text = "model = keras.Sequential()\nfor width in (8, 16):\n    model.add(layers.Dense(width))\n"
    model = model_of(text)
    assert [layer.integer("units") for layer in model.layers] == [8, 16]
    assert model.complete


def test_a_layer_that_comes_only_sometimes_leaves_the_model_incomplete() -> None:
    text = """
def build(deep):
    model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(8)])
    if deep:
        model.add(layers.Flatten())
    return model
"""
    model = model_of(text)
    assert not model.complete
    assert show(model.outputs[0].shape) == "an unknown shape"  # type: ignore[union-attr]


def test_a_model_from_a_function_is_followed_through_compile_and_fit() -> None:
    text = """
def build():
    model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(3, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    return model

(x, y), _ = keras.datasets.mnist.load_data()
model = build()
model.fit(x, y)
"""
    [trained] = trained_heads(program(text))
    assert (trained.head.activation, trained.head.units, trained.loss.name) == (
        "softmax",
        3,
        "sparse_categorical_crossentropy",
    )
    assert class_count(trained.targets) == 10


def test_fit_declares_the_input_of_a_model_that_declares_none() -> None:
    text = """
(x, y), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(10)])
model.fit(x, y)
"""
    assert model_of(text).input_shape == ("batch", 28, 28)


@pytest.mark.parametrize(
    ("declared", "conflicts"), [("(28, 28)", 0), ("(28, 28, 1)", 0), ("(784,)", 1), ("(28, 28, 3)", 1)]
)
def test_data_of_another_shape_than_declared_are_a_conflict(declared: str, conflicts: int) -> None:
    text = f"""
(x, y), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.Input(shape={declared}), layers.Flatten(), layers.Dense(10)])
model.fit(x, y)
"""
    assert len(list(program(text).conflicts("shape"))) == conflicts


def test_one_hot_labels_have_a_column_per_class() -> None:
    text = """
(x, y), _ = keras.datasets.cifar10.load_data()
labels = keras.utils.to_categorical(y)
"""
    made = next(program(text).calls("keras.utils.to_categorical")).result
    assert isinstance(made, Tensor)
    assert (made.shape, "one-hot" in made.facts) == ((50000, 10), True)


def test_the_head_is_found_behind_reshapes_and_separate_activations() -> None:
    text = """
x = keras.Input(shape=(20, 4))
scores = layers.Flatten()(layers.Dense(1)(x))
model = keras.Model(x, layers.Activation("softmax")(scores))
"""
    head = head_of(model_of(text).outputs[0])
    assert head is not None
    assert (head.activation, head.units) == ("softmax", 20)


def test_a_chain_lists_an_attached_activation_as_a_step_of_its_own() -> None:
    text = "model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(8, activation='relu'), layers.Dense(1)])"
    steps = [(step.role, step.name) for step in chain(model_of(text).outputs[0])]
    assert steps == [("dense", "Dense"), ("activation", "relu"), ("dense", "Dense"), ("input", "Input")]


def test_a_network_with_a_merge_is_not_straight() -> None:
    text = "x = keras.Input(shape=(4,))\nmodel = keras.Model(x, layers.add([x, layers.Dense(4)(x)]))"
    assert straight_networks(program(text)) == []


@pytest.mark.parametrize(
    ("written", "name"),
    [("MSE", "mean_squared_error"), ("MeanSquaredError", "mean_squared_error"), ("huber_loss", "huber")],
)
def test_a_loss_has_one_spelling(written: str, name: str) -> None:
    assert spelled(written) == name


def test_a_loss_that_is_no_text_of_the_library_is_unknown() -> None:
    assert loss_of(Constant(None)) is None


def test_channels_first_as_the_global_setting_holds_for_later_layers() -> None:
    text = """
keras.backend.set_image_data_format("channels_first")
model = keras.Sequential([keras.Input(shape=(3, 28, 28)), layers.Conv2D(8, 3)])
"""
    assert output_shape(text) == "(batch, 8, 26, 26)"
