"""The benchmarks that the user added, one small file each, and the bugs that they have now.

A source names a folder; its bugs are read there whenever they are asked for, so nothing here can be out of date.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from bugloss.core.bug import Framework, Twin
from bugloss.core.codec import decode, encode
from bugloss.core.data_folder import data_folder
from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_bug import ForeignBug, ForeignLayout, ForeignSource
from bugloss.core.foreign_file import read_text
from bugloss.core.suggestion import did_you_mean
from bugloss.core.written_file import write_inside
from bugloss.corpus.foreign import bugs_in_py, commit_tables, program_pairs, swe_bench
from bugloss.corpus.foreign.clones import with_clone
from bugloss.corpus.foreign.contract import Reader

_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
_RESERVED = {framework.prefix for framework in Framework} | {"synthetic"}

# In the order in which a folder is asked what it is: the most particular first.
READERS: dict[ForeignLayout, Reader] = {
    ForeignLayout.BUGSINPY: bugs_in_py.READER,
    ForeignLayout.SWE_BENCH: swe_bench.READER,
    ForeignLayout.DEFECT4ML: program_pairs.reader(ForeignLayout.DEFECT4ML),
    ForeignLayout.AIFAULTBENCH: program_pairs.reader(ForeignLayout.AIFAULTBENCH),
    ForeignLayout.GDEFECTS4DL: commit_tables.READER,
}


def sources() -> list[ForeignSource]:
    """Every added benchmark, by name; a file that is not one is passed over."""
    folder = _folder()
    names = sorted(path.name for path in folder.glob("*.json")) if folder.is_dir() else []
    return [found for name in names if (found := _source(folder, name)) is not None]


def source_named(name: str) -> ForeignSource:
    known = {source.name: source for source in sources()}
    if name not in known:
        hint = did_you_mean(name, known) or "Add one: bugloss corpus add PATH"
        raise InvalidInput(f"there is no benchmark '{name}'.", hint=hint)
    return known[name]


def add_source(
    path: Path, layout: str | None = None, name: str | None = None, repositories: Path | None = None
) -> tuple[ForeignSource, list[ForeignBug]]:
    """Reads a benchmark where it is and remembers it; a source of the same name and path is read again."""
    if not path.exists():
        raise InvalidInput(f"{path} does not exist.", hint="Pass the folder or file of a local copy.")
    if repositories is not None and not repositories.is_dir():
        raise InvalidInput(f"{repositories} is not a folder.", hint="Pass the folder that contains the clones.")
    chosen = _layout(path, layout)
    called = name or chosen.value
    if not _NAME.fullmatch(called) or called in _RESERVED:
        hint = "Use lower-case letters, digits and hyphens, and none of: " + ", ".join(sorted(_RESERVED))
        raise InvalidInput(f"'{called[:60]}' cannot be the name of a benchmark.", hint=hint)
    whole = os.path.abspath(path)  # noqa: PTH100 - resolve() would follow links
    clones = os.path.abspath(repositories) if repositories is not None else ""  # noqa: PTH100
    source = ForeignSource(called, chosen, whole, clones, date.today().isoformat())
    other = next((one for one in sources() if one.name == called and one.path != whole), None)
    if other is not None:
        hint = f"Choose another name with --name, or remove it: bugloss corpus remove {called}"
        raise InvalidInput(f"there is a benchmark '{called}' already, in {other.path}.", hint=hint)
    bugs = bugs_of(source)
    if not bugs:
        raise InvalidInput(f"{path} contains no bug in the layout {chosen.value}.", hint=_known_layouts())
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_inside(folder, f"{called}.json", json.dumps(encode(source), indent=1) + "\n")
    except OSError as error:
        hint = "Set another folder: export BUGLOSS_DATA=/path"
        raise InvalidInput(f"{folder} cannot be written: {error.strerror}.", hint=hint) from error
    return source, bugs


def remove_source(name: str) -> ForeignSource:
    """Forgets a benchmark; its own files stay."""
    source = source_named(name)
    try:
        (_folder() / f"{source.name}.json").unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInput(f"{_folder()} cannot be written: {error.strerror}.") from error
    return source


def bugs_of(source: ForeignSource) -> list[ForeignBug]:
    """The bugs that the folder of a benchmark has now."""
    root = Path(source.path)
    if not root.exists():
        hint = f"Add it again from where it is now, or forget it: bugloss corpus remove {source.name}"
        raise InvalidInput(f"the benchmark {source.name} is no longer in {source.path}.", hint=hint)
    return [with_clone(source, bug) for bug in READERS[source.layout].read(root, source.name)]


def find_bug(name: str) -> tuple[ForeignSource, ForeignBug, Twin | None] | None:
    """A bug of an added benchmark by its id, with the program that a suffix b or f means; None where none is meant."""
    for source in sources():
        if name.startswith(f"{source.name}-"):
            bugs = {bug.id: bug for bug in bugs_of(source)}
            if name in bugs:
                return source, bugs[name], None
            twin = next((twin for twin in Twin if name.endswith(twin.letter)), None)
            if twin is not None and name[:-1] in bugs:
                return source, bugs[name[:-1]], twin
            hint = did_you_mean(name, bugs) or f"All its bugs: bugloss list --corpus {source.name}"
            raise InvalidInput(f"the benchmark {source.name} has no bug '{name}'.", hint=hint)
    return None


def _layout(path: Path, layout: str | None) -> ForeignLayout:
    if layout is not None:
        known = {one.value: one for one in ForeignLayout}
        if layout not in known:
            raise InvalidInput(f"there is no layout '{layout}'.", hint=_known_layouts())
        return known[layout]
    for chosen in _candidates(path):
        if (path.is_dir() or READERS[chosen] in {swe_bench.READER, commit_tables.READER}) and READERS[chosen].fits(
            path
        ):
            return chosen
    raise InvalidInput(f"{path} has none of the layouts that bugloss reads.", hint=_known_layouts())


def _candidates(path: Path) -> Iterator[ForeignLayout]:
    """The layout that the folder's own name says, then the others."""
    plain = re.sub(r"[^a-z0-9]", "", str(path.absolute().name).lower())
    named = [one for one in READERS if one.value.replace("-", "").rstrip("s") in plain]
    yield from dict.fromkeys((*named, *READERS))


def _known_layouts() -> str:
    return f"Layouts: {', '.join(one.value for one in ForeignLayout)}; name one with --layout."


def _folder() -> Path:
    return data_folder() / "corpora"


def _source(folder: Path, name: str) -> ForeignSource | None:
    try:
        return decode(ForeignSource, parse_json(read_text(folder, name)))
    except (ValueError, InvalidInput):
        return None
