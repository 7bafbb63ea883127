"""Files that a job wrote: listed and read through the API, and nothing else of the machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fastapi.testclient import TestClient


@pytest.fixture
def job(client: TestClient, tmp_path: Path) -> str:
    """A job in the queue, whose folder holds a script, a hidden recording and links that lead outside."""
    name = str(client.post("/api/v1/investigate", json={"report": "it fails"}).json()["job"])
    folder = tmp_path / "server" / "jobs" / name
    (folder / "case").mkdir(parents=True)
    (folder / ".bugloss").mkdir()
    (folder / "case" / "repro.py").write_text("print(1)\n")
    (folder / ".bugloss" / "events.jsonl").write_text("{}")
    (folder / ".hidden").write_text("x")
    (tmp_path / "secret").write_text("secret")
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / "away").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    return name


def test_a_job_lists_its_plain_files_and_gives_them_to_be_saved(client: TestClient, job: str) -> None:
    listed = client.get(f"/api/v1/jobs/{job}/files").json()["files"]
    assert listed == [{"path": "case/repro.py", "bytes": 9}]
    answer = client.get(f"/api/v1/jobs/{job}/files/case/repro.py")
    assert (answer.status_code, answer.text) == (200, "print(1)\n")
    assert answer.headers["content-disposition"] == 'attachment; filename="repro.py"'
    assert answer.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize(
    "path",
    [
        *("../../../secret", "..%2f..%2f..%2fsecret", "%2e%2e/%2e%2e/secret", "/etc/passwd", "%2fetc%2fpasswd"),
        *("out", "away/secret", "pipe", ".hidden", ".bugloss/events.jsonl", "case", "case/none", "a%00b"),
    ],
)
def test_no_path_leads_out_of_the_folder_of_a_job(client: TestClient, job: str, path: str) -> None:
    answer = client.get(f"/api/v1/jobs/{job}/files/{path}")
    assert answer.status_code == 404
    assert answer.json()["schema"] == "bugloss.error/1"


@pytest.mark.parametrize(
    ("name", "address"), [('a"; x="b.py', "a%22; x=%22b.py"), ("a\r\nSet-Cookie: b.py", "a%0d%0aSet-Cookie: b.py")]
)
def test_a_name_cannot_add_a_header(client: TestClient, job: str, tmp_path: Path, name: str, address: str) -> None:
    """Some releases of Starlette find no route for a name with a line break; others give the file."""
    (tmp_path / "server" / "jobs" / job / name).write_text("1")
    answer = client.get(f"/api/v1/jobs/{job}/files/{address}")
    assert answer.status_code == 200 or "\n" in name
    assert answer.headers.get("content-disposition", '""').count('"') == 2
    assert "set-cookie" not in answer.headers


def test_a_foreign_job_has_no_files(client: TestClient) -> None:
    assert client.get(f"/api/v1/jobs/{'0' * 28}/files").status_code == 404
