"""One bad document, bug or report stops nothing else, and results are whole."""

from __future__ import annotations

import errno
import json
import os
import re
import sqlite3
from pathlib import Path

import pytest
from bad_files import FAULTY
from command_line import CommandLine
from tiny_corpus import TinyCorpus
from tiny_repository import TinyRepository

from bugloss.check.running import inspection as inspection_module
from bugloss.core.documents import parse_json, parse_toml
from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Standing
from bugloss.core.python_text import parse_python
from bugloss.core.written_file import write_named
from bugloss.corpus.bug_file import read_bug
from bugloss.evaluate.subjects import RankedReport
from bugloss.localize.index import file_corpus as corpus_module
from bugloss.localize.index.fact_store import FactStore
from bugloss.record.trials import TrialArchive
from bugloss.run.environment import Environment
from bugloss.workflows import evaluation as evaluation_module
from bugloss.workflows import verification as verification_module
from bugloss.workflows.evaluation import EvaluationRequest, evaluate_localization
from bugloss.workflows.localization import LocalizationRequest, localize_report
from bugloss.workflows.verification import VerificationRequest, verify

SOURCE = Path(inspection_module.__file__).parents[2]


# ── check: what comes out ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("format", ["full", "concise", "json", "sarif", "github"])
def test_names_that_are_not_utf8_are_written_in_every_format(folder: Path, shell: CommandLine, format: str) -> None:
    (folder / os.fsdecode(b"d\xff")).mkdir()
    for name in (b"caf\xe9.py", b"d\xff/x.py", b"d\xff/broken.py"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("(" if b"broken" in name else FAULTY)
    done = shell("check", "--no-cache", "--output-format", format)
    saved = shell.inside("check", "--no-cache", "--output-format", format, "-o", "out")
    text = (folder / "out").read_bytes().decode("utf-8")
    assert (done.code, saved.code) == (1, 1)
    assert ("caf%E9.py" if format == "sarif" else "caf\\udce9.py") in done.out
    assert text.count("syntax-error") >= 1
    if format in {"json", "sarif"}:
        json.loads(text)
        json.loads(done.out)
    assert shell.inside("check", "--no-cache", "--write-baseline", "known.json").code == 0
    assert shell.inside("check", "--no-cache", "--baseline", "known.json").code == 0


def test_the_exit_codes_of_files_that_do_not_parse_and_of_other_kinds(shell: CommandLine) -> None:
    (shell.folder / "bad.py").write_text("x = (\n")
    (shell.folder / "data.csv").write_text("a,b\n")
    done = shell.inside("check", "bad.py", "good.py", "--output-format", "concise")
    assert done.code == 1
    assert done.out.splitlines()[0] == "bad.py:1:5: error syntax-error: this file does not parse: '(' was never closed"
    assert "good.py:7:9: error missing-zero-grad" in done.out
    other = shell.inside("check", "data.csv")
    assert other.code == 2
    assert other.err.startswith("bugloss: data.csv is neither a Python file nor a notebook.\n")
    assert shell.inside("check").code == 1  # in a folder, other kinds are not looked at


def test_a_syntax_error_in_a_notebook_is_shown_in_its_cell(shell: CommandLine) -> None:
    cells = [{"cell_type": "code", "source": "x = 1\ny = 2\n"}, {"cell_type": "code", "source": "a = 1\nb = (\n"}]
    (shell.folder / "notes.ipynb").write_text(json.dumps({"cells": cells}))
    (found,) = shell.inside("check", "notes.ipynb", "--json").document["findings"]
    assert (found["rule"], found["cell"], found["line"], found["column"]) == ("syntax-error", 2, 2, 5)
    assert "     2 │ b = (\n" in shell.inside("check", "notes.ipynb").out


def test_one_file_that_cannot_be_written_does_not_keep_others_from_being_fixed(
    shell: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "import numpy as np\n\nx = np.zeros(3).astype(np.float)\n"
    for name in ("a.py", "b.py"):
        (shell.folder / name).write_text(old)
    real = write_named

    def write(path: Path, content: bytes) -> None:
        if path.name == "a.py":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        real(path, content)

    monkeypatch.setattr("bugloss.workflows.checking.write_named", write)
    done = shell.inside("check", "--fix", "--target", "numpy==2.0", "--json")
    messages = {one["message"] for one in done.document["findings"] if one["path"] == "a.py"}
    assert done.code == 1
    assert "the fixes of this file cannot be written: No space left on device" in messages
    assert (shell.folder / "a.py").read_text() == old
    assert "np.float)" not in (shell.folder / "b.py").read_text()


def test_a_full_disk_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "train.py"
    target.write_text("old")
    target.chmod(0o751)

    def full(*places: object, **folders: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            write_named(target, b"new")
    assert (target.read_text(), os.listdir(tmp_path)) == ("old", ["train.py"])
    write_named(target, b"new")
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o751)


# ── documents and programs that others wrote ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500, "9" * 5_000, "\ud800"]
)
def test_json_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(ValueError):
        parse_json(text)


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 5_000, "x = " + "[" * 300 + "]" * 300, "x." * 3_000 + "y = 1", "x = " + "9" * 5_000]
)
def test_toml_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(ValueError):
        parse_toml(text)


