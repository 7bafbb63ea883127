"""Lint: every complaint can be provoked, each by one fault, and a whole bug provokes none."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from tiny_corpus import FACTS, KINDS, REPORT, TinyCorpus, write_bug

from bugloss.corpus import lint as module
from bugloss.corpus.lint import LARGEST_FIX_LINES, LintProblem, lint

TEST = KINDS["exception"][2]
ORIGIN = FACTS["origin"]
ORIGINAL = "# It breaks\n\n" + "I do not know why.\n" * 10
LONG = "".join(f"x{number} = {number}\n" for number in range(LARGEST_FIX_LINES))

# What is done to a whole bug (facts of bug.toml, files), and the one complaint that must come of it.
FAULTS: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {
    "id of another shape": (
        {"bug": "torch-1"},
        ("bug.toml", "the id of a torch bug must look like 'torch-0001'"),
    ),
    "id of another framework": (
        {"bug": "keras-0001"},
        ("bug.toml", "the id of a torch bug must look like 'torch-0001'"),
    ),
    "title too long": (
        {"title": "x" * 91},
        ("bug.toml", "the title must have at most 90 characters and no full stop"),
    ),
    "title with a full stop": (
        {"title": "It breaks."},
        ("bug.toml", "the title must have at most 90 characters and no full stop"),
    ),
    "a link to nowhere": (
        {"origin": {**ORIGIN, "url": "http://example.com/1"}},
        ("bug.toml", "origin.url must be the documented bug on stackoverflow.com or github.com"),
    ),
    "template words in the title": (
        {"title": "FILL IN a title"},
        ("bug.toml", "title still contains text of the template"),
    ),
    "template words in the recipe": (
        {"data": {"recipe": "FILL IN", "licence": "none"}},
        ("bug.toml", "data.recipe still contains text of the template"),
    ),
    "template words in the notes": (
        {"notes": "FILL IN"},
        ("bug.toml", "notes still contains text of the template"),
    ),
    "unknown stack": ({"stack": "theano"}, ("bug.toml", "there is no stack called 'theano'.")),
    "a pin that is none": ({"pins": ["numpy"]}, ("bug.toml", "'numpy' is not an exact pin.")),
    "no report": ({"missing": "report.md"}, ("report.md", "is missing or not UTF-8 text")),
    "a report with template words": (
        {"files": {"report.md": REPORT + "FILL IN\n"}},
        ("report.md", "still contains text of the template"),
    ),
    "a report without a title": (
        {"files": {"report.md": REPORT[2:]}},
        ("report.md", "must start with a '# title' line"),
    ),
    "a report without tags": (
        {"files": {"report.md": REPORT.replace("Tags: python, lists", "Tags:")}},
        ("report.md", "must have a line 'Tags: a, b, c'"),
    ),
    "a reporter's text with template words": (
        {"files": {"original.md": ORIGINAL + "FILL IN\n"}},
        ("original.md", "still contains text of the template"),
    ),
    "a reporter's text without a title": (
        {"files": {"original.md": ORIGINAL[2:]}},
        ("original.md", "must start with a '# title' line"),
    ),
    "a reporter's text that is too short": (
        {"files": {"original.md": "# It breaks\n\nWhy?\n"}},
        ("original.md", "must have 10 to 60 lines"),
    ),
    "a reporter's text that gives the fix away": (
        {"files": {"original.md": ORIGINAL + "Here is the fix.\n"}},
        ("original.md", "reveals the answer: 'the fix'"),
    ),
    "files that only one twin has": (
        {"files": {"fixed/more.py": "x = 1\n"}},
        ("fixed/", "must contain the same files as buggy/"),
    ),
    "another entry file": ({"entry": "main.py"}, ("buggy/", "lacks the entry file main.py")),
    "a program that takes the test's name": (
        {"files": {"buggy/test.py": "", "fixed/test.py": ""}},
        ("buggy/test.py", "has a name that the test or a checkout needs"),
    ),
    "a program that takes the report's name": (
        {"files": {"buggy/report.md": "", "fixed/report.md": ""}},
        ("fixed/report.md", "has a name that the test or a checkout needs"),
    ),
    "a program that does not parse": (
        {"files": {"buggy/program.py": "def run(:\n"}},
        ("buggy/program.py", "does not parse: …"),
    ),
    "a program with template words": (
        {"files": {"fixed/program.py": KINDS["exception"][1] + "# FILL IN\n"}},
        ("fixed/program.py", "still contains text of the template"),
    ),
    "twins that are the same": (
        {"files": {"fixed/program.py": KINDS["exception"][0]}},
        ("fixed/", "must differ from buggy/"),
    ),
    "a fix that is too large": (
        {"files": {"fixed/program.py": KINDS["exception"][0] + LONG + "y = 1\n"}},
        ("fixed/", f"differs in {LARGEST_FIX_LINES + 1} lines; a fix may have at most {LARGEST_FIX_LINES}"),
    ),
    "no test": ({"missing": "test.py"}, ("test.py", "is missing or not UTF-8 text")),
    "a test that does not parse": (
        {"files": {"test.py": "oracle.survives(\n"}},
        ("test.py", "does not parse: …"),
    ),
    "a test with template words": (
        {"files": {"test.py": TEST + "# FILL IN\n"}},
        ("test.py", "still contains text of the template"),
    ),
    "a test without the oracle": (
        {"files": {"test.py": '"""Healthy."""\nimport program\nprogram.run()\n'}},
        ("test.py", "must call the oracle once, for 'exception'; it calls none"),
    ),
    "a test with another oracle": (
        {"files": {"test.py": KINDS["value"][2]}},
        ("test.py", "must call the oracle once, for 'exception'; it calls ['value']"),
    ),
    "a test with two oracles": (
        {"files": {"test.py": TEST + "oracle.survives(program.run)\n"}},
        ("test.py", "must call the oracle once, for 'exception'; it calls ['exception', 'exception']"),
    ),
    "a test whose bound is worked out": (
        {"kind": "value", "files": {"test.py": KINDS["value"][2].replace("0.9", "program.LIMIT")}},
        ("test.py", "must state 'at_least' as a literal, not as program.LIMIT: bounds are read, not run"),
    ),
    "a program that takes a module's name": (
        {"files": {"buggy/random.py": "", "fixed/random.py": ""}},
        ("buggy/random.py", "has the name of a standard library module"),
    ),
    "a test without a docstring": (
        {"files": {"test.py": TEST.partition("\n")[2]}},
        ("test.py", "must start with a docstring that says what a healthy program does"),
    ),
    "a report that gives the fix away": (
        {"files": {"report.md": REPORT + "The fix is easy.\n"}},
        ("report.md", "reveals the answer: 'The fix'"),
    ),
    "a program that gives itself away": (
        {"files": {"buggy/program.py": KINDS["exception"][0] + "# this is BUGGY\n"}},
        ("buggy/program.py", "reveals the answer: 'BUGGY'"),
    ),
    "no bug file": ({"missing": "bug.toml"}, ("bug.toml", "is not a bug folder: it has no bug.toml.")),
    "a bug file that is no TOML": (
        {"files": {"bug.toml": "id ="}},
        ("bug.toml", "cannot be read: …"),
    ),
    "a label that is none": (
        {"labels": {**FACTS["labels"], "symptom": "sad"}},
        ("bug.toml", "labels.symptom is 'sad', which is not one of its values."),
    ),
}

# Faults that cannot but break a second rule: what else may be said.
ALSO = {
    "another entry file": {("fixed/", "lacks the entry file main.py")},
    "a program that takes the test's name": {("fixed/test.py", "has a name that the test or a checkout needs")},
    "a program that takes the report's name": {("buggy/report.md", "has a name that the test or a checkout needs")},
    "a program that takes a module's name": {("fixed/random.py", "has the name of a standard library module")},
}


def spoil(tiny: TinyCorpus, fault: dict[str, Any]) -> Path:
    changes = dict(fault)
    bug, missing = changes.pop("bug", "torch-0001"), changes.pop("missing", None)
    folder = tiny.add(bug, **changes)
    if missing:
        (folder / missing).unlink()
    return folder


def test_a_bug_with_a_reporters_text_provokes_no_complaint(tiny: TinyCorpus) -> None:
    assert lint(tiny.add(files={"original.md": ORIGINAL})) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_bug_provokes_no_complaint(tiny: TinyCorpus, kind: str) -> None:
    assert lint(tiny.add(kind=kind)) == []


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_provokes_its_complaint_and_no_other(tiny: TinyCorpus, name: str) -> None:
    fault, complaint = FAULTS[name]
    folder = spoil(tiny, fault)
    assert {(problem.file, plain(problem.message, folder)) for problem in lint(folder)} == {
        complaint,
        *ALSO.get(name, set()),
    }


def plain(message: str, folder: Path) -> str:
    """Without the place, and without the words of Python and TOML, which differ from release to release."""
    message = message.removeprefix(f"{folder} ").removeprefix(f"{folder / 'bug.toml'} ")
    return re.sub(r"(does not parse|cannot be read): .*", r"\1: …", message)


def test_a_problem_names_bug_and_file(tiny: TinyCorpus) -> None:
    folder = tiny.add(files={"report.md": REPORT[2:]})
    assert lint(folder) == [LintProblem("torch-0001", "report.md", "must start with a '# title' line")]


def test_a_bug_in_the_folder_of_another_framework_is_found(tiny: TinyCorpus) -> None:
    folder = write_bug(tiny.root / "keras" / "torch-0001")
    assert [problem.message for problem in lint(folder)] == ["a torch bug belongs in torch/, not in keras/"]


def test_the_working_folder_and_the_one_above_are_called_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_bug(tmp_path / "my-bug", files={"report.md": REPORT[2:]})
    with monkeypatch.context() as inside:
        for place, given in ((folder, Path()), (folder / "buggy", Path(".."))):
            inside.chdir(place)
            assert [(problem.bug, problem.file) for problem in lint(given)] == [("my-bug", "report.md")]


def test_a_draft_may_be_called_anything_and_lie_anywhere(tmp_path: Path) -> None:
    assert lint(write_bug(tmp_path / "my-bug")) == []


@pytest.mark.parametrize("name", ["buggy/data.bin", "report.md", "original.md", "test.py", "buggy/program.py"])
def test_bytes_that_are_no_text_are_named_and_stop_nothing(tiny: TinyCorpus, name: str) -> None:
    folder = tiny.add()
    (folder / name).write_bytes(b"\xff\xfe\x00")
    if name.startswith("buggy/data"):
        (folder / "fixed" / "data.bin").write_bytes(b"\xff\xfe\x00")
    assert any("not UTF-8 text" in problem.message for problem in lint(folder))


@pytest.mark.parametrize(
    "content", ["", "\0", "(" * 5000, "-" * 50_000 + "1"], ids=["empty", "null", "never closed", "nested without end"]
)
def test_strange_programs_are_complained_about_and_stop_nothing(tiny: TinyCorpus, content: str) -> None:
    folder = tiny.add(files={"buggy/program.py": content, "test.py": content})
    assert lint(folder)


def test_a_check_that_fails_is_named_and_stops_nothing(tiny: TinyCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(bug: object) -> None:
        raise KeyError("units")

    fail.__name__ = "_fix"
    monkeypatch.setattr(module, "_fix", fail)
    folder = tiny.add(files={"report.md": REPORT[2:]})
    assert [problem.message for problem in lint(folder)] == [
        "must start with a '# title' line", "the check 'fix' failed on this bug: KeyError: 'units'",
    ]  # fmt: skip


def test_every_complaint_of_the_module_is_provoked_here() -> None:
    """A new complaint wants a fault above: the words of each ``yield`` must occur in some expectation."""
    source = inspect.getsource(module)
    phrases = re.findall(r'yield\s+(?:"[^"]*"|name|path|f"[^"]*"),\s+f?"([^"]*)"', source)
    assert len(phrases) > 15
    said = [message for _, (_, message) in FAULTS.values()]
    said += [
        "a torch bug belongs in torch/, not in keras/",
        "is not UTF-8 text",
        "contains a file that is not UTF-8 text",
    ]
    said += ["the check 'fix' failed on this bug: KeyError: 'units'"]
    for phrase in phrases:
        pattern = ".*".join(re.escape(part) for part in re.split(r"\{[^}]*\}", phrase))
        assert any(re.search(pattern, message) for message in said), f"nothing provokes: {phrase}"
