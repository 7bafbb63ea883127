"""Layers: their family, the arguments they take by position, and which layer they behave like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from bugloss.core.network.activation import ACTIVATIONS
from bugloss.core.network.table import NetworkTable, folded


class LayerFamily(Enum):
    """What a layer is for."""

    DENSE = "dense"
    CONVOLUTION = "conv"
    POOLING = "pool"
    GLOBAL_POOLING = "global-pool"
    NORMALIZATION = "norm"
    DROPOUT = "dropout"
    ACTIVATION = "activation"
    RESHAPING = "reshape"
    RESAMPLING = "resample"
    RECURRENT = "recurrent"
    EMBEDDING = "embedding"
    MERGING = "merge"
    ATTENTION = "attention"
    WRAPPER = "wrapper"
    SAME = "same"  # passes its input on
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class KnownLayer:
    """One layer of one framework."""

    name: str
    framework: str  # torch, keras
    family: LayerFamily
    parameters: tuple[str, ...] = ()  # by position, under the names of the current release
    names: tuple[str, ...] = ()
    like: str = ""  # the layer whose effect on shapes it shares, where that is not its own

    @property
    def has_weights(self) -> bool:
        """Whether it has weights that training changes."""
        return (self.family in _WITH_WEIGHTS or self.name == "PReLU") and self.name not in _WITHOUT_WEIGHTS

    @property
    def depends_on_mode(self) -> bool:
        """Whether it computes something else in training than in evaluation."""
        return self.family is LayerFamily.DROPOUT or "BatchNorm" in self.name

    @property
    def function(self) -> str:
        """Its function in ``torch.nn.functional``: ``max_pool2d`` of ``MaxPool2d``."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", self.name).lower()


_WITH_WEIGHTS = frozenset({
    LayerFamily.DENSE, LayerFamily.CONVOLUTION, LayerFamily.NORMALIZATION, LayerFamily.RECURRENT,
    LayerFamily.EMBEDDING, LayerFamily.ATTENTION,
})  # fmt: skip
# They normalise or attend without weights, or with some that training does not change.
_WITHOUT_WEIGHTS = frozenset({"Attention", "Normalization", "UnitNormalization"})

_DIMENSIONS = (1, 2, 3)


def _torch() -> Iterator[KnownLayer]:
    conv = ("in_channels", "out_channels", "kernel_size", "stride", "padding")
    plain, transposed = ("dilation", "groups", "bias", "padding_mode"), ("output_padding", "groups", "bias", "dilation")
    pool = ("kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode")
    norm = ("num_features", "eps", "momentum", "affine", "track_running_stats")
    recurrent = ("input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional")
    attention = ("embed_dim", "num_heads", "dropout", "bias", "add_bias_kv", "add_zero_attn", "kdim", "vdim")
    yield _of_torch("Linear", LayerFamily.DENSE, "in_features", "out_features", "bias")
    yield _of_torch("LazyLinear", LayerFamily.DENSE, "out_features", "bias")
    yield _of_torch("Bilinear", LayerFamily.DENSE, "in1_features", "in2_features", "out_features", "bias")
    for n in _DIMENSIONS:
        yield _of_torch(f"Conv{n}d", LayerFamily.CONVOLUTION, *conv, *plain)
        yield _of_torch(f"ConvTranspose{n}d", LayerFamily.CONVOLUTION, *conv, *transposed)
        yield _of_torch(f"LazyConv{n}d", LayerFamily.CONVOLUTION, *conv[1:], *plain)
        yield _of_torch(f"LazyConvTranspose{n}d", LayerFamily.CONVOLUTION, *conv[1:], *transposed)
        yield from (_of_torch(f"{kind}Pool{n}d", LayerFamily.POOLING, *pool) for kind in ("Max", "Avg"))
        yield _of_torch(f"LPPool{n}d", LayerFamily.POOLING, "norm_type", "kernel_size", "stride", "ceil_mode")
        yield from (
            _of_torch(f"Adaptive{k}Pool{n}d", LayerFamily.GLOBAL_POOLING, "output_size") for k in ("Max", "Avg")
        )
        yield from (_of_torch(f"{kind}Norm{n}d", LayerFamily.NORMALIZATION, *norm) for kind in ("Batch", "Instance"))
        for kind in ("Batch", "Instance"):
            yield _of_torch(f"Lazy{kind}Norm{n}d", LayerFamily.NORMALIZATION, *norm[1:])
        yield _of_torch(f"Dropout{n}d", LayerFamily.DROPOUT, "p", "inplace")
    yield _of_torch("SyncBatchNorm", LayerFamily.NORMALIZATION, *norm)
    yield _of_torch("LayerNorm", LayerFamily.NORMALIZATION, "normalized_shape", "eps", "elementwise_affine")
    yield _of_torch("RMSNorm", LayerFamily.NORMALIZATION, "normalized_shape", "eps", "elementwise_affine")
    yield _of_torch("GroupNorm", LayerFamily.NORMALIZATION, "num_groups", "num_channels", "eps", "affine")
    for name in ("Dropout", "AlphaDropout", "FeatureAlphaDropout"):
        yield _of_torch(name, LayerFamily.DROPOUT, "p", "inplace")
    yield _of_torch("Flatten", LayerFamily.RESHAPING, "start_dim", "end_dim")
    yield _of_torch("Unflatten", LayerFamily.RESHAPING, "dim", "unflattened_size")
    yield _of_torch("Embedding", LayerFamily.EMBEDDING, "num_embeddings", "embedding_dim", "padding_idx")
    yield _of_torch("EmbeddingBag", LayerFamily.EMBEDDING, "num_embeddings", "embedding_dim")
    for name in ("RNN", "LSTM", "GRU"):
        yield _of_torch(name, LayerFamily.RECURRENT, *recurrent)
        yield _of_torch(f"{name}Cell", LayerFamily.RECURRENT, "input_size", "hidden_size", "bias")
    yield _of_torch("MultiheadAttention", LayerFamily.ATTENTION, *attention, "batch_first")
    for name in ("TransformerEncoderLayer", "TransformerDecoderLayer"):
        yield _of_torch(name, LayerFamily.ATTENTION, "d_model", "nhead", "dim_feedforward", "dropout", "activation")
    yield _of_torch("Transformer", LayerFamily.ATTENTION, "d_model", "nhead", "num_encoder_layers")
    for name in ("TransformerEncoder", "TransformerDecoder"):
        yield _of_torch(name, LayerFamily.ATTENTION, f"{name.removeprefix('Transformer').lower()}_layer", "num_layers")
    yield _of_torch("Upsample", LayerFamily.RESAMPLING, "size", "scale_factor", "mode", "align_corners")
    yield _of_torch("Identity", LayerFamily.SAME)


