"""Runs a script as ``__main__`` and says how it ended.

``python launch.py [--channel=SAY,ORDERS] script.py [arguments]``. The script sees what it would see without us: its own
``sys.argv``, its folder first on ``sys.path``, its traceback on standard error and its exit code. Started by
``supervise.py``, it is given two descriptors: one to write lines to, one from which it reads a token and a JSON object:

- ``load``: modules beside this file that are loaded before the script's folder can be looked into;
- ``installed``: modules that are taken from where they are installed, whatever files are in the script's folder.

The last line written says ``end``; where it is missing, or belied by the exit code, the process was killed.
"""

import importlib.machinery
import json
import os
import runpy
import sys
import traceback
import types
from _thread import RLock

CHANNEL = "--channel="
# Probes look here once, when they are loaded; the first takes it.
OFFER = "bugloss_channel"
# An exception is one line of the channel, and lines have a limit.
MOST_FRAMES, LONGEST_TEXT, LONGEST_EXCEPTION = 1000, 1000, 3000000


def main():
    say = silent
    if sys.argv[1].startswith(CHANNEL):
        say = prepare(*[int(number) for number in sys.argv.pop(1)[len(CHANNEL) :].split(",")])
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    run(script, say)


def run(script, say):
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        say("end", "%d" % (exit_code(stop) % 256))
        raise
    except BaseException as error:
        say("exception", exception_line(error))
        say("end", "1")
        traceback.print_exception(type(error), error, script_traceback(error), file=sys.stderr)
        sys.exit(1)
    say("end", "0")


def silent(kind, *payloads):
    """Without a supervisor the message is not read."""


def prepare(descriptor, orders):
    """Reads the orders and carries them out; the function that returned says something to the supervisor."""
    os.set_inheritable(descriptor, False)
    with os.fdopen(orders, "r") as lines:
        token, instructions = lines.readline().strip(), json.loads(lines.readline())
    say = channel(descriptor, token)
    sys.modules[OFFER] = offer(say)
    for name in instructions["load"]:
        importlib.import_module(name)
    if instructions["installed"]:
        sys.meta_path.insert(0, Installed(frozenset(instructions["installed"]), sys.path[1:]))
    return say


def channel(descriptor, token):
    """A function that writes lines to the supervisor, all that one call is given at once.

    What it needs is bound here, and kept in no module: a script that replaces ``os.write`` or empties ``os.environ``
    is recorded all the same. A child that the script forks has a copy of it that does nothing.
    """
    lock, owner, getpid, write = RLock(), os.getpid(), os.getpid, os.write

    def say(kind, *payloads):
        if getpid() != owner:
            return
        text = "".join(["%s %s %s\n" % (token, kind, payload) for payload in payloads])
        with lock:
            view = memoryview(text.encode("ascii"))
            try:
                while view:
                    view = view[write(descriptor, view) :]
            except OSError as error:
                complain(error)

    return say


def complain(error):
    try:
        sys.stderr.write("the script's end or evidence could not be recorded: %s\n" % error)
    except (OSError, ValueError, AttributeError):
        pass  # it closed its streams, too


def offer(say):
    """A module whose ``take`` gives the function that records evidence, once; then it is gone from ``sys.modules``.

    This keeps a program from finding the channel by name. It does not keep a program from looking for it in the
    memory that it shares with its test: there it could as well make up what it returns to the test. A test that has
    data of its own to measure with cannot be deceived that way; one that believes a number can.
    """
    module = types.ModuleType(OFFER)

    def take():
        del sys.modules[OFFER]

        def record(*lines):
            say("evidence", *lines)

        return record

    module.take = take
    return module


class Installed(object):
    """Finds some modules where they are installed, however the script's folder names its files."""

    def __init__(self, names, path):
        self.names = names
        self.path = path

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in self.names:
            return None
        return importlib.machinery.PathFinder.find_spec(name, self.path, target)


def exit_code(stop):
    if stop.code is None:
        return 0
    return stop.code if isinstance(stop.code, int) else 1


def exception_line(error):
    facts = describe(error)
    line = json.dumps(facts)
    if len(line) <= LONGEST_EXCEPTION:
        return line
    return json.dumps(dict(facts, message=facts["message"][: LONGEST_EXCEPTION // 20]))


def describe(error):
    """Class, message and frames of an exception, outermost frame first."""
    kind = type(error)
    return {
        "kind": kind.__name__,
        "qualified": "%s.%s" % (kind.__module__, kind.__name__),
        "bases": [base.__name__ for base in kind.__mro__[1:-1]],
        "message": message(error),
        "frames": [
            {"path": frame[0], "line": frame[1], "function": frame[2], "text": (frame[3] or "")[:LONGEST_TEXT]}
            for frame in frames(error)
        ],
    }


def frames(error):
    """The frames of the traceback; of very many the outermost and the innermost."""
    found = list(traceback.extract_tb(script_traceback(error)))
    return found if len(found) <= MOST_FRAMES else found[: MOST_FRAMES // 2] + found[-MOST_FRAMES // 2 :]


def message(error):
    """The exception's own words; one that cannot say them does not take our record down with it."""
    try:
        words = str(error)
    except BaseException as second:
        return "<str() of the exception raised %s>" % type(second).__name__
    return words.encode("utf-8", "backslashreplace").decode("utf-8")


def script_traceback(error):
    """The traceback without our own frames and runpy's."""
    trace = error.__traceback__
    own = (__file__, runpy.__file__, "<frozen runpy>")
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name not in own and not name.startswith(".bugloss-"):  # folders of probes in a sandbox
            return trace
        trace = trace.tb_next
    return trace


if __name__ == "__main__":
    main()
