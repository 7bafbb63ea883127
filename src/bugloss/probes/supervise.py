"""Starts a program as a child, passes on what it says, and writes itself how the child ended.

``python -I -S supervise.py DESCRIPTOR PYTHON launch.py script.py [arguments]``. DESCRIPTOR is one end of a socket pair
that bugloss made. Two lines come from there: a nonce, and instructions that are passed on to ``launch.py`` as they are.
To there go lines of the form ``NONCE NUMBER KIND PAYLOAD``; the last one has the kind ``closed``.

The judged program runs in another process and another memory: it knows neither the nonce nor the descriptor, and no
handle of the system leads it to this process. What it can say, it says through a pipe of its own; the exit code, the
signal and the peak memory come from the system. Memory stays small here, whatever comes through the pipe.
"""

import os
import resource
import select
import signal
import sys

LONGEST_LINE = 4 * 2**20
PASSED_ON = (b"evidence", b"exception")
# What a program sends to its whole process group is meant for itself; the child decides what becomes of it.
GROUP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
CAP_SYS_PTRACE = 19


def main():
    outer = int(sys.argv[1])
    os.set_inheritable(outer, False)
    # Not dumpable: /proc/PID/fd, /proc/PID/mem, ptrace and pidfd_getfd are closed to processes of the same user.
    prctl(PR_SET_DUMPABLE, 0)
    nonce, instructions = read_lines(outer, 2)
    wake = wake_when_a_child_ends()
    child, inner, orders = start(sys.argv[2:])
    for number in GROUP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    token = os.urandom(16).hex().encode()
    write(orders, token + b"\n" + instructions + b"\n")
    os.close(orders)
    lines = Lines(token, Sender(outer, nonce))
    status, usage = attend(child, inner, wake, lines)
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    lines.close(code, usage.ru_maxrss // 1024 if sys.platform == "darwin" else usage.ru_maxrss)
    end_like(code)


def prctl(option, value):
    """Where the system or this interpreter does not have it, the two processes are merely apart."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def read_lines(descriptor, count):
    text = b""
    while text.count(b"\n") < count:
        part = os.read(descriptor, 65536)
        if not part:
            sys.exit("bugloss ended before the program was started")
        text += part
    return text.split(b"\n")[:count]


def wake_when_a_child_ends():
    """A descriptor that becomes readable when a child has ended."""
    wake, write_end = os.pipe()
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    return wake


def start(command):
    """The child's process id, the descriptor that it talks through, and the one that it gets its orders from."""
    inner, said = os.pipe()
    given, orders = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            become(command, said, given)
        finally:
            os._exit(127)
    os.close(said)
    os.close(given)
    return child, inner, orders


def become(command, said, given):
    """In the child: ends with its parent; its two descriptors lie above those that programs like to close."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # Root may open any process unless this is taken; it takes effect with exec, and does nothing for other users.
    prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE)
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them, and what is ignored stays so through exec
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    place = (1024 if most < 0 else max(64, min(most, 1024))) - 24
    os.dup2(said, place)
    os.dup2(given, place + 1)
    os.execv(command[0], command[:2] + ["--channel=%d,%d" % (place, place + 1)] + command[2:])


def attend(child, inner, wake, lines):
    """Passes on what the child says until it has ended; what its own children say later does not count."""
    watched = [inner, wake]
    while True:
        ready = select.select(watched, [], [])[0]
        if inner in ready:
            part = os.read(inner, 65536)
            lines.take(part)
            if not part:
                watched.remove(inner)
        if wake in ready:
            os.read(wake, 4096)
            ended, status, usage = os.wait4(child, os.WNOHANG)
            if ended:
                drain(inner, lines)
                return status, usage


def drain(inner, lines):
    """What lay in the pipe when the child ended, and no more: a child of the child may write for ever."""
    os.set_blocking(inner, False)
    for _ in range(16):
        try:
            part = os.read(inner, 65536)
        except BlockingIOError:
            return
        if not part:
            return
        lines.take(part)


class Lines(object):
    """The child's lines, ``TOKEN KIND PAYLOAD``; lines without the token are not the launcher's and are dropped."""

    def __init__(self, token, send):
        self.token = token
        self.send = send
        self.pending = bytearray()
        self.skipping = False
        self.said = None

    def take(self, part):
        lines = part.split(b"\n")
        rest = lines.pop()
        for line in lines:
            if not self.skipping:
                self.pass_on(bytes(self.pending) + line)
            self.pending, self.skipping = bytearray(), False
        if not self.skipping:
            self.pending += rest
        if len(self.pending) > LONGEST_LINE:
            self.pending, self.skipping = bytearray(), True
            self.send(b"excess", b"")

    def pass_on(self, line):
        token, _, rest = line.partition(b" ")
        kind, _, payload = rest.partition(b" ")
        if token != self.token:
            return
        if kind in PASSED_ON:
            self.send(kind, payload)
        elif kind == b"end" and self.said is None and payload.isdigit() and len(payload) <= 3:
            self.said = int(payload)

    def close(self, code, peak_kilobytes):
        said = b"null" if self.said is None else b"%d" % self.said
        self.send(b"closed", b'{"code": %d, "said": %s, "peak_kilobytes": %d}' % (code, said, peak_kilobytes))


class Sender(object):
    """Writes numbered lines with the nonce."""

    def __init__(self, outer, nonce):
        self.outer = outer
        self.nonce = nonce
        self.number = 0

    def __call__(self, kind, payload):
        write(self.outer, b"%s %d %s %s\n" % (self.nonce, self.number, kind, payload))
        self.number += 1


def write(descriptor, text):
    view = memoryview(text)
    while view:
        view = view[os.write(descriptor, view) :]


def end_like(code):
    """The exit code or the signal of the child becomes our own."""
    if code < 0:
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        # The other end has gone, or no process can be started: without the last line nothing counts.
        sys.exit("the program could not be supervised: %s" % error)
