"""``python observe SETTINGS script.py``: loads this folder as a package of a name of its own, and runs the script."""

import sys

# Python puts this folder first on the path; nothing else may be found there from now on.
del sys.path[0]

import importlib.util  # noqa: E402
import os  # noqa: E402

NAME = "bugloss_observe"


def load(folder):
    path = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(NAME, path, submodule_search_locations=[folder])
    sys.modules[NAME] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[NAME])
    return importlib.import_module(NAME + ".runner")


load(os.path.dirname(os.path.abspath(__file__))).main()
