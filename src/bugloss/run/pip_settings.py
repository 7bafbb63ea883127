"""The pip settings of this machine (index, find-links, certificates …), passed on to uv.

uv reads none of pip's configuration. A machine behind a mirror, or with wheels in a folder, would
therefore build something else with uv than with pip, or nothing at all. Variables that the user set
for uv itself always win.
"""

from __future__ import annotations

import configparser
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

_UV_VARIABLE = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "HTTPS_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "constraint": "UV_CONSTRAINT",
}
# The names that uv had for the same before; where the user set one of these, it stands.
_FORMER = {
    "UV_DEFAULT_INDEX": "UV_INDEX_URL",
    "UV_INDEX": "UV_EXTRA_INDEX_URL",
    "UV_HTTP_TIMEOUT": "UV_REQUEST_TIMEOUT",
}
_LISTS = {"extra-index-url": " ", "find-links": ",", "trusted-host": " ", "constraint": " "}


# What an installer needs of this process's variables: where programs and caches lie, and how to reach the network.
# Tokens, keys and whatever else a shell holds are not handed on, nor what would make uv run code: UV_COMPILE_BYTECODE
# starts the new environment's interpreter, and with it what a package put into a .pth file.
_FOR_INSTALLERS = re.compile(
    r"PATH|HOME|TMPDIR|LANG|LC_ALL|LC_CTYPE|XDG_(?:CACHE|CONFIG|DATA)_HOME|XDG_CONFIG_DIRS|NETRC"
    r"|SSL_CERT_FILE|SSL_CERT_DIR|SSL_CLIENT_CERT|(?i:https?_proxy|all_proxy|no_proxy)"
    r"|UV_(?:CACHE_DIR|NO_CACHE|DEFAULT_INDEX|INDEX|INDEX_\w+|EXTRA_INDEX_URL|FIND_LINKS|INSECURE_HOST|HTTP_\w+"
    r"|REQUEST_TIMEOUT|CONSTRAINT|OVERRIDE|OFFLINE|CONCURRENT_\w+|LINK_MODE|NATIVE_TLS|SYSTEM_CERTS|CONFIG_FILE"
    r"|NO_CONFIG|KEYRING_PROVIDER|EXCLUDE_NEWER|LOCK_TIMEOUT)"
)
_CREDENTIALS = re.compile(r"(://)[^/@\s]+@")


def pip_settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """pip's options by their long names, as its files and ``PIP_…`` variables give them."""
    parsed = [_read(path) for path in _configuration_files(environment)]
    settings: dict[str, str] = {}
    # pip merges the files section by section: [install] of any file overrides [global] of every file.
    for section in ("global", "install"):
        for sections in parsed:
            settings.update(sections.get(section, {}))
    for variable, value in environment.items():
        if variable.startswith("PIP_") and value:
            settings[_option(variable[4:])] = value
    return settings


def uv_variables(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that make uv see what pip sees, less those the user set for uv already."""
    variables: dict[str, str] = {}
    for option, value in pip_settings(environment).items():
        name = _UV_VARIABLE.get(option)
        if name and value.strip() and name not in environment and _FORMER.get(name, name) not in environment:
            variables[name] = _for_uv(option, value)
    if "UV_INDEX" in variables:
        # pip compares all its indexes and takes the best release; uv stops at the first that has one.
        variables.setdefault("UV_INDEX_STRATEGY", environment.get("UV_INDEX_STRATEGY", "unsafe-best-match"))
    return variables


def installer_variables(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """All that uv gets to see: what it needs, and pip's settings in its own words."""
    kept = {name: value for name, value in environment.items() if _FOR_INSTALLERS.fullmatch(name)}
    return {**kept, **uv_variables(environment), "UV_PYTHON_DOWNLOADS": "never", "UV_NO_PROGRESS": "1"}


def index_flags(environment: Mapping[str, str] = os.environ) -> list[str]:
    """What uv has no variable for: that no index is to be asked."""
    said = pip_settings(environment).get("no-index", "").strip().lower()
    return ["--no-index"] if said in {"1", "true", "yes", "on", "t", "y"} else []


def settings_for_untrusted(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """How to reach the index, for uv and for pip, where code of a package can read it: credentials are left out."""
    known = installer_variables(environment)
    settings = {"UV_INDEX_STRATEGY": known["UV_INDEX_STRATEGY"]} if "UV_INDEX_STRATEGY" in known else {}
    if index_flags(environment):
        settings["PIP_NO_INDEX"] = "1"
    for option, name in _UV_VARIABLE.items():
        value = known.get(name) or known.get(_FORMER.get(name, name))
        if value:
            plain = _CREDENTIALS.sub(r"\1", value)
            settings[name] = plain
            settings[f"PIP_{option.upper().replace('-', '_')}"] = plain.replace(",", " ") if option in _LISTS else plain
    return settings


def local_places(settings: Mapping[str, str]) -> list[Path]:
    """Files and folders of this machine that such settings name: certificates, wheels, indexes with their files."""
    named = [settings.get("SSL_CERT_FILE", ""), *settings.get("UV_CONSTRAINT", "").split()]
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS"):
        named += settings.get(name, "").replace(",", " ").split()
    paths = [Path(place.removeprefix("file://")) for place in named if place.startswith(("/", "file:///"))]
    # The pages of an index lie in "simple", and the packages beside that folder.
    return [path.parent if path.name == "simple" else path for path in paths]


def _for_uv(option: str, value: str) -> str:
    if option in _LISTS:
        return _LISTS[option].join(value.split())
    if option.endswith("timeout"):  # pip takes fractions of a second, uv refuses to start with one
        with suppress(ValueError, OverflowError):
            return str(math.ceil(float(value)))
    return value.strip()


def find_links_folders(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Local folders with wheels in which pip or uv is configured to look."""
    locations = pip_settings(environment).get("find-links", "").split()
    locations += environment.get("UV_FIND_LINKS", "").replace(",", " ").split()
    paths = [place.removeprefix("file://") for place in dict.fromkeys(locations)]
    return [Path(path) for path in paths if "://" not in path]


def _configuration_files(environment: Mapping[str, str]) -> Iterator[Path]:
    """pip's own order: the later file overrides the earlier one."""
    explicit = environment.get("PIP_CONFIG_FILE")
    if explicit == os.devnull:
        return
    home = Path(environment.get("HOME") or "/")
    for folder in environment.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep):
        yield Path(folder) / "pip" / "pip.conf"
    yield Path("/etc/pip.conf")
    if not (explicit and Path(explicit).is_file()):  # a file named explicitly stands in for the user's own
        yield home / ".pip" / "pip.conf"
        yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "pip" / "pip.conf"
    yield Path(sys.prefix) / "pip.conf"
    if explicit:
        yield Path(explicit)


def _read(path: Path) -> dict[str, dict[str, str]]:
    """The options of a file by section."""
    parser = configparser.RawConfigParser()
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return {}  # pip itself will say what is wrong with its file
    return {section: {_option(name): value for name, value in parser.items(section)} for section in parser.sections()}


def _option(name: str) -> str:
    return name.lower().replace("_", "-").removeprefix("--")
