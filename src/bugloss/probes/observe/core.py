"""What the observing probes of both frameworks share: where events go, when to look closely, whose line it was.

A framework's probe is given one ``Recorder`` and uses

- ``recorder.emit("step", step=3, loss=0.5)``: one event of ``recording.py``. Never raises; keeps its own buffer; does
  nothing in a forked child. NaN and infinity become "nan", "inf", "-inf"; NumPy scalars become numbers.
- ``recorder.site(skip=0)``: the user's line that we were called from, as the fields of a ``Site``, or None.
  ``place()`` is the same without reading the source, for hot paths; ``site_of(place)`` turns it into a site later.
- ``recorder.guard("what we do")``: around everything of ours, as ``with`` or as a decorator. An exception inside is
  noted once as a "failure" and swallowed; after 20 a decorated function is no longer called and returns None
  (inside ``with``, ask ``recorder.works("what we do")`` first).
- ``recorder.clock``: the ``Governor``. ``begin()`` at the first step, ``due(step)`` once before every step: whether
  that step is looked at closely; ``with clock.work():`` around what costs time; ``affords(seconds)`` before extras.
- ``recorder.closers``: functions without arguments that run once when the program ends, however it ends, before the
  last event is written; they read what is still open and take every hook off again.
- ``recorder.namers``: functions that give the name of a layer for an object, or None; the crash report asks them.
- ``recorder.step``: the number of the current step, kept by the framework's probe; ``recorder.limit(why)`` says that
  only steps can be seen.
- ``recorder.occasion(kind, place, **facts)``: a counted call. The first is written at once, the rest in sums.
- ``recorder.read_memory()``: a "memory" event; between two of them at most a quarter of a second passes.
- ``recorder.active``: False in forked children and after the end; hooks then only pass calls through.

``neighbour(name)`` imports another module of this package.
"""

import contextlib
import functools
import importlib
import json
import os
import sys
import threading
import time

from .frames import UserFrames
from .governor import Governor
from .memory import resident_megabytes

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_FAILURES = 20
OVERDUE = 124  # the exit code
FLUSH_EVENTS = 200
FLUSH_SECONDS = 1.0
MEMORY_SECONDS = 0.25  # between two readings: the curve has enough points however few steps are sampled
URGENT = ("crash", "cost", "nonfinite", "failure", "started", "model")
MOST_KINDS_OF_OCCASION = 200


