"""Shifts every seed that a program sets, so that a program which pins its seed can be tried over several.

``install(offset, watch_import)``: from then on ``random.seed(7)``, ``numpy.random.seed(7)``, ``torch.manual_seed(7)``
and their like seed with ``7 + offset``. A program that never sets a seed starts from ``offset``. A function that seeds
through others (``keras.utils.set_random_seed``) shifts once.
"""

import functools
import random

_inside = []  # type: list[str]


def install(offset, watch_import):
    """Wraps the functions that seed, now and as modules are imported."""
    if not offset:
        return
    random.seed(offset)
    _wrap(random, "seed", offset)
    watch_import("numpy", lambda module: _numpy(module, offset))
    watch_import("torch", lambda module: _torch(module, offset))
    watch_import("tensorflow", lambda module: _tensorflow(module, offset))
    watch_import("keras", lambda module: _keras(module, offset))


def _numpy(module, offset):
    module.random.seed(offset)
    _wrap(module.random, "seed", offset)
    if hasattr(module.random, "default_rng"):
        _wrap(module.random, "default_rng", offset)


def _torch(module, offset):
    module.manual_seed(offset)
    _wrap(module, "manual_seed", offset)
    _wrap(module.random, "manual_seed", offset)


def _tensorflow(module, offset):
    for owner, name in ((module, "set_random_seed"), (getattr(module, "random", None), "set_seed")):
        if owner is not None and hasattr(owner, name):
            getattr(owner, name)(offset)
            _wrap(owner, name, offset)
    compat = getattr(getattr(module, "compat", None), "v1", None)
    if compat is not None and hasattr(compat, "set_random_seed"):
        _wrap(compat, "set_random_seed", offset)


def _keras(module, offset):
    owner = getattr(module, "utils", None)
    if owner is not None and hasattr(owner, "set_random_seed"):
        _wrap(owner, "set_random_seed", offset)


def _wrap(owner, name, offset):
    plain = getattr(owner, name, None)
    if plain is None:
        return

    @functools.wraps(plain)
    def shifted(*args, **kwargs):
        if _inside:
            return plain(*args, **kwargs)
        _inside.append(name)
        try:
            if args and isinstance(args[0], int):
                args = (args[0] + offset,) + args[1:]
            elif isinstance(kwargs.get("seed"), int):
                kwargs = dict(kwargs, seed=kwargs["seed"] + offset)
            return plain(*args, **kwargs)
        finally:
            _inside.pop()

    try:
        setattr(owner, name, shifted)
    except (AttributeError, TypeError):
        pass
