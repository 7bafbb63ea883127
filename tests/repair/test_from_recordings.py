"""Patches that need no cause: they follow from what a recording has."""

from __future__ import annotations

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.observe.events.training import Epoch
from bugloss.observe.recording import Recording
from bugloss.repair.case import RepairCase
from bugloss.repair.patterns.iterations import IterationsFix
from bugloss.repair.patterns.loss_function import LossFunctionFix
from bugloss.repair.patterns.monitor import MonitorFix
from bugloss.source.project import Project

WATCHING = "from keras.callbacks import ModelCheckpoint\n\nkeep = ModelCheckpoint('m.h5', monitor='{}')\n"
ROOT = "import torch\n\n\ndef length(x):\n    return torch.sqrt(x.pow(2).sum(-1))\n"
DATA = "import tensorflow as tf\n\ndata = data.{}batch(8)\nmodel.fit(data, epochs=3, steps_per_epoch=9)\n"


def case_of(program: str, recording: Recording | None = None, symptom: str = "", message: str = "") -> RepairCase:
    seen = (Symptom(symptom, Severity.ERROR, message),) if symptom else ()
    return RepairCase(
        Project({"train.py": program}.get, ("train.py",)), "train.py", (), (), seen, recording or Recording()
    )


def logging(*names: str) -> Recording:
    return Recording(epochs=(Epoch(0, 0, metrics=dict.fromkeys(names, 0.5)),))


def patched(program: str, patches: list[object]) -> list[str]:
    return [patch.edit.apply("train.py", program) for patch in patches]  # type: ignore[attr-defined]


def test_a_monitor_that_no_epoch_logs_gets_the_name_that_is_logged() -> None:
    for named, logged in (("val_acc", "val_accuracy"), ("val_accuracy", "val_acc"), ("val_los", "val_loss")):
        program = WATCHING.format(named)
        found = list(MonitorFix().proposals(case_of(program, logging("loss", "accuracy", logged))))
        assert patched(program, list(found)) == [WATCHING.replace("'{}'", f'"{logged}"')]


def test_a_monitor_that_is_logged_or_has_no_likeness_stays() -> None:
    recording = logging("loss", "val_loss")
    assert list(MonitorFix().proposals(case_of(WATCHING.format("val_loss"), recording))) == []
    assert list(MonitorFix().proposals(case_of(WATCHING.format("dice"), recording))) == []
    assert list(MonitorFix().proposals(case_of(WATCHING.format("val_acc")))) == []


def test_formulas_are_rewritten_where_the_recording_has_nan_only() -> None:
    found = list(LossFunctionFix().proposals(case_of(ROOT, symptom="loss-nonfinite")))
    assert patched(ROOT, list(found)) == [ROOT.replace("sum(-1)", "sum(-1) + 1e-9")]
    assert list(LossFunctionFix().proposals(case_of(ROOT))) == []


def test_data_that_end_early_are_repeated_without_end() -> None:
    said = "The data ended before training did, so epochs are shorter than requested (…)."
    for before in ("repeat(2).", ""):
        program = DATA.format(before)
        found = list(IterationsFix().proposals(case_of(program, symptom="framework-warning", message=said)))
        wanted = DATA.format("repeat().") if before else DATA.format("").replace("batch(8)", "batch(8).repeat()")
        assert patched(program, list(found)) == [wanted]
    endless = case_of(DATA.format("repeat()."), symptom="framework-warning", message=said)
    assert list(IterationsFix().proposals(endless)) == []