@pytest.mark.parametrize(
    "text", ["\0", "\ud800", "-" * 100_000 + "1", "(" * 10_000, "x = " + "9" * 5_000, "1" + "+1" * 100_000]
)
def test_python_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(SyntaxError):
        parse_python(text)


# Readers of what bugloss itself wrote or ships: nobody else's text comes there.
_OWN_DATA = {
    "core/documents.py", "core/python_text.py", "corpus/failure_index.py", "localize/index/file_corpus.py", "localize/index/fact_store.py",
    "localize/ranker/forest.py", "localize/index/history.py", "localize/index/tree_index.py", "localize/techniques/dnnloc.py", "adapters/graph_network.py",
    "triage/head_file.py", "workflows/check_memory.py", "corpus/dataset.py", "corpus/index/answers.py", "corpus/index/sections.py", "corpus/swebench.py",
}  # fmt: skip


def test_only_the_doors_call_the_parsers_of_the_standard_library() -> None:
    calling = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if re.search(r"\b(?:json|tomllib)\.loads?\(", path.read_text(encoding="utf-8"))
    }
    foreign = {
        name for name in calling if not name.startswith(("probes/", "check/rules/", "corpus/template/", "reproduce/"))
    }
    assert foreign <= _OWN_DATA


# ── bugs, blobs and reports ─────────────────────────────────────────────────────────────────────────────────────────

BROKEN_TOML = (
    "x = " + "[" * 5_000,
    "\0",
    "seconds = " + "9" * 5_000,
    "seconds = 1e999",
    '[[origin]]\nkind = "x"\n',
    "title = 3",
)


@pytest.mark.parametrize("content", BROKEN_TOML, ids=range(len(BROKEN_TOML)))
def test_a_broken_bug_is_named_and_the_others_are_listed(cli: CommandLine, tiny: TinyCorpus, content: str) -> None:
    tiny.add("torch-0001")
    (tiny.add("torch-0002") / "bug.toml").write_text(content)
    listed = cli.inside("list", "--json")
    assert listed.code == 2
    assert [bug["id"] for bug in listed.document["bugs"]] == ["torch-0001"]
    assert list(listed.document["broken"]) == ["torch-0002"]
    linted = cli.inside("lint", "--json")
    assert linted.code == 1
    assert {problem["bug"] for problem in linted.document["problems"]} == {"torch-0002"}
    assert cli.inside("search", "item").code == 0
    with pytest.raises(InvalidInput):
        read_bug(tiny.root / "torch" / "torch-0002")


