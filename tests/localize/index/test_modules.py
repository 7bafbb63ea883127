"""Dotted names and the files that they mean."""

from __future__ import annotations

import pytest

from bugloss.localize.index.modules import Modules

PATHS = ("src/pkg/__init__.py", "src/pkg/a.py", "src/pkg/sub/b.py", "examples/run.py", "examples/common.py")


@pytest.mark.parametrize(
    ("name", "path"),
    [("pkg.a", "src/pkg/a.py"), ("pkg.a.Thing", "src/pkg/a.py"), ("pkg.sub.b.f.x", "src/pkg/sub/b.py"), ("src.pkg.a", "src/pkg/a.py")],
)  # fmt: skip
def test_a_dotted_name_means_the_longest_module_that_it_begins_with(name: str, path: str) -> None:
    assert PATHS[Modules.of(PATHS).find(name)[0]] == path


def test_a_foreign_name_means_nothing() -> None:
    assert Modules.of(PATHS).find("torch.nn.functional") == ()
    assert Modules.of(PATHS).find("a") == ()


@pytest.mark.parametrize(
    ("importer", "name", "imported"),
    [(2, "..a", {1}), (1, ".sub.b", {2}), (3, "common", {4}), (3, "pkg.a.Thing", {1}), (3, "numpy", set()), (1, "pkg.a", set())],
)  # fmt: skip
def test_imports_are_followed(importer: int, name: str, imported: set[int]) -> None:
    assert Modules.of(PATHS).imported(importer, [name]) == imported
