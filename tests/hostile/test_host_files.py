"""Files of the host that somebody else names: in evidence, in a recorded run, in settings, in a bug, by a link.

A canary stands in files that nobody gave away. It must not reach an output, a page, a document or a copy; nothing may
wait for a pipe, read a device, or write where a link leads.
"""

from __future__ import annotations

import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine, Done
from recorded_runs import run_of
from tiny_corpus import TinyCorpus

from bugloss.core import named_file
from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.corpus.collection import load
from bugloss.evaluate.subjects import read_subjects
from bugloss.record.runs import RunFolder
from bugloss.run.environment import Environment
from bugloss.workflows import danger_search
from bugloss.workflows.diagnosis import DiagnosisRequest, examine
from bugloss.workflows.experiment import observe_again
from bugloss.workflows.localization_trial import store_below

CANARY = "canary7f3a"
KEY = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{CANARY}\n-----END OPENSSH PRIVATE KEY-----\n"
FAULTY = (
    "import torch\nloss = torch.nn.CrossEntropyLoss()\nmodel = torch.nn.Linear(2, 2)\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor x, y in data:\n"
    "    output = loss(model(x), y)\n    output.backward()\n    optimizer.step()\n"
)
OLD_NUMPY = "import numpy as np\nx = np.float(3)\n"  # --fix changes it
_BYTES, _SECONDS = 2_500_000_000, 60


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A folder outside of everything, with a key, a module, a folder of them, and a pipe that nobody writes to."""
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "id_rsa").write_text(KEY)
    (folder / "settings.py").write_text(f"PASSWORD = '{CANARY}'\n" * 9)
    (folder / "torch.py").write_text(OLD_NUMPY + f"password = '{CANARY}'\n")
    os.mkfifo(folder / "pipe")
    return folder


def guarded(here: CommandLine, *arguments: str) -> Done:
    """A command that can neither take the machine's memory nor wait for ever, should it try to."""
    with bounds():
        return here.inside(*arguments)


@contextmanager
def bounds() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGALRM, _too_late)
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + _BYTES, before[1]))
    signal.setitimer(signal.ITIMER_REAL, _SECONDS, 1)  # again and again: a broad except may swallow the first
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)


def _address_space() -> int:
    """Bytes that the process of the tests has reserved already: libraries of other tests reserve gigabytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _too_late(number: int, frame: object) -> None:
    raise AssertionError("the command waits for something")


def one_sentence(done: Done) -> str:
    """What a command said that was refused."""
    assert done.code == 2, (done.code, done.out, done.err)
    said = [line for line in done.err.splitlines() if line.startswith("bugloss: ")]
    assert len(said) == 1, done.err
    assert CANARY not in done.err + done.out
    return said[0]


def assert_clean(folder: Path, *outputs: Done) -> None:
    """No canary in what was said, nor in any file that is not the user's own."""
    for done in outputs:
        assert CANARY not in done.out + done.err, done
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 10**7:
            assert CANARY.encode() not in path.read_bytes(), path


def sparse(path: Path) -> Path:
    with path.open("wb") as file:
        file.truncate(10**10)
    return path


# ── evidence ────────────────────────────────────────────────────────────────────────────────────────────────────


def crash(path: str, line: int = 2) -> dict[str, Any]:
    """A crash that bugloss knows a cause for, in a frame of that file."""
    frame = {"path": path, "line": line, "function": "forward", "text": ""}
    message = "mat1 and mat2 shapes cannot be multiplied (32x10 and 20x5)"
    raised = {"kind": "RuntimeError", "qualified": "builtins.RuntimeError", "message": message, "bases": ["Exception"]}
    return {"event": "crash", "exception": {**raised, "frames": [frame]}, "operands": [], "layer": "", "step": 0}


