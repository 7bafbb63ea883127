"""Data that a report leaves out: worked out from the program, the words and the message."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from pretended_runs import ended, raised, reading_of

from bugloss.core.run import Outcome
from bugloss.reproduce.completing.routines import routine_for
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.data.solving import solve
from bugloss.reproduce.data.spec import DataField, DataMeaning, StandInData
from bugloss.reproduce.data.usage import Columns, Fed, columns_of, fed_to
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, ExpectedException
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.names.naming import stem_of
from bugloss.reproduce.program.draft import undefined

CRASH = Expectation(ExpectationKind.EXCEPTION, (ExpectedException("RuntimeError", "boom"),))
FLAT = Expectation(ExpectationKind.SYMPTOM, symptoms=(SymptomKind.FLAT,))
TORCH = {"torch": "2.13.0", "numpy": "2.4.6"}
KERAS = {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}


def solved(
    text: str, body: str = "", expectation: Expectation = CRASH, releases: dict[str, str] = TORCH
) -> StandInData:
    evidence = EditEvidence(reading_of(body or "It fails."), expectation, releases, frozenset(releases))
    return next(solve(text, evidence))


def fields(solution: StandInData) -> dict[str, tuple[DataField, ...]]:
    return {spec.name: spec.fields for spec in solution.specs}


LOOP = """import torch
import torch.nn as nn
import torch.nn.functional as F
net = nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Linear(16, 3))
for x, y in loader:
    loss = F.cross_entropy(net(x), y)
"""


def test_the_first_layer_gives_the_input_and_the_last_with_the_loss_the_target() -> None:
    (inputs, target) = fields(solved(LOOP))["loader"]
    assert inputs.shape == (7,)
    assert (target.meaning, target.classes, target.dtype) == (DataMeaning.CLASSES, 3, "int64")


def test_a_loss_between_zero_and_one_wants_floats_of_the_outputs_shape() -> None:
    text = LOOP.replace("nn.Linear(16, 3)", "nn.Linear(16, 1)").replace(
        "F.cross_entropy(net(x), y)", "nn.BCEWithLogitsLoss()(net(x), y)"
    )
    target = fields(solved(text))["loader"][1]
    assert (target.meaning, target.shape, target.dtype) == (DataMeaning.BINARY, (1,), "float32")


def test_pictures_get_a_size_with_which_the_shapes_do_not_clash() -> None:
    text = LOOP.replace(
        "nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Linear(16, 3))",
        "nn.Sequential(nn.Conv2d(1, 8, 5), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 4 * 4, 3))",
    )
    assert fields(solved(text, expectation=FLAT))["loader"][0].shape == (1, 12, 12)


def test_the_reports_own_numbers_go_before_usual_ones() -> None:
    text = "import torch\nnet = torch.nn.Conv1d(1, 4, 9)\nout = net(signals)\n"
    assert fields(solved(text, "The signals have 120 samples."))["signals"][0].shape == (1, 120)
    assert solved(LOOP, "There are 90 pictures.").specs[0].rows == 90


def test_columns_that_are_taken_from_a_table_are_there() -> None:
    assert columns_of("x = data[:, 1:31]\ny = data[:, 0]\n", "data") == Columns(31, 0, (1, 31))
    assert columns_of("x = data[0]\n", "data") is None


def test_what_a_placeholder_takes_is_fed() -> None:
    text = "x = tf.placeholder(tf.float32, [None, 48])\ns.run(step, {x: x_train[rows]})\n"
    assert fed_to(text, "x_train") == Fed((48,), whole=False)
    assert fed_to(text, "y_train") is None


def test_weights_of_samples_are_switches_with_rows_of_zeros() -> None:
    text = "import keras\nm = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])\nm.compile(loss='mse')\n"
    text += "m.fit(x, y, sample_weight=known)\n"
    assert fields(solved(text, expectation=FLAT, releases=KERAS))["known"][0].meaning is DataMeaning.SWITCHES


def test_values_between_zero_and_one_are_made_so_where_the_report_says_so() -> None:
    assert fields(solved(LOOP, "Gray pictures, values 0..1."))["loader"][0].unit
    assert not fields(solved(LOOP, "Gray pictures."))["loader"][0].unit


def test_held_out_data_are_like_those_for_training() -> None:
    text = LOOP + "score = check(valid_loader)\nfor x, y in valid_loader:\n    pass\n"
    found = fields(solved(text, expectation=FLAT))
    assert found["valid_loader"] == found["loader"]
    assert [stem_of(name) for name in ("val_x", "x_test", "latest")] == ["x", "x", "latest"]


def test_a_failure_leads_to_other_shapes_first_and_a_symptom_to_harder_data() -> None:
    evidence = EditEvidence(reading_of("It does not learn."), FLAT, TORCH, frozenset(TORCH))
    calm = [one.variant for one in solve(LOOP, evidence)][1:4]
    assert calm[0] == "classes that overlap"
    failed = ended(exception=raised("IndexError", "Dimension out of range", line=6))
    after = [one.variant for one in solve(LOOP, replace(evidence, run=failed))][1:3]
    assert "inputs with one more axis" in after


@pytest.mark.parametrize(
    ("call", "part"),
    [
        ("loss = train(model, train_loader, optimizer)", "optimizer.step()"),
        ("loss, acc = validate(model, val_loader)", "return loss, accuracy"),
        ("acc = accuracy(model, val_loader)", "return accuracy"),
    ],
)
def test_routines_that_reports_leave_out_are_written(call: str, part: str) -> None:
    name = call.split("= ")[1].split("(")[0]
    use = undefined(f"{call}\n")[name]
    routine = routine_for(use, call, torch=True)
    assert routine is not None
    assert part in routine.code
    assert routine_for(use, call, torch=False) is None


def test_other_functions_are_no_routines() -> None:
    assert routine_for(undefined("x = train(path)\n")["train"], "x = train(path)\n", torch=True) is None


def test_of_large_samples_there_are_fewer_unless_the_report_counts_them() -> None:
    text = (
        "import keras\nmodel = keras.Sequential([keras.layers.Dense(1, input_shape=(300, 300, 1))])\nmodel.fit(x, y)\n"
    )
    assert solved(text, expectation=FLAT, releases=KERAS).specs[0].rows == 64
    assert solved(text, "There are 400 images.", FLAT, KERAS).specs[0].rows == 400


def test_after_a_time_out_fewer_rows_come_first() -> None:
    evidence = EditEvidence(reading_of("It fails."), FLAT, TORCH, frozenset(TORCH))
    late = replace(evidence, run=ended(outcome=Outcome.TIMED_OUT))
    first, second = islice(solve(LOOP, late), 2)
    assert second.variant == "fewer rows, to finish in time"
    assert second.specs[0].rows < first.specs[0].rows


def test_numbers_of_words_are_known_by_their_name() -> None:
    (one,) = fields(solved("import torch\nout = bert(input_ids=input_ids_encoding)\n"))["input_ids_encoding"]
    assert (one.meaning, one.dtype) == (DataMeaning.TOKENS, "int64")
