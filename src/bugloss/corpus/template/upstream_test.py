"""FILL IN what healthy means, in one sentence."""

import importlib

import oracle

oracle.survives(importlib.import_module, "{module}")
