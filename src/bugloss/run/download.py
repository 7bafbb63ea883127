"""How much a resolved environment will download: said before it starts when it is a lot."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

from bugloss.core.documents import parse_toml

LARGE_MEGABYTES = 1000
_SECONDS_A_WHEEL, _SECONDS = 5.0, 20.0  # a forecast is not worth more waiting


def large_download(lock: Path) -> str | None:
    """A sentence when the lock's wheels come to more than a gigabyte, else None."""
    megabytes = download_megabytes(lock)
    if megabytes <= LARGE_MEGABYTES:
        return None
    return f"this downloads up to {megabytes / 1000:.1f} GB (packages in the cache of uv are not downloaded again)"


def download_megabytes(lock: Path) -> float:
    """The sum of the wheels' sizes, asked of the index where the lock does not state them."""
    try:
        packages = parse_toml(lock.read_text(encoding="utf-8")).get("packages", [])
        wheels = [_first_file(package) for package in packages]
    except (
        OSError,
        ValueError,
        TypeError,
        AttributeError,
    ):  # this is a remark: installing from the lock reports the error
        return 0.0
    remote = [wheel for wheel in wheels if str(wheel.get("url", "")).startswith("http")]
    with ThreadPoolExecutor(8) as pool:
        deadline = time.monotonic() + _SECONDS
        return sum(pool.map(_bytes, remote, repeat(deadline))) / 1e6


def _first_file(package: dict[str, object]) -> dict[str, object]:
    wheels = package.get("wheels")
    if isinstance(wheels, list) and wheels:
        return dict(wheels[0])
    sdist = package.get("sdist")
    return dict(sdist) if isinstance(sdist, dict) else {}


def _bytes(wheel: dict[str, object], deadline: float) -> int:
    size = wheel.get("size")
    if isinstance(size, int):
        return size
    if time.monotonic() > deadline:
        return 0
    from bugloss.core.web import NoAnswer, WebQuery, fetch

    try:
        answer = fetch(WebQuery(str(wheel["url"]), method="HEAD"), _SECONDS_A_WHEEL, 0)
        return int(answer.headers.get("Content-Length") or 0)
    except (NoAnswer, ValueError):
        return 0  # an index that does not tell; the forecast is then too low, and the build goes on
