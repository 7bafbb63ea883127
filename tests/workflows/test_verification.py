"""Verifications of bugs that really run: complete, resumable, and judged from what was recorded."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from recorded_runs import run_of, trial_of, with_digest
from tiny_corpus import KINDS, TinyCorpus
from tiny_upstream import add_upstream_bug, make_upstream

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Grade, Standing
from bugloss.core.run import Outcome
from bugloss.core.trial import Trial
from bugloss.record.trials import TrialArchive
from bugloss.run.environment import Environment
from bugloss.workflows.verification import (
    BugVerification,
    VerificationRequest,
    changed,
    read_request,
    record,
    regrade_folder,
    verify,
)

NO_SUCH_PYTHON = "keras2-tf1"


class Diary:
    """Writes down what a watcher is told; may stop the work after so many runs."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.stop_after = stop_after
        self.notes: list[str] = []
        self.plan: tuple[int, int] | None = None
        self.trials: list[Trial] = []
        self.done: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def planned(self, trials: int, kept: int) -> None:
        self.plan = (trials, kept)

    def tried(self, trial: Trial) -> None:
        self.trials.append(trial)
        if len(self.trials) == self.stop_after:
            raise KeyboardInterrupt

    def verified(self, result: BugVerification) -> None:
        self.done.append(result.bug)


@pytest.fixture
def archive(tmp_path: Path) -> TrialArchive:
    return TrialArchive(tmp_path / "verification")


def standings(results: list[BugVerification]) -> dict[str, Standing]:
    return {result.bug: result.stability.standing for result in results}


