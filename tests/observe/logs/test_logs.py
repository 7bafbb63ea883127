"""Logs of curves: what their readers take from real files, from damaged ones, and from names."""

from __future__ import annotations

import io
import math
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.errors import InvalidInput
from bugloss.observe.logs import event_file, wandb_file
from bugloss.observe.logs.checksum import crc32c, masked
from bugloss.observe.logs.curves import CurveCollector, LoggedCurves
from bugloss.observe.logs.names import Grain, LoggedQuantity, Phase, role_of
from bugloss.observe.logs.table import read_csv, read_json_lines
from bugloss.observe.logs.training import MOST_STEPS, events_of, training_of
from bugloss.observe.recording import Recording, gather

RECORDED = Path(__file__).parent / "recorded"
WANDB = RECORDED / "wandb" / "run-example.wandb"
PLAIN = next((RECORDED / "plain").iterdir())


def field(number: int, value: bytes | int) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def event(tag: str, step: int, value: float) -> bytes:
    """An event file's record, written by hand."""
    summary = field(1, field(1, tag.encode()) + varint(2 << 3 | 5) + struct.pack("<f", value))
    return framed(field(2, step) + field(5, summary))


def framed(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked(length)) + data + struct.pack("<I", masked(data))


def events_in(data: bytes, folder: str = "") -> LoggedCurves:
    into = CurveCollector()
    event_file.read_event_file(io.BytesIO(data), "events", folder, into)
    return into.collected("TensorBoard")


def history_in(data: bytes) -> tuple[LoggedCurves, int | None]:
    into = CurveCollector()
    code = wandb_file.read_wandb_file(io.BytesIO(data), "run.wandb", into)
    return into.collected("W&B"), code


def recording_of(logged: LoggedCurves) -> Recording:
    return gather(events_of(training_of(logged)))


def curves(**named: list[float]) -> LoggedCurves:
    return LoggedCurves("table", {name.replace("__", "/"): tuple(enumerate(values)) for name, values in named.items()})


def test_the_checksum_is_that_of_the_standard() -> None:
    assert crc32c(b"123456789") == 0xE3069283  # the check value of CRC-32C
    assert crc32c(b"") == 0


def test_simple_values_of_tensorboard_are_read_with_their_steps() -> None:
    logged = events_in(PLAIN.read_bytes())
    (points,) = logged.curves.values()
    assert [step for step, _ in points] == list(range(40))
    assert points[0][1] == pytest.approx(2.3)
    assert points[1][1] == pytest.approx(2.3 * 0.95)
    assert math.isnan(points[30][1])
    assert logged.notes == ()


def test_tensors_of_tensorboard_are_the_numbers_that_keras_logged() -> None:
    """The CSV file beside it was written by the same training."""
    into = CurveCollector()
    read_csv((RECORDED / "keras-log.csv").read_text(), "keras-log.csv", into)
    table = into.collected("table").curves
    for part, prefix in (("train", ""), ("validation", "val_")):
        (file,) = (RECORDED / "keras" / part).iterdir()
        logged = events_in(file.read_bytes(), part).curves
        for quantity in ("loss", "accuracy"):
            tensors = [value for _, value in logged[f"{part}/epoch_{quantity}"]]
            assert tensors == pytest.approx([value for _, value in table[prefix + quantity]], rel=1e-5)


def test_a_run_file_of_wandb_is_read_across_its_blocks() -> None:
    logged, code = history_in(WANDB.read_bytes())
    assert WANDB.stat().st_size > 32768
    assert code == 1
    assert [step for step, _ in logged.curves["train/loss"]] == list(range(140))
    assert logged.curves["train/loss"][70][1] == pytest.approx(1.2 * 0.8**10)
    assert len(logged.curves["val/loss"]) == 20
    assert logged.unread == ("layers.fc",)
    assert logged.notes == ()


