"""Localizing, reproducing and repairing on the same engine: what other tools propose is tried before it counts."""

from __future__ import annotations

import json
from typing import Any

from command_line import CommandLine
from tiny_corpus import TinyCorpus

PATCH = """--- a/program.py
+++ b/program.py
@@ -1,2 +1,2 @@
 def run():
-    return [1, 2, 3][3]
+    return [1, 2, 3][2]
"""


def evaluate(cli: CommandLine, task: str, key: str, answers: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Each tool gives one answer for the one bug."""
    lines = [{"bug": "torch-0001", "tool": tool, key: text} for tool, text in answers.items()]
    (cli.folder / "given.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = cli("evaluate", task, "--tools", "", "-p", "given.jsonl", "-o", "out", "--json")
    assert done.code == 0, done.err
    return {row["tool"]: row for row in done.document["matrix"]}


def test_a_program_that_shall_show_a_bug_is_run(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add()
    answers = {"right": "[1, 2, 3][3]\n", "other": "int('x')\n", "quiet": "print(1)\n"}
    rows = evaluate(cli, "reproduce", "script", answers)
    assert {tool: row["marks"]["R3 or better"] for tool, row in rows.items()} == {
        "right": True,
        "other": False,
        "quiet": False,
    }
    assert rows["quiet"]["answer"] == "runs without a failure"


def test_a_patch_is_tested_with_the_test_of_the_bug(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add()
    worse = PATCH.replace("+    return [1, 2, 3][2]", "+    return [1, 2, 3][4]")
    rows = evaluate(cli, "repair", "patch", {"good": PATCH, "bad": worse, "torn": PATCH.replace("run", "walk")})
    assert {tool: row["marks"]["correct@1"] for tool, row in rows.items()} == {
        "good": True,
        "bad": False,
        "torn": False,
    }
    assert rows["torn"]["answer"].startswith("the patch does not apply")


def test_the_files_of_a_program_are_ranked_by_its_report(cli: CommandLine, tiny: TinyCorpus) -> None:
    further = {
        f"{side}/{name}.py": f"def {name}():\n    pass\n" for side in ("buggy", "fixed") for name in ("data", "net")
    }
    tiny.add(files=further)
    tiny.add("torch-0002")
    done = cli("evaluate", "localize", "--tools", "bm25", "-o", "out", "--json")
    assert done.code == 0, done.err
    rows = {row["bug"]: row for row in done.document["matrix"]}
    assert rows["torch-0001"]["marks"]["Top@5"] is True
    assert rows["torch-0002"]["buggy"] == "does-not-apply"
