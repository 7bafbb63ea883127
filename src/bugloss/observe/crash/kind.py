"""The kinds of crash, by what has to be looked at first."""

from __future__ import annotations

from enum import Enum


class CrashKind(Enum):
    """What went wrong when a program stopped, as far as its message says."""

    SHAPE = "shape-conflict"
    DTYPE = "dtype-conflict"
    DEVICE = "device-conflict"
    INDEX = "index-out-of-range"
    MEMORY = "out-of-memory"
    VERSION = "api-version"
    IMPORT = "import-error"
    DATA = "missing-data"
    CHECKPOINT = "checkpoint-mismatch"
    UNINITIALISED = "uninitialised"
    GRAPH = "graph-use"
    AUTOGRAD = "autograd"
    COLLATE = "collate"
    ARGUMENT = "argument-error"
    NUMERIC = "numeric-error"
    OTHER = "other"