class Recorder(object):
    """Writes events as JSON lines, many at a time; without a place for them they stay in ``events``.

    The place is the path of a file, or a function that is given the lines.
    """

    def __init__(self, place, budget=0.05, settings=None, root=None):
        self.path = os.path.abspath(place) if place and not callable(place) else None
        self._write = place if callable(place) else self._append if place else None
        self.settings = dict(settings or {})
        self.clock = Governor(budget)
        self.frames = UserFrames(root or os.getcwd())
        self.place, self.site_of = self.frames.place, self.frames.site_of
        self.active = True
        self.step = 0
        self.mode, self.why = "full", ""
        self.closers = []
        self.namers = []
        self.events = []
        self.megabytes = resident_megabytes  # a framework that knows how much its tensors hold puts its own here
        self.born = time.time()
        self._owner = os.getpid()
        self._lock = threading.RLock()
        self._written = time.time()
        self._memory_read = self.born
        self._failures = {}
        self._occasions = {}
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave)

    def _leave(self):
        """A forked child has the parent's buffer and maybe its locked lock; it must use neither."""
        self.active = False
        self._lock = threading.RLock()
        self.events = []

    def site(self, skip=0):
        return self.site_of(self.place(skip + 1))

    def emit(self, event, **fields):
        if not self.active or os.getpid() != self._owner:
            return
        try:
            with self._lock:
                self.events.append(dict([("event", event)], **fields))
                full = len(self.events) >= FLUSH_EVENTS or event in URGENT
                if self._write and (full or time.time() - self._written >= FLUSH_SECONDS):
                    self.flush()
        except Exception as error:
            self._complain(error)

        if event == "step" and time.time() - self._memory_read >= MEMORY_SECONDS:
            self.read_memory()

    def read_memory(self, step=None, **more):
        """Writes down how much memory is held now, and what else may pile up."""
        self._memory_read = time.time()
        with self.guard("reading memory"):
            self.emit("memory", step=self.step if step is None else step, megabytes=self.megabytes(), **more)

    def _lines(self, events):
        """Events as text; one that cannot be written takes no other with it."""
        for event in events:
            try:
                yield self._line(event)
            except Exception as error:
                self._complain(error)

    def _line(self, event):
        try:
            return json.dumps(event, allow_nan=False)
        except (TypeError, ValueError):
            return json.dumps(plain(event), allow_nan=False)

    def flush(self):
        """Writes what is buffered."""
        if not self._write or os.getpid() != self._owner:
            return
        with self._lock:
            events, self.events = self.events, []
            self._written = time.time()
            if not events:
                return
            try:
                # Here and not one by one as they come: between two steps of a training this code is cold, and slow.
                self._write(*self._lines(events))
            except Exception as error:
                self._complain(error)

    def _append(self, *lines):
        """Adds lines to the file."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)  # a script may clear its home away
        with open(self.path, "a") as stream:
            stream.write("\n".join(lines) + "\n")

    def _complain(self, error):
        """The place for evidence is gone; say so once, where a person may see it."""
        if "recording" not in self._failures:
            self._failures["recording"] = MOST_FAILURES
            with contextlib.suppress(Exception):
                sys.stderr.write("bugloss could not record: %s\n" % error)

    def guard(self, where):
        return Guard(self, where)

    def works(self, where):
        """Whether this part of the observation has not yet failed too often."""
        return self._failures.get(where, 0) < MOST_FAILURES

    def fail(self, where, error):
        count = self._failures[where] = self._failures.get(where, 0) + 1
        if count == 1:
            self.emit("failure", where=where, why=explain(error))

    def limit(self, why):
        """From here on only steps can be seen, for this reason; the first reason is kept."""
        if self.mode == "full":
            self.mode, self.why = "steps-only", why

    def occasion(self, kind, place=None, **facts):
        with self._lock:
            key = (kind, place, facts.get("message"))
            known = self._occasions.get(key)
            if known is None:
                if len(self._occasions) >= MOST_KINDS_OF_OCCASION:
                    return
                self._occasions[key] = [0, facts]
                self.emit("occasion", kind=kind, step=self.step, count=1, site=self.site_of(place), facts=facts)
                return
            known[0] += 1
            known[1] = facts or known[1]
            if known[0] >= 100:
                self._settle(key)

    def _settle(self, key):
        count, facts = self._occasions[key]
        self._occasions[key] = [0, facts]
        if count:
            self.emit("occasion", kind=key[0], step=self.step, count=count, site=self.site_of(key[1]), facts=facts)

    @property
    def overdue(self):
        """Whether the program has run for as long as it was allowed to."""
        limit = self.settings.get("deadline")
        return bool(limit) and time.time() - self.born >= limit

    def stop_if_overdue(self):
        """Ends such a program; asked between two steps."""
        if self.overdue:
            self.emit("occasion", kind="deadline", step=self.step, count=1)
            raise SystemExit(OVERDUE)

    def close(self):
        """Ends the observation: what is open is read, hooks come off, the cost is written. Once."""
        closers, self.closers = self.closers, []
        if not self.active or os.getpid() != self._owner:
            return
        for closer in closers:
            with self.guard("the end of the observation"):
                closer()
        for key in list(self._occasions):
            self._settle(key)
        self.emit("cost", mode=self.mode, why=self.why, **self.clock.cost())
        self.flush()
        self.active = False


class Guard(object):
    """Swallows exceptions of the observation, never those that mean to end the program."""

    def __init__(self, recorder, where):
        self.recorder = recorder
        self.where = where

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None or not issubclass(kind, Exception):
            return False
        self.recorder.fail(self.where, error)
        return True

    def __call__(self, function):
        recorder, where = self.recorder, self.where

        @functools.wraps(function)
        def guarded(*arguments, **named):
            if not recorder.works(where):
                return None
            try:
                return function(*arguments, **named)
            except Exception as error:
                recorder.fail(where, error)
                return None

        return guarded


def plain(value, depth=0):
    """A value that JSON can hold; what is none is shown as text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if value != value:
            return "nan"
        return value if abs(value) != float("inf") else ("inf" if value > 0 else "-inf")
    if depth > 12:
        return str(value)[:200]
    if isinstance(value, dict):
        return {str(key): plain(part, depth + 1) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(part, depth + 1) for part in value]
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "shape", ()) == ():
        return plain(item(), depth + 1)
    return str(value)[:200]


def explain(error):
    """An exception of ours in one line, with the line of the probe that it came from."""
    trace, where = error.__traceback__, ""
    while trace is not None:
        where = "%s:%d" % (os.path.basename(trace.tb_frame.f_code.co_filename), trace.tb_lineno)
        trace = trace.tb_next
    try:
        words = str(error)
    except Exception:
        words = "?"
    return ("%s: %s (%s)" % (type(error).__name__, words.split("\n")[0], where))[:300]


def neighbour(name):
    """Another module of this package, loaded only when it is needed."""
    return importlib.import_module("." + name, __package__)
