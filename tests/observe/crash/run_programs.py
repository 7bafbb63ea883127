"""Runs programs in children of one process that has loaded the framework; prints each crash as a line of JSON.

``python run_programs.py PROBES FRAMEWORK FILE...``: the crash report is the probe's own.
"""

import contextlib
import importlib
import io
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"


class Frames:
    """What the probe asks about frames: the program's own are those of its folder."""

    def __init__(self, folder):
        self.folder = folder

    def owns(self, path):
        return os.path.dirname(os.path.abspath(path)) == self.folder

    def site_of(self, place):
        path = os.path.basename(place[0]) if self.owns(place[0]) else place[0]
        return {"path": path, "line": place[1], "function": place[2], "text": ""}


class Recorder:
    step = 0
    namers = ()

    def __init__(self, folder):
        self.frames = Frames(folder)

    def guard(self, what):
        return contextlib.suppress(())


def attempt(path, crash):
    """The crash report of a program, None where it comes to its end."""
    folder = os.path.dirname(os.path.abspath(path))
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), os.path.abspath(path), "exec")
    space = {"__name__": "__main__", "__file__": path}
    sys.path.insert(0, folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, space)
    except Exception as error:
        trace = error.__traceback__.tb_next
        found = crash.report(Recorder(folder), error, trace)
        for frame in found["exception"]["frames"]:
            frame["path"] = Frames(folder).site_of((frame["path"], 0, ""))["path"]
        return found
    return None


def in_child(path, crash):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as answer:
            json.dump(attempt(path, crash), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else "died"


def main(probes, framework, *paths):
    sys.path.insert(0, probes)
    crash = importlib.import_module("observe.crash")
    importlib.import_module(framework)
    for path in paths:
        print(json.dumps([path, in_child(path, crash)]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
