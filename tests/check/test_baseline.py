"""Known findings: recognised where they moved to, and each excuses one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.check.running.baseline import fingerprint, without_known, write_baseline
from bugloss.core.edit import Span
from bugloss.core.errors import InvalidInput
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern


def finding(line: int = 1, rule: str = "r", path: str = "a.py", message: str = "m") -> Finding:
    return Finding(rule, path, Span(line, 0, line, 1), message, Severity.ERROR, Category.API, FixPattern.API_CONTRACT)


def test_what_is_known_is_not_reported_though_its_line_moved(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [finding(1)], lambda _: "loss.backward()")
    assert without_known([finding(40)], path, lambda _: "        loss.backward()  ") == []


@pytest.mark.parametrize(
    "changed", [finding(rule="other"), finding(path="b.py")], ids=["another rule", "another file"]
)  # fmt: skip
def test_another_rule_or_file_is_new(tmp_path: Path, changed: Finding) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [finding()], lambda _: "x")
    assert without_known([changed], path, lambda _: "x") == [changed]


def test_another_text_of_the_line_is_new_and_another_message_is_not(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [finding()], lambda _: "x")
    assert without_known([finding()], path, lambda _: "y") == [finding()]
    assert without_known([finding(message="said otherwise")], path, lambda _: "x") == []


@given(st.integers(0, 5), st.integers(0, 8))
def test_each_known_finding_excuses_one(tmp_path_factory: pytest.TempPathFactory, known: int, now: int) -> None:
    path = tmp_path_factory.mktemp("baseline") / "baseline.json"
    write_baseline(path, [finding(line) for line in range(1, known + 1)], lambda _: "x = log(y)")
    left = without_known([finding(line) for line in range(1, now + 1)], path, lambda _: "x = log(y)")
    assert len(left) == max(0, now - known)


def test_the_file_is_the_same_whatever_the_order(tmp_path: Path) -> None:
    found = [finding(line, rule) for line in (1, 2) for rule in ("a", "b")]
    for name, order in (("one", found), ("two", found[::-1])):
        write_baseline(tmp_path / name, order, lambda found: f"line {found.span.line}")
    assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text()


def test_a_fingerprint_is_sixteen_digits() -> None:
    assert len(fingerprint(finding(), "x")) == 16
    int(fingerprint(finding(), "x"), 16)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"known": 3}', '{"known": ["a"]}', '{"known": {"a": "many"}}', '{"known": {"a": null}}']
)  # fmt: skip
def test_a_spoilt_baseline_is_one_sentence_with_the_remedy(tmp_path: Path, content: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(content)
    with pytest.raises(InvalidInput, match="cannot be read") as caught:
        without_known([finding()], path, lambda _: "x")
    assert "--write-baseline" in caught.value.hint


def test_a_baseline_that_cannot_be_read_or_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        without_known([], tmp_path / "missing.json", lambda _: "x")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_baseline(tmp_path / "no" / "folder.json", [], lambda _: "x")


def test_a_baseline_is_json_that_people_can_merge(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [finding(1), finding(2)], lambda _: "x")
    document = json.loads(path.read_text())
    assert document["version"] == 1
    assert list(document["known"].values()) == [2]
    assert path.read_text().endswith("\n")
