"""Fetches commits of a public repository into a bare clone in the cache: two trees, without history or tags.

Git is started with a configuration and variables of ours alone. Nothing is checked out, so no filter or hook of the
repository is ever there to be started; what arrives is checked against the ids of its objects.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bugloss.core.cache import cache_errors, writable
from bugloss.core.errors import EnvironmentFailure, InvalidInput, Offline
from bugloss.corpus.upstream_program import upstream_folder
from bugloss.localize.repository.objects import Repository

_SECONDS = 300
_LOCK = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_ONLY_WEB = ("protocol.allow=never", "protocol.https.allow=always", "protocol.http.allow=always")
_PLAIN = ("core.hooksPath=/dev/null", "gc.auto=0", "maintenance.auto=false", "credential.helper=")
_CHECKED = ("fetch.fsckObjects=true", "http.followRedirects=initial", "http.lowSpeedLimit=1000", "http.lowSpeedTime=30")
# What a machine says about its way to the network, and about the certificates that it trusts.
_NETWORK = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file", "ssl_cert_dir", "git_ssl_cainfo")


def clone(address: str, commits: Sequence[str], *, offline: bool = False) -> Repository:
    """The clone with these commits; what it lacks is fetched. Raises ``Offline`` where that is not possible."""
    folder = upstream_folder() / "repositories" / f"{hashlib.sha256(address.encode()).hexdigest()[:16]}.git"
    if not contains(folder, commits):
        if offline:
            raise Offline(f"{address} is not cloned, and --offline forbids to do so.")
        with _locked(folder):
            if not contains(folder, commits):
                _fetch(folder, address, commits)
    return Repository(folder)


def contains(folder: Path, commits: Sequence[str]) -> bool:
    """Whether a repository has all of these commits."""
    try:
        return all(Repository(folder).resolve(commit) == commit for commit in commits)
    except InvalidInput:
        return False


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process at a time fetches into a clone; the system releases the lock when its holder dies."""
    with cache_errors(folder):
        handle = os.open(writable(folder.parent) / f"{folder.name}.lock", _LOCK, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _fetch(folder: Path, address: str, commits: Sequence[str]) -> None:
    _git(folder.parent, "init", "--quiet", "--bare", "--template=", str(folder))
    fetching = ("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
    done = _git(folder, *fetching, address, *commits)
    if done.returncode:
        words = next((line for line in done.stderr.splitlines() if line.strip()), "no reason given")
        raise Offline(f"{address} cannot be cloned: {words.removeprefix('fatal: ')[:200].rstrip('.')}.")


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    settings = [part for setting in (*_ONLY_WEB, *_PLAIN, *_CHECKED) for part in ("-c", setting)]
    try:
        return subprocess.run(
            ["git", *settings, *words],
            cwd=folder,
            env=_variables(folder),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise EnvironmentFailure("git is not installed.", hint="Install git, then try again.") from error
    except subprocess.TimeoutExpired as error:
        raise Offline(f"git {words[0]} did not end within {_SECONDS} s.") from error


def _variables(folder: Path) -> dict[str, str]:
    passed = {name: value for name, value in os.environ.items() if name.lower() in _NETWORK}
    return {
        **passed,
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
    }
