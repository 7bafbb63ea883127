"""Functions of a framework, wrapped and put back: the originals are remembered here."""

import contextlib
import functools

MISSING = object()
# Python's warnings count frames up to the line that they blame, but pass over frames of its own import system, which
# they know by these two words in the name of the file. A wrapper named so leaves every warning where it belongs.
UNSEEN = "<bugloss, not importlib or its _bootstrap>"


def unseen(function):
    """A function whose frames do not count where warnings look for the line to blame."""
    code = function.__code__
    if hasattr(code, "replace"):  # since Python 3.8
        function.__code__ = code.replace(co_filename=UNSEEN)
    return function


class Patches(object):
    """What was replaced where. ``undo`` puts everything back, last first, unless it was replaced again since."""

    def __init__(self):
        self._replaced = []

    def wrap(self, owner, name, make):
        """Replaces ``owner.name`` by ``make(original)``; an owner without that name is left alone."""
        original = getattr(owner, name, None)
        if original is None:
            return False
        replacement = functools.wraps(original)(unseen(make(original)))
        kept = vars(owner).get(name, MISSING) if hasattr(owner, "__dict__") else original
        try:
            setattr(owner, name, replacement)
        except (AttributeError, TypeError):
            return False
        self._replaced.append((owner, name, kept, replacement))
        return True

    def undo(self):
        while self._replaced:
            owner, name, kept, replacement = self._replaced.pop()
            if vars(owner).get(name) is not replacement:
                continue
            with contextlib.suppress(AttributeError, TypeError):
                if kept is MISSING:  # the name was inherited
                    delattr(owner, name)
                else:
                    setattr(owner, name, kept)

    @contextlib.contextmanager
    def lifted(self):
        """Everything as it was, for as long as this lasts."""
        put_back = []
        for owner, name, kept, replacement in reversed(self._replaced):
            if vars(owner).get(name) is replacement:
                put_back.append((owner, name, replacement))
                if kept is MISSING:
                    delattr(owner, name)
                else:
                    setattr(owner, name, kept)
        try:
            yield
        finally:
            for owner, name, replacement in reversed(put_back):
                setattr(owner, name, replacement)


class Identities(object):
    """Facts about objects that are neither changed nor kept alive by it, whatever they say of equality."""

    def __init__(self):
        import weakref

        self._ref = weakref.ref
        self._facts = {}

    def get(self, thing, default=None):
        entry = self._facts.get(id(thing))
        return entry[1] if entry is not None and entry[0]() is thing else default

    def set(self, thing, fact):
        key = id(thing)
        facts = self._facts

        def forget(gone):
            entry = facts.get(key)
            if entry is not None and entry[0] is gone:
                del facts[key]

        facts[key] = (self._ref(thing, forget), fact)
        return fact

    def alive(self):
        """Things and facts, in the order in which they were first noted."""
        pairs = [(entry[0](), entry[1]) for entry in list(self._facts.values())]
        return [pair for pair in pairs if pair[0] is not None]