def _torch_activations() -> Iterator[KnownLayer]:
    yield _of_torch("LeakyReLU", LayerFamily.ACTIVATION, "negative_slope", "inplace")
    yield _of_torch("PReLU", LayerFamily.ACTIVATION, "num_parameters", "init")
    yield from (_of_torch(name, LayerFamily.ACTIVATION, "dim") for name in ("Softmax", "LogSoftmax"))
    for name in ("ReLU", "ReLU6", "SiLU", "ELU", "SELU", "CELU", "RReLU", "Hardtanh", "Mish"):
        yield _of_torch(name, LayerFamily.ACTIVATION, "inplace")
    for name in ("Sigmoid", "Tanh", "GELU", "Softplus", "LogSigmoid", "Softsign", "Hardswish", "Hardsigmoid"):
        yield _of_torch(name, LayerFamily.ACTIVATION)
    yield _of_torch("Softmax2d", LayerFamily.ACTIVATION)


def _of_torch(name: str, family: LayerFamily, *parameters: str) -> KnownLayer:
    return KnownLayer(name, "torch", family, parameters)


def _keras() -> Iterator[KnownLayer]:
    conv = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate")
    pool = ("pool_size", "strides", "padding", "data_format")
    yield _of_keras(
        "Dense", LayerFamily.DENSE, "units", "activation", "use_bias", "kernel_initializer", "bias_initializer"
    )
    for n in _DIMENSIONS:
        yield _of_keras(f"Conv{n}D", LayerFamily.CONVOLUTION, *conv, names=(f"Convolution{n}D",))
        yield _of_keras(f"Conv{n}DTranspose", LayerFamily.CONVOLUTION, *conv[:4], names=(f"Deconvolution{n}D",))
        yield _of_keras(f"ConvLSTM{n}D", LayerFamily.RECURRENT, *conv[:4])
        for kind in ("Max", "Average"):
            short = {"Max": "MaxPool", "Average": "AvgPool"}[kind]
            yield _of_keras(f"{kind}Pooling{n}D", LayerFamily.POOLING, *pool, names=(f"{short}{n}D",))
            yield _of_keras(f"Global{kind}Pooling{n}D", LayerFamily.GLOBAL_POOLING, names=(f"Global{short}{n}D",))
        yield _of_keras(f"UpSampling{n}D", LayerFamily.RESAMPLING, "size")
        yield _of_keras(f"ZeroPadding{n}D", LayerFamily.RESAMPLING, "padding")
        yield _of_keras(f"Cropping{n}D", LayerFamily.RESAMPLING, "cropping")
        yield _of_keras(f"SpatialDropout{n}D", LayerFamily.DROPOUT, "rate")
    for n in (1, 2):
        yield _of_keras(f"SeparableConv{n}D", LayerFamily.CONVOLUTION, *conv)
        depthwise = ("kernel_size", "strides", "padding", "depth_multiplier")
        yield _of_keras(f"DepthwiseConv{n}D", LayerFamily.CONVOLUTION, *depthwise)
        yield _of_keras(f"LocallyConnected{n}D", LayerFamily.CONVOLUTION, *conv[:4])
    for name in ("LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU", "LSTMCell", "GRUCell"):
        yield _of_keras(name, LayerFamily.RECURRENT, "units", "activation")
    yield _of_keras("RNN", LayerFamily.RECURRENT, "cell")
    for name in ("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate", "Dot"):
        yield _of_keras(name, LayerFamily.MERGING, "axis")
    for name in ("Dropout", "GaussianDropout", "AlphaDropout"):
        yield _of_keras(name, LayerFamily.DROPOUT, "rate", "noise_shape", "seed")
    yield from (_of_keras(name, LayerFamily.WRAPPER, "layer") for name in ("Bidirectional", "TimeDistributed"))
    for name in ("BatchNormalization", "LayerNormalization"):
        yield _of_keras(name, LayerFamily.NORMALIZATION, "axis", "momentum", "epsilon")
    yield _of_keras("GroupNormalization", LayerFamily.NORMALIZATION, "groups", "axis", "epsilon")
    yield from (_of_keras(name, LayerFamily.NORMALIZATION, "axis") for name in ("Normalization", "UnitNormalization"))
    yield _of_keras("Rescaling", LayerFamily.SAME, "scale", "offset")
    yield _of_keras("Flatten", LayerFamily.RESHAPING, "data_format")
    yield _of_keras("Reshape", LayerFamily.RESHAPING, "target_shape")
    yield _of_keras("Permute", LayerFamily.RESHAPING, "dims")
    yield _of_keras("RepeatVector", LayerFamily.RESHAPING, "n")
    yield _of_keras("Embedding", LayerFamily.EMBEDDING, "input_dim", "output_dim")
    yield from (_of_keras(name, LayerFamily.ATTENTION, "num_heads", "key_dim") for name in ("MultiHeadAttention",))
    yield from (_of_keras(name, LayerFamily.ATTENTION) for name in ("Attention", "AdditiveAttention"))
    yield _of_keras("GaussianNoise", LayerFamily.SAME, "stddev")
    yield _of_keras("Masking", LayerFamily.SAME, "mask_value")
    yield from (_of_keras(name, LayerFamily.SAME) for name in ("ActivityRegularization", "Identity", "InputLayer"))
    yield _of_keras("Lambda", LayerFamily.OTHER, "function")
    yield _of_keras("Activation", LayerFamily.ACTIVATION, "activation")
    yield _of_keras("LeakyReLU", LayerFamily.ACTIVATION, "alpha")
    yield _of_keras("ReLU", LayerFamily.ACTIVATION, "max_value", "negative_slope", "threshold")
    yield _of_keras("Softmax", LayerFamily.ACTIVATION, "axis")
    yield from (_of_keras(name, LayerFamily.ACTIVATION) for name in ("PReLU", "ELU", "ThresholdedReLU"))


def _of_keras(name: str, family: LayerFamily, *parameters: str, names: tuple[str, ...] = ()) -> KnownLayer:
    return KnownLayer(name, "keras", family, parameters, names)


LAYERS: NetworkTable[KnownLayer] = NetworkTable(*_torch(), *_torch_activations(), *_keras())


def layer(name: str, framework: str = "") -> KnownLayer | None:
    """The layer with that name: class names are distinguished by case only between frameworks."""
    return LAYERS.find(name, lambda row: not framework or row.framework == framework)


def torch_layers(*families: LayerFamily) -> list[KnownLayer]:
    """The layers of PyTorch that are of one of the families."""
    return [row for row in LAYERS if row.framework == "torch" and row.family in families]


def has_weights(name: str, framework: str) -> bool:
    """Whether a layer with that name has weights that training changes."""
    known = layer(name, framework)
    return known is not None and known.has_weights


def family_of(name: str, framework: str = "") -> LayerFamily:
    """What a layer is for; a name that is an activation's counts as one."""
    known = layer(name, framework)
    if known is not None:
        return known.family
    return LayerFamily.ACTIVATION if ACTIVATIONS.find(folded(name)) is not None else LayerFamily.OTHER
