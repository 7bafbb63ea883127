"""Runs programs on request, each in a child of its own, after the libraries were loaded once.

``python launch.py variants.py MODULE...`` loads the modules, then reads requests from standard input, one JSON object a
line: ``files`` are the texts of a program and ``script`` the one to start, ``base`` a folder here whose files they
replace, ``seconds`` the time it may take, ``whole`` whether everything writable here is ours to clear, ``token`` a word
that the answer repeats. Where ``observe`` holds settings of the observing probe, the program runs with it (``command``
is what follows the settings), and the answer has its ``events``. For each request one line of JSON is written to
standard output: the program's exception or exit code, what it printed, how long it took, and ``spent`` where the next
program must not run here, because something of this one could not be taken away. ``launch.py``, ``leftovers.py`` and
the folder of the probe are in the same folder.
"""

import importlib
import json
import os
import runpy
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback

import launch  # type: ignore[import-not-found]
import leftovers  # type: ignore[import-not-found]

HERE = os.path.dirname(os.path.abspath(__file__))
PROBE = ".bugloss-observe"
LARGEST_COPY = 1000000  # bytes; larger files of a program are linked to: they are data
LARGEST_EVENTS = 30000000
HEAD, TAIL = 10000, 30000
LONGEST_MESSAGE, MOST_FRAMES, LONGEST_REPORT = 100000, 500, 4000000


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
            print("could not be preloaded: %s: %s" % (name, error), file=sys.stderr)
    leftovers.withdraw()
    start = None
    for line in requests:
        request = json.loads(line)
        start = start or leftovers.Start(request["whole"])
        answer = run(request, (answers, requests))
        answer.update(token=request["token"], spent=not start.clean())
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def run(request, own):
    """Runs one program in a child and a folder of its own; kills it when its time is up."""
    top = tempfile.mkdtemp(prefix="variant-")
    folder, events = os.path.join(top, "program"), os.path.join(top, "events.jsonl")
    lay_out(request, folder)
    # Files without a name: no other program finds them, and this one can only write to them.
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    ours, theirs = os.pipe()
    token = os.urandom(16)
    start, parent = time.time(), os.getpid()
    child = os.fork()
    if child == 0:
        leftovers.be_ordinary(parent)
        for stream in own:
            os.close(stream.fileno())
        os.close(ours)
        be_variant(request, folder, events, out.fileno(), err.fileno(), channel(theirs, token))
    os.close(theirs)
    status, said = wait(child, ours, start + request["seconds"])
    answer = {"seconds": round(time.time() - start, 3), "timed_out": status is None}
    answer["code"] = None if status is None else code_of(status)
    answer.update(report(said, token, answer["code"]))
    answer["stdout"], answer["stderr"] = read(out), read(err)
    if request.get("observe") is not None:
        answer["events"] = lines_of(events)
    return answer


def lay_out(request, folder):
    """The program's files: copies of those in the base folder, and the texts of the request over them."""
    if request.get("base"):
        shutil.copytree(os.path.join(HERE, request["base"]), folder, copy_function=copy_or_link)
    for name, text in request["files"].items():
        path = os.path.join(folder, name)
        if not os.path.isdir(os.path.dirname(path)):
            os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)


def copy_or_link(source, target):
    if os.path.getsize(source) > LARGEST_COPY:
        os.symlink(source, target)
        return target
    return shutil.copy2(source, target)


def lines_of(path):
    """What the probe wrote down; a program that replaced the file by something else was not observed."""
    try:
        with open(path, "rb") as events:
            return events.read(LARGEST_EVENTS).decode("utf-8", "replace")
    except OSError:
        return ""


def channel(descriptor, token):
    """A function that reports to the parent how the program ended; what it needs is kept in no module."""
    os.set_inheritable(descriptor, False)
    write = os.write

    def say(event):
        view = memoryview(token + json.dumps(event).encode())
        while view:
            view = view[write(descriptor, view) :]

    return say


def report(said, token, code):
    """The child's report about its program, if it is the child's and its exit code does not contradict it."""
    try:
        event = json.loads(said.partition(token)[2].decode())
    except ValueError:
        event = {"ended": False}
    ended = event["ended"] and event["exit"] % 256 == code
    return {"ended": ended, "exception": event.get("exception") if ended else None}


def wait(child, pipe, deadline):
    """The child's status, or None when its time was up; and its report."""
    said, listening = b"", True
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if not done and time.time() > deadline:
            kill(child)
            done, status = os.waitpid(child, 0)[0], None
        if listening:
            part = heard(pipe, 0 if done else 0.02)
            listening, said = part is not None, (said + (part or b""))[:LONGEST_REPORT]
        elif not done:
            time.sleep(0.02)
        if done:
            os.close(pipe)
            return status, said


def heard(pipe, seconds):
    """What is in a pipe by now, but never more than it holds at once; None when it has no writer left."""
    if not select.select([pipe], [], [], seconds)[0]:
        return b""
    return os.read(pipe, 2**20) or None


def kill(child):
    try:
        os.kill(child, signal.SIGKILL)
    except OSError:
        pass


def code_of(status):
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def be_variant(request, folder, events, out, err, say):
    """Never returns: the child ends here, whatever the program does."""
    code, leave = 1, os._exit
    try:
        os.setpgid(0, 0)
        redirect(out, 1)
        redirect(err, 2)
        fresh_randomness()
        os.chdir(folder)
        exception, code = outcome(start_of(request, folder, events))
        sys.stdout.flush()
        sys.stderr.flush()
        say({"exception": exception, "ended": True, "exit": code})
    finally:
        leave(code % 256)


def start_of(request, folder, events):
    """The script to run, with the path and the arguments that it is to find: the program's own, or the probe."""
    if request.get("observe") is None:
        sys.argv, sys.path[0] = [request["script"]], folder
        return request["script"]
    probe = os.path.join(HERE, PROBE)
    settings = dict(request["observe"], events=events)
    sys.argv, sys.path[0] = [probe, json.dumps(settings)] + list(request["command"]), probe
    return os.path.join(probe, "__main__.py")


def outcome(script):
    """Runs the program: its exception and its exit code."""
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        return None, launch.exit_code(stop)
    except BaseException as error:
        found = shortened(launch.describe(without_own_frames(error)))
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


def shortened(exception):
    """An exception as long as anyone wants to read it."""
    message, frames = exception["message"], exception["frames"]
    if len(frames) > MOST_FRAMES:
        frames = frames[: MOST_FRAMES // 2] + frames[-MOST_FRAMES // 2 :]
    frames = [dict(frame, text=frame["text"][:1000]) for frame in frames]
    return dict(exception, message=message[:LONGEST_MESSAGE], frames=frames)


def redirect(target, number):
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


def read(stream):
    """What a file holds, long ones without their middle; then it is gone."""
    with stream:
        stream.seek(0)
        head = stream.read(HEAD)
        size = os.fstat(stream.fileno()).st_size
        stream.seek(max(len(head), size - TAIL))
        tail = stream.read(TAIL)
    gap = b"" if size <= HEAD + TAIL else b"\n...\n"
    return (head + gap + tail).decode("utf-8", "replace")


if __name__ == "__main__":
    main()
