"""Files of well-known data sets, by the end of their address: what is in them, in their own format.

Of very large ones a part is generated; the name that is written down then says so.
"""

import functools
import re

from . import folders, graph, series, tables

PART = " (a part of it)"
MAKERS = (
    (r"cora\.(?:tgz|tar\.gz|zip)", graph.cora),
    (r"forda_(?:train|test)\.(?:tsv|txt)", series.ford),
    (r"ecg\.csv", series.heartbeats),
    (r"(?:international-)?airline-passengers\.csv", series.passengers),
    (r"jena_climate_2009_2016\.csv(?:\.zip)?", series.climate),
    (r"mini_speech_commands\.zip", series.speech),
    (r"auto-mpg\.data(?:-original)?", tables.auto_mpg),
    (r"(?:shakespeare|nietzsche)\.txt|tinyshakespeare/input\.txt", folders.prose),
    (r"(?:spa|fra|deu)-eng\.zip", folders.pairs),
    (r"aclimdb_v1\.tar\.gz", folders.reviews),
    (r"tutorial/data\.zip", folders.surnames),
    (r"|".join(map(re.escape, folders.PHOTOS)), folders.photos),
    (r"mnist\.pkl\.gz", folders.digits),
)
PARTIAL = (series.climate, series.speech, folders.prose, folders.reviews, folders.surnames, folders.photos)


def find(address):
    """The name of the file behind an address and a function that makes it, or None."""
    path = re.split("[?#]", address)[0].rstrip("/").lower()
    for name, row in tables.FILES.items():
        if path.endswith("/" + name):
            return name + (PART if name in tables.PARTIAL else ""), functools.partial(tables.lines, name, *row)
    for pattern, make in MAKERS:
        found = re.search("/(" + pattern + ")$", path)
        if found:
            name = found.group(1)
            return name + (PART if make in PARTIAL else ""), functools.partial(make, name)
    return None
