"""Attacks on the server, each of which must fail."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bugloss.core.errors import InvalidInput
from bugloss.record.store.tokens import Role
from bugloss.show.api.app import create_app
from bugloss.show.api.settings import ServerLimits, ServerSettings

ADDRESS = "http://127.0.0.1:8765"


def server(settings: ServerSettings) -> TestClient:
    return TestClient(create_app(settings, run_jobs=False), base_url=ADDRESS, follow_redirects=False)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil", "a b", ""]
)
def test_a_name_that_dns_may_point_here_is_refused(client: TestClient, host: str) -> None:
    response = client.get("/api/v1/health", headers={"Host": host})
    assert response.status_code == 421
    assert response.json()["schema"] == "bugloss.error/1"


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "localhost"])
def test_the_names_of_this_machine_are_accepted(client: TestClient, host: str) -> None:
    assert client.get("/api/v1/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_server_starts_nothing(client: TestClient, headers: dict[str, str]) -> None:
    response = client.post("/api/v1/test", json={"bug": "torch-0003"}, headers=headers)
    assert response.status_code == 403
    assert client.get("/api/v1/jobs").json()["jobs"] == []


def test_a_form_without_the_token_of_the_session_is_refused(client: TestClient) -> None:
    """A form needs no permission of the browser to be sent across origins; old browsers send no Sec-Fetch-Site."""
    response = client.post("/login", data={"token": "x"})
    assert response.status_code == 403
    page = client.get("/login")
    token = page.text.split('name="csrf_token" value="')[1].split('"')[0]
    assert client.post("/login", data={"token": "x", "csrf_token": token}).status_code == 401
    client.cookies.clear()
    assert client.post("/login", data={"token": "x", "csrf_token": token}).status_code == 403


def test_a_form_that_a_browser_sends_to_the_api_is_refused(client: TestClient) -> None:
    files = {"archive": ("a.zip", b"PK")}
    headers = {"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/v1/submissions", files=files, headers=headers).status_code == 403


def test_no_script_of_another_origin_and_no_inline_script_can_run(client: TestClient) -> None:
    for path in ("/login", "/api/v1/health", "/nothing-here"):
        headers = client.get(path).headers
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert (policy["default-src"], policy["script-src"], policy["frame-ancestors"]) == (
            "'none'",
            "'self'",
            "'none'",
        )
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(client: TestClient) -> None:
    cookie = client.get("/login").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_other_origins_may_not_read_answers(client: TestClient) -> None:
    response = client.get("/api/v1/bugs", headers={"Origin": "http://evil.example"})
    assert "access-control-allow-origin" not in response.headers


def test_a_body_that_is_too_large_is_refused_with_and_without_its_length(settings: ServerSettings) -> None:
    with server(replace(settings, limits=ServerLimits(request_bytes=1_000))) as client:
        assert client.post("/api/v1/triage", json={"report": "x" * 2_000}).status_code == 413

        def chunks() -> object:
            for _ in range(100):
                yield b"x" * 100

        response = client.post("/api/v1/triage", content=chunks(), headers={"Content-Type": "application/json"})
        assert (response.status_code, response.json()["error"]) == (413, "too-large")


def test_a_client_that_asks_too_often_is_told_when_to_come_back(settings: ServerSettings) -> None:
    with server(replace(settings, limits=ServerLimits(requests_per_minute=5))) as client:
        answers = [client.get("/api/v1/health") for _ in range(7)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert answers[-1].json()["schema"] == "bugloss.error/1"


def test_a_server_that_others_reach_demands_tokens(settings: ServerSettings) -> None:
    with pytest.raises(InvalidInput, match="must require tokens"):
        replace(settings, host="0.0.0.0")


@pytest.fixture
def guarded(settings: ServerSettings) -> ServerSettings:
    return replace(settings, require_tokens=True)


def test_without_a_token_nothing_but_the_login_is_shown(guarded: ServerSettings) -> None:
    with server(guarded) as client:
        for path in ("/api/v1/health", "/api/v1/bugs", "/api/v1/jobs"):
            assert client.get(path).status_code == 401
        assert client.get("/login").status_code == 200
        assert client.get("/api/v1/bugs", headers={"Authorization": "Bearer bugloss_x_y"}).status_code == 401


@pytest.mark.parametrize(
    ("role", "reads", "runs", "reviews"),
    [
        (Role.READER, 200, 403, 403),
        (Role.RUNNER, 200, 202, 403),
        (Role.REVIEWER, 200, 202, 404),
        (Role.ADMIN, 200, 202, 404),
    ],
)
@pytest.mark.bubblewrap
def test_a_role_may_do_what_it_is_for(guarded: ServerSettings, role: Role, reads: int, runs: int, reviews: int) -> None:
    with server(guarded) as client:
        _, token = client.app.state.services.store.tokens.create("somebody", role)  # type: ignore[attr-defined]
        client.headers["Authorization"] = f"Bearer {token}"
        assert client.get("/api/v1/bugs").status_code == reads
        assert client.post("/api/v1/test", json={"bug": "torch-0003"}).status_code == runs
        review = client.post(f"/api/v1/submissions/{'0' * 28}/review", json={"accept": True, "reason": "good"})
        assert review.status_code == reviews


def test_a_browser_logs_in_with_a_token_until_it_is_revoked(guarded: ServerSettings) -> None:
    with server(guarded) as client:
        tokens = client.app.state.services.store.tokens  # type: ignore[attr-defined]
        record, token = tokens.create("somebody", Role.READER)
        form = client.get("/login").text.split('name="csrf_token" value="')[1].split('"')[0]
        assert client.post("/login", data={"token": token, "csrf_token": form}).status_code == 303
        assert token not in str(client.cookies)
        assert client.get("/api/v1/bugs").status_code == 200
        tokens.revoke(record.id)
        assert client.get("/api/v1/bugs").status_code == 401


def test_a_forged_login_cookie_is_refused(guarded: ServerSettings) -> None:
    with server(guarded) as client:
        record, _ = client.app.state.services.store.tokens.create("somebody", Role.ADMIN)  # type: ignore[attr-defined]
        client.cookies.set("bugloss_login", f"{record.id}.9999999999.{'0' * 64}")
        assert client.get("/api/v1/bugs").status_code == 401


def test_tokens_and_passwords_reach_neither_logs_nor_the_database(
    guarded: ServerSettings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), server(guarded) as client:
        _, token = client.app.state.services.store.tokens.create("somebody", Role.READER)  # type: ignore[attr-defined]
        client.get("/api/v1/bugs", headers={"Authorization": f"Bearer {token}"})
        client.get("/api/v1/bugs", params={"text": token})
    secret = token.rsplit("_", 1)[1]
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("httpx")]
    assert not any(secret in message for message in ours)
    stored = b"".join(path.read_bytes() for path in (tmp_path / "server").glob("bugloss.db*"))
    assert secret.encode() not in stored


def test_hidden_characters_and_markup_are_sent_as_text(client: TestClient) -> None:
    response = client.get("/api/v1/bugs", params={"where": "\x1b]0;x\x07<script>alert(1)</script>\u202e"})
    assert response.status_code == 400
    assert response.headers["content-type"] == "application/json"
    assert not {"\x1b", "\x07", "\u202e"} & set(response.text)


def test_a_program_runs_sandboxed_by_bubblewrap_or_not_at_all(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bugloss.show.api.jobs.service.works", lambda level: False)
    response = client.post("/api/v1/diagnose", json={"source": "print(1)"})
    assert (response.status_code, response.json()["error"]) == (503, "sandbox-unavailable")


def test_every_job_that_runs_programs_names_bubblewrap() -> None:
    from bugloss.show.api.jobs import requests
    from bugloss.show.api.jobs.process import job_variables

    assert job_variables(Path("/bugs"))["BUGLOSS_ISOLATION"] == "bubblewrap"
    command = requests.DiagnoseJob(source="print(1)").command()
    assert command[command.index("--isolation") + 1] == "bubblewrap"


def test_an_investigation_is_about_a_report_or_a_program(client: TestClient) -> None:
    from bugloss.show.api.jobs.requests import InvestigateJob

    program = InvestigateJob(source="print(1)", name="train.py")
    assert (program.subject, program.files()) == ("train.py", {"train.py": "print(1)"})
    assert program.command() == [
        *("investigate", "--json", "--isolation", "bubblewrap"),
        *("--budget", "120.0", "-o", "case", "train.py"),
    ]
    for document in ({}, {"report": "x", "source": "x"}, {"source": "x", "name": "../x.py"}):
        assert client.post("/api/v1/investigate", json=document).status_code == 422


def test_a_server_without_permission_runs_nothing(settings: ServerSettings) -> None:
    with server(replace(settings, allow_run=False)) as client:
        response = client.post("/api/v1/test", json={"bug": "torch-0003"})
        assert (response.status_code, response.json()["error"]) == (403, "runs-forbidden")


@pytest.mark.parametrize(
    "document",
    [
        {"source": "x", "name": "../../etc/passwd.py"},
        {"source": "x", "name": "--here.py"},
        {"source": "x", "stack": "--here"},
        {"bug": "--here"},
        {"source": "x", "tools": ["--here"]},
        {"source": "x", "here": True},
    ],
)
def test_no_request_becomes_an_option_or_a_path_outside(client: TestClient, document: dict[str, object]) -> None:
    assert client.post("/api/v1/diagnose", json=document).status_code == 422


def test_localize_reads_only_repositories_that_the_server_was_given(client: TestClient) -> None:
    for repository in ("/etc", "../..", "secret"):
        response = client.post("/api/v1/localize", json={"report": "crash", "repository": repository})
        assert response.status_code == 400


def test_variables_of_the_server_do_not_reach_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    from bugloss.show.api.jobs.process import job_variables

    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:secret@h/d")
    assert "secret" not in str(job_variables(Path("/bugs")))
