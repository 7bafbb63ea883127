"""The sandbox that environments are built in: one folder to write to, the system read-only, no network unless asked.

Building is not running: what is written here is kept, at its own path, and belongs to the user.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bugloss.run import sandbox

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "passwd", "group", "nsswitch.conf", "alternatives")
_ETC_OF_THE_NETWORK = ("resolv.conf", "hosts", "ssl", "ca-certificates", "pki")


def can_isolate() -> bool:
    """Whether this machine can keep a build from the user's files."""
    return sandbox.works("bubblewrap")


def confined(
    command: Sequence[str], folder: Path, readable: Iterable[Path] = (), *, network: bool = False
) -> list[str]:
    """The command line that runs ``command`` with one folder to write to; it passes on the variables it is given."""
    walls = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--new-session"]
    walls += ["--cap-drop", "ALL", *(["--share-net"] if network else [])]
    for mount in _mounts(network):
        walls += mount
    walls += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for path in readable:
        walls += ["--ro-bind-try", str(path), str(path)]
    return [*walls, "--bind", str(folder), str(folder), "--chdir", str(folder), *command]


def _mounts(network: bool) -> Iterator[list[str]]:
    for place in map(Path, _SYSTEM):
        if place.is_symlink():
            yield ["--symlink", str(place.readlink()), str(place)]
        elif place.is_dir():
            yield ["--ro-bind", str(place), str(place)]
    for name in (*_ETC, *(_ETC_OF_THE_NETWORK if network else ())):
        yield ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