def test_bugs_of_every_oracle_are_run_twice_over_and_found_active(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    ids = [tiny.add(f"torch-000{number}", kind=kind).name for number, kind in enumerate(KINDS, start=1)]
    diary = Diary()
    results = verify(tiny.load(), VerificationRequest(tuple(ids), runs=2), archive, diary, jobs=2)
    assert [result.bug for result in results] == ids
    assert standings(results) == dict.fromkeys(ids, Standing.ACTIVE)
    assert {(result.stability.buggy, result.stability.fixed) for result in results} == {("2/2 fail", "2/2 pass")}
    assert diary.plan == (16, 0)
    assert len(diary.trials) == len(list(archive)) == 16
    assert sorted(diary.done) == ids
    assert {trial.run.settings.seed for trial in archive} == {0, 1}
    assert all(result.seconds > 0 for result in results)


def test_each_fault_of_a_bug_has_its_standing(tiny: TinyCorpus, bare: Environment, archive: TrialArchive) -> None:
    buggy, fixed = KINDS["exception"][:2]
    by_seed = f"import os\n{fixed}\nif os.environ['BUGLOSS_SEED'] == '0':\n    exec({buggy!r})\n"
    tiny.add("torch-0001", files={"buggy/program.py": fixed})
    tiny.add("torch-0002", files={"buggy/program.py": by_seed})
    results = verify(tiny.load(), VerificationRequest(("torch-0001", "torch-0002"), runs=2), archive, Diary(), jobs=2)
    assert list(standings(results).values()) == [Standing.BROKEN, Standing.FLAKY]
    broken, flaky = (result.stability for result in results)
    assert (broken.buggy, broken.reason) == ("2/2 pass", "buggy: ran to its end")
    assert flaky.buggy == "1/2 fail, 1/2 pass"


def test_a_program_that_hangs_is_not_run_rather_than_failed(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    tiny.add("torch-0001", files={"buggy/program.py": "import time\ndef run():\n    time.sleep(30)\n"})
    (result,) = verify(tiny.load(), VerificationRequest(("torch-0001",), runs=1, timeout=0.8), archive, Diary(), jobs=2)
    assert result.stability.standing is Standing.NOT_RUN
    assert result.stability.reason == "buggy: it exceeded the time limit of 0.8 s"


def test_after_an_interruption_only_what_is_missing_is_run(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002", kind="value")
    request = VerificationRequest(("torch-0001", "torch-0002"), runs=2)
    with pytest.raises(KeyboardInterrupt):
        verify(tiny.load(), request, archive, Diary(stop_after=3), jobs=1)
    kept = list(archive)
    assert len(kept) == 3
    diary = Diary()
    results = verify(tiny.load(), read_request(archive.folder), archive, diary)
    assert diary.plan == (5, 3)
    assert list(archive)[:3] == kept
    assert len(list(archive)) == 8
    assert set(standings(results).values()) == {Standing.ACTIVE}
    diary = Diary()
    assert verify(tiny.load(), request, archive, diary) == results
    assert (diary.plan, sorted(diary.done)) == ((0, 8), ["torch-0001", "torch-0002"])


def test_an_interruption_stops_the_programs_that_run_and_starts_no_others(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002", files={"buggy/program.py": "import time\ndef run():\n    time.sleep(600)\n"})
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        verify(
            tiny.load(), VerificationRequest(("torch-0001", "torch-0002"), runs=1), archive, Diary(stop_after=2), jobs=2
        )
    assert time.monotonic() - start < 120  # far from the six hundred seconds of the program
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("trial")]
    assert {trial.bug for trial in archive} <= {"torch-0001", "torch-0002"}
    assert all(trial.grade is not Grade.NOT_RUN for trial in archive)


def test_more_runs_are_added_to_those_that_are_there(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    tiny.add("torch-0001")
    verify(tiny.load(), VerificationRequest(("torch-0001",), runs=1), archive, Diary())
    diary = Diary()
    (result,) = verify(tiny.load(), VerificationRequest(("torch-0001",), runs=3), archive, diary)
    assert diary.plan == (4, 2)
    assert (result.stability.buggy, result.stability.fixed) == ("3/3 fail", "3/3 pass")
    (fewer,) = verify(tiny.load(), VerificationRequest(("torch-0001",), runs=2), archive, Diary())
    assert fewer.stability.buggy == "2/2 fail"


def test_an_edited_bug_is_run_anew_and_what_was_recorded_before_no_longer_counts(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    folder = tiny.add("torch-0001", files={"buggy/program.py": KINDS["exception"][1]})
    tiny.add("torch-0002")
    request = VerificationRequest(("torch-0001", "torch-0002"), runs=1)
    first = verify(tiny.load(), request, archive, Diary())
    assert list(standings(first).values()) == [Standing.BROKEN, Standing.ACTIVE]
    (folder / "buggy" / "program.py").write_text(KINDS["exception"][0])
    diary = Diary()
    second = verify(tiny.load(), request, archive, diary)
    assert {trial.bug for trial in diary.trials} == {"torch-0001"}
    assert diary.plan == (2, 2)
    assert set(standings(second).values()) == {Standing.ACTIVE}
    assert regrade_folder(archive.folder) == second


def test_a_run_that_the_machine_stopped_is_run_again(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    """A killed run says nothing about the bug; it must not spoil the verification for good."""
    tiny.add("torch-0001")
    entry = tiny.load()["torch-0001"]
    archive.folder.mkdir()
    killed = replace(trial_of(Twin.BUGGY, Grade.NOT_RUN), run=run_of(Outcome.KILLED, exit_code=-9))
    archive.append(with_digest(killed, entry.digest()))
    diary = Diary()
    (result,) = verify(tiny.load(), VerificationRequest(("torch-0001",), runs=1), archive, diary)
    assert diary.plan == (2, 0)
    assert result.stability.standing is Standing.ACTIVE
    assert regrade_folder(archive.folder) == [result]


def test_trials_recorded_without_the_bound_of_their_test_are_run_again(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    tiny.add("torch-0001", kind="value")
    entry = tiny.load()["torch-0001"]
    archive.folder.mkdir()
    boast = {"oracle": "value", "metric": "score", "value": 0.1, "bound": ["at least", 0.9], "healthy": False}
    old = replace(trial_of(Twin.BUGGY, Grade.FAIL, kind=OracleKind.VALUE), run=run_of(evidence=(boast,)))
    archive.append(with_digest(old, entry.digest()))
    diary = Diary()
    (result,) = verify(tiny.load(), VerificationRequest(("torch-0001",), runs=1), archive, diary)
    assert diary.plan == (2, 0)
    assert result.stability.standing is Standing.ACTIVE


def test_an_environment_that_is_not_to_be_had_counts_as_not_run_and_the_others_go_on(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive, nothing_but: None
) -> None:
    tiny.add("keras-0001", framework="keras", stack=NO_SUCH_PYTHON)
    tiny.add("keras-0002", framework="keras", stack=NO_SUCH_PYTHON)
    tiny.add("torch-0001")
    diary = Diary()
    request = VerificationRequest(("keras-0001", "keras-0002", "torch-0001"), runs=1)
    results = verify(tiny.load(), request, archive, diary)
    assert list(standings(results).values()) == [Standing.NOT_RUN, Standing.NOT_RUN, Standing.ACTIVE]
    assert "no Python 3.7 was found" in (results[0].stability.reason or "")
    assert "install 3.7" in (results[1].stability.reason or "")
    assert diary.plan == (2, 0)
    assert len(list(archive)) == 2
    assert sorted(diary.done) == ["keras-0001", "keras-0002", "torch-0001"]


@pytest.fixture
def nothing_but(bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one Python, the one of ``bare``, and no other to be found anywhere."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / f"python{'.'.join(bare.python_version.split('.')[:2])}").symlink_to(Path(bare.python).resolve())
    for name in ("PATH", "HOME", "PYENV_ROOT", "UV_PYTHON_INSTALL_DIR", "CONDA_PREFIX"):
        monkeypatch.setenv(name, str(folder))


def test_regrading_gives_the_same_verdicts_and_runs_nothing(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [tiny.add(f"torch-000{number}", kind=kind).name for number, kind in enumerate(KINDS, start=1)]
    results = verify(tiny.load(), VerificationRequest(tuple(ids), runs=1), archive, Diary(), jobs=2)
    monkeypatch.setattr("subprocess.Popen", None)
    again = regrade_folder(archive.folder)
    assert again == results
    assert [result.stability for result in again] == [result.stability for result in results]


def test_regrading_judges_the_evidence_and_not_the_judgement(archive: TrialArchive) -> None:
    archive.folder.mkdir()
    for twin in Twin:
        archive.append(trial_of(twin, Grade.FAIL if twin is Twin.BUGGY else Grade.PASS))
    (result,) = regrade_folder(archive.folder)
    assert result.stability.standing is Standing.BROKEN
    assert "without the oracle's evidence" in (result.stability.reason or "")


def test_a_verification_that_was_cut_short_is_not_called_active(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    tiny.add("torch-0001")
    with pytest.raises(KeyboardInterrupt):
        verify(tiny.load(), VerificationRequest(("torch-0001",), runs=1), archive, Diary(stop_after=1))
    (result,) = regrade_folder(archive.folder)
    assert result.stability.standing is Standing.NOT_RUN


def test_what_was_asked_for_can_be_read_again(tiny: TinyCorpus, bare: Environment, archive: TrialArchive) -> None:
    tiny.add("torch-0001")
    request = VerificationRequest(("torch-0001",), runs=1, seed=7, timeout=30.5, offline=True)
    verify(tiny.load(), request, archive, Diary())
    assert read_request(archive.folder) == request
    assert {trial.run.settings.seed for trial in archive} == {7}


@pytest.mark.parametrize(
    "content", [None, "", "5", "[]", '{"bugs": 5}', '{"bugs": ["a"], "runs": "many", "seed": 0}', '{"runs": 1}']
)
def test_a_request_that_cannot_be_read_is_one_sentence(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "request.json").write_text(content)
    with pytest.raises(InvalidInput, match="contains no verification to resume"):
        read_request(tmp_path)


def test_an_output_folder_that_cannot_be_made_is_one_sentence(tiny: TinyCorpus, tmp_path: Path) -> None:
    tiny.add("torch-0001")
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InvalidInput, match="cannot be written"):
            verify(tiny.load(), VerificationRequest(("torch-0001",)), TrialArchive(place), Diary())


def test_the_ledger_records_how_each_bug_stood(tiny: TinyCorpus, bare: Environment, archive: TrialArchive) -> None:
    tiny.add("torch-0001", kind="symptom")
    tiny.add("torch-0002")
    corpus = tiny.load()
    assert changed(corpus.values()) == list(corpus.values())
    results = verify(corpus, VerificationRequest(("torch-0001",), runs=1), archive, Diary())
    not_run = replace(results[0], bug="torch-0002", stability=replace(results[0].stability, standing=Standing.NOT_RUN))
    assert record(corpus, [*results, not_run]) == 1
    corpus = tiny.load()
    verified = corpus["torch-0001"].verified
    assert verified is not None
    assert (verified.buggy, verified.fixed, verified.standing) == ("1/1 fail", "1/1 pass", "active")
    assert (verified.digest, verified.date) == (corpus["torch-0001"].digest(), date.today().isoformat())
    assert (verified.isolation, verified.environment, verified.a12) == ("limits", bare.digest, 1.0)
    assert corpus["torch-0002"].verified is None
    assert [entry.id for entry in changed(corpus.values())] == ["torch-0002"]
    (corpus["torch-0001"].bug.folder / "test.py").write_text(KINDS["symptom"][2] + "# edited\n")
    assert [entry.id for entry in changed(tiny.load().values())] == ["torch-0001", "torch-0002"]


def test_the_ledger_is_valid_json_even_where_a_loss_was_nan(
    tiny: TinyCorpus, bare: Environment, archive: TrialArchive
) -> None:
    tiny.add("torch-0001", kind="symptom", files={"buggy/program.py": "def measure(seed):\n    return float('nan')\n"})
    corpus = tiny.load()
    record(corpus, verify(corpus, VerificationRequest(("torch-0001",), runs=1), archive, Diary()))

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    ledger = json.loads((tiny.root / "stability.json").read_text(), parse_constant=refuse)
    assert ledger["torch-0001"]["a12"] == 1.0


def test_no_environment_is_built_for_a_bug_whose_sources_cannot_be_had(
    tiny: TinyCorpus, archive: TrialArchive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gigabyte was installed before the bug was found not to run."""
    built: list[str] = []
    monkeypatch.setattr("bugloss.workflows.verification.provide", lambda stack, **_: built.append(stack.name))
    add_upstream_bug(tiny, make_upstream(tmp_path / "mirror"))
    results = verify(tiny.load(), VerificationRequest(("up-0001",), 1, offline=True), archive, Diary())
    assert standings(results) == {"up-0001": Standing.NOT_RUN}
    assert built == []
