"""What the pages show, without a server: reports, diffs, bugs, answers, health, rules, studies."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_corpus import TinyCorpus

from bugloss.core.bug import OracleKind
from bugloss.core.codec import encode
from bugloss.core.run import Stream
from bugloss.corpus.catalogue import Catalogue
from bugloss.corpus.collection import load
from bugloss.corpus.register import Verified, write_verified
from bugloss.intake.given import parse_report
from bugloss.intake.reading import take_apart
from bugloss.record.store.job import JobRecord, JobState
from bugloss.show.web.views.ask import answer, is_program
from bugloss.show.web.views.bug import dots, view_bug
from bugloss.show.web.views.bug_actions import actions_of
from bugloss.show.web.views.code import side_by_side
from bugloss.show.web.views.health import Checkup, view_health
from bugloss.show.web.views.jobs import in_short, view_job
from bugloss.show.web.views.report import ReportView, view_report
from bugloss.show.web.views.rules import RuleChoice, read_choice, view_rules
from bugloss.show.web.views.studies import STUDIES, table_csv, view_study


def shown_report(text: str) -> ReportView:
    return view_report(take_apart(parse_report(text.encode(), "report.md")))


def test_facts_of_a_report_are_marked_where_they_are_stated() -> None:
    shown = shown_report(
        "# A title\n\nMy input has shape (64, 3, 224, 224) and I use `Adam` with lr=0.1 in PyTorch 1.4.\n"
    )
    facts = {piece.kind: piece.text for passage in shown.passages for piece in passage.pieces if piece.fact}
    assert facts["shape"] == "(64, 3, 224, 224)" and "version" in facts
    assert any(piece.code and piece.text == "Adam" for passage in shown.passages for piece in passage.pieces)


def test_code_keeps_its_lines_and_prose_its_paragraphs_and_items() -> None:
    shown = shown_report("# T\n\none\ntwo\n\n- first\n- second\n\n```python\nx = 1\n\ny = 2\n```\n")
    kinds = [(passage.kind, "".join(piece.text for piece in passage.pieces)) for passage in shown.passages]
    assert [kind for kind, _ in kinds] == ["prose", "item", "item", "code"]
    assert kinds[3][1] == "x = 1\n\ny = 2"


def test_no_report_of_the_corpus_loses_words() -> None:
    for entry in load().readable()[0]:
        shown = shown_report(entry.report)
        words = set(
            re.findall(r"\w{4,}", "\n".join("".join(piece.text for piece in one.pieces) for one in shown.passages))
        )
        lost = set(re.findall(r"\w{4,}", entry.report.split("\n\n", 2)[2])) - words - {"python", "text"}
        assert lost <= {"Tags", "console", "pytb", "bash"}, (entry.id, lost)


def test_a_diff_pairs_the_lines_of_both_programs(tmp_path: Path) -> None:
    for name, text in (("a", "import x\nrate = 1\nend = 2\n"), ("b", "import x\nrate = 2\nnew = 3\nend = 2\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.py").write_text(text)
        (tmp_path / name / "same.py").write_text("pass\n")
    (file,) = side_by_side(tmp_path / "a", tmp_path / "b")
    rows = [(row.kind, row.left and row.left.number, row.right and row.right.number) for row in file.rows]
    assert rows == [("same", 1, 1), ("changed", 2, 2), ("added", None, 3), ("same", 3, 4)]
    assert (file.name, file.removed, file.added) == ("train.py", 1, 2)


def test_markup_in_a_program_is_text(tmp_path: Path) -> None:
    for name, text in (("a", "x = '<script>'\n"), ("b", "y = '<b>'\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.py").write_text(text)
        (tmp_path / name / "p.txt").write_text(text)
    files = side_by_side(tmp_path / "a", tmp_path / "b")
    html = "".join(half.html for file in files for row in file.rows for half in (row.left, row.right) if half)
    assert "<script>" not in html and "&lt;script&gt;" in html and "<b>" not in html


def test_the_page_of_every_bug_can_be_made() -> None:
    entries, broken = load().readable()
    assert not broken
    catalogue = Catalogue(entries)
    for entry in entries[::7]:
        view = view_bug(entry, catalogue)
        assert view.files or entry.bug.upstream is not None  # no test clones a repository
        assert view.report.passages and view.similar and view.support >= 1 and not view.problems
        assert view.stability is not None and len(view.stability.buggy) >= 5


def test_dots_show_how_many_runs_went_as_they_must() -> None:
    assert dots("4/5 fail") == (True, True, True, True, False)
    assert dots("not run") == ()


def test_a_tool_that_does_not_apply_says_why() -> None:
    entries = load().readable()[0]
    crash = next(entry for entry in entries if entry.bug.oracle.kind is OracleKind.EXCEPTION)
    refusals = {action.name: action.refusal for action in actions_of(crash)}
    assert refusals["deeplocalize"] and not refusals["test-buggy"]
    silent = next(entry for entry in entries if entry.bug.oracle.kind is OracleKind.SYMPTOM)
    assert not {action.name: action.refusal for action in actions_of(silent)}["deeplocalize"]


TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 9, in <module>
    out = model(x)
  File "train.py", line 4, in forward
    return self.fc(x)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)
"""


def test_a_traceback_is_explained_with_solved_bugs() -> None:
    view = answer(TRACEBACK, load())
    assert view.found.exception is not None and view.found.exception.kind == "RuntimeError"
    assert view.found.causes and view.found.matches and view.triage is not None


