"""Loads modules once, then becomes one program after another, each in a fork of its own.

``python preloaded.py DESCRIPTOR MODULE...``, started by ``fork_supervisor.py``, which sends one order a line with four
descriptors: what the program says goes to the first, its instructions come from the second (see ``launch.py``), the
others are its streams. A fork runs its script as ``launch.py`` does in a new process, and ends as that does. This
process itself runs no line of any program.
"""

import array
import importlib
import json
import os
import random
import resource
import socket
import sys
import time

import launch  # type: ignore[import-not-found]
import leftovers  # type: ignore[import-not-found]

DESCRIPTORS = 4


def main():
    orders = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, int(sys.argv[1]))
    os.set_inheritable(orders.fileno(), False)
    failed = [name for name in sys.argv[2:] if not is_loaded(name)]
    for name in ("launch", "leftovers"):  # a program may have modules of these names
        del sys.modules[name]
    sys.stdout.flush()
    sys.stderr.flush()
    orders.sendall(json.dumps(dict(state(orders.fileno()), failed=failed)).encode() + b"\n")
    leftovers.control(leftovers.DUMPABLE, 0)
    while True:
        order, descriptors = receive(orders)
        if is_program(orders):
            return order, descriptors
        for descriptor in descriptors:
            os.close(descriptor)


def is_loaded(name):
    try:
        importlib.import_module(name)
    except BaseException:  # a broken package is the program's affair, and it will say so
        return False
    return True


def state(own):
    """What was loaded, and what a fork would share with this process, so that bugloss can decide against forks."""
    with open("/proc/self/maps") as maps:
        shared = sorted({line.split()[-1] for line in maps if line.split()[1].startswith("rw-s")})
    opened = [int(name) for name in os.listdir("/proc/self/fd")]
    opened = [number for number in opened if number > 2 and number != own and is_open(number)]
    names = sorted({name.partition(".")[0] for name in sys.modules})
    return {"loaded": names, "threads": len(os.listdir("/proc/self/task")), "shared": shared, "open": len(opened)}


def is_open(descriptor):
    """Not the one that the list was read through."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def receive(orders):
    text, descriptors = b"", array.array("i")
    while not text.endswith(b"\n"):
        part, extra, _, _ = orders.recvmsg(65536, socket.CMSG_SPACE(DESCRIPTORS * descriptors.itemsize))
        if not part:
            os._exit(0)
        text += part
        for _, _, given in extra:
            descriptors.frombytes(given[: len(given) // descriptors.itemsize * descriptors.itemsize])
    return json.loads(text.decode()), list(descriptors)


def is_program(orders):
    """Forks twice, so that the program becomes a child of the supervisor. True in the program."""
    receiving, sending = os.pipe()
    between = os.fork()
    if between:
        os.close(sending)
        os.waitpid(between, 0)  # from here on the program is the supervisor's child, and the supervisor may wait for it
        with os.fdopen(receiving, "rb") as number:
            orders.sendall(number.read() + b"\n")
        return False
    os.setpgid(0, 0)  # as in a new process, what a program sends to its group does not reach the framework's process
    program = os.fork()
    if program:
        os.write(sending, b"%d" % program)
        os._exit(0)
    for descriptor in (receiving, sending, orders.detach()):
        os.close(descriptor)
    return True


def prepare(order, descriptors):
    """Makes the fork what a new process of ``supervise.py`` would be, up to its command line."""
    said, given, out, err = descriptors
    while os.getppid() != order["supervisor"]:
        if os.getppid() == 1:
            os._exit(1)
        time.sleep(0.001)
    leftovers.be_ordinary(order["supervisor"])
    for descriptor, number in ((out, 1), (err, 2)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    place = (1024 if most < 0 else max(64, min(most, 1024))) - 24
    for descriptor, number in ((said, place), (given, place + 1)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.update(order["variables"])
    fresh_randomness()
    importlib.invalidate_caches()
    sys.argv = [launch.__file__, "--channel=%d,%d" % (place, place + 1), order["script"]] + order["arguments"]


def fresh_randomness():
    """A fork begins with a copy of these random states; a new process would not."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].seed()


if __name__ == "__main__":
    prepare(*main())
    launch.main()
