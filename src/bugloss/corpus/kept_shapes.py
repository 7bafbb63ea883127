"""Shapes of fixes in the cache, in a file that is named after the content that they were made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from bugloss.core.cache import cache_folder, writable
from bugloss.core.documents import parse_json
from bugloss.core.errors import BuglossError
from bugloss.core.foreign_file import read_text
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside
from bugloss.corpus.content_digest import digest_of
from bugloss.corpus.entry import Entry
from bugloss.corpus.fix_shape import FixShape

_VERSION = 1  # of what a shape consists of
_LARGEST = 200_000_000  # bytes

Shapes = dict[str, FixShape]


def kept_shapes(entries: Sequence[Entry], make: Callable[[], Shapes]) -> Shapes:
    """What was kept for these bugs as they are now; else what is made, which is kept where the cache can be written."""
    name = f"{digest_of(entries)}-shapes-{_VERSION}.json"
    try:
        folder = writable(cache_folder() / "indexes")
        stored = parse_json(read_text(folder, name, _LARGEST))
        return {bug: FixShape(Counter(change), Counter(context)) for bug, (change, context) in stored.items()}
    except (BuglossError, ValueError, TypeError, AttributeError):  # missing, damaged or of no use: made again
        shapes = make()
    content = json_text({bug: [shape.change, shape.context] for bug, shape in shapes.items()})
    with suppress(BuglossError, OSError):  # a cache that cannot be written costs time and nothing else
        write_inside(writable(cache_folder() / "indexes"), name, content)
    return shapes
