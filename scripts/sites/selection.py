"""Which files of a release hold messages that a person's program can meet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_TORCH = (
    "nn", "optim", "utils/data", "functional.py", "_tensor.py", "tensor.py", "autograd", "serialization.py", "amp",
    "cuda/amp", "distributions", "_meta_registrations.py", "_refs", "_prims_common", "_decomp", "_tensor_str.py",
    "hub.py", "storage.py", "cuda/__init__.py", "_six.py", "utils/checkpoint.py", "utils/tensorboard",
)  # fmt: skip
_TENSORFLOW = (
    "ops", "data/ops", "eager/def_function.py", "eager/function.py", "eager/backprop.py", "eager/context.py",
    "framework/ops.py", "framework/constant_op.py", "framework/tensor_shape.py", "framework/tensor_util.py",
    "framework/func_graph.py", "framework/dtypes.py", "framework/random_seed.py", "client", "training", "module",
    "autograph/operators", "saved_model/load.py", "saved_model/loader_impl.py", "saved_model/save.py",
)  # fmt: skip
# Parts of a stack: the framework of its messages, the package, and the places inside it.
PARTS: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "torch": (("torch", "torch", _TORCH),),
    "torch1": (("torch", "torch", _TORCH),),
    "keras3": (("keras", "keras/src", ("",)),),
    "tf2": (("keras", "keras", ("",)), ("tensorflow", "tensorflow/python", _TENSORFLOW)),
    "tf2-keras2": (("keras", "keras/src", ("",)),),
    "keras2-tf1": (("keras", "keras", ("",)), ("tensorflow", "tensorflow_core/python", _TENSORFLOW)),
}
# What people's programs do not reach, or reach only on other machines.
_LEFT_OUT = (
    "_test.py", "/testing", "test_util", "/tests/", "/quantiz", "/ao/", "/intrinsic/", "/tpu/", "/distribute",
    "/distribution/", "/parallel/_replicated", "/_internal/", "/jax/", "/openvino/", "/mlx/", "backend/torch/",
    "backend/numpy/", "/export/", "/parameter_server", "/debug/", "tpu_", "collective", "/attention/", "/numpy_ops/",
    "/ragged/", "gen_", "/onnx", "dynamo", "/linalg/sparse", "cudnn_rnn_ops", "/structured/", "composite_tensor",
    "registry", "op_def", "/memory", "/graph_", "/dtensor", "/tools/", "utils/data/_typing", "/_refs/nn/__init",
    "/jax_", "subscribe", "/premade", "lite/", "profiler", "remat", "/distributions/", "parallel_for",
    "linear_operator", "/template.py", "data_flow_ops", "/checkpointable", "session_manager", "server_lib",
    "sync_replicas", "device_setter", "device_util", "/signal/", "quantization", "/_mlir", "type_spec",
    "kernel_tests",
)  # fmt: skip


def files_of(stack: str, packages: Path) -> Iterator[tuple[str, str, Path]]:
    """Framework, path inside the packages, and the file, of all that count in a stack."""
    for framework, package, places in PARTS[stack]:
        root = packages / package
        for place in places:
            start = root / place
            for path in sorted(start.rglob("*.py")) if start.is_dir() else filter(Path.is_file, [start]):
                inside = path.relative_to(packages).as_posix()
                if not any(part in f"/{inside}" for part in _LEFT_OUT):
                    yield framework, inside, path
