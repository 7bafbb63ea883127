"""Takes away what a program left behind: its processes, its files wherever it may write, its shared memory.

The next program of the same session starts as the first one did. Where that cannot be brought about, ``clean`` says so,
and the session has to end. Standard library alone, on any Python from 3.6.
"""

import ctypes
import os
import resource
import signal
import stat
import time

# What prctl(2) calls them.
PARENT_DEATH_SIGNAL, DUMPABLE, CHILD_SUBREAPER = 1, 4, 36
# Mounts in which programs keep no files of theirs.
NO_FILES = {"proc", "sysfs", "devpts", "cgroup", "cgroup2", "mqueue"}
SECONDS = 10.0


class CannotClean(Exception):
    """Something stayed, or something that was there before is not as it was."""


class Start(object):
    """How things are before the first program; ``whole`` means that everything writable is ours to clear."""

    def __init__(self, whole):
        places = writable_mounts() if whole else [os.path.expanduser("~"), os.getcwd()]
        self.whole = whole
        self.places = [(place, entries(place)) for place in sorted(set(map(os.path.realpath, places)))]
        self.processes = descendants(os.getpid())
        self.memory = shared_memory()
        self.limits = own_limits()

    def clean(self):
        """Brings this state about again; False where that cannot be done."""
        deadline = time.time() + SECONDS
        try:
            kill_descendants(self.processes, deadline)
            for place, known in self.places:
                restore(place, known, deadline)
            if self.whole:
                remove_memory(shared_memory() - self.memory)
            return own_limits() == self.limits
        except (OSError, CannotClean):
            return False


def control(option, value):
    """One setting of this process, where the system has it."""
    try:
        return ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0
    except (OSError, AttributeError):
        return False


def withdraw():
    """Orphans of programs become our children; other processes of this user cannot look into us or at our pipes."""
    control(CHILD_SUBREAPER, 1)
    control(DUMPABLE, 0)


def be_ordinary(parent):
    """For a child: it can be looked into like any other, and does not outlive its parent."""
    control(DUMPABLE, 1)
    control(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def own_limits():
    """What a program of the same user can set for a process that is not its own."""
    kinds = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
    limits = [(kind, resource.getrlimit(kind)) for kind in sorted(set(kinds))]
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return limits, processors, os.getpriority(os.PRIO_PROCESS, 0)


def descendants(ancestor):
    """The numbers of all processes below one, as far as /proc shows."""
    children = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as line:
                    above = int(line.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue  # it has just ended
            children.setdefault(above, []).append(int(name))
    found, pending = set(), [ancestor]
    while pending:
        below = children.get(pending.pop(), [])
        found.update(below)
        pending.extend(below)
    return found


def kill_descendants(spared, deadline):
    """Kills and collects every process below this one; those that fork meanwhile are found in the next pass."""
    while True:
        strange = descendants(os.getpid()) - spared
        if not strange:
            return
        if time.time() > deadline:
            raise CannotClean("processes")
        for process in strange:
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass
            try:
                os.waitpid(process, os.WNOHANG)
            except OSError:
                pass  # not our own child, until its parent is gone
        time.sleep(0.002)


def writable_mounts():
    """The folders that are mount points of something writable."""
    found = []
    with open("/proc/self/mountinfo") as lines:
        for line in lines:
            before, _, after = line.partition(" - ")
            fields = before.split()
            place = fields[4].encode().decode("unicode_escape")
            if "rw" in fields[5].split(",") and after.split()[0] not in NO_FILES and os.path.isdir(place):
                found.append(place)
    return found


def entries(place):
    """Everything below a folder and on its device, with what shows whether it was changed."""
    device, found, pending = os.lstat(place).st_dev, {}, [place]
    while pending:
        path = pending.pop()
        state = os.lstat(path)
        if state.st_dev != device:
            continue
        found[path] = mark(state)
        if stat.S_ISDIR(state.st_mode):
            try:
                pending.extend(os.path.join(path, name) for name in os.listdir(path))
            except PermissionError:
                pass  # whoever may not look may not write
    return found


def mark(state):
    """Folders change with what is put into them; of anything else the system notes every change."""
    if stat.S_ISDIR(state.st_mode):
        return state.st_mode
    return state.st_mode, state.st_ino, state.st_size, state.st_ctime_ns


def restore(place, known, deadline):
    """Removes what is new below a folder; what was there has to be as it was."""
    for path in sorted(known):  # a folder before what is in it
        state = os.lstat(path)
        if mark(state) != known[path]:
            if not (stat.S_ISDIR(state.st_mode) and stat.S_ISDIR(mode_of(known[path]))):
                raise CannotClean(path)
            os.chmod(path, stat.S_IMODE(known[path]))
        if stat.S_ISDIR(state.st_mode):
            try:
                names = os.listdir(path)
            except PermissionError:
                continue
            for name in names:
                inner = os.path.join(path, name)
                if inner not in known and os.lstat(inner).st_dev == state.st_dev:
                    remove(inner, deadline)


def mode_of(marked):
    return marked if isinstance(marked, int) else marked[0]


def remove(path, deadline):
    """Removes a file or a folder of any depth: folders inside are lifted out, so that no path grows long."""
    top, pending, lifted = os.path.dirname(path), [path], 0
    while pending:
        if time.time() > deadline:
            raise CannotClean(path)
        folder = pending.pop()
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            os.unlink(folder)
            continue
        os.chmod(folder, 0o700)
        for name in os.listdir(folder):
            inner = os.path.join(folder, name)
            if stat.S_ISDIR(os.lstat(inner).st_mode):
                os.chmod(inner, 0o700)
                lifted += 1
                new = os.path.join(top, "lifted-%d-%d" % (os.getpid(), lifted))
                os.rename(inner, new)
                pending.append(new)
            else:
                os.unlink(inner)
        os.rmdir(folder)


def shared_memory():
    """Shared memory, semaphores and queues of System V: they outlive the processes that made them."""
    found = set()
    for kind in ("shm", "sem", "msg"):
        try:
            with open("/proc/sysvipc/%s" % kind) as lines:
                found.update((kind, int(line.split()[1])) for line in list(lines)[1:])
        except (OSError, IndexError, ValueError):
            pass
    return found


def remove_memory(strange):
    for kind, number in strange:
        library = ctypes.CDLL(None)
        if kind == "sem":
            library.semctl(number, 0, 0)
        else:
            getattr(library, kind + "ctl")(number, 0, None)
