"""The plug-in door: what does not fit is named, and never hides what does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from bugloss.core.errors import BrokenPlugin, UnknownPlugin
from bugloss.core.registry import Plugins, load


class Shouter(Protocol):
    """The contract of these tests."""

    name: str

    def shout(self, text: str, times: int) -> str: ...


GOOD = """
class Good:
    name = "good"
    def shout(self, text, times):
        return text.upper() * times
"""


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Installs a tiny distribution that offers one pack."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    modules = []

    def install(name: str, source: str) -> None:
        module = f"pack_of_{name}"
        (site / f"{module}.py").write_text(source)
        facts = site / f"{name}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[bugloss.packs]\n{name} = {module}\n")
        modules.append(module)

    yield install
    for module in modules:
        sys.modules.pop(module, None)


def shouters() -> Plugins[Shouter]:
    return load("shouter", Shouter)


def test_a_plug_in_of_a_stranger_is_found_by_its_name(distribution: Callable[[str, str], None]) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'shouter': [Good()]}")
    found = shouters()
    assert list(found) == ["good"]
    assert len(found) == 1
    assert found["good"].shout("a", 2) == "AA"
    assert found.broken == ()


def test_a_pack_without_plug_ins_of_the_group_offers_none(distribution: Callable[[str, str], None]) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'whisperer': [Good()]}")
    assert dict(shouters()) == {}
    assert shouters().broken == ()


FAULTS = {
    "import error": ("import no_such_module", "does not load: ModuleNotFoundError: No module named 'no_such_module'"),
    "syntax error": ("def", "does not load: SyntaxError"),
    "exit at import": ("raise SystemExit(3)", "does not load: SystemExit: 3"),
    "no list of plug-ins": ("x = 1", "does not load: AttributeError"),
    "a list of the wrong kind": ("PLUGINS = {'shouter': 5}", "does not load: TypeError"),
    "a member is lacking": (
        "class Bad:\n name = 'bad'\nPLUGINS = {'shouter': [Bad()]}",
        "'bad' of faulty (pack 'faulty') lacks 'shout' of Shouter",
    ),
    "the name is lacking": (
        "class Bad:\n def shout(self, text, times): ...\nPLUGINS = {'shouter': [Bad()]}",
        "lacks 'name' of Shouter",
    ),
    "other parameter names": (
        "class Bad:\n name = 'bad'\n def shout(self, words, times): ...\nPLUGINS = {'shouter': [Bad()]}",
        "'bad' of faulty (pack 'faulty') has shout(words, times) where Shouter says (text, times)",
    ),
    "a parameter is lacking": (
        "class Bad:\n name = 'bad'\n def shout(self, text): ...\nPLUGINS = {'shouter': [Bad()]}",
        "has shout(text) where Shouter says (text, times)",
    ),
    "a method that is none": (
        "class Bad:\n name = 'bad'\n shout = 'loud'\nPLUGINS = {'shouter': [Bad()]}",
        "'bad' of faulty (pack 'faulty') cannot be examined: TypeError",
    ),
    "a member that raises": (
        "class Bad:\n name = 'bad'\n @property\n def shout(self): 1 / 0\nPLUGINS = {'shouter': [Bad()]}",
        "cannot be examined: ZeroDivisionError",
    ),
}


@pytest.mark.parametrize(("source", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_plug_in_is_named_and_does_not_hide_the_rest(
    distribution: Callable[[str, str], None], source: str, fault: str
) -> None:
    distribution("faulty", source)
    distribution("strangers", GOOD + "PLUGINS = {'shouter': [Good()]}")
    found = shouters()
    assert list(found) == ["good"]
    (error,) = found.broken
    assert isinstance(error, BrokenPlugin)
    assert fault in error.message
    assert error.message.startswith("shouter plug-in ")
    assert "of faulty (pack 'faulty')" in error.message
    assert error.hint == "Update or remove faulty."


def test_of_two_plug_ins_with_one_name_the_first_stays_and_the_second_is_reported(
    distribution: Callable[[str, str], None],
) -> None:
    distribution("alpha", GOOD + "PLUGINS = {'shouter': [Good()]}")
    distribution("beta", GOOD + "PLUGINS = {'shouter': [Good()]}")
    found = shouters()
    assert type(found["good"]).__module__ == "pack_of_alpha"
    (error,) = found.broken
    assert "'good' of beta (pack 'beta') has a name that another plug-in took first" in error.message


def test_one_bad_plug_in_of_a_pack_leaves_its_neighbours(distribution: Callable[[str, str], None]) -> None:
    distribution("mixed", GOOD + "PLUGINS = {'shouter': [object(), Good()]}")
    found = shouters()
    assert list(found) == ["good"]
    assert len(found.broken) == 1


def test_an_unknown_name_is_answered_with_the_nearest_one(distribution: Callable[[str, str], None]) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'shouter': [Good()]}")
    with pytest.raises(UnknownPlugin) as unknown:
        shouters()["god"]
    assert unknown.value.message == "no shouter plug-in is called 'god'."
    assert unknown.value.hint == "Did you mean 'good'?"


def test_the_plug_ins_are_a_proper_mapping(distribution: Callable[[str, str], None]) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'shouter': [Good()]}")
    found = shouters()
    assert "good" in found
    assert "god" not in found
    assert found.get("god") is None


def test_our_own_exporters_come_through_the_same_door() -> None:
    from bugloss.workflows.environments import exporters

    found = exporters()
    assert {"conda", "docker", "requirements"} <= set(found)
    assert found.broken == ()
