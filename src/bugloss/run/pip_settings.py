"""What this machine's pip is told (index, find-links, certificates …), handed on to uv.

uv reads none of pip's configuration. A machine behind a mirror, or with wheels in a folder, would
therefore build something else with uv than with pip, or nothing at all. Variables that the user set
for uv itself always win.
"""

from __future__ import annotations

import configparser
import math
import os
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
    "no-index": "UV_NO_INDEX",
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


def _for_uv(option: str, value: str) -> str:
    if option in _LISTS:
        return _LISTS[option].join(value.split())
    if option.endswith("timeout"):  # pip takes fractions of a second, uv refuses to start with one
        with suppress(ValueError, OverflowError):
            return str(math.ceil(float(value)))
    return value.strip()


def find_links_folders(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Local folders with wheels that pip or uv is told to look in."""
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
