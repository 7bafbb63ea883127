"""``bugloss diagnose LOG``: a finished training is diagnosed from its curves, and nothing is claimed about the rest."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording, read
from bugloss.show.cli.main import main
from bugloss.workflows.diagnosis import DiagnosisRequest, examine, observe_target
from bugloss.workflows.logged_curves import find_log

REPOSITORY = Path(__file__).parents[2]
RECORDED = REPOSITORY / "tests" / "observe" / "logs" / "recorded"
DETECTORS = load(PluginGroup.DETECTOR, Detector)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def symptoms_of(target: Path) -> set[str]:
    return {symptom.name for symptom in examine(observe_target(DiagnosisRequest(str(target)))).diagnosis.alarms}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("keras", "overfitting"),
        ("keras-log.csv", "overfitting"),
        ("plain", "loss-nonfinite"),
        ("wandb", "overfitting"),
        ("wandb/run-example.wandb", "overfitting"),
    ],
)
def test_a_real_log_shows_its_symptom(target: str, expected: str) -> None:
    assert expected in symptoms_of(RECORDED / target)


def test_the_document_says_what_a_log_cannot_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", str(RECORDED / "keras"), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "bugloss.diagnosis/1"
    assert document["causes"] == []
    assert any("layers, gradients" in remark for remark in document["remarks"])
    page = Path(".bugloss", "runs", document["run"], "report.html").read_text()
    assert "nothing was run" in page


def test_a_good_curve_is_no_all_clear(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{epoch},{2.3 * 0.7**epoch + 0.1},{2.3 * 0.7**epoch + 0.15}" for epoch in range(20)]
    (here / "history.csv").write_text("\n".join(["epoch,loss,val_loss", *rows]))
    assert main(["diagnose", "history.csv"]) == 4
    assert "only the curves were judged" in capsys.readouterr().out


def test_several_trainings_below_a_folder_are_named(here: Path) -> None:
    for name in ("first", "second"):
        shutil.copytree(RECORDED / "plain", here / "runs" / name)
    with pytest.raises(InvalidInput, match=r"2 trainings: runs/first, runs/second"):
        find_log(Path("runs"))
    assert find_log(Path("runs/first")) is not None


def test_folders_named_for_trainings_are_not_parts_of_one(here: Path) -> None:
    for name in ("train_1", "train_2"):
        shutil.copytree(RECORDED / "plain", here / "runs" / name)
    with pytest.raises(InvalidInput, match="2 trainings"):
        find_log(Path("runs"))


def test_the_parts_that_add_scalars_makes_are_one_training(here: Path) -> None:
    for name in ("Loss_train", "Loss_val"):
        shutil.copytree(RECORDED / "plain", here / "run" / name)
    log = find_log(Path("run"))
    assert log is not None
    assert len(log.names) == 2


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", "\x00\x01"])
def test_a_table_without_curves_is_one_sentence(here: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    (here / "log.csv").write_text(content)
    assert main(["diagnose", "log.csv"]) == 2
    assert capsys.readouterr().err.startswith("bugloss: log.csv has no curve")


def test_a_folder_without_a_log_is_treated_as_before(here: Path) -> None:
    (here / "empty").mkdir()
    assert find_log(here / "empty") is None
    assert main(["diagnose", "empty"]) == 2


def curves_of(recording: Recording) -> Recording:
    """What a log would have of a run: losses, accuracies, learning rates, gradient norms; nothing else."""
    steps = tuple(
        replace(
            step, backwards=None, cleared=None, batch=None, frozen_modes=(), seconds=None, waited=None, skipped=False,
            loss_scale=None, regularization=None, metrics={}, optimizer="optimizer-0",
        )
        for step in recording.steps
    )  # fmt: skip
    epochs = tuple(replace(epoch, seconds=None, metrics={}) for epoch in recording.epochs)
    return Recording(steps=steps, epochs=epochs, cost=recording.cost)


def sees(detector: Detector, recording: Recording) -> bool:
    return bool(list(detector.detect(curves_of(recording))))


def test_the_guide_lists_the_symptoms_that_curves_alone_can_show() -> None:
    """Those whose own examples still trigger them when all but the curves is taken away."""
    shown = sorted(name for name, each in DETECTORS.items() if any(sees(each, faulty) for faulty in each.faulty))
    guide = (REPOSITORY / "docs" / "guide" / "elsewhere.md").read_text()
    [paragraph] = [part for part in guide.split("\n\n") if "Curves alone can show" in part]
    sentence = paragraph.partition("Curves alone can show")[2].partition(". ")[0]
    assert sorted(sentence.split("`")[1::2]) == shown


@pytest.mark.parametrize(
    "path", sorted((REPOSITORY / "tests/observe/healthy").glob("*.jsonl.gz")), ids=lambda path: path.name.split(".")[0]
)
def test_the_curves_of_a_healthy_run_raise_no_alarm(path: Path) -> None:
    recording = curves_of(read(gzip.decompress(path.read_bytes()).decode().splitlines()))
    found = [symptom for detector in DETECTORS.values() for symptom in detector.detect(recording)]
    assert [symptom for symptom in found if symptom.severity is not Severity.ADVICE] == []
