"""The plug-in door: what does not fit is named, and never hides what does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from stranger_packs import install as install_distribution

from bugloss.core import installed_packs
from bugloss.core.errors import BrokenPlugin, UnknownPlugin
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import Plugins, find, load

Install = Callable[[str, str], None]


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
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a tiny distribution that offers one pack; our own packs are out of the way."""
    monkeypatch.setattr(installed_packs, "_OURS", ())
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = []

    def install(name: str, source: str) -> None:
        modules.append(install_distribution(tmp_path, name, {"PACK.py": source}))

    yield install
    for module in modules:
        sys.modules.pop(module, None)


def shouters() -> Plugins[Shouter]:
    return load(PluginGroup.TOOL, Shouter)


def test_a_plug_in_of_a_stranger_is_found_by_its_name(distribution: Install) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'tool': [Good()]}")
    found = shouters()
    assert list(found) == ["good"]
    assert len(found) == 1
    assert found["good"].shout("a", 2) == "AA"
    assert found.broken == ()


def test_a_pack_without_plug_ins_of_the_group_offers_none(distribution: Install) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'rule': [Good()]}")
    assert dict(shouters()) == {}
    assert shouters().broken == ()


FAULTS = {
    "import error": ("import no_such_module", "does not load: ModuleNotFoundError: No module named 'no_such_module'"),
    "syntax error": ("def", "does not load: SyntaxError"),
    "exit at import": ("raise SystemExit(3)", "does not load: SystemExit: 3"),
    "no list of plug-ins": ("x = 1", "does not load: AttributeError"),
    "a list of the wrong kind": ("PLUGINS = {'tool': 5}", "does not load: TypeError"),
    "a text for a list": ("PLUGINS = {'tool': 'tools'}", "does not load: TypeError: 'tool' must be a list"),
    "a module that is missing": (
        "PLUGINS = {'tool': ['no_such_module']}",
        "'no_such_module' of faulty (pack 'faulty') does not load: ModuleNotFoundError",
    ),
    "a class that is missing": (
        "PLUGINS = {'tool': {'bad': 'pack_of_faulty:Bad'}}",
        "'bad' of faulty (pack 'faulty') does not load: AttributeError",
    ),
    "a class that cannot be made": (
        "class Bad:\n def __init__(self, size): ...\nPLUGINS = {'tool': {'bad': 'pack_of_faulty:Bad'}}",
        "'bad' of faulty (pack 'faulty') does not load: TypeError",
    ),
    "another name than the pack says": (
        GOOD.replace('"good"', '"well"') + "PLUGINS = {'tool': {'bad': 'pack_of_faulty:Good'}}",
        "'bad' of faulty (pack 'faulty') has the name 'well'",
    ),
    "a group that does not exist": (
        "PLUGINS = {'toll': []}",
        "of faulty: there is no plug-in group 'toll'. Did you mean 'tool'?",
    ),
    "a member is lacking": (
        "class Bad:\n name = 'bad'\nPLUGINS = {'tool': [Bad()]}",
        "'bad' of faulty (pack 'faulty') lacks 'shout' of Shouter",
    ),
    "the name is lacking": (
        "class Bad:\n def shout(self, text, times): ...\nPLUGINS = {'tool': [Bad()]}",
        "lacks 'name' of Shouter",
    ),
    "other parameter names": (
        "class Bad:\n name = 'bad'\n def shout(self, words, times): ...\nPLUGINS = {'tool': [Bad()]}",
        "'bad' of faulty (pack 'faulty') has shout(words, times) where Shouter has (text, times)",
    ),
    "a parameter is lacking": (
        "class Bad:\n name = 'bad'\n def shout(self, text): ...\nPLUGINS = {'tool': [Bad()]}",
        "has shout(text) where Shouter has (text, times)",
    ),
    "a method that is none": (
        "class Bad:\n name = 'bad'\n shout = 'loud'\nPLUGINS = {'tool': [Bad()]}",
        "'bad' of faulty (pack 'faulty') cannot be examined: TypeError",
    ),
    "a member that raises": (
        "class Bad:\n name = 'bad'\n @property\n def shout(self): 1 / 0\nPLUGINS = {'tool': [Bad()]}",
        "cannot be examined: ZeroDivisionError",
    ),
}


@pytest.mark.parametrize(("source", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_plug_in_is_named_and_does_not_hide_the_rest(distribution: Install, source: str, fault: str) -> None:
    distribution("faulty", source)
    distribution("strangers", GOOD + "PLUGINS = {'tool': [Good()]}")
    found = shouters()
    assert list(found) == ["good"]
    (error,) = found.broken
    assert isinstance(error, BrokenPlugin)
    assert fault in error.message
    assert error.message.startswith(("tool plug-in ", "the pack 'faulty' of faulty"))
    assert error.hint == "Update or remove faulty."


def test_of_two_plug_ins_with_one_name_the_first_stays_and_the_second_is_reported(
    distribution: Install,
) -> None:
    distribution("alpha", GOOD + "PLUGINS = {'tool': [Good()]}")
    distribution("beta", GOOD + "PLUGINS = {'tool': [Good()]}")
    found = shouters()
    assert type(found["good"]).__module__ == "pack_of_alpha"
    (error,) = found.broken
    assert "'good' of beta (pack 'beta') has the name of another plug-in" in error.message


def test_one_bad_plug_in_of_a_pack_leaves_its_neighbours(distribution: Install) -> None:
    distribution("mixed", GOOD + "PLUGINS = {'tool': [object(), Good()]}")
    found = shouters()
    assert list(found) == ["good"]
    assert len(found.broken) == 1


def test_an_unknown_name_is_answered_with_the_nearest_one(distribution: Install) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'tool': [Good()]}")
    with pytest.raises(UnknownPlugin) as unknown:
        shouters()["god"]
    assert unknown.value.message == "there is no tool called 'god'."
    assert unknown.value.hint == "Did you mean 'good'?"


def test_the_plug_ins_are_a_proper_mapping(distribution: Install) -> None:
    distribution("strangers", GOOD + "PLUGINS = {'tool': [Good()]}")
    found = shouters()
    assert "good" in found
    assert "god" not in found
    assert found.get("god") is None


def test_an_unknown_group_is_an_error() -> None:
    with pytest.raises(UnknownPlugin) as unknown:
        load("detectr", Shouter)
    assert unknown.value.message == "there is no plug-in group 'detectr'."
    assert unknown.value.hint == "Did you mean 'detector'?"


TWO = GOOD + "PLUGINS = {'tool': {'good': 'pack_of_strangers:Good', 'bad': 'no_such_module:Bad'}}"


def test_a_plug_in_that_is_asked_for_by_name_is_loaded_alone(distribution: Install) -> None:
    distribution("strangers", TWO + "\nPLUGINS['tool']['loud'] = 'pack_of_noise:Loud'")
    distribution("noise", "raise SystemExit")
    assert find(PluginGroup.TOOL, Shouter, "good").name == "good"


def test_a_broken_plug_in_that_is_asked_for_by_name_says_what_is_wrong(distribution: Install) -> None:
    distribution("strangers", TWO)
    with pytest.raises(BrokenPlugin, match=r"'bad' of strangers .* No module named 'no_such_module'"):
        find(PluginGroup.TOOL, Shouter, "bad")


def test_an_unknown_name_is_answered_without_loading_what_has_another_one(distribution: Install) -> None:
    distribution("strangers", TWO)
    with pytest.raises(UnknownPlugin) as unknown:
        find(PluginGroup.TOOL, Shouter, "god")
    assert unknown.value.hint == "Did you mean 'good'?"
