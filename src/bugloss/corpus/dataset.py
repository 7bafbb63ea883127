"""All bugs as rows of one data set, and the card that says what is in it and how it may be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from bugloss.core.bug import BugKind, Twin
from bugloss.core.codec import encode
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.corpus.where import FIELDS, value_of

# What a row has besides the fields of queries: name, type in words, meaning.
COLUMNS: Mapping[str, tuple[str, str]] = {
    "id": ("string", "permanent id, never given to another bug"),
    "title": ("string", "one line that names the fault"),
    "kind": ("string", "real: somebody had and documented it; synthetic: a mutation operator made it"),
    "framework": ("string", "the library whose use is at fault: torch, keras, tensorflow"),
    "stack": ("string", "name of the pinned environment"),
    "python": ("string", "Python version of the environment"),
    "category": ("string", "label of the first level of the taxonomy"),
    "bug_type": ("string", "label of the second level of the taxonomy"),
    "general_type": ("string", "general type, as in gDefects4DL"),
    "symptom": ("string", "what is seen: crash, bad-performance, …"),
    "property": ("string", "the quality that is violated"),
    "fix_pattern": ("string", "pattern of the fix"),
    "origin": ("string", "where the cause is: in the program or outside"),
    "edit_actions": ("list of strings", "what it took to make a program of the report"),
    "oracle": ("string", "how the test decides: exception, value, symptom (over seeds), cost"),
    "exception": ("string", "class of the documented exception, where the oracle is exception"),
    "status": ("string", "active, flaky or deprecated; only active bugs count in scores"),
    "source": ("string", "kind of place where the bug was documented first"),
    "url": ("string", "that place; empty for synthetic bugs"),
    "aliases": ("list of strings", "names of the same bug elsewhere"),
    "seconds": ("number", "expected duration of the test"),
    "entry": ("string", "path of the program's main file"),
    "requirements": ("list of strings", "exact pins of all packages"),
    "report": ("string", "report.md: what a user sees, without the fix"),
    "original_report": ("string", "the report as it would have been sent: incomplete; empty where there is none"),
    "diff": ("string", "the fix, as a unified diff from the buggy to the fixed program"),
    "buggy": ("list of {path, text}", "the buggy program"),
    "fixed": ("list of {path, text}", "the fixed program"),
    "test": ("string", "test.py, which calls the oracle; oracle.py is beside the data"),
    "data_recipe": ("string", "where the program's data come from"),
    "data_licence": ("string", "under which terms"),
    "reported_with": ("string", "releases that the report names"),
    "notes": ("string", "where the re-creation differs from the report"),
    "verified": ("{buggy, fixed, standing, date, platform, isolation, current} or null", "the last verification"),
    "mutation": ("{operator, group, base, path, line, …} or null", "how a synthetic fault was made"),
}
_VERIFIED = ("buggy", "fixed", "standing", "date", "platform", "isolation")
_COUNTED = ("framework", "stack", "category", "symptom", "oracle", "source", "status")


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """What the card says of the corpus as a whole."""

    name: str
    licence: str
    version: str


def row_of(entry: Entry) -> dict[str, object]:
    """A bug with its report, programs and test, in the order of ``COLUMNS``."""
    bug, verified = entry.bug, entry.verified
    standing = {name: getattr(verified, name) for name in _VERIFIED} if verified is not None else None
    if standing is not None and verified is not None:
        standing["current"] = verified.digest == entry.digest()
    more: dict[str, object] = {
        "entry": bug.entry,
        "requirements": list(entry.stack.packages),
        "report": entry.report,
        "original_report": _original(entry),
        "diff": entry.diff(),
        "buggy": _program(entry, Twin.BUGGY),
        "fixed": _program(entry, Twin.FIXED),
        "test": entry.test_text,
        "data_recipe": bug.data.recipe,
        "data_licence": bug.data.licence,
        "reported_with": bug.origin.reported_with,
        "notes": bug.notes,
        "verified": standing,
        "mutation": encode(bug.mutation) if bug.mutation is not None else None,
    }
    facts = {field: value_of(entry, field) for field in FIELDS} | more
    return {name: facts[name] for name in COLUMNS}


def card(entries: Sequence[Entry], facts: CorpusFacts, data_files: Mapping[BugKind, str]) -> str:
    """The data card: README.md beside the data."""
    template = (files("bugloss.corpus") / "data_card.md.txt").read_text(encoding="utf-8")
    configs = "".join(
        f"- config_name: {kind.value}\n  data_files: {name}\n" + ("  default: true\n" if kind is BugKind.REAL else "")
        for kind, name in data_files.items()
    )
    columns = "".join(f"| `{name}` | {kind} | {meaning} |\n" for name, (kind, meaning) in COLUMNS.items())
    counts = "".join(_counts(entries, kind) for kind in data_files)
    licences = Counter(entry.bug.data.licence for entry in entries)
    return template.format(
        name=facts.name, licence=facts.licence, tag=facts.licence.lower(), version=facts.version, configs=configs,
        columns=columns, counts=counts, verified=_verified(entries), bugs=len(entries),
        data_licences="".join(f"| {licence} | {count} |\n" for licence, count in licences.most_common()),
        loading=_loading(next(iter(data_files.values()), "bugs.jsonl")),
    )  # fmt: skip


def _loading(name: str) -> str:
    """How people load the file, in Python."""
    if name.endswith(".parquet"):
        return f'import pandas\nbugs = pandas.read_parquet("{name}")  # or: pyarrow.parquet.read_table("{name}")'
    lines = [
        "import json",
        f'bugs = [json.loads(line) for line in open("{name}")]',
        f'# or: pandas.read_json("{name}", lines=True), datasets.load_dataset("json", data_files="{name}")',
    ]
    return "\n".join(lines)


def _counts(entries: Iterable[Entry], kind: BugKind) -> str:
    """A table of one kind: kinds are never added up."""
    chosen = [entry for entry in entries if entry.bug.kind is kind]
    rows = []
    for field in _COUNTED:
        found = Counter(str(value_of(entry, field)) for entry in chosen).most_common()
        rows.append(f"| {field} | {', '.join(f'{value} {count}' for value, count in found)} |\n")
    return f"### {kind.value}: {len(chosen)} bugs\n\n| field | values |\n| --- | --- |\n{''.join(rows)}\n"


def _verified(entries: Sequence[Entry]) -> str:
    """How many bugs were verified as they are now, and how many otherwise."""
    known = [entry for entry in entries if entry.verified is not None]
    current = [entry for entry in known if entry.verified and entry.verified.digest == entry.digest()]
    active = sum(entry.verified is not None and entry.verified.standing == "active" for entry in current)
    return (
        f"{active} of {len(entries)} bugs were active when they were last verified with the content they have here; "
        f"{len(known) - len(current)} were verified with other content, {len(entries) - len(known)} have no record."
    )


def _program(entry: Entry, twin: Twin) -> list[dict[str, str]]:
    found = bug_files(entry.program(twin)).files
    return [{"path": file.name, "text": file.read_bytes().decode("utf-8")} for file, _ in found]


def _original(entry: Entry) -> str:
    try:
        return read_text(entry.bug.folder, "original.md")
    except FileRefused:
        return ""
