"""BuGL's layout: issues that merged pull requests closed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.evaluate.bugl import import_bugl, is_bugl
from bugloss.evaluate.subjects import TRADITIONAL

ISSUE = {
    "issue_url": "https://github.com/owner/flask-like/issues/12",
    "issue_id": "#12",
    "issue_summary": "Crash on start",
    "issue_description": "it crashes",
    "issue_status": "Closed",
    "issue_reporting_time": "2018-01-01T00:00:00Z",
    "fixed_by": "#14",
    "pull_request_status": "Merged",
    "issue_fixed_time": "2018-01-03T00:00:00Z",
    "files_changed": [["4", "pkg/app.py"], ["1", "CHANGES.rst"], ["2", "old.py", "→", "new.py"]],
}


def folder_with(tmp_path: Path, *issues: dict[str, Any]) -> Path:
    content = {"open_issues": {}, "closed_issues": {str(at): issue for at, issue in enumerate(issues, 1)}}
    (tmp_path / "flask.json").write_text(json.dumps(content))
    return tmp_path


def test_an_issue_that_a_pull_request_closed_becomes_a_subject(tmp_path: Path) -> None:
    (found,) = import_bugl(folder_with(tmp_path, ISSUE), lambda project: Path(f"/histories/{project}"))
    assert found.id == "owner+flask-like#12" and found.repository == Path("/histories/owner+flask-like")
    assert found.truth == ("pkg/app.py", "old.py")
    assert found.commit == f"before:{found.fixed}" and found.fixed - found.opened == 2 * 86_400
    assert found.system == TRADITIONAL and found.title == "Crash on start"


@pytest.mark.parametrize(
    "change", [{"files_changed": []}, {"issue_fixed_time": ""}, {"files_changed": [["1", "README.md"]]}]
)
def test_what_has_no_merged_change_of_python_is_left_out(tmp_path: Path, change: dict[str, Any]) -> None:
    assert import_bugl(folder_with(tmp_path, ISSUE | change), lambda project: Path()) == ()


def test_repositories_without_a_history_here_are_left_out(tmp_path: Path) -> None:
    assert import_bugl(folder_with(tmp_path, ISSUE), lambda project: None) == ()


def test_the_layout_is_recognised(tmp_path: Path) -> None:
    assert is_bugl(folder_with(tmp_path, ISSUE))
    (tmp_path / "flask.json").write_text("[]")
    assert not is_bugl(tmp_path)


@pytest.mark.parametrize("text", ["[]", "{", '{"closed_issues": {"1": {}}}', '{"closed_issues": {"1": 3}}'])
def test_a_file_of_another_layout_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(InvalidInput, match=r"other\.json"):
        import_bugl(tmp_path, lambda project: Path())