def test_a_cause_that_is_known_is_not_contradicted_by_a_type() -> None:
    """A bare traceback was explained, and below it stood that it does not seem to be about deep learning."""
    traceback = 'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    out = model(x)\n'
    known = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)"
    assert not answer(f"{traceback}{known}", load()).has_type
    assert answer("The button of my web shop stays grey when I press it twice. What can I do?", load()).has_type


def test_a_program_is_checked_and_its_fix_shown() -> None:
    code = (
        "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))\n"
        "loss = nn.CrossEntropyLoss()\nloss(model(torch.randn(2, 4)), torch.tensor([0, 1]))\n"
    )
    view = answer(code, load())
    assert view.is_program and view.triage is None and view.findings
    assert any("Softmax" in finding.diff for finding in view.programs[0].findings)


def test_a_report_with_code_gets_triage_edits_and_findings() -> None:
    view = answer(load()["torch-0003"].report, load())
    assert view.triage is not None and view.edits and view.report is not None and view.report.facts


@pytest.mark.parametrize(
    ("text", "expected"), [("import torch\n", True), ("hello", False), ("a b c", False), ("", False)]
)
def test_words_that_happen_to_parse_are_not_a_program(text: str, expected: bool) -> None:
    assert is_program(text) is expected


def ended(verb: str, result: dict[str, object]) -> JobRecord:
    return JobRecord("1", verb, "torch-0003b", {}, JobState.DONE, 0.0, result=result)


def test_what_a_program_printed_is_shown_as_it_was_printed() -> None:
    """The page showed the document of a stream, and an empty part for an empty stream."""
    run = {"stdout": encode(Stream("")), "stderr": encode(Stream("Traceback\n  File"))}
    job = ended("test", {"twin": "buggy", "grade": "fail", "reason": "as documented", "measured": {}, "run": run})
    parts = {part.title: part.code for part in view_job(job, ()).parts}
    assert parts == {"The test on the buggy program": "", "The program's stderr": "Traceback\n  File"}
    assert in_short(job) == "The test on the buggy program: fail"


def test_an_evaluation_shows_the_scores_of_its_tools() -> None:
    """Its page showed sixty files and no score."""
    measures = {"recall": {"value": 0.75, "count": 3, "of": 4}, "F1": {"value": None}}
    result: dict[str, object] = {
        "sections": [{"kind": "real", "bugs": ["torch-0001"], "scores": {"check": {"measures": measures}}}]
    }
    job = ended("evaluate", result)
    (part,) = view_job(job, ()).parts
    assert (part.headings, part.rows) == (("tool", "recall", "F1"), (("check", "0.75", "–"),))
    assert in_short(job) == "Scores on 1 real bug: check recall 0.75"


def test_a_failed_job_says_why_in_short() -> None:
    job = replace(ended("repair", {}), result=None, error={"message": "no stack fits."})
    assert in_short(job) == "no stack fits."


def verified(standing: str, day: str) -> Verified:
    return Verified("d", "5/5 fail", "5/5 pass", standing, day, "Linux", "bubblewrap", "e", 2.0)


def test_health_counts_the_latest_verification_of_each_bug(tmp_path: Path) -> None:
    corpus = TinyCorpus(tmp_path / "bugs")
    for number in range(1, 5):
        corpus.add(f"torch-000{number}")
    write_verified(
        corpus.root, {"torch-0001": verified("active", "2026-01-01"), "torch-0002": verified("flaky", "2026-01-02")}
    )
    entries = corpus.load().readable()[0]
    checkups = [
        Checkup("torch-0002", "2026-01-03", "active"),
        Checkup("torch-0003", "2026-01-03", "broken", "it passes"),
    ]
    view = view_health(entries, checkups)
    assert (view.total, view.active) == (4, 2)
    assert {bug: standing for bug, _, standing, _ in view.broken} == {
        "torch-0003": "broken",
        "torch-0004": "never verified",
    }
    assert [(day.day, day.verified, day.active) for day in view.days] == [
        ("2026-01-03", 2, 1),
        ("2026-01-02", 1, 0),
        ("2026-01-01", 1, 1),
    ]


def test_rules_move_with_support_and_confidence() -> None:
    all_rules = view_rules(RuleChoice(least=1, confidence=0))
    strict = view_rules(RuleChoice(least=5, confidence=50))
    assert all_rules.total > strict.total > 0
    assert all(row.count >= 5 and row.confidence >= 50 for row in strict.rows)
    assert ("Training bug", "Input data generation", 16, 26) in {
        (row.antecedent, row.consequent, row.count, row.of) for row in strict.rows
    }
    assert view_rules(RuleChoice(least=200, confidence=100)).total == 0


@pytest.mark.parametrize(
    "given", [{"least": "x"}, {"confidence": "999"}, {"kind": "?"}, {"scope": "7"}, {"least": "²"}]
)
def test_a_choice_that_makes_no_sense_is_left_out(given: dict[str, str]) -> None:
    choice = read_choice(given)
    assert 0 <= choice.confidence <= 100 and choice.kind == "actions" and view_rules(choice).total >= 0


@pytest.mark.parametrize("name", [study.name for study in STUDIES])
def test_every_study_has_a_page_with_its_data(name: str) -> None:
    view = view_study(name)
    assert view is not None and view.tables
    for table in view.tables:
        text = table_csv(name, table.name)
        assert text is not None and len(text.splitlines()) == len(table.rows) + 1
