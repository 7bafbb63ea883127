"""Which releases are introspected, with which Python and what else they need beside them; oldest first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """One environment and the packages that are read in it."""

    python: str
    requirements: tuple[str, ...]
    packages: tuple[str, ...]


def _tensorflow(python: str, *requirements: str, keras: bool = True) -> Sample:
    return Sample(python, requirements, ("tensorflow", "keras") if keras else ("tensorflow",))


_OLD = ("protobuf<3.20", "setuptools<58", "h5py<3")

SAMPLES = (
    *(
        Sample(python, (f"numpy=={version}",), ("numpy",))
        for python, version in (
            ("3.6", "1.13.3"),
            ("3.7", "1.16.6"),
            ("3.8", "1.19.5"),
            ("3.8", "1.20.3"),
            ("3.8", "1.22.4"),
            ("3.8", "1.24.4"),
            ("3.11", "1.25.2"),
            ("3.11", "1.26.4"),
            ("3.11", "2.0.2"),
            ("3.11", "2.1.3"),
            ("3.11", "2.2.6"),
            ("3.11", "2.3.5"),
            ("3.11", "2.4.0"),
        )
    ),
    Sample("3.6", ("keras==1.2.2", "tensorflow==1.4.1", "numpy<1.17", *_OLD), ("keras",)),
    _tensorflow("3.6", "tensorflow==1.4.1", "keras==2.1.2", "numpy<1.17", *_OLD),
    _tensorflow("3.6", "tensorflow==1.12.0", "keras==2.2.4", "numpy<1.17", *_OLD),
    _tensorflow("3.7", "tensorflow==1.15.5", "keras==2.3.1", "numpy<1.19", *_OLD),
    _tensorflow("3.7", "tensorflow==2.0.4", "numpy<1.19", *_OLD, keras=False),
    _tensorflow("3.8", "tensorflow-cpu==2.3.4", "keras==2.4.3", "numpy<1.19", *_OLD),
    _tensorflow("3.8", "tensorflow-cpu==2.5.3", "protobuf<3.20", keras=False),
    _tensorflow("3.8", "tensorflow-cpu==2.8.4", "protobuf<3.20"),
    _tensorflow("3.8", "tensorflow-cpu==2.11.1", "protobuf<3.20"),
    _tensorflow("3.8", "tensorflow-cpu==2.13.1"),
    _tensorflow("3.11", "tensorflow-cpu==2.15.1"),
    _tensorflow("3.11", "tensorflow-cpu==2.16.2", "keras==3.0.5", "numpy<2"),
    _tensorflow("3.11", "tensorflow-cpu==2.18.1", "keras==3.6.0", "numpy<2.1"),
    _tensorflow("3.11", "tensorflow-cpu==2.21.0", "keras==3.15.1"),
    Sample("3.6", ("torch==1.0.1", "numpy<1.17"), ("torch",)),
    Sample("3.7", ("torch==1.4.0", "numpy<1.19"), ("torch",)),
    Sample("3.8", ("torch==1.8.1", "numpy<1.24"), ("torch",)),
    Sample("3.8", ("torch==1.13.1", "numpy<1.24"), ("torch",)),
    Sample("3.11", ("torch==2.0.1", "numpy<2"), ("torch",)),
    Sample("3.11", ("torch==2.4.1", "numpy<2"), ("torch",)),
    Sample("3.11", ("torch==2.13.0", "numpy"), ("torch",)),
)

_TORCH_LISTED = [
    "fx.experimental",
    "fx.passes",
    "distributed.elastic",
    "distributed.flight_recorder",
    "utils.hipify",
    "utils.collect_env",
    "utils.benchmark",
    "utils.data.datapipes",
    "package",
    "testing",
    "ao.ns",
    "ao.pruning",
    "onnx.symbolic_helper",
    "utils.bottleneck",
    "jit.mobile",
    "utils.model_dump",
    "utils.viz",
    "distributed.pipelining",
    "distributed.checkpoint",
    "contrib",
    "legacy",
    "for_onnx",
] + [f"onnx.symbolic_opset{number}" for number in range(7, 22)]
# Parts that are internal: their modules are listed, never imported.
LISTED = {
    "tensorflow": (
        "tensorflow.python",
        "tensorflow.core",
        "tensorflow.compiler",
        "tensorflow.tools",
        "tensorflow.include",
        "tensorflow.security",
        "tensorflow.dtensor",
        "tensorflow.compat.v2",
        "tensorflow.compat.v1.compat",
        "tensorflow.lite.python",
        "tensorflow.lite.tools",
        "tensorflow.examples",
    ),
    "keras": ("keras.src", "keras.api", "keras.tools", "keras.testing_infra", "keras.saving.legacy.saved_model"),
    "torch": tuple(f"torch.{part}" for part in _TORCH_LISTED),
    "numpy": ("numpy.testing", "numpy.core", "numpy.ma.bench", "numpy.distutils", "numpy.f2py"),
}
ROOTS = {
    "tensorflow": [
        "tensorflow",
        "tensorflow_core",
        "keras",
        "tensorflow_estimator",
        "tensorboard",
        "keras_applications",
        "keras_preprocessing",
    ],
    "keras": ["keras", "tensorflow", "tensorflow_core", "keras_applications", "keras_preprocessing"],
    "torch": ["torch"],
    "numpy": ["numpy"],
}
ALIASES = {"tensorflow": ["tensorflow_core"]}
_KERAS_CLASSES = [
    "Model",
    "Sequential",
    "models.Model",
    "models.Sequential",
    "layers.Layer",
    "optimizers.Optimizer",
    "optimizers.SGD",
    "optimizers.Adam",
    "callbacks.Callback",
    "metrics.Metric",
    "losses.Loss",
]
# Classes whose methods are recorded too.
MEMBERS = {
    "tensorflow": ["tensorflow.Tensor", "tensorflow.Variable", "tensorflow.data.Dataset", "tensorflow.Graph"]
    + [f"tensorflow.keras.{name}" for name in _KERAS_CLASSES],
    "keras": [f"keras.{name}" for name in _KERAS_CLASSES],
    "torch": ["torch.Tensor", "torch.nn.Module", "torch.optim.Optimizer", "torch.utils.data.DataLoader"],
    "numpy": ["numpy.ndarray", "numpy.random.RandomState", "numpy.random.Generator"],
}
