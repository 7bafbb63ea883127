"""Stand-ins for data sets: used only where the real ones cannot be had, with their shapes, types and ranges."""

from __future__ import annotations

import io
import tarfile
import types
import urllib.response
import wave
import zlib
from typing import Any
from urllib.error import URLError

import numpy as np
import pytest

from bugloss.probes.observe import generated
from bugloss.probes.observe.generated import (
    archives,
    huggingface_sets,
    keras_sets,
    known_files,
    samples,
    sklearn_sets,
    torchaudio_sets,
    torchvision_sets,
    web,
    weights,
)


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


ADDRESS = "https://example.org/data/"


@pytest.mark.parametrize(
    "name", ["iris.data", "winequality-red.csv", "titanic/train.csv", "auto-mpg.data", "heart.csv"]
)
def test_a_known_table_has_its_rows_and_columns(name: str) -> None:
    found = known_files.find(ADDRESS + name)
    assert found is not None
    lines = found[1]().decode().splitlines()
    separator = {"winequality-red.csv": ";", "auto-mpg.data": "\t"}.get(name, ",")
    assert {line.count(separator) for line in lines} == {lines[0].count(separator)}
    rows = {"iris.data": 150, "winequality-red.csv": 1600, "titanic/train.csv": 628, "auto-mpg.data": 398}
    assert len(lines) == rows.get(name, 304)


def test_the_graph_of_papers_has_the_format_of_cora() -> None:
    found = known_files.find(ADDRESS + "cora.tgz?download=1")
    assert found is not None
    with tarfile.open(fileobj=io.BytesIO(found[1]())) as archive:
        parts = {name: archive.extractfile(name) for name in archive.getnames()}
        content, cites = (parts[f"cora/cora.{end}"].read().decode().splitlines() for end in ("content", "cites"))  # type: ignore[union-attr]
    papers = {line.split("\t")[0] for line in content}
    assert (len(papers), len(cites), content[0].count("\t")) == (2708, 5429, 1434)
    assert all(set(line.split("\t")) <= papers for line in cites)


def test_an_image_and_a_sound_can_be_read_again() -> None:
    pixels = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    data = archives.image(pixels)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert zlib.decompress(data[41:-16])[1:16] == pixels[0].tobytes()
    with wave.open(io.BytesIO(archives.sound(np.sin(np.arange(800) / 9.0), 16000))) as sound:
        assert (sound.getframerate(), sound.getnframes()) == (16000, 800)


def test_an_address_that_is_not_known_is_the_program_s_own_error() -> None:
    assert known_files.find(ADDRESS + "mine.csv") is None
    assert known_files.find(ADDRESS + "not-iris.data") is None


def test_what_a_program_fetches_by_itself_is_generated_without_network() -> None:
    def unreachable(*arguments: object, **named: object) -> None:
        raise URLError("no route")

    module = types.SimpleNamespace(
        OpenerDirector=type("OpenerDirector", (), {"open": unreachable}), addinfourl=urllib.response.addinfourl
    )
    recorder = Recorder()
    web.wrap_urllib(recorder, module)
    answer = module.OpenerDirector().open(ADDRESS + "iris.csv")
    assert answer.read().startswith(b"sepal_length,")
    assert recorder.events == [("stand-in", "iris.csv")]
    with pytest.raises(URLError):
        module.OpenerDirector().open(ADDRESS + "mine.csv")


def test_a_model_without_its_trained_weights_is_built_with_random_ones() -> None:
    def fetching_network(weights: str | None = "imagenet", classes: int = 10) -> tuple[str | None, int]:
        if weights is not None:
            raise URLError("no route")
        return weights, classes

    module, recorder = types.SimpleNamespace(VGG16=fetching_network, helper=len), Recorder()
    weights.wrap_application(recorder, module)
    assert module.VGG16(classes=3) == (None, 3)
    assert module.VGG16("imagenet", 4) == (None, 4)
    assert recorder.events == [("stand-in", "weights of VGG16")] * 2


def test_drawing_a_model_without_graphviz_does_not_stop_the_program() -> None:
    def plot_model(model: object) -> None:
        raise ImportError("You must install pydot")

    module = types.SimpleNamespace(plot_model=plot_model)
    weights.wrap_drawing(Recorder(), module)
    assert module.plot_model(None) is None


@pytest.mark.parametrize(
    ("path", "name", "key"),
    [
        ("imdb", None, "imdb"),
        ("stanfordnlp/imdb", None, "imdb"),
        ("nyu-mll/glue", "sst2", "glue/sst2"),
        ("wikitext", "wikitext-2-raw-v1", "wikitext"),
        ("me/mine", None, None),
    ],
)
def test_names_of_the_hub_are_known_with_and_without_their_owner(path: str, name: str | None, key: str | None) -> None:
    assert huggingface_sets.key_of(path, name) == key


def test_a_part_of_a_split_is_cut_as_the_hub_does() -> None:
    assert [huggingface_sets.place_of(word, 400, 7) for word in ("", "10%", "30", "-10", "900")] == [
        7,
        40,
        30,
        390,
        400,
    ]


def test_the_forests_of_scikit_learn_have_their_columns_and_kinds() -> None:
    data, kinds = sklearn_sets.covertype(return_X_y=True)
    assert (data.shape[1], set(kinds.tolist())) == (54, set(range(1, 8)))
    assert (data[:, 10:14].sum(1) == 1).all()


def test_a_sound_data_set_without_files_makes_its_items(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = types.SimpleNamespace(from_numpy=lambda array: array)
    monkeypatch.setattr(samples, "library", {"numpy": np, "torch": torch}.__getitem__)

    class Commands:
        def __init__(self, root: str, subset: str | None = None) -> None:
            raise URLError("no route")

        def __len__(self) -> int:
            return 0

        def __getitem__(self, place: int) -> None:
            raise AssertionError

    module, recorder = types.SimpleNamespace(SPEECHCOMMANDS=Commands), Recorder()
    torchaudio_sets.wrap(recorder, module)
    data = module.SPEECHCOMMANDS(".", subset="validation")
    waveform, rate, word, *_ = data[3]
    assert (len(data), tuple(waveform.shape), rate) == (9981, (1, 16000), 16000)
    assert word in torchaudio_sets.WORDS
    assert data[3][2] == word
    assert recorder.events == [("stand-in", "SPEECHCOMMANDS of torchaudio")]
    with pytest.raises(IndexError):
        data[9981]