@pytest.mark.parametrize("at", range(0, len(PLAIN.read_bytes()), 37))
def test_a_changed_byte_ends_the_reading_there_and_says_so(at: int) -> None:
    data = bytearray(PLAIN.read_bytes())
    data[at] ^= 0x10
    logged = events_in(bytes(data))
    assert any("damaged" in note or "middle" in note for note in logged.notes)
    whole = dict(next(iter(events_in(PLAIN.read_bytes()).curves.values())))
    for points in logged.curves.values():
        assert all(value == whole[step] or math.isnan(value) for step, value in points)


@pytest.mark.parametrize("at", range(7, 50_000, 1913))
def test_a_changed_byte_in_a_run_file_ends_the_reading_there_and_says_so(at: int) -> None:
    data = bytearray(WANDB.read_bytes())
    data[at] ^= 0x10
    logged, _ = history_in(bytes(data))
    assert any("damaged" in note or "middle" in note for note in logged.notes)


@pytest.mark.parametrize("size", [1, 6, 100, 40_000])
def test_a_torn_file_keeps_what_is_before_the_tear(size: int) -> None:
    logged, _ = history_in(WANDB.read_bytes()[:-size])
    assert len(logged.curves["train/loss"]) >= 30
    assert logged.notes == ("run.wandb ends in the middle of a record, as it does while the training runs",)


def test_a_record_that_claims_to_be_huge_is_skipped_without_being_read() -> None:
    length = struct.pack("<Q", 3 * 2**30)
    data = event("loss", 1, 2.0) + length + struct.pack("<I", masked(length)) + b"x" * 50
    logged = events_in(data)
    assert logged.curves == {"loss": ((1, 2.0),)}


def test_an_image_between_scalars_is_skipped() -> None:
    data = event("loss", 1, 2.0) + framed(b"\x00" * (event_file.LARGEST_RECORD + 1)) + event("loss", 2, 1.5)
    assert events_in(data).curves == {"loss": ((1, 2.0), (2, 1.5))}


def test_a_resumed_training_replaces_the_steps_that_it_repeats() -> None:
    data = event("loss", 1, 2.0) + event("loss", 2, 1.9) + event("loss", 2, 1.5) + event("loss", 3, 1.0)
    assert events_in(data).curves == {"loss": ((1, 2.0), (2, 1.5), (3, 1.0))}


def test_too_many_points_are_cut_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bugloss.observe.logs.curves.MOST_POINTS", 10)
    logged = events_in(b"".join(event("loss", step, 1.0) for step in range(50)))
    assert len(logged.curves["loss"]) == 10


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    events_in(data)
    events_in(framed(data))
    history_in(b":W&B\xe1\xbe\x00" + data)
    chunk = bytes([1]) + data
    history_in(b":W&B\xe1\xbe\x00" + struct.pack("<IH", zlib.crc32(chunk), len(data)) + chunk)


@pytest.mark.parametrize(
    ("name", "quantity", "phase", "grain"),
    [
        ("Loss/train", LoggedQuantity.LOSS, Phase.TRAINING, Grain.UNKNOWN),
        ("val_loss", LoggedQuantity.LOSS, Phase.VALIDATION, Grain.UNKNOWN),
        ("valLoss", LoggedQuantity.LOSS, Phase.VALIDATION, Grain.UNKNOWN),
        ("validation/epoch_loss", LoggedQuantity.LOSS, Phase.VALIDATION, Grain.EPOCH),
        ("train_loss_step", LoggedQuantity.LOSS, Phase.TRAINING, Grain.STEP),
        ("eval/accuracy", LoggedQuantity.ACCURACY, Phase.VALIDATION, Grain.UNKNOWN),
        ("test_acc", LoggedQuantity.ACCURACY, Phase.TEST, Grain.UNKNOWN),
        ("lr-Adam", LoggedQuantity.LEARNING_RATE, None, Grain.UNKNOWN),
        ("train/learning_rate", LoggedQuantity.LEARNING_RATE, Phase.TRAINING, Grain.UNKNOWN),
        ("train/grad_norm", LoggedQuantity.GRADIENT_NORM, Phase.TRAINING, Grain.UNKNOWN),
        ("epoch", LoggedQuantity.EPOCH, None, Grain.EPOCH),
    ],
)
def test_names_say_what_a_curve_is(name: str, quantity: LoggedQuantity, phase: Phase | None, grain: Grain) -> None:
    role = role_of(name)
    assert role is not None
    assert (role.quantity, role.phase, role.grain) == (quantity, phase, grain)


