"""Unified diffs of two texts: they apply, and long texts cost next to nothing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from pace import within

from bugloss.core.text_diff import text_diff

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\r\n", "\n"]), max_size=14).map("".join)
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")
ENDS = st.sampled_from(["", "e", "é"])


def applied(diff: str, before: str) -> str:
    """The strictest reader of a diff: every hunk at its own line, every line of context as it says."""
    old = before.split("\n")
    result: list[str] = []
    position = 0
    for part in re.split(r"(?=^@@ )", diff, flags=re.MULTILINE)[1:]:
        match = HUNK.match(part)
        assert match
        start = int(match[1]) - (match[2] != "0")
        result += [f"{line}\n" for line in old[position:start]]
        position, added = start, False
        for line in part[match.end() :].removesuffix("\n").split("\n"):
            if line.startswith("\\"):
                result[-1:] = [result[-1].removesuffix("\n")] if added else result[-1:]
                continue
            added = line[0] in " +"
            if line[0] in " -":
                assert old[position] == line[1:]
                position += 1
            if added:
                result.append(f"{line[1:]}\n")
    return "".join(result) + "\n".join(old[position:])


@given(LINES, LINES, LINES, ENDS, ENDS)
def test_a_diff_leads_from_one_text_to_the_other(head: str, old: str, new: str, end: str, other_end: str) -> None:
    before, after = head + old + head + end, head + new + head + other_end
    diff = text_diff(before, after, "a/f", "b/f")
    assert (diff == "") == (before == after)
    if diff:
        assert applied(diff, before) == after


def test_git_takes_it(tmp_path: Path) -> None:
    before = "".join(f"line {i}\n" for i in range(50))
    after = before.replace("line 20\n", "line twenty\nand more\n").replace("line 48\n", "")
    (tmp_path / "f").write_text(before)
    subprocess.run(
        ["git", "apply", "-"], cwd=tmp_path, input=text_diff(before, after, "a/f", "b/f").encode(), check=True
    )
    assert (tmp_path / "f").read_text() == after


def test_a_small_change_of_a_long_text_is_quick() -> None:
    before = "".join(f"x = {i % 7}\n" for i in range(60_000))
    after = before[:300_000] + "y" + before[300_000:]
    with within(5):
        diff = text_diff(before, after, "a/f", "b/f")
    assert diff.count("\n") == 11
