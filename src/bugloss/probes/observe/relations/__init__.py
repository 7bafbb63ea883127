"""The relations, one file each; see ``relation.py``."""

import importlib
import pkgutil


def load():
    """(name, module) of each relation, the quick ones first."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__))
    modules = [(name.replace("_", "-"), importlib.import_module("." + name, __name__)) for name in names]
    return sorted(modules, key=lambda pair: pair[1].COST)
