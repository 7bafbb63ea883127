"""A bug as a SWE-bench instance: problem statement, patch, test and the tests that must turn green."""

from __future__ import annotations

import json
from importlib.resources import files

from bugloss.core.bug import Twin
from bugloss.core.visible import json_text
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import added_file, bug_files


def as_swebench(entry: Entry) -> str:
    """One JSON document with SWE-bench's keys; of our own programs ``base_commit`` is the digest of the content."""
    stack, upstream = entry.stack, entry.bug.upstream
    root = f"{upstream.root}/" if upstream is not None and upstream.root else ""
    base = upstream.before if upstream is not None else entry.digest()
    oracle = (files("bugloss.probes") / "oracle.py").read_text(encoding="utf-8")
    instance = {
        "instance_id": f"bugloss__{entry.id}",
        "repo": upstream.repository if upstream is not None else f"bugloss/{entry.id}",
        "base_commit": base,
        "problem_statement": entry.report,
        "hints_text": "",
        "patch": entry.diff(root),
        "test_patch": "".join(added_file(text, f"{root}{name}") for name, text in _added(entry, oracle).items()),
        "FAIL_TO_PASS": json.dumps([f"{root}test.py"]),
        "PASS_TO_PASS": json.dumps([]),
        "version": stack.name,
        "environment_setup_commit": base,
        "python": stack.python[0],
        "requirements": list(stack.packages),
    }
    return json_text(instance, indent=1) + "\n"


def _added(entry: Entry, oracle: str) -> dict[str, str]:
    """What the test needs beside the program; for a repository that is also the program that uses it."""
    own = bug_files(entry.own_program(Twin.BUGGY)).files if entry.bug.upstream is not None else ()
    used = {file.name: file.read_bytes().decode() for file, _ in own}
    return {"oracle.py": oracle, "test.py": entry.test_text, **used}