def test_a_bug_that_cannot_be_read_is_not_run_and_the_others_are_verified(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    (tiny.add("torch-0002") / "bug.toml").write_text("title = 3\n")
    done = cli.inside("verify", "--runs", "1", "--json")
    assert done.code == 3
    assert {bug["bug"]: bug["status"] for bug in done.document["bugs"]} == {
        "torch-0001": "active",
        "torch-0002": "not-run",
    }


class Silent:
    """A watcher that looks the other way."""

    def note(self, text: str) -> None: ...
    def planned(self, trials: int, kept: int) -> None: ...
    def tried(self, trial: object) -> None: ...
    def verified(self, result: object) -> None: ...


def test_a_trial_that_fails_is_not_run_and_the_others_go_on(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bug in ("torch-0001", "torch-0002"):
        tiny.add(bug)
    real = verification_module.run_trial

    def run(entry: object, *given: object, **named: object) -> object:
        if getattr(entry, "id", "") == "torch-0001":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(entry, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(verification_module, "run_trial", run)
    request = VerificationRequest(("torch-0001", "torch-0002"), runs=1)
    results = verify(tiny.load(), request, TrialArchive(tmp_path / "v"), Silent(), jobs=2)
    standings = {result.bug: result.stability.standing for result in results}
    assert standings == {"torch-0001": Standing.NOT_RUN, "torch-0002": Standing.ACTIVE}
    assert "No space left on device" in results[0].stability.reason


def ranked(repository: Path, tmp_path: Path) -> list[str]:
    report = tmp_path / "report.md"
    report.write_text("# load fails\n\nThe loader of the model fails in `load_model`.\n")
    return [file.path for file in localize_report(str(report), LocalizationRequest(repository)).files]


def test_a_blob_that_cannot_be_read_is_ranked_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = TinyRepository.at(tmp_path / "r")
    repository.commit({"a.py": "def load_model(): pass\n", "bad.py": "boom = 1\n"})
    real = corpus_module.read_source

    def read(text: str, path: str) -> object:
        if "boom" in text:
            raise RecursionError
        return real(text, path)

    monkeypatch.setattr(corpus_module, "read_source", read)
    assert ranked(repository.folder, tmp_path) == ["a.py", "bad.py"]


@pytest.mark.parametrize("method", ["keep", "add", "made"])
def test_an_index_that_cannot_be_kept_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    repository = TinyRepository.at(tmp_path / "r")
    repository.commit({"a.py": "def load_model(): pass\n"})
    real = getattr(FactStore, method)

    def full(self: FactStore, *given: object) -> object:
        if self.path is not None:
            raise sqlite3.OperationalError("database or disk is full")
        return real(self, *given)

    monkeypatch.setattr(FactStore, method, full)
    assert ranked(repository.folder, tmp_path) == ["a.py"]


def test_a_report_on_which_a_method_fails_is_left_out_of_an_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = TinyRepository.at(tmp_path / "r")
    commit = repository.commit({"a.py": "def load(): pass\n", "b.py": "x = 1\n"})
    day = {"opened": "2030-01-02", "fixed": "2030-02-03"}
    lines = [
        {
            "id": name,
            "project": "p",
            "repository": "r",
            "commit": commit,
            "title": "load fails",
            "body": "",
            "truth": ["a.py"],
            **day,
        }
        for name in ("one", "two")
    ]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    real = evaluation_module.predict

    def predict(case: object, technique: object) -> object:
        subject: RankedReport = case.subject  # type: ignore[attr-defined]
        if subject.id == "one":
            raise ZeroDivisionError("ours")
        return real(case, technique)  # type: ignore[arg-type]

    monkeypatch.setattr(evaluation_module, "predict", predict)
    outcome = evaluate_localization(EvaluationRequest((data,), methods=("bm25",)))
    assert outcome.evaluation.reports == 1
    assert outcome.left_out == ("one: a method failed: ZeroDivisionError: ours.",)
