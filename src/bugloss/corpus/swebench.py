"""A bug as a SWE-bench instance: problem statement, patch, test and the tests that must turn green."""

from __future__ import annotations

import json
from importlib.resources import files

from bugloss.core.visible import json_text
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import added_file


def as_swebench(entry: Entry) -> str:
    """One JSON document with SWE-bench's keys; ``base_commit`` is the digest of the bug's content."""
    stack = entry.stack
    oracle = (files("bugloss.probes") / "oracle.py").read_text(encoding="utf-8")
    instance = {
        "instance_id": f"bugloss__{entry.id}",
        "repo": f"bugloss/{entry.id}",
        "base_commit": entry.digest(),
        "problem_statement": entry.report,
        "hints_text": "",
        "patch": entry.diff(),
        "test_patch": added_file(oracle, "oracle.py") + added_file(entry.test_text, "test.py"),
        "FAIL_TO_PASS": json.dumps(["test.py"]),
        "PASS_TO_PASS": json.dumps([]),
        "version": stack.name,
        "environment_setup_commit": entry.digest(),
        "python": stack.python[0],
        "requirements": list(stack.packages),
    }
    return json_text(instance, indent=1) + "\n"
