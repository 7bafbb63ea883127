"""What is put into a layered environment besides wheels: stand-ins, and what lets CUDA builds work with CPU torch.

PyPI's wheels of torchvision and torchaudio contain libraries that need torch's CUDA libraries. Both packages work
without these for the most part; where torch is a CPU build they are left out. Everything here is our own text, and is
written beside the files of a wheel or in their place, never into a file that uv shares with its cache.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

_OURS = Path(str(files("bugloss.probes") / "stand_ins"))
_CUDA_LIBRARY = b"libtorch_cuda.so"
_TORCHVISION = """
# Added by bugloss: torch is a CPU build and this package is not.
from torchvision import _cpu_ops  # noqa: E402, F401


def _assert_has_ops():  # noqa: F811
    pass
"""


def put_stand_ins(names: Iterable[str], site: Path) -> None:
    """Copies our modules of these names."""
    for name in names:
        shutil.copytree(_OURS / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))


def fit_to_cpu_torch(site: Path, below: Iterable[Path]) -> None:
    """Takes away libraries that only CUDA builds of torch can load, where torch is none of these."""
    libraries = [folder / "torch" / "lib" for folder in below if (folder / "torch" / "lib").is_dir()]
    if not libraries or any((folder / "libtorch_cuda.so").is_file() for folder in libraries):
        return
    useless = [path for path in site.rglob("*.so") if not path.is_symlink() and _CUDA_LIBRARY in path.read_bytes()]
    for path in useless:
        path.unlink()
    extension = site / "torchvision" / "extension.py"
    if any(path.parent == extension.parent for path in useless) and extension.is_file():
        shutil.copy(_OURS / "torchvision_cpu_ops.py", extension.with_name("_cpu_ops.py"))
        _rewrite(extension, extension.read_text(encoding="utf-8") + _TORCHVISION)


def _rewrite(path: Path, text: str) -> None:
    """As a file of its own: the one that is there is linked to uv's cache."""
    draft = path.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
