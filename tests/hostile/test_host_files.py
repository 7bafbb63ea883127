"""Files of the host that somebody else names: in evidence, in a recorded run, in settings, in a bug, by a link.

A canary stands in files that nobody gave away. It must not reach an output, a page, a document or a copy; nothing may
wait for a pipe, read a device, or write where a link leads.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from command_line import CommandLine
from host_files import (
    _SECONDS,
    CANARY,
    KEY,
    OLD_NUMPY,
    assert_clean,
    bounds,
    crash,
    guarded,
    one_sentence,
    recorded,
    sparse,
)
from recorded_runs import run_of

from bugloss.core import named_file
from bugloss.core.errors import InvalidInput
from bugloss.record.runs import RunFolder
from bugloss.run.environment import Environment
from bugloss.workflows import danger_search
from bugloss.workflows.diagnosis import DiagnosisRequest, examine
from bugloss.workflows.experiment import observe_again

FAULTY = (
    "import torch\nloss = torch.nn.CrossEntropyLoss()\nmodel = torch.nn.Linear(2, 2)\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor x, y in data:\n"
    "    output = loss(model(x), y)\n    output.backward()\n    optimizer.step()\n"
)


# ── evidence ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_line_of_the_program_itself_is_shown(cli: CommandLine) -> None:
    """What the tests below must not lose."""
    (cli.folder / "train.py").write_text("import torch\nprint('the line at fault')\n")
    folder = recorded(cli.folder, crash("train.py"))
    assert cli.inside("report", folder.name).code == 1  # the run crashed
    assert "the line at fault" in (folder / "report.html").read_text()


NAMES: dict[str, Callable[[Path, Path], str]] = {
    "a key by its whole path": lambda project, private: str(private / "id_rsa"),
    "a module by its whole path": lambda project, private: str(private / "settings.py"),
    "upwards": lambda project, private: os.path.relpath(private / "settings.py", project),
    "upwards from below": lambda project, private: f"sub/../../{private.name}/settings.py",
    "the environment": lambda project, private: "/proc/self/environ",
    "a device without end": lambda project, private: "/dev/zero",
    "a pipe": lambda project, private: str(private / "pipe"),
    "a pipe beside the script": lambda project, private: "pipe.py",
    "a link beside the script": lambda project, private: "link.py",
    "a linked folder": lambda project, private: "linked/settings.py",
    "a hidden folder beside the script": lambda project, private: ".ssh/id_rsa",
    "a hidden module": lambda project, private: ".config/settings.py",
    "a file that is no source": lambda project, private: "credentials",
}


@pytest.mark.parametrize("name", NAMES)
def test_evidence_names_no_file_but_the_programs_own_sources(cli: CommandLine, secrets: Path, name: str) -> None:
    (cli.folder / "sub").mkdir()
    (cli.folder / "link.py").symlink_to(secrets / "id_rsa")
    (cli.folder / "linked").symlink_to(secrets)
    os.mkfifo(cli.folder / "pipe.py")
    for place in (".ssh/id_rsa", ".config/settings.py", "credentials"):  # a script may lie in somebody's home
        (cli.folder / place).parent.mkdir(exist_ok=True)
        shutil.copy(secrets / "id_rsa", cli.folder / place)
    folder = recorded(cli.folder, crash(NAMES[name](cli.folder, secrets)))
    # A process of its own has the canary among the variables that it was started with.
    report = partial(cli, SECRET=f"\n{CANARY}\n") if name == "the environment" else partial(guarded, cli)
    assert_clean(folder, report("report", folder.name, "--json"))
    assert (folder / "report.html").is_file()


def test_the_users_own_run_of_a_script_elsewhere_keeps_its_lines_also_later(cli: CommandLine, tmp_path: Path) -> None:
    """Evidence may name sources of the script's folder, and where it ran as it is those of the project as well."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "train.py").write_text("import os\nprint('the line at fault')\n")
    (cli.folder / "model.py").write_text("import os\nprint('the line of the model')\n")
    assert cli("run", "../elsewhere/train.py").code == 0
    (run,) = (cli.folder / ".bugloss" / "runs").iterdir()
    for name, shown in {"train.py": "at fault", str(cli.folder / "model.py"): "of the model"}.items():
        with (run / "events.jsonl").open("a") as events:
            events.write(json.dumps(crash(name)) + "\n")
        assert cli.inside("report", "last").code == 1  # by now it crashed
        assert shown in (run / "report.html").read_text()


