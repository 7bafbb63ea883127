"""Stand-ins for data sets: used only where the real ones cannot be had, with their shapes, types and ranges."""

from __future__ import annotations

import types
from typing import Any
from urllib.error import URLError

import numpy as np
import pytest

from bugloss.probes.observe import generated
from bugloss.probes.observe.generated import keras_sets, samples, torchvision_sets


class Recorder:
    """Keeps what is written down."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []

    def emit(self, event: str, name: str) -> None:
        self.events.append((event, name))


def fetching(error: Exception | None) -> tuple[Any, Recorder]:
    """``load_data`` of a module that meets an error, wrapped."""

    def load_data() -> str:
        if error is not None:
            raise error
        return "the real data"

    module, recorder = types.SimpleNamespace(load_data=load_data), Recorder()
    keras_sets.wrap(recorder, module, "boston_housing")
    return module.load_data, recorder


def test_real_data_come_first() -> None:
    load, recorder = fetching(None)
    assert (load(), recorder.events) == ("the real data", [])


@pytest.mark.parametrize("error", [URLError("no route"), Exception("URL fetch failure on x: None -- y")])
def test_where_the_network_is_missing_a_stand_in_is_used_and_written_down(error: Exception) -> None:
    load, recorder = fetching(error)
    (inputs, targets), (others, _) = load()
    assert (inputs.shape, targets.shape, others.shape) == ((404, 13), (404,), (102, 13))
    assert targets.min() >= 5
    assert targets.max() <= 50
    assert recorder.events == [("stand-in", "boston_housing")]


def test_another_error_of_the_program_is_its_own() -> None:
    load, recorder = fetching(TypeError("unexpected keyword"))
    with pytest.raises(TypeError):
        load()
    assert recorder.events == []


def test_images_have_the_shape_the_type_and_a_class_that_can_be_learned() -> None:
    images, labels = samples.images("mnist", "a", 3000, (28, 28), 10, dark=True)
    assert (images.shape, images.dtype, images.min()) == ((3000, 28, 28), np.uint8, 0)
    assert 0.3 < (images == 0).mean() < 0.9
    flat = images.reshape(3000, -1).astype(float)
    centres = np.stack([flat[:2000][labels[:2000] == number].mean(0) for number in range(10)])
    guessed = ((flat[2000:, None] - centres) ** 2).sum(2).argmin(1)
    assert (guessed == labels[2000:]).mean() > 0.9


def test_no_image_of_one_part_is_in_the_other() -> None:
    parts = [samples.images("cifar10", part, 500, (32, 32, 3), 10)[0] for part in ("a", "b")]
    assert len({image.tobytes() for part in parts for image in part}) == 1000


def test_the_program_s_own_random_numbers_are_not_touched() -> None:
    np.random.seed(1)
    expected = np.random.uniform()
    np.random.seed(1)
    samples.texts("imdb", "a", 50, 2, 100)
    assert np.random.uniform() == expected


def test_texts_are_limited_as_keras_does() -> None:
    found, labels = keras_sets.fitted(samples.texts("imdb", "a", 200, 2, 100), 1000, 0, None, 1, 2, 3)
    assert found.dtype == object
    assert all(line[0] == 1 for line in found)
    assert max(max(line) for line in found) < 1000
    assert set(labels) == {0, 1}


def test_a_class_that_a_program_derives_is_known_by_its_base() -> None:
    base = type("CIFAR10", (), {})
    derived = type("Mine", (base,), {})
    assert torchvision_sets.name_of(derived()) == "CIFAR10"
    assert torchvision_sets.name_of(object()) is None


def test_an_error_that_follows_from_a_missing_file_counts() -> None:
    wrapped = RuntimeError("failed")
    wrapped.__cause__ = OSError("x")
    assert generated.lacks_files(wrapped)
    assert not generated.lacks_files(ValueError("shape"))
