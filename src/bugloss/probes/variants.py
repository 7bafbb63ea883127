"""Runs programs on request, each in a child of its own, after the libraries were loaded once.

``python launch.py variants.py MODULE...`` loads the modules, then reads requests from standard input, one JSON object a
line: ``text`` is a program, ``seconds`` the time it may take. For each it writes one line of JSON to standard output:
the program's exception or exit code, what it printed, how long it took. ``launch.py`` lies beside this file.
"""

import importlib
import json
import os
import runpy
import shutil
import signal
import sys
import tempfile
import time
import traceback

import launch  # type: ignore[import-not-found]

SCRIPT = "repro.py"
HEAD, TAIL = 10000, 30000


def main():
    answers = os.fdopen(os.dup(1), "w")
    requests = os.fdopen(os.dup(0), "r")
    # Programs find neither: what they read is empty, what they print goes to files of their own.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for name in sys.argv[1:]:
        try:
            importlib.import_module(name)
        except BaseException as error:  # a broken package is the program's affair, and it will say so
            print("could not be loaded beforehand: %s: %s" % (name, error), file=sys.stderr)
    for line in requests:
        request = json.loads(line)
        answers.write(json.dumps(run(request["text"], request["seconds"], (answers, requests))) + "\n")
        answers.flush()


def run(text, seconds, own):
    """Runs one program in a child and a folder of its own; kills both when its time is up."""
    folder = tempfile.mkdtemp(prefix="variant-")
    with open(os.path.join(folder, SCRIPT), "w") as script:
        script.write(text)
    start = time.time()
    child = os.fork()
    if child == 0:
        be_variant(folder, own)
    status = wait(child, start + seconds)
    answer = {"seconds": round(time.time() - start, 3), "timed_out": status is None, "exception": None, "ended": False}
    answer["code"] = None if status is None else code_of(status)
    answer["stdout"], answer["stderr"] = read(folder + ".out"), read(folder + ".err")
    try:
        with open(folder + ".json") as lines:
            answer.update(json.load(lines))
    except (OSError, ValueError):
        pass
    shutil.rmtree(folder, ignore_errors=True)
    return answer


def wait(child, deadline):
    """The child's status, or None when its time was up."""
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            kill_group(child)
            return status
        if time.time() > deadline:
            kill_group(child)
            try:
                os.kill(child, signal.SIGKILL)
            except OSError:
                pass
            os.waitpid(child, 0)
            return None
        time.sleep(0.02)


def kill_group(child):
    """The child leads a group of its own: whatever it started goes with it."""
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        pass


def code_of(status):
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def be_variant(folder, own):
    """Never returns: the child ends here, whatever the program does."""
    code = 1
    try:
        os.setpgid(0, 0)
        for stream in own:
            os.close(stream.fileno())
        redirect(folder + ".out", 1)
        redirect(folder + ".err", 2)
        fresh_randomness()
        os.chdir(folder)
        sys.argv, sys.path[0] = [SCRIPT], folder
        exception, code = outcome()
        sys.stdout.flush()
        sys.stderr.flush()
        with open(folder + ".json", "w") as lines:
            json.dump({"exception": exception, "ended": True, "exit": code}, lines)
    finally:
        os._exit(code % 256)


def outcome():
    """Runs the program: its exception and its exit code."""
    try:
        runpy.run_path(SCRIPT, run_name="__main__")
    except SystemExit as stop:
        return None, launch.exit_code(stop)
    except BaseException as error:
        found = launch.describe(without_own_frames(error))
        traceback.print_exc(file=sys.stderr)
        return found, 1
    return None, 0


def without_own_frames(error):
    """The error without the frames of this file and runpy."""
    trace = error.__traceback__
    own = (__file__, runpy.__file__, "<frozen runpy>")
    while trace is not None and trace.tb_frame.f_code.co_filename in own:
        trace = trace.tb_next
    return error.with_traceback(trace)


def redirect(path, number):
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(target, number)
    os.close(target)
    stream = os.fdopen(number, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    if number == 1:
        sys.stdout = stream
    else:
        sys.stderr = stream


def fresh_randomness():
    """Children begin with a copy of the parent's random states; programs of their own would not."""
    import random

    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].seed()


def read(path):
    """What a file holds, long ones without their middle; then it is removed."""
    try:
        with open(path, "rb") as stream:
            head = stream.read(HEAD)
            size = os.fstat(stream.fileno()).st_size
            stream.seek(max(len(head), size - TAIL))
            tail = stream.read(TAIL)
        os.unlink(path)
    except OSError:
        return ""
    gap = b"" if size <= HEAD + TAIL else b"\n...\n"
    return (head + gap + tail).decode("utf-8", "replace")


if __name__ == "__main__":
    main()
