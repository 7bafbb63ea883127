"""Runs a script as ``__main__`` and writes how it ended to ``$BUGLOSS_EVIDENCE``.

``python launch.py test.py [arguments]``. The script sees what it would see without us: its own
``sys.argv``, its folder first on ``sys.path``, its traceback on standard error and its exit code.
The last line written says ``ended``; where it is missing the process was killed.
"""

import json
import os
import runpy
import sys
import traceback

# The path is read before the script runs: a program that empties os.environ still leaves evidence.
EVIDENCE = os.environ.get("BUGLOSS_EVIDENCE") and os.path.abspath(os.environ["BUGLOSS_EVIDENCE"])
# A child that the script forks comes back through here too; only the script's own end counts.
OWNER = os.getpid()


def main():
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        record({"event": "ended", "exit": exit_code(stop), "peak_kilobytes": peak_kilobytes()})
        raise
    except BaseException as error:
        record({"event": "exception", "exception": describe(error)})
        record({"event": "ended", "exit": 1, "peak_kilobytes": peak_kilobytes()})
        traceback.print_exception(type(error), error, script_traceback(error), file=sys.stderr)
        sys.exit(1)
    record({"event": "ended", "exit": 0, "peak_kilobytes": peak_kilobytes()})


def record(event):
    if not EVIDENCE or os.getpid() != OWNER:
        return
    try:
        os.makedirs(os.path.dirname(EVIDENCE), exist_ok=True)  # a script may clear its home away
        with open(EVIDENCE, "a") as lines:
            lines.write(json.dumps(event) + "\n")
    except OSError as error:
        print("the end of the script could not be recorded: %s" % error, file=sys.stderr)


def exit_code(stop):
    if stop.code is None:
        return 0
    return stop.code if isinstance(stop.code, int) else 1


def describe(error):
    """Class, message and frames of an exception, outermost frame first."""
    kind = type(error)
    return {
        "kind": kind.__name__,
        "qualified": "%s.%s" % (kind.__module__, kind.__name__),
        "bases": [base.__name__ for base in kind.__mro__[1:-1]],
        "message": message(error),
        "frames": [
            {"path": frame[0], "line": frame[1], "function": frame[2], "text": frame[3] or ""}
            for frame in traceback.extract_tb(script_traceback(error))
        ],
    }


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
    while trace is not None and trace.tb_frame.f_code.co_filename in own:
        trace = trace.tb_next
    return trace


def peak_kilobytes():
    """Peak resident memory of this program alone (ru_maxrss would count whoever started it)."""
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1])
    except OSError:
        pass
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


if __name__ == "__main__":
    main()
