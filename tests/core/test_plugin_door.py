"""The plug-in door from outside: fresh interpreters that load one group, and packs of other distributions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from stranger_packs import install

from bugloss.core.plugin_group import PluginGroup

# Where the shipped plug-ins of each group lie, and the contract that they meet.
SHIPPED = {
    PluginGroup.RULE: ("bugloss.check.rules.", "bugloss.check.contract", "Rule"),
    PluginGroup.DETECTOR: ("bugloss.observe.detectors.", "bugloss.observe.contract", "Detector"),
    PluginGroup.FAULT: ("bugloss.observe.causes.", "bugloss.observe.fault", "Fault"),
    PluginGroup.CRASH_FAMILY: ("bugloss.observe.crash.families.", "bugloss.observe.crash.contract", "CrashFamily"),
    PluginGroup.TOOL: ("bugloss.observe.tools.", "bugloss.observe.tools.contract", "Tool"),
    PluginGroup.EDIT_ACTION: ("bugloss.reproduce.actions.", "bugloss.reproduce.contract", "Action"),
    PluginGroup.TECHNIQUE: ("bugloss.localize.techniques.", "bugloss.localize.contract", "Technique"),
    PluginGroup.EXPORTER: ("bugloss.run.exporters", "bugloss.run.contract", "EnvironmentExporter"),
}
LOAD = """
import json, sys
sys.path[:0] = sys.argv[4:]
from importlib import import_module
from bugloss.core.registry import load
group, module, contract = sys.argv[1:4]
found = load(group, getattr(import_module(module), contract))
answer = {"names": list(found), "broken": [error.message for error in found.broken], "modules": list(sys.modules)}
print(json.dumps(answer))
"""


def load_afresh(group: PluginGroup, *sites: Path) -> dict[str, list[str]]:
    """The plug-ins of a group in a fresh interpreter, what is wrong with others, and the modules that were loaded."""
    _, module, contract = SHIPPED[group]
    command = [sys.executable, "-c", LOAD, group.value, module, contract, *map(str, sites)]
    answer: dict[str, list[str]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return answer


def test_every_group_with_shipped_plug_ins_is_tried_here() -> None:
    assert set(PluginGroup) - set(SHIPPED) == {PluginGroup.FIX_PATTERN}


@pytest.mark.parametrize("group", SHIPPED, ids=lambda group: group.value)
def test_loading_a_group_imports_the_modules_of_no_other(group: PluginGroup) -> None:
    answer = load_afresh(group)
    assert answer["names"] and answer["broken"] == []
    others = tuple(prefix for other, (prefix, *_) in SHIPPED.items() if other is not group)
    assert [name for name in answer["modules"] if name.startswith(others)] == []


RULE = """
from bugloss.check.contract import Rule
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category, FixPattern

class Base(Rule):
    severity, category, fix_pattern = Severity.ADVICE, next(iter(Category)), next(iter(FixPattern))
    faulty = clean = ()

class Shouting(Base):
    name = "shouting"
    def check(self, program):
        yield from ()
"""
DETECTOR = """
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector

class Whisper(Detector):
    name, severity, category, faulty, healthy = "whisper", Severity.ADVICE, next(iter(Category)), (), ()
    def detect(self, recording):
        yield from ()
"""
EXPORTER = """
class Nix:
    name, filename = "nix", "flake.nix"
    def render(self, stack):
        return stack.name
"""
PACK = """
PLUGINS = {
    "rule": ["strange.rules.*"],
    "detector": ["strange.detectors.whisper", "strange.detectors.broken"],
    "environment exporter": {"nix": "strange.nix:Nix"},
}
"""


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """A distribution with a rule, a detector, an exporter, and a detector that does not load."""
    packages = {f"strange/{name}__init__.py": "" for name in ("", "rules/", "detectors/")}
    parts = {
        "rules/shouting.py": RULE,
        "detectors/whisper.py": DETECTOR,
        "detectors/broken.py": "1 / 0",
        "nix.py": EXPORTER,
    }
    install(
        tmp_path, "strange", {"PACK.py": PACK, **packages, **{f"strange/{name}": text for name, text in parts.items()}}
    )
    return tmp_path


@pytest.mark.parametrize(
    ("group", "name", "modules"),
    [
        (PluginGroup.RULE, "shouting", {"strange.rules", "strange.rules.shouting"}),
        (PluginGroup.DETECTOR, "whisper", {"strange.detectors", "strange.detectors.whisper"}),
        (PluginGroup.EXPORTER, "nix", {"strange.nix"}),
    ],
    ids=lambda value: value.value if isinstance(value, PluginGroup) else "",
)
def test_a_pack_of_others_adds_plug_ins_and_loads_only_what_is_asked_for(
    strangers: Path, group: PluginGroup, name: str, modules: set[str]
) -> None:
    answer = load_afresh(group, strangers)
    assert name in answer["names"] and len(answer["names"]) > 1
    assert {module for module in answer["modules"] if module.startswith("strange.")} == modules


def test_a_broken_plug_in_of_a_pack_is_named_and_hides_no_other(strangers: Path) -> None:
    answer = load_afresh(PluginGroup.DETECTOR, strangers)
    (message,) = answer["broken"]
    assert message.startswith("detector plug-in 'strange.detectors.broken' of strange (pack 'strange') does not load:")
    assert {"whisper", "loss-flat"} <= set(answer["names"])


def test_our_plug_ins_are_found_without_asking_what_is_installed() -> None:
    """importlib.metadata takes longer to load than a short command does altogether."""
    assert "importlib.metadata" not in load_afresh(PluginGroup.TECHNIQUE)["modules"]