@pytest.mark.parametrize("name", ["glossary", "train/f1", "gpu/memory", "place", "", "blossom", "accumulated"])
def test_other_names_say_nothing(name: str) -> None:
    assert role_of(name) is None


def test_the_plainest_of_several_losses_is_the_loss() -> None:
    training = training_of(curves(train__box_loss=[3.0, 2.0], train__loss=[5.0, 4.0], train__cls_loss=[1.0, 1.0]))
    assert training.loss is not None
    assert training.loss.name == "train/loss"
    assert training.notes == ("train/loss was read as the training loss; not train/box_loss, train/cls_loss",)


def test_percentages_are_shares() -> None:
    seen = recording_of(curves(loss=[2.0, 1.0, 0.5], val_loss=[2.0, 1.0, 0.6], val_acc=[12.0, 55.0, 91.0]))
    assert [epoch.validation_accuracy for epoch in seen.epochs] == [0.12, 0.55, 0.91]


def test_validation_that_counts_epochs_is_placed_among_the_steps() -> None:
    """keras.callbacks.TensorBoard(update_freq="batch") counts the loss in batches and the validation in epochs."""
    logged = LoggedCurves(
        "TensorBoard",
        {
            "train/batch_loss": tuple((step, 2.0 - step / 100) for step in range(100)),
            "train/epoch_loss": tuple((epoch, 2.0 - epoch / 10) for epoch in range(10)),
            "validation/epoch_loss": tuple((epoch, 2.1 - epoch / 10) for epoch in range(10)),
        },
    )
    seen = recording_of(logged)
    assert [epoch.step for epoch in seen.epochs] == [round((epoch + 1) / 10 * 99) for epoch in range(10)]
    assert [epoch.epoch for epoch in seen.epochs] == list(range(10))
    assert seen.epochs[3].loss == pytest.approx(1.7)


def test_a_long_curve_is_thinned_but_keeps_what_is_not_finite() -> None:
    values = [1.0] * (3 * MOST_STEPS)
    values[70_001] = math.nan
    seen = recording_of(curves(loss=values))
    assert MOST_STEPS <= len(seen.steps) <= MOST_STEPS + 2
    assert [step.step for step in seen.steps if step.loss is not None and math.isnan(step.loss)] == [70_001]


def test_a_csv_of_lightning_has_gaps_and_two_kinds_of_rows() -> None:
    text = "epoch,step,train_loss_step,val_loss\n0,49,1.5,\n0,99,1.2,\n0,99,,1.4\n1,149,1.0,\n1,199,,1.3\n"
    into = CurveCollector()
    read_csv(text, "metrics.csv", into)
    seen = recording_of(into.collected("table"))
    assert [(step.step, step.loss) for step in seen.steps] == [(49, 1.5), (99, 1.2), (149, 1.0)]
    assert [(epoch.epoch, epoch.step, epoch.validation_loss) for epoch in seen.epochs] == [(0, 99, 1.4), (1, 199, 1.3)]


def test_the_log_of_hugging_face_is_read_from_its_state() -> None:
    text = '{"log_history": [{"loss": 2.0, "step": 10, "epoch": 0.5}, {"eval_loss": 1.9, "step": 20, "epoch": 1.0}]}'
    into = CurveCollector()
    read_json_lines(text, "trainer_state.json", into)
    assert into.collected("table").curves["eval_loss"] == ((20, 1.9),)


@pytest.mark.parametrize("text", ["{", "nonsense\nmore"])
def test_a_table_that_is_none_is_an_error_in_one_sentence(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"log\.json is neither JSON nor JSON lines"):
        read_json_lines(text, "log.json", CurveCollector())