@pytest.mark.parametrize("script", ["id_rsa", "settings.py"])
def test_a_run_that_somebody_sent_names_no_folder_of_ours(cli: CommandLine, secrets: Path, script: str) -> None:
    folder = recorded(cli.folder, crash(script), folder=str(secrets), script=script)
    done = cli.inside("report", folder.name, "--json")
    assert_clean(folder, done)
    sent = shutil.move(folder, cli.folder / "sent")
    assert_clean(cli.folder / "sent", cli.inside("diagnose", str(sent)))


@pytest.mark.parametrize("hidden", [".ssh", ".config/app"])
def test_nor_a_hidden_folder_of_the_project_that_it_was_put_into(cli: CommandLine, hidden: str) -> None:
    """Whoever stands in the home folder has the keys in the project."""
    (cli.folder / hidden).mkdir(parents=True)
    (cli.folder / hidden / "settings.py").write_text(KEY)
    folder = recorded(cli.folder, crash("settings.py"), folder=str(cli.folder / hidden), script="settings.py")
    assert_clean(folder, cli.inside("report", folder.name))


def test_a_run_that_somebody_sent_is_not_run_again(cli: CommandLine, tmp_path: Path) -> None:
    """Its facts name an interpreter: that would be any program of the sender's."""
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'was-run'}\n")
    program.chmod(0o755)
    (cli.folder / "train.py").write_text("import torch\n")
    examined = examine(RunFolder(recorded(cli.folder, crash("train.py"), python=str(program))))
    with pytest.raises(InvalidInput, match="was not recorded on this machine"):
        observe_again(examined, DiagnosisRequest("last"), 0)
    assert not (tmp_path / "was-run").exists()


@pytest.mark.parametrize("target", ["pipe", "/dev/zero", "id_rsa"])
@pytest.mark.parametrize("name", ["events.jsonl", "run.json"])
def test_the_files_of_a_run_are_files(cli: CommandLine, secrets: Path, name: str, target: str) -> None:
    folder = recorded(cli.folder, crash("train.py"))
    (folder / name).unlink()
    (folder / name).symlink_to(secrets / target)
    done = guarded(cli, "report", str(folder))
    assert one_sentence(done)
    assert_clean(folder, done)


def test_a_page_is_not_written_where_a_link_leads(cli: CommandLine, secrets: Path) -> None:
    folder = recorded(cli.folder, crash("train.py"))
    for name in ("report.html", "diagnosis.json"):
        (folder / name).symlink_to(secrets / "id_rsa")
    assert cli.inside("report", folder.name).code == 1  # the run crashed
    assert (secrets / "id_rsa").read_text() == KEY
    assert "<html" in (folder / "report.html").read_text()


