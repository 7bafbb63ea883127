"""What the code cells of a notebook expect around them when they run as one program."""

import linecache
import sys
import traceback


class Kernel(object):
    """Stands for IPython: whatever is called on it does nothing."""

    def __getattr__(self, name):
        return ignore


def ignore(*arguments, **named):
    return None


def get_ipython():
    return Kernel()


def prepare(module, path, text):
    """Names that a notebook finds, and its lines for tracebacks: the file itself is JSON."""
    module.__dict__.update(display=ignore, get_ipython=get_ipython)
    lines = text.decode("utf-8").splitlines(True)
    linecache.cache[path] = (len(text), None, lines, path)
    sys.excepthook = print_exception


def print_exception(kind, error, trace):
    """As Python does, but with the lines that were prepared: its own function reads the file."""
    traceback.print_exception(kind, error, trace)
