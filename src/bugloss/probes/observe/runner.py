"""Runs a script as ``__main__``, unchanged, and writes down how it trains.

``python observe SETTINGS script.py [arguments]`` or ``python observe SETTINGS -m module [arguments]``; SETTINGS is a
JSON object and may be left out where ``$BUGLOSS_OBSERVE`` holds it:

- ``events``: the file that events are appended to, one JSON object a line (see ``bugloss/observe/recording.py``).
  Without it they go over the channel of ``launch.py`` in a sandboxed run, else to ``$BUGLOSS_EVIDENCE``;
- ``budget``: the share of training time that observation may take, 0.05 by default; 0 records steps only;
- ``properties``: whether properties are tried on a copy of the model; ``lessons``: also those that train it (default);
- ``question_seconds``: how long one model may be asked for its properties;
- ``seed``: a number by which every seed of the program is shifted, for trials over several seeds;
- ``source``: a file with the text of the script, where the script is a notebook;
- ``stand_ins``: whether data sets that cannot be downloaded are replaced by generated ones;
- ``deadline``: seconds after which the program is stopped with exit code 124.

The script sees what it would see without us: its own ``sys.argv``, its folder first on ``sys.path``, its traceback and
its exit code. Worker processes, forked or spawned, are not observed.
"""

import atexit
import builtins
import importlib.machinery
import json
import os
import runpy
import sys
import threading
import time
import types

from . import core, crash, imports, notebook, patches, python_warnings
from .ledger import prints

PROBES = {"torch": "torch.probe", "keras": "keras.probe", "tensorflow": "keras.probe"}
GRACE = 5.0
EXIT = os._exit
START = os.getcwd()


def main():
    settings, target, arguments, is_module = read_command(sys.argv[1:])
    sys.argv = [target] + arguments
    folder = os.getcwd() if is_module else os.path.dirname(os.path.abspath(target))
    sys.path.insert(0, os.getcwd() if is_module else folder)
    recorder = begin(settings, folder)
    try:
        if is_module:
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            run_script(target, settings.get("source"))
    except SystemExit as stop:
        report_exit(recorder, stop)
        end(recorder)
        raise
    except BaseException as error:
        hide_ourselves()
        report_crash(recorder, error)
        end(recorder)
        raise
    end(recorder)


def read_command(words):
    """Settings, script or module, its arguments, and whether it is a module."""
    text = os.environ.pop("BUGLOSS_OBSERVE", "")
    if words and words[0].lstrip().startswith("{"):
        text, words = words[0], words[1:]
    is_module = words[:1] == ["-m"]
    words = words[1:] if is_module else words
    if not words:
        sys.stderr.write("usage: python observe SETTINGS script.py [arguments]\n")
        sys.exit(2)
    return json.loads(text or "{}"), words[0], words[1:], is_module


def run_script(script, source=None):
    """Like ``runpy.run_path``, but ``__main__`` and ``sys.argv`` are as Python itself has them, to the very end.

    ``source`` is the file with the text of the script where that is a notebook.
    """
    if not os.path.isfile(script) or script.endswith((".pyc", ".zip", ".pyz")):
        runpy.run_path(script, run_name="__main__")
        return
    # Since 3.9 the path of __main__ is absolute, however the script was called.
    path = os.path.abspath(script) if sys.version_info >= (3, 9) else script
    with open(source or script, "rb") as stream:
        text = stream.read()
    code = compile(text, path, "exec", dont_inherit=True)
    module = types.ModuleType("__main__")
    if source:
        notebook.prepare(module, path, text)
    loader = importlib.machinery.SourceFileLoader("__main__", path)
    module.__dict__.update(__file__=path, __cached__=None, __loader__=loader, __builtins__=builtins, __package__=None)
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def begin(settings, folder):
    """Everything is in place before the script's first line; frameworks are joined when it imports them."""
    budget = settings.get("budget")
    recorder = core.Recorder(
        settings.get("events") or channel() or os.environ.get("BUGLOSS_EVIDENCE"),
        0.05 if budget is None else float(budget),
        settings,
        folder,
    )
    if os.environ.get("RANK", "0") != "0":  # of several processes that train together one is enough
        recorder.active = False
        return recorder
    if settings.get("seed"):
        core.neighbour("seeds").install(int(settings["seed"]), imports.watch_import)
    if settings.get("stand_ins"):
        core.neighbour("generated").install(recorder)
    joined = set()
    for framework, probe in PROBES.items():
        imports.watch_import(framework, joining(recorder, probe, joined))
    recorder.closers.append(python_warnings.install(recorder))
    recorder.closers.append(prints.install(recorder))
    recorder.closers.append(imports.stop_watching)
    atexit.register(recorder.close)
    catch_sudden_exit(recorder)
    if settings.get("deadline"):
        threading.Thread(target=stop_late, args=(recorder,), daemon=True).start()
    return recorder


def channel():
    """What ``launch.py`` offers in a sandboxed run: a function that takes lines."""
    offered = sys.modules.get("bugloss_channel")
    return offered.take() if offered is not None else None


def joining(recorder, probe, joined):
    """What is called once a framework is imported: its probe joins, at most once, and may fail without harm."""

    def join(module):
        if probe not in joined and recorder.active:
            joined.add(probe)
            with recorder.guard("joining " + probe):
                core.neighbour(probe).join(recorder)

    return join


def catch_sudden_exit(recorder):
    """``os._exit`` skips every clean-up; what is buffered is written first."""

    def _exit(status):
        with recorder.guard("a sudden exit"):
            recorder.close()
        EXIT(status)

    os._exit = _exit

    def undo():
        if os._exit is _exit:
            os._exit = EXIT

    recorder.closers.append(undo)


def stop_late(recorder):
    """Where no step comes along that could end the program in good order, it is ended from here."""
    while recorder.active and time.time() < recorder.born + recorder.settings["deadline"] + GRACE:
        time.sleep(0.2)
    if recorder.active:
        recorder.emit("occasion", kind="deadline", step=recorder.step, count=1)
        recorder.flush()
        for stream in (sys.stdout, sys.stderr):
            with recorder.guard("flushing"):
                stream.flush()
        EXIT(core.OVERDUE)


def report_crash(recorder, error):
    if recorder.active:
        with recorder.guard("the crash report"):
            crash.clean(error, is_ours)
            recorder.emit("crash", **crash.report(recorder, error, error.__traceback__))


def report_exit(recorder, stop):
    if recorder.active and stop.code is not None and stop.code is not False:
        with recorder.guard("the exit report"):
            crash.clean(stop, is_ours)
            report = crash.leaving(recorder, stop)
            if report["code"]:
                recorder.emit("exit", **report)


def end(recorder):
    """The script is over; where it left threads running, the interpreter waits for them and closes us later."""
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    if all(thread.daemon for thread in others):
        recorder.close()
    recorder.flush()


def is_ours(filename):
    """Files of the probe, which lie below one folder, and runpy's."""
    if filename in (runpy.__file__, "<frozen runpy>", patches.UNSEEN):
        return True
    return os.path.join(START, filename).startswith(os.path.join(core.HERE, ""))


def hide_ourselves():
    """The interpreter reports the exception as always (also through the script's own excepthook), less our frames."""
    shown = sys.excepthook

    def excepthook(kind, error, trace):
        if error is not None:
            crash.clean(error, is_ours)
            trace = error.__traceback__
        shown(kind, error, trace)

    sys.excepthook = excepthook
