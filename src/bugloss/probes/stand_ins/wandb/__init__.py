"""A stand-in of bugloss for wandb, put where a program imports wandb: it accepts every call and sends nothing.

Runs are sandboxed without a network, and the real package waits for its server.
"""

import sys
import types

__version__ = "0.0.0+bugloss"


class Silent:
    """Whatever is called, read or assigned gives another silent object; as a number it is zero."""

    def __init__(self, *arguments, **options):
        self.__dict__["kept"] = {}

    def __call__(self, *arguments, **options):
        return Silent()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.kept[name] if name in self.kept else Silent()

    def __setattr__(self, name, value):
        self.kept[name] = value

    def __getitem__(self, name):
        return self.kept[name] if name in self.kept else Silent()

    def __setitem__(self, name, value):
        self.kept[name] = value

    def __contains__(self, name):
        return name in self.kept

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __bool__(self):
        return False

    def __float__(self):
        return 0.0

    def __int__(self):
        return 0

    def __str__(self):
        return ""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False


class SilentConfig(Silent):
    """Settings are remembered, because programs train with them."""

    def update(self, values=(), **options):
        self.kept.update(values)

    def setdefaults(self, values):
        for name, value in values.items():
            self.kept.setdefault(name, value)

    def get(self, name, default=None):
        return self.kept.get(name, default)

    def keys(self):
        return self.kept.keys()

    def items(self):
        return self.kept.items()


config = SilentConfig()
run = None


class SilentRun(Silent):
    """A run that goes nowhere."""


def init(*arguments, **options):
    """Remembers the settings and returns a run."""
    global run  # noqa: PLW0603 - programs read wandb.run
    given = options.get("config") or {}
    config.update(given if isinstance(given, dict) else vars(given))
    run = SilentRun()
    run.config, run.name, run.id, run.dir = config, options.get("name") or "bugloss", "bugloss", "."
    return run


def log(*arguments, **options):
    """Nothing is kept."""


def watch(*arguments, **options):
    """The model stays as it is."""


def login(*arguments, **options):
    return True


def finish(*arguments, **options):
    """There is nothing to end."""


def agent(sweep_id, function=None, **options):
    """A sweep runs its function once."""
    if function is not None:
        function()


class SilentModule(types.ModuleType):
    """Python 3.6 has no ``__getattr__`` for modules: whatever else is asked for is silent."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Silent


sys.modules[__name__].__class__ = SilentModule
