"""Reports when a module has been imported, without importing, finding or caching anything itself."""

import contextlib
import sys


class ImportWatch(object):
    """A finder that finds nothing itself: it lets the others find and calls back when their loader is done."""

    def __init__(self):
        self.callbacks = {}

    def find_spec(self, name, path=None, target=None):
        if name not in self.callbacks:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                self._follow(spec)
                return spec
        return None

    def _follow(self, spec):
        """The loader keeps its type and, once the module is there, its method."""
        loader, load = spec.loader, getattr(spec.loader, "exec_module", None)
        if load is None or isinstance(loader, type):  # a namespace package, or a built-in module's shared loader
            return

        def exec_module(module):
            with contextlib.suppress(AttributeError):
                del loader.exec_module
            load(module)
            for callback in self.callbacks.pop(spec.name, ()):
                callback(module)

        with contextlib.suppress(AttributeError):
            loader.exec_module = exec_module


_watch = ImportWatch()


def watch_import(name, callback):
    """Calls back with the module once it has been imported, or at once where it is there already.

    Nothing is imported, found or cached by us; a module that fails to load is watched on. Returns an undo.
    """
    if name in sys.modules:
        callback(sys.modules[name])
        return lambda: None
    if _watch not in sys.meta_path:
        sys.meta_path.insert(0, _watch)
    _watch.callbacks.setdefault(name, []).append(callback)

    def undo():
        with contextlib.suppress(KeyError, ValueError):
            _watch.callbacks[name].remove(callback)
            if not _watch.callbacks[name]:
                del _watch.callbacks[name]

    return undo


def stop_watching():
    """Takes the finder off again."""
    _watch.callbacks.clear()
    with contextlib.suppress(ValueError):
        sys.meta_path.remove(_watch)
