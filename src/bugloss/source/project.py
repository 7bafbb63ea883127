"""The files of one program: each is read and parsed when it is asked for, and imports lead from one to the next."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from bugloss.source.text.module import SourceModule
from bugloss.source.text.recovery import read_tolerantly

Reader = Callable[[str], str | None]
_MOST_IMPORTS = 200  # of one file
_MOST_FILES = 40  # of one program; more are not searched for callers


class Project:
    """What can be read of a program. ``read`` gives the text of a file by its path, None where there is none.

    ``entries`` are files that belong to it for certain, such as the script that was started.
    """

    def __init__(self, read: Reader = lambda path: None, entries: Sequence[str] = ()) -> None:
        self.read = read
        self._entries = tuple(entries)
        self._modules: dict[str, SourceModule | None] = {}

    def module(self, path: str) -> SourceModule | None:
        """A file of the program, as far as it can be parsed."""
        if path not in self._modules:
            text = self.read(path)
            self._modules[path] = None if text is None else SourceModule(read_tolerantly(text, path))
        return self._modules[path]

    def modules(self) -> list[SourceModule]:
        """The entries, the files that were asked for, and what these import, nearest first."""
        known = [module for path in self._entries if (module := self.module(path)) is not None]
        known += [module for module in self._modules.values() if module is not None and module not in known]
        for module in known:  # the list grows while it is walked
            found = [other for other in self._imports(module) if other not in known]
            known += found[: max(_MOST_FILES - len(known), 0)]
        return known

    def imported(self, module: SourceModule, node: ast.Import | ast.ImportFrom, name: str) -> SourceModule | None:
        """The file that an import statement binds to a name as a whole."""
        for alias in node.names:
            if (alias.asname or alias.name.split(".")[0]) != name:
                continue
            if isinstance(node, ast.Import):
                return self._named(module, alias.name if alias.asname else alias.name.split(".")[0])
            return self._named(module, ".".join(filter(None, (node.module, alias.name))), node.level)
        return None

    def imported_from(self, module: SourceModule, node: ast.Import | ast.ImportFrom) -> SourceModule | None:
        """The file whose names a ``from`` import takes."""
        return self._named(module, node.module or "", node.level) if isinstance(node, ast.ImportFrom) else None

    def _imports(self, module: SourceModule) -> Iterator[SourceModule]:
        for node in (*module.nodes[ast.Import], *module.nodes[ast.ImportFrom])[:_MOST_IMPORTS]:
            if isinstance(node, ast.Import):
                found = [self._named(module, alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found = [self.imported_from(module, node)]
                found += [self.imported(module, node, alias.asname or alias.name) for alias in node.names]
            yield from (other for other in found if other is not None)

    def _named(self, module: SourceModule, name: str, level: int = 0) -> SourceModule | None:
        """A module by its dotted name: beside the file that imports it, or from the top of the program."""
        if not level and name.split(".")[0] in _FOREIGN:
            return None
        inside = name.replace(".", "/")
        here = PurePosixPath(module.path).parent
        for _ in range(level - 1):
            here = here.parent
        folders = [here] if level else [here, PurePosixPath()]
        for folder in dict.fromkeys(folders):
            for path in (f"{inside}.py", f"{inside}/__init__.py") if inside else ("__init__.py",):
                found = self.module((folder / path).as_posix())
                if found is not None and found is not module:
                    return found
        return None


# Libraries: not part of anybody's program, and not worth asking the disk for.
_FOREIGN = sys.stdlib_module_names | {
    *("torch", "torchvision", "torchaudio", "keras", "tensorflow", "tf_keras", "numpy", "pandas", "sklearn", "scipy"),
    *("matplotlib", "tqdm", "transformers", "datasets", "jax", "flax", "PIL", "cv2", "lightning", "pytorch_lightning"),
}
