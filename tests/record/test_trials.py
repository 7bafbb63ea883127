"""The archive of trials: what was written stays good, whatever happens after it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_runs import raised, run_of, trial_of

from bugloss.core.bug import Twin
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.judgement import Grade
from bugloss.core.run import Stream
from bugloss.record.trials import TrialArchive, open_archive

TRIAL = trial_of(Twin.BUGGY, Grade.FAIL)


@pytest.fixture
def archive(tmp_path: Path) -> TrialArchive:
    return TrialArchive(tmp_path)


def test_trials_come_back_whole_and_in_order(archive: TrialArchive) -> None:
    written = [trial_of(twin, Grade.FAIL, seed=seed) for twin in Twin for seed in range(3)]
    written.append(replace(TRIAL, reference=run_of(exception=raised("ValueError", "x", "main"))))
    for trial in written:
        archive.append(trial)
    assert list(archive) == written
    assert list(open_archive(archive.folder)) == written


def test_an_archive_that_was_never_written_is_empty_and_cannot_be_opened(archive: TrialArchive) -> None:
    assert list(archive) == []
    with pytest.raises(InvalidInput, match="contains no recorded runs"):
        open_archive(archive.folder)


def test_a_line_that_a_kill_cut_short_costs_only_itself(archive: TrialArchive) -> None:
    for _ in range(3):
        archive.append(TRIAL)
    content = archive.path.read_bytes()
    archive.path.write_bytes(content[:-40])
    assert list(archive) == [TRIAL] * 2


def test_what_is_written_after_a_kill_is_not_glued_to_the_torn_line(archive: TrialArchive) -> None:
    """The first run after --resume used to vanish: it continued the line that the kill had cut short."""
    archive.append(TRIAL)
    archive.path.write_bytes(archive.path.read_bytes() + b'{"bug": "torch-00')
    later = trial_of(Twin.FIXED, Grade.PASS)
    archive.append(later)
    archive.append(later)
    assert list(archive) == [TRIAL, later, later]


@pytest.mark.parametrize("cut", [b"\x00\xff\xfe", b"", b"\n\n"])
def test_noise_between_the_lines_is_passed_over(archive: TrialArchive, cut: bytes) -> None:
    archive.append(TRIAL)
    archive.path.write_bytes(archive.path.read_bytes() + cut + b"\n")
    archive.append(TRIAL)
    assert list(archive) == [TRIAL, TRIAL]


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_whatever_a_program_prints_or_raises_is_kept(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Line separators of other scripts once split a record, and half a surrogate pair stopped the writing."""
    archive = TrialArchive(tmp_path_factory.mktemp("archive"))
    run = replace(TRIAL.run, stdout=Stream(f"\x85\u2028{text}"), exception=raised("ValueError", text))
    archive.append(replace(TRIAL, run=run))
    archive.append(TRIAL)
    assert list(archive) == [replace(TRIAL, run=run), TRIAL]


def test_several_threads_may_write_at_once(archive: TrialArchive) -> None:
    written = [trial_of(Twin.BUGGY, Grade.FAIL, seed=seed) for seed in range(60)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(archive.append, written))
    assert sorted(trial.run.settings.seed for trial in archive) == list(range(60))


def test_a_record_of_another_shape_is_refused_by_file_and_line(archive: TrialArchive) -> None:
    archive.append(TRIAL)
    with archive.path.open("a") as lines:
        lines.write(json.dumps({"bug": "torch-0001"}) + "\n")
    with pytest.raises(InvalidInput) as refused:
        list(archive)
    assert f"{archive.path}, line 2" in refused.value.message


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    archive = TrialArchive(tmp_path / "nowhere")
    with pytest.raises(EnvironmentFailure, match="cannot be written: No such file or directory"):
        archive.append(TRIAL)


def test_each_record_is_one_json_line_that_other_programs_can_read(archive: TrialArchive) -> None:
    archive.append(TRIAL)
    (line,) = archive.path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["judgement"]["grade"] == "fail"
