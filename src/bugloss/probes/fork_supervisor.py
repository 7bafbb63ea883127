"""Supervises one program after another; each is a fork of a process that has loaded the framework already.

``python -I -S fork_supervisor.py CONTROL PYTHON preloaded.py MODULE...``. CONTROL is one end of a socket pair that
bugloss made. The first line to there says what was loaded (``preloaded.py``). A request is a line of JSON, then the
contents of ``files`` (names and sizes, in order); with its first byte come three descriptors: the channel of this run
(see ``supervise.py``), and where the program's two streams go. After the program ended, and everything that it left was
removed, one line says ``token`` again and ``spent``, which is true where the next program must not run here.

This process loads nothing but the standard library. It knows the nonces; the process with the framework, and with it
its forks, never does. A program becomes a child of this process, so its true status and memory come from the system.
"""

import array
import json
import os
import resource
import select
import signal
import socket
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import leftovers  # type: ignore[import-not-found]  # noqa: E402
import supervise  # type: ignore[import-not-found]  # noqa: E402

sys.path.remove(HERE)

DESCRIPTORS = 4
FORKING_SECONDS = 30.0  # a process that is alive forks within milliseconds; one that was stopped never does
PR_SET_CHILD_SUBREAPER = 36


def main():
    control = own_end(int(sys.argv[1]))
    supervise.prctl(supervise.PR_SET_DUMPABLE, 0)
    supervise.prctl(PR_SET_CHILD_SUBREAPER, 1)
    wake = supervise.wake_when_a_child_ends()
    parent = Preloaded(sys.argv[2:])
    for number in supervise.GROUP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    control.sendall(parent.ready())
    start = leftovers.Start(True)
    while True:
        request, content, descriptors = receive(control)
        lay_out(request["files"], content, control)
        begun = serve(parent, request, descriptors, wake)
        spent = not begun or not start.clean() or not parent.is_as_before()
        control.sendall(json.dumps({"token": request["token"], "spent": spent}).encode() + b"\n")


def own_end(descriptor):
    os.set_inheritable(descriptor, False)
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)


def receive(control):
    """The next request, what of the files came with it, and its descriptors; ends with bugloss."""
    text, descriptors = b"", array.array("i")
    while b"\n" not in text:
        part, extra, _, _ = control.recvmsg(65536, socket.CMSG_SPACE(DESCRIPTORS * descriptors.itemsize))
        if not part:
            sys.exit(0)
        text += part
        for _, _, given in extra:
            descriptors.frombytes(given[: len(given) // descriptors.itemsize * descriptors.itemsize])
    line, _, content = text.partition(b"\n")
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return json.loads(line.decode()), content, list(descriptors)


def lay_out(files, content, control):
    """Writes the files into the folder that the program starts in."""
    for name, size in files:
        path = os.path.join(os.getcwd(), name)
        if not os.path.isdir(os.path.dirname(path)):
            os.makedirs(os.path.dirname(path))
        with open(path, "wb") as file:
            left = size
            while left:
                content = content or control.recv(65536)
                if not content:
                    sys.exit(0)
                part, content = content[:left], content[left:]
                file.write(part)
                left -= len(part)


def serve(parent, request, descriptors, wake):
    """Runs one program to its end; False where it could not be started."""
    outer, out, err = descriptors
    nonce, instructions = supervise.read_lines(outer, 2)
    inner, said = os.pipe()
    given, orders = os.pipe()
    order = {name: request[name] for name in ("script", "arguments", "variables")}
    child = parent.fork(dict(order, supervisor=os.getpid()), (said, given, out, err))
    for descriptor in (said, given, out, err):
        os.close(descriptor)
    if child is not None:
        token = os.urandom(16).hex().encode()
        try:
            supervise.write(orders, token + b"\n" + instructions + b"\n")
        except OSError:
            pass  # it has died already; its status says how
        lines = supervise.Lines(token, supervise.Sender(outer, nonce))
        status, usage = supervise.attend(child, inner, wake, lines)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        lines.close(code, usage.ru_maxrss)
    for descriptor in (inner, orders, outer):
        os.close(descriptor)
    return child is not None


class Preloaded(object):
    """The process that loads the framework once and forks for each program."""

    def __init__(self, command):
        self.ours, theirs = socket.socketpair()
        self.process = os.fork()
        if self.process == 0:
            try:
                become(command, theirs.fileno())
            finally:
                os._exit(127)
        theirs.close()
        self.facts = None

    def ready(self):
        """Its first line, passed on as it is; without one, nothing can be run here."""
        line = self.line(None)
        if line is None:
            sys.exit("the framework could not be loaded")
        self.facts = facts_of(self.process)
        return line + b"\n"

    def fork(self, order, descriptors):
        """The process id of a new fork, which is a child of this process; None where there is none."""
        text = json.dumps(order).encode() + b"\n"
        try:
            self.ours.sendmsg([text], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))])
            answer = self.line(FORKING_SECONDS)
        except OSError:
            return None
        return int(answer) if answer else None

    def line(self, seconds):
        text, deadline = b"", None if seconds is None else time.time() + seconds
        while not text.endswith(b"\n"):
            left = None if deadline is None else max(0, deadline - time.time())
            if not select.select([self.ours], [], [], left)[0]:
                return None
            part = self.ours.recv(65536)
            if not part:
                return None
            text += part
        return text[:-1]

    def is_as_before(self):
        """Whether no program changed what a process of the same user can change of another one."""
        try:
            return os.waitpid(self.process, os.WNOHANG)[0] == 0 and facts_of(self.process) == self.facts
        except OSError:
            return False


def become(command, descriptor):
    """In the child: ends with its parent, and cannot look into it."""
    supervise.prctl(supervise.PR_SET_PDEATHSIG, signal.SIGKILL)
    supervise.prctl(supervise.PR_CAPBSET_DROP, supervise.CAP_SYS_PTRACE)
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them, and what is ignored stays so through exec
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.set_inheritable(descriptor, True)
    os.execv(command[0], command[:2] + [str(descriptor)] + command[2:])


def facts_of(process):
    """Limits, processors and priority of a process."""
    kinds = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})
    limits = [resource.prlimit(process, kind) for kind in kinds]
    scheduling = os.sched_getscheduler(process), sorted(os.sched_getaffinity(process))
    return limits, scheduling, os.getpriority(os.PRIO_PROCESS, process)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit("programs could not be supervised: %s" % error)
