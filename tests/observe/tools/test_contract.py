"""The tools come through the same door as everybody's, and none falls over a poor recording."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.codec import encode
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.tools.contract import Tool, ToolAnswer

TOOLS = load(PluginGroup.TOOL, Tool)
NAMES = ("deepdiagnosis", "deepfd", "deeplocalize", "tarantula", "value-spectra")
PARTS = [item.name for item in fields(Recording) if item.name not in ("started", "unread")]
EMPTY = Recording()


def test_every_tool_is_found_by_its_name() -> None:
    assert sorted(TOOLS) == sorted(NAMES)
    assert TOOLS.broken == ()


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_is_complete_and_no_tool_is_silent_without_a_reason(name: str) -> None:
    for recordings in ([], [EMPTY], [sketch()], [sketch([2.3] * 100)], [sketch(), sketch([math.nan] * 100)]):
        answer = TOOLS[name].diagnose(recordings)
        assert answer.tool == name
        assert answer.causes or answer.remarks
        assert isinstance(encode(answer), dict)


@pytest.mark.parametrize("name", NAMES)
@given(missing=st.sets(st.sampled_from(PARTS)), faulty=st.booleans())
def test_missing_parts_of_a_recording_break_no_tool(name: str, missing: set[str], faulty: bool) -> None:
    poor = {part: getattr(EMPTY, part) for part in missing}
    bent = sketch([2.3] * 100, layers={"fc1": {"dead_share": 0.9, "gradient_rms": None}}) if faulty else sketch()
    assert isinstance(TOOLS[name].diagnose([replace(bent, **poor), sketch()]), ToolAnswer)


@pytest.mark.parametrize("name", NAMES)
def test_confidences_lie_between_nothing_and_certainty(name: str) -> None:
    wild = {"dead_share": 1.0, "gradient_rms": math.inf, "update_ratio": math.nan, "output_std": math.inf}
    runs = [sketch([2.3, math.inf, math.nan] * 30, layers={"fc1": wild, "fc2": wild}), sketch()]
    assert all(0 <= cause.confidence <= 1 for cause in TOOLS[name].diagnose(runs).causes)