def recorded(project: Path, *events: Mapping[str, Any], **facts: object) -> Path:
    """A recorded run in a project, as somebody may have written it by hand."""
    folder = project / ".bugloss" / "runs" / "20260101-000000"
    folder.mkdir(parents=True)
    known = {"script": "train.py", "folder": str(project), "outcome": "crashed", "exit_code": 1, **facts}
    (folder / "run.json").write_text(json.dumps(known))
    (folder / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    return folder


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


# ── bugs ────────────────────────────────────────────────────────────────────────────────────────────────────────

PLANTED: dict[str, Callable[[Path, Path], None]] = {
    "a linked file": lambda bug, private: (bug / "buggy" / "key.txt").symlink_to(private / "id_rsa"),
    "a linked module": lambda bug, private: _instead(bug / "buggy" / "program.py", private / "settings.py"),
    "a linked test": lambda bug, private: _instead(bug / "test.py", private / "settings.py"),
    "a linked report": lambda bug, private: _instead(bug / "report.md", private / "id_rsa"),
    "linked facts": lambda bug, private: _instead(bug / "bug.toml", private / "id_rsa"),
    "a linked program": lambda bug, private: _instead(bug / "fixed", private),
    "a device": lambda bug, private: (bug / "buggy" / "zero").symlink_to("/dev/zero"),
    "a pipe": lambda bug, private: os.mkfifo(bug / "buggy" / "pipe"),
    "a loop": lambda bug, private: (bug / "buggy" / "loop").symlink_to(".."),
    "a file of 10 GB": lambda bug, private: sparse(bug / "buggy" / "weights.bin") and None,
    "an escape": lambda bug, private: (bug / "buggy" / "\x1b]52;c;aGk=\x07").write_text("") and None,
}


def _instead(path: Path, target: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.symlink_to(target)


@pytest.mark.parametrize("planted", PLANTED)
def test_a_bug_holds_nothing_that_lies_elsewhere(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path, planted: str, tmp_path: Path
) -> None:
    tiny.add("torch-0002")
    bug = tiny.add("torch-0001")
    PLANTED[planted](bug, secrets)
    shared = ("test", "torch-0001b"), ("info", "torch-0001"), ("diff", "torch-0001"), ("similar", "torch-0001")
    copies = ("checkout", "torch-0001b", "-w", "work"), ("export", "torch-0001", "--format", "swebench")
    for command in (*shared, *copies):
        assert one_sentence(guarded(cli, *command))
    linted = cli.inside("lint", "torch-0001")
    assert linted.code == 1
    others = [cli.inside(*command) for command in (("list",), ("search", "last item"), ("verify", "--runs", "2"))]
    assert "torch-0002" in others[0].out
    draft = shutil.copytree(bug, tmp_path / "torch-0009", symlinks=True, copy_function=_copied)
    sent = cli.inside("submit", str(draft))
    assert sent.code == 1
    assert sorted(path.name for path in (tiny.root / "torch").iterdir()) == ["torch-0001", "torch-0002"]
    assert_clean(cli.folder, linted, sent, *others)


def _copied(source: str, target: str) -> str:
    """A copy that does not open what is no file, for drafts with pipes."""
    place = Path(target)
    if Path(source).is_symlink():
        place.symlink_to(Path(source).readlink())
    elif not Path(source).is_file():
        os.mkfifo(place)
    elif Path(source).stat().st_size > 10**7:
        sparse(place)
    else:
        place.write_bytes(Path(source).read_bytes())
    return target


def test_links_inside_of_a_bug_are_part_of_it(cli: CommandLine, tiny: TinyCorpus) -> None:
    bug = tiny.add()
    for twin in ("buggy", "fixed"):
        (bug / twin / "same.py").symlink_to("program.py")
    before = load(tiny.root)["torch-0001"].digest()
    assert cli.inside("checkout", "torch-0001b", "-w", "work").code == 0
    assert (cli.folder / "work" / "same.py").read_text() == (bug / "buggy" / "program.py").read_text()
    assert not (cli.folder / "work" / "same.py").is_symlink()
    assert load(tiny.root)["torch-0001"].digest() == before
    assert cli.inside("test", "torch-0001f").code == 0


def test_a_working_copy_is_tested_without_what_its_links_bring_in(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path
) -> None:
    tiny.add()
    assert cli.inside("checkout", "torch-0001b", "-w", "work").code == 0
    (cli.folder / "work" / "program.py").write_text("def run():\n    raise ValueError(open('key').read())\n")
    (cli.folder / "work" / "key").symlink_to(secrets / "id_rsa")
    done = cli.inside("test", "torch-0001", "-w", "work", "--verbose")
    assert "key: it is a link that points outside the folder" in done.err
    assert_clean(cli.folder, done, cli.inside("test", "torch-0001", "-w", "work", "--json"))


@pytest.mark.parametrize("entry", ["{private}/settings.py", "../test.py", "sub/../program.py", "program.txt", "/program.py", "", "./program.py", "a\x1b.py"])  # fmt: skip
def test_the_entry_of_a_bug_is_a_program_in_its_folders(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path, entry: str
) -> None:
    tiny.add(entry=entry.format(private=secrets))
    for command in (("info", "torch-0001"), ("checkout", "torch-0001b", "-w", "work"), ("diagnose", "torch-0001")):
        said = one_sentence(cli.inside(*command))
        assert "the entry '" in said
        assert said.isprintable()


def test_a_corpus_that_came_with_a_repository_writes_no_ledger_through_a_link(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path
) -> None:
    tiny.add()
    (secrets / "empty.toml").touch()
    _instead(tiny.root / "register.toml", secrets / "empty.toml")
    for command in (("list",), ("deprecate", "torch-0001", "--why", "x")):
        assert "points outside" in one_sentence(cli.inside(*command))
    assert (secrets / "empty.toml").read_text() == ""
    (tiny.root / "register.toml").unlink()
    (tiny.root / "stability.json").symlink_to(secrets / "pipe")
    assert "points outside" in one_sentence(guarded(cli, "list"))


# ── where results go ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("there", [True, False])
def test_a_checkout_is_not_laid_out_where_a_link_leads(
    cli: CommandLine, tiny: TinyCorpus, tmp_path: Path, there: bool
) -> None:
    tiny.add()
    (cli.folder / "work").symlink_to(tmp_path / "elsewhere")
    if there:
        (tmp_path / "elsewhere").mkdir()
    assert "is a link" in one_sentence(cli.inside("checkout", "torch-0001b", "-w", "work"))
    assert not there or list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("command", [("export", "torch-0001"), ("query", "-q", "id"), ("check", ".", "--json"), ("report",)])  # fmt: skip
def test_a_result_is_not_written_where_a_link_leads(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path, command: tuple[str, ...]
) -> None:
    tiny.add()
    recorded(cli.folder, crash("train.py"))
    (cli.folder / "out").symlink_to(secrets / "id_rsa")
    done = cli.inside(*command, "-o", "out")
    assert (done.code, (secrets / "id_rsa").read_text()) == (2, KEY)
    assert "it is a link" in done.err + done.out
    assert cli.inside(*command, "-o", "fresh").code == (command[0] == "report")  # of a run that crashed
    assert (cli.folder / "fresh").stat().st_size > 0


def test_a_baseline_is_not_written_where_a_link_leads(cli: CommandLine, secrets: Path) -> None:
    (cli.folder / "known.json").symlink_to(secrets / "id_rsa")
    assert "it is a link" in one_sentence(cli.inside("check", ".", "--write-baseline", "known.json"))
    assert (secrets / "id_rsa").read_text() == KEY


def test_the_folder_of_a_verification_appends_to_no_linked_file(
    cli: CommandLine, tiny: TinyCorpus, secrets: Path
) -> None:
    tiny.add()
    (cli.folder / "out").mkdir()
    for name in ("trials.jsonl", "request.json", "request.json.draft"):
        (cli.folder / "out" / name).symlink_to(secrets / "id_rsa")
    cli.inside("verify", "torch-0001", "--runs", "2", "-o", "out")
    assert (secrets / "id_rsa").read_text() == KEY
    assert_clean(cli.folder, cli.inside("regrade", "out"))


def test_a_reproduction_replaces_links_in_its_folder(cli: CommandLine, secrets: Path) -> None:
    (cli.folder / "report.md").write_text("# It fails\n\nNothing to run here.\n")
    (cli.folder / "out").mkdir()
    (cli.folder / "out" / "reproduction.json").symlink_to(secrets / "id_rsa")
    options = ("--offline", "--isolation", "limits", "--budget", "5")
    assert cli.inside("reproduce", "report.md", "-o", "out", *options).code == 1
    assert (secrets / "id_rsa").read_text() == KEY
    assert json.loads((cli.folder / "out" / "reproduction.json").read_text())["schema"] == "bugloss.reproduction/1"
    (cli.folder / ".bugloss").symlink_to(secrets)
    assert "is a link" in one_sentence(cli.inside("reproduce", "report.md", *options))


# ── data sets ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("repository", ["/home", "../private", "a/../../private"])
def test_data_name_no_repository_outside_of_their_folder(tmp_path: Path, repository: str) -> None:
    subject = {"id": "1", "project": "p", "repository": repository, "commit": "HEAD", "title": "t", "truth": ["a.py"]}
    line = json.dumps({**subject, "opened": "2020-01-01", "fixed": "2020-01-02"})
    (tmp_path / "data.jsonl").write_text(line)
    with pytest.raises(InvalidInput, match="is not in the folder of the file"):
        read_subjects(tmp_path / "data.jsonl")


@pytest.mark.parametrize("project", ["../../outside", "/outside", "..", "a/../../../outside"])
def test_the_name_of_a_project_is_one_folder_in_the_cache(tmp_path: Path, project: str) -> None:
    store = tmp_path / "deep" / "store"
    store_below(store)(project if not project.startswith("/") else str(tmp_path / "outside"))
    made = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert made
    assert all(path.is_relative_to(store) for path in made)


def test_data_that_are_a_pipe_are_refused_in_one_sentence(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_file, "_PATIENCE", 0.05)
    with bounds(), pytest.raises(BuglossError, match="it is a pipe without a writer"):
        read_subjects(secrets / "pipe")