def test_a_search_for_dangers_believes_no_path(bare: Environment, tmp_path: Path, secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    (tmp_path / "train.py").write_text("import torch\ny = torch.log(x)\n")
    known = {"probe": "grist", "event": "danger", "operation": "log", "target": "low", "stage": "data", "hit": "value"}
    named = ("train.py", str(secrets / "id_rsa"), "/dev/zero", str(secrets / "pipe"), "private/id_rsa", ".x.py")
    (tmp_path / ".x.py").write_text(KEY)
    evidence = tuple({**known, "path": path, "line": 2, "operand": [0, 1], "observed": [0, 1]} for path in named)
    monkeypatch.setattr(danger_search, "execute", lambda *_: run_of(evidence=evidence))
    with bounds():
        search = danger_search.search_dangers(danger_search.DangerRequest(tmp_path / "train.py", stack="torch"))
    assert [finding.path for finding in search.inspection.findings] == [(tmp_path / "train.py").as_posix()]


# ── the script's folder ─────────────────────────────────────────────────────────────────────────────────────────

SHOW_ALL = """\
import os
for top, folders, names in os.walk("."):
    for name in names:
        if "bugloss" not in top:
            print("SEEN", os.path.join(top, name), open(os.path.join(top, name)).read(1000))
"""


def test_a_script_gets_what_lies_in_its_folder_and_nothing_that_links_bring_in(cli: CommandLine, secrets: Path) -> None:
    project = cli.folder / "project"
    (project / "sub").mkdir(parents=True)
    (project / "train.py").write_text(SHOW_ALL)
    (project / "sub" / "data.csv").write_text("1,2\n")
    (project / "alias.csv").symlink_to("sub/data.csv")
    (project / "key").symlink_to(secrets / "id_rsa")
    (project / "all").symlink_to(secrets)
    (project / "zero").symlink_to("/dev/zero")
    (project / "sub" / "loop").symlink_to("..")
    (project / "self").symlink_to("self")
    os.mkfifo(project / "pipe")
    sparse(project / "weights.bin")
    done = guarded(cli, "diagnose", "project/train.py", "--stack", "torch", "--isolation", "limits", "--json")
    (run,) = (cli.folder / ".bugloss" / "runs").iterdir()
    seen = [line.split()[1] for line in (run / "output.txt").read_text().splitlines() if line.startswith("SEEN")]
    assert sorted(seen) == ["./alias.csv", "./sub/data.csv", "./train.py"]
    remarks = " ".join(done.document["remarks"])
    assert "key: it is a link that points outside the folder" in remarks
    assert_clean(cli.folder, done)


def test_a_script_that_is_a_link_is_the_users_own_word(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text("print('linked and run')\n")
    (cli.folder / "train.py").symlink_to(tmp_path / "shared.py")
    cli.inside("diagnose", "train.py", "--stack", "torch", "--isolation", "limits")
    (run,) = (cli.folder / ".bugloss" / "runs").iterdir()
    assert "linked and run" in (run / "output.txt").read_text()


# ── a project that is checked ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("settings", ["pyproject.toml", "bugloss.toml"])
@pytest.mark.parametrize("baseline", ["/dev/zero", "{private}/pipe", "{private}/id_rsa", "../private/id_rsa", "link.json"])  # fmt: skip
def test_settings_name_no_baseline_outside_of_their_project(
    cli: CommandLine, secrets: Path, settings: str, baseline: str
) -> None:
    (cli.folder / "link.json").symlink_to("/dev/zero")
    (cli.folder / "train.py").write_text("import torch\n")
    table = "[tool.bugloss]\n" if settings == "pyproject.toml" else ""
    (cli.folder / settings).write_text(f'{table}baseline = "{baseline.format(private=secrets)}"\n')
    said = one_sentence(guarded(cli, "check", "train.py"))
    assert "baseline" in said
    assert "points outside" in said


@pytest.mark.parametrize("name", ["pyproject.toml", "bugloss.toml", "requirements.txt", "setup.cfg", "environment.yml"])
@pytest.mark.parametrize("target", ["/dev/zero", "id_rsa", "pipe", "sparse"])
def test_files_of_a_project_that_are_links_or_have_no_end_stop_no_check(
    cli: CommandLine, secrets: Path, name: str, target: str
) -> None:
    """Settings that cannot be read are an error; of pins only those count that can be."""
    (cli.folder / "train.py").write_text(FAULTY)
    if target == "sparse":
        sparse(cli.folder / name)
    else:
        (cli.folder / name).symlink_to(secrets / target)
    done = guarded(cli, "check", "train.py")
    assert_clean(cli.folder, done)
    assert done.code in ({2} if name.endswith(".toml") else {1}), done


def test_a_checked_folder_brings_in_nothing_from_elsewhere(cli: CommandLine, secrets: Path) -> None:
    (cli.folder / "train.py").write_text(FAULTY)
    (cli.folder / "alias.py").symlink_to("train.py")
    (cli.folder / "linked.py").symlink_to(secrets / "torch.py")
    (cli.folder / "key.py").symlink_to(secrets / "id_rsa")
    (cli.folder / "zero.py").symlink_to("/dev/zero")
    (cli.folder / "loop.py").symlink_to("loop.py")
    (cli.folder / "folder").symlink_to(".")
    (cli.folder / "note.ipynb").symlink_to(secrets / "pipe")
    os.mkfifo(cli.folder / "pipe.py")
    sparse(cli.folder / "sparse.py")
    done = guarded(cli, "check", ".", "--json", "--no-cache")
    assert {finding["path"] for finding in done.document["findings"]} == {"alias.py"}
    reasons = {one["path"]: one["reason"] for one in done.document["skipped"]}
    assert reasons.keys() == {"linked.py", "key.py", "zero.py", "loop.py", "note.ipynb", "pipe.py", "sparse.py"}
    assert "points outside" in reasons["linked.py"]
    assert_clean(cli.folder, done, guarded(cli, "check", ".", "--fix", "--target", "numpy==2.0"))
    assert (secrets / "torch.py").read_text().startswith(OLD_NUMPY)


def test_a_file_that_is_named_may_be_a_link(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(OLD_NUMPY)
    (cli.folder / "train.py").symlink_to(tmp_path / "shared.py")
    assert cli.inside("check", "train.py", "--target", "numpy==2.0").code == 1
    assert cli.inside("check", "train.py", "--target", "numpy==2.0", "--fix").code == 0
    assert (cli.folder / "train.py").is_symlink()
    assert "np.float" not in (tmp_path / "shared.py").read_text()


# ── what the user names ─────────────────────────────────────────────────────────────────────────────────────────


NO_FILES = {
    "lookup": ("/dev/zero", "{private}/pipe", "{private}", "sparse"),
    "triage": ("/dev/zero", "{private}/pipe", "{private}", "sparse"),
    "check": ("/dev/zero", "{private}/pipe"),  # a folder is checked; a file too large is named as not checked
    "diagnose": ("/dev/zero", "{private}/pipe", "{private}", "sparse"),
}


@pytest.mark.parametrize(("verb", "path"), [(verb, path) for verb, paths in NO_FILES.items() for path in paths])
def test_what_is_no_readable_file_is_one_sentence(
    cli: CommandLine, secrets: Path, verb: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_file, "_PATIENCE", 0.05)
    sparse(cli.folder / "sparse")
    one_sentence(guarded(cli, verb, path.format(private=secrets)))


def test_pipes_that_somebody_writes_to_still_work(cli: CommandLine) -> None:
    log = "Traceback (most recent call last):\nIndexError: list index out of range\n"
    bugloss = f"{shlex.quote(sys.executable)} -m bugloss"
    shell = {"cwd": cli.folder, "env": cli.variables, "capture_output": True, "text": True, "timeout": _SECONDS}
    for verb in ("lookup", "triage"):
        for command in (
            f"{bugloss} {verb} <(sleep 0.05; printf '%s' \"$LOG\") --json",
            f"printf '%s' \"$LOG\" | {bugloss} {verb} /dev/stdin --json",
            f"printf '%s' \"$LOG\" | {bugloss} {verb} - --json",
        ):
            shell["env"] = {**cli.variables, "LOG": log}
            done = subprocess.run(["bash", "-c", command], check=False, **shell)  # type: ignore[call-overload]
            assert json.loads(done.stdout)["schema"] == f"bugloss.{verb}/1", (command, done)
