"""What lets packages that were built for CUDA work with the CPU build of torch."""

from __future__ import annotations

import os
from pathlib import Path

from bugloss.run.supplement import fit_to_cpu_torch


def lay_out(site: Path) -> Path:
    package = site / "torchvision"
    package.mkdir(parents=True)
    (package / "extension.py").write_text("def _assert_has_ops(): raise RuntimeError\n")
    (package / "_C.so").write_bytes(b"\x7fELF libtorch_cuda.so\0")
    (package / "image.so").write_bytes(b"\x7fELF libtorch_cpu.so\0")
    return package


def test_libraries_that_need_cuda_go_and_the_operators_are_put_there(tmp_path: Path) -> None:
    package = lay_out(tmp_path / "site")
    cached = tmp_path / "cached.py"
    os.link(package / "extension.py", cached)
    (tmp_path / "below" / "torch" / "lib").mkdir(parents=True)
    fit_to_cpu_torch(tmp_path / "site", [tmp_path / "below"])
    assert not (package / "_C.so").exists()
    assert (package / "image.so").exists()
    assert (package / "_cpu_ops.py").is_file()
    assert "_cpu_ops" in (package / "extension.py").read_text()
    assert "_cpu_ops" not in cached.read_text(), "the file of uv's cache was changed"


def test_without_torch_nothing_is_looked_at(tmp_path: Path) -> None:
    package = lay_out(tmp_path / "site")
    fit_to_cpu_torch(tmp_path / "site", [tmp_path / "below"])
    assert (package / "_C.so").exists()


def test_with_a_cuda_build_of_torch_everything_stays(tmp_path: Path) -> None:
    package = lay_out(tmp_path / "site")
    library = tmp_path / "below" / "torch" / "lib" / "libtorch_cuda.so"
    library.parent.mkdir(parents=True)
    library.touch()
    fit_to_cpu_torch(tmp_path / "site", [tmp_path / "below"])
    assert (package / "_C.so").exists()
    assert not (package / "_cpu_ops.py").exists()
