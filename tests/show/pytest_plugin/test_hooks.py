"""What a person sees who runs pytest with the plug-in."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from bugloss.run.environment import Environment

Session = Callable[..., "subprocess.CompletedProcess[str]"]

TRAINING = """
    import pytest, torch
    from torch import nn

    def train(head=(), lr=0.05, steps=60):
        torch.manual_seed(0)
        x = torch.randn(128, 8)
        y = (x[:, 0] + x[:, 1] > 0).long()
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2), *head)
        optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        criterion = nn.CrossEntropyLoss()
        for _ in range(steps):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        return float(loss)
"""


def test_pytest_finds_the_plug_in_of_an_installed_bugloss(session: Session, tmp_path: Path) -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    facts = tmp_path / "installed" / "bugloss_plugin-1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: bugloss-plugin\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(f"[pytest11]\nbugloss = {project['entry-points']['pytest11']['bugloss']}\n")
    options = ["-p", "no:anyio", "-p", "no:hypothesispytest", "-p", "no:schemathesis", "-p", "no:platformdirs"]
    done = session("def test_nothing(): pass", "--bugloss", *options, installed=facts.parent)
    assert done.returncode == 0 and "no test trained anything" in done.stdout, done.stdout + done.stderr


def test_a_session_without_marker_loads_nothing_of_ours(session: Session) -> None:
    done = session("""
        import sys

        def test_nothing():
            ours = {name for name in sys.modules if name.startswith("bugloss")}
            assert ours <= {"bugloss", "bugloss.show", "bugloss.show.pytest_plugin", "bugloss.show.pytest_plugin.hooks"}
    """)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("marker", "complaint"),
    [
        ("fail_on=['los-flat']", "there is no symptom 'los-flat'. Did you mean 'loss-flat'"),
        ("fail_on=[]", "fail_on is empty"),
        ("fail_on=7", "fail_on is 7, not a list of names"),
        ("fails_on=['loss-flat']", "no argument 'fails_on'. Did you mean 'fail_on'?"),
        ("['loss-flat']", "takes no positional arguments"),
        ("allow='no-such-thing'", "there is no symptom 'no-such-thing'"),
        ("budget='much'", "budget is 'much'"),
    ],
)
def test_a_wrong_marker_is_refused_before_anything_runs(session: Session, marker: str, complaint: str) -> None:
    done = session(f"""
        import pytest

        @pytest.mark.bugloss({marker})
        def test_training():
            print("it ran")
    """)
    assert done.returncode == 4
    assert f"test_training.py::test_training: {complaint}" in done.stderr.replace(
        "the marker bugloss has ", ""
    ).replace("the marker bugloss ", ""), done.stderr
    assert "it ran" not in done.stdout and "Traceback" not in done.stderr


def test_a_wrong_option_is_refused_by_name(session: Session) -> None:
    done = session("def test_nothing(): pass", "--bugloss-fail-on", "error,overfiting")
    assert done.returncode == 4
    assert "--bugloss-fail-on: there is no symptom 'overfiting'. Did you mean 'overfitting'" in done.stderr


def test_a_marked_test_that_trains_nothing_fails(session: Session) -> None:
    """An assertion about a training that never happened must not pass."""
    done = session("""
        import pytest

        @pytest.mark.bugloss
        def test_training():
            pass
    """)
    assert done.returncode == 1
    assert "bugloss: inconclusive: the program used neither PyTorch nor Keras" in done.stdout


def test_the_summary_says_that_nothing_trained(session: Session) -> None:
    done = session("def test_nothing(): pass", "--bugloss")
    assert done.returncode == 0 and "no test trained anything" in done.stdout


def test_marker_and_fixture_exclude_each_other(session: Session) -> None:
    done = session("""
        import pytest

        @pytest.mark.bugloss
        def test_training(bugloss_watch):
            pass
    """)
    assert done.returncode == 4 and "the marker bugloss or the fixture bugloss_watch, not both" in done.stderr


TRAININGS = (
    TRAINING
    + """
    def hooked():
        return nn.Module.__call__, torch.Tensor.backward, nn.functional.cross_entropy

    BEFORE = hooked()

    @pytest.fixture
    def diverged():
        return train(lr=1e18)

    @pytest.mark.bugloss
    def test_healthy():
        assert train() < 0.2

    @pytest.mark.bugloss(fail_on=["error", "head-loss-mismatch"])
    def test_softmax_before_the_loss():
        train(head=[nn.Softmax(dim=1)])

    @pytest.mark.bugloss(fail_on=["overfitting"])
    def test_other_symptoms_do_not_count():
        train(head=[nn.Softmax(dim=1)])

    @pytest.mark.bugloss(fail_on=["warning"])
    def test_trained_in_a_fixture(diverged):
        pass

    def test_not_marked():
        train(lr=1e18)

    def test_by_hand(bugloss_watch):
        with bugloss_watch() as seen:
            train(head=[nn.Softmax(dim=1)])
        assert seen.steps == 60 and "head-loss-mismatch" in seen.symptoms
        assert seen.diagnosis.causes[0].locations[0].path == "test_training.py"

    @pytest.mark.bugloss(fail_on=["head-loss-mismatch"])
    @pytest.mark.xfail(strict=True)
    def test_known_to_be_broken():
        train(head=[nn.Softmax(dim=1)])

    @pytest.fixture
    def broken():
        train(steps=3)
        raise RuntimeError("the fixture broke")

    @pytest.mark.bugloss
    def test_with_a_broken_fixture(broken):
        pass

    @pytest.mark.bugloss
    def test_hooks_are_on_meanwhile():
        assert hooked() != BEFORE
        train()

    @pytest.mark.bugloss
    def test_skipped():
        pytest.skip("not today")

    def test_no_hook_is_left(bugloss_watch):  # --bugloss leaves tests with this fixture alone
        assert hooked() == BEFORE

    @pytest.mark.bugloss
    def test_that_fails_by_itself():
        train(head=[nn.Softmax(dim=1)])
        assert False, "my own assertion"
    """
)
VERDICTS = {
    "test_healthy": "PASSED",
    "test_softmax_before_the_loss": "FAILED",
    "test_other_symptoms_do_not_count": "PASSED",
    "test_trained_in_a_fixture": "FAILED",
    "test_not_marked": "PASSED",
    "test_by_hand": "PASSED",
    "test_known_to_be_broken": "XFAIL",
    "test_with_a_broken_fixture": "ERROR",
    "test_hooks_are_on_meanwhile": "PASSED",
    "test_skipped": "SKIPPED",
    "test_no_hook_is_left": "PASSED",
    "test_that_fails_by_itself": "FAILED",
}


@pytest.mark.stack
@pytest.mark.slow
def test_trainings_fail_on_the_chosen_symptoms(
    session: Session, stack: Callable[[str], Environment], tmp_path: Path
) -> None:
    done = session(TRAININGS, "-v", "--bugloss", python=str(stack("torch").python))
    verdicts = {
        line.split("::")[1].split()[0]: line.split()[1] for line in done.stdout.splitlines() if line.endswith("%]")
    }
    assert verdicts == VERDICTS, done.stdout + done.stderr
    assert "bugloss: head-loss-mismatch (error)" in done.stdout
    assert "test_healthy: 60 training steps: no problem found" in done.stdout
    assert "my own assertion" in done.stdout and "Captured bugloss call" in done.stdout
    assert "  cause  " in done.stdout and "  page   bugloss report " in done.stdout
    assert not (tmp_path / "project" / ".bugloss").exists()


KERAS = """
    import pytest

    def train(activation):
        import keras, numpy
        keras.utils.set_random_seed(0)
        x = numpy.random.default_rng(0).normal(size=(256, 8)).astype("float32")
        y = (x[:, 0] + x[:, 1] > 0).astype("float32")
        layers = [keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, activation=activation)]
        model = keras.Sequential(layers)
        model.compile(optimizer=keras.optimizers.Adam(0.02), loss="binary_crossentropy", metrics=["accuracy"])
        model.fit(x, y, epochs=12, batch_size=32, verbose=0)

    @pytest.mark.bugloss(fail_on=["head-loss-mismatch"])
    def test_logits_for_probabilities():
        train(None)

    @pytest.mark.bugloss(fail_on=["head-loss-mismatch"])
    def test_probabilities():
        train("sigmoid")
"""


@pytest.mark.stack
@pytest.mark.slow
def test_keras_that_is_imported_in_the_test(session: Session, stack: Callable[[str], Environment]) -> None:
    done = session(KERAS, "-v", python=str(stack("keras3").python))
    assert "test_logits_for_probabilities FAILED" in done.stdout, done.stdout + done.stderr
    assert "test_probabilities PASSED" in done.stdout, done.stdout
    assert "bugloss: head-loss-mismatch (error)" in done.stdout
