"""Releases of packages, interpreters, drivers and systems that a report names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bugloss.core.report import Block, Fact, FactKind

_PLAIN = (
    "torch torchvision torchtext torchaudio tensorflow keras numpy scipy pandas scikit-learn transformers tokenizers "
    "pytorch-lightning lightning mxnet jax jaxlib flax theano caffe onnx onnxruntime h5py protobuf matplotlib pillow "
    "gym xgboost lightgbm spacy fastai allennlp fairseq ray dask horovod python cuda cudnn gcc cmake bazel ubuntu "
    "windows macos centos debian anaconda conda pip"
)
# How packages are written, and the name under which they are installed.
PACKAGES = {name: name for name in _PLAIN.split()} | {
    "pytorch": "torch",
    "tensorflow-gpu": "tensorflow",
    "tensor flow": "tensorflow",
    "tf-nightly": "tensorflow",
    "tf-gpu": "tensorflow",
    "tf": "tensorflow",
    "tf.keras": "keras",
    "sklearn": "scikit-learn",
    "pytorch lightning": "pytorch-lightning",
    "opencv": "opencv-python",
    "cudatoolkit": "cuda",
    "cuda toolkit": "cuda",
    "nvidia driver": "nvidia-driver",
    "mac os": "macos",
}
SYSTEMS = frozenset({"ubuntu", "windows", "macos", "centos", "debian"})

_NAMES = "|".join(re.escape(name).replace(r"\ ", "[ _-]") for name in sorted(PACKAGES, key=len, reverse=True))
_VERSION = re.compile(
    rf"(?<![\w./-])(?P<name>{_NAMES})(?:\.__version__)?(?![\w./])"
    r"[\s`*_'\"|]{0,4}(?:\(?(?:version|release|ver\.?|gpu|cpu|backend|runtime|toolkit|installed)\b[^\n\d]{0,25}"
    r"|[:=<>~!]{1,2}|\(|-|is|=>)?[\s`*_:='\"|v]{0,6}"
    r"(?P<version>\d{1,4}(?:\.(?:\d{1,6}|x|\*)){0,3}(?:[-.+]?(?:a|b|rc|dev|post|alpha|beta|cu|gpu"
    r"|cpu)[\w.]{0,12})?)(?![\w%]|\.\d)",
    re.IGNORECASE,
)
_LOOSE = frozenset(
    {"tf", "lightning", "ray", "conda", "pip", "gym", "dask", "jax", "windows", "pillow", "python", "keras"}
)


def find_versions(body: str, blocks: Sequence[Block]) -> Iterator[Fact]:
    """A package's name with a release beside it."""
    for match in _VERSION.finditer(body):
        name = PACKAGES[re.sub(r"[ _]", " ", match["name"].lower())] if _known(match["name"]) else match["name"].lower()
        version = match["version"].rstrip(".*x").rstrip(".")
        if not version or (match["name"].lower() in _LOOSE and not _is_release(match)):
            continue
        kind = FactKind.SYSTEM if name in SYSTEMS else FactKind.VERSION
        value = f"{name} {version}" if kind is FactKind.SYSTEM else version
        yield Fact(kind, value, match.start(), match.end(), name)


def _known(name: str) -> bool:
    return re.sub(r"[ _]", " ", name.lower()) in PACKAGES


def _is_release(match: re.Match[str]) -> bool:
    """Everyday words beside a number: a release has a dot, an equals sign, or one of the numbers known for it."""
    if "." in match["version"] or "=" in match[0] or "ersion" in match[0]:
        return True
    usual = {"windows": {"7", "8", "10", "11"}, "python": {"2", "3"}, "tf": {"1", "2"}, "keras": {"2", "3"}}
    return match["version"] in usual.get(match["name"].lower(), set())
