"""Error messages as templates: what varies from run to run is blanked."""

from __future__ import annotations

import re

_VARYING = re.compile(
    r"0x[0-9a-fA-F]+"  # addresses
    r"|(?:/[\w.+-]+){2,}/?"  # paths
    r"|(?:(?<![\w#])[-+])?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"  # numbers, also those inside names
)


def blank(message: str) -> str:
    """The first line of a message with every number, address and path replaced by ``#``."""
    first_line = message.strip().split("\n", 1)[0]
    return _VARYING.sub("#", first_line).strip()
