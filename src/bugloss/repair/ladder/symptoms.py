"""Whether what was seen before a patch is still seen after it, and comes back without it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum

from bugloss.core.failure.frames import users
from bugloss.core.failure.message import blank
from bugloss.core.finding import Severity
from bugloss.core.patch import Rung, RungResult
from bugloss.core.python_text import parse_python
from bugloss.core.raised import Frame
from bugloss.core.run import Outcome
from bugloss.observe.recording import Crash
from bugloss.repair.ladder.observed import ObservedRun

_FURTHER_STEPS = 5  # of a run that was cut off: a loop that makes so many more is past the line that failed


class CrashChange(Enum):
    """What a patch made of a crash."""

    GONE = "gone"
    SAME = "same"
    OTHER = "other"  # another exception, no nearer to the end of the program
    LATER = "later"  # another exception, further on: what was wrong is repaired, and there is more


def compare_crashes(before: ObservedRun, after: ObservedRun) -> CrashChange:
    """Whether the crash is the same, another one, or further on."""
    if after.crash is None:
        passed = not after.cut_off or len(after.recording.steps) >= len(before.recording.steps) + _FURTHER_STEPS
        return CrashChange.GONE if after.ran and passed and after.outcome is not Outcome.EXITED else CrashChange.OTHER
    if before.crash is None:
        return CrashChange.OTHER
    further = _reached(after) > _reached(before)
    if _reached(after) == _reached(before) and _is_later_in_line(before, after):
        return CrashChange.LATER
    if is_same_crash(before.crash, after.crash):
        # The same message from another line is the same fault once more; a line that a patch moved down is not.
        return CrashChange.LATER if further and _line(before) != _line(after) else CrashChange.SAME
    return CrashChange.LATER if further else CrashChange.OTHER


def is_same_crash(first: Crash, second: Crash) -> bool:
    """Class and message with the numbers blanked; sizes may differ after a patch, the wording does not."""
    one, two = first.exception, second.exception
    return one.kind == two.kind and blank(one.message) == blank(two.message)


def _reached(run: ObservedRun) -> tuple[int, int, int, tuple[int, ...]]:
    """How far a program came: steps, batches and models that were seen, then the lines from the outermost call in."""
    recording = run.recording
    lines = tuple(frame.line for frame in _own_frames(run))
    return len(recording.steps), len(recording.losses), len(recording.models), lines


def _line(run: ObservedRun) -> str:
    """The innermost line of the program, as it reads."""
    return "".join(frame.text.strip() for frame in _own_frames(run)[-1:])


def _is_later_in_line(before: ObservedRun, after: ObservedRun) -> bool:
    """Whether another layer of the same line fails, one that is called after the first: ``second(first(x))``."""
    if _line(before) != _line(after) or before.crash is None or after.crash is None:
        return False
    (owner, _, first), (other, _, second) = (run.crash.layer.rpartition(".") for run in (before, after) if run.crash)
    if owner == other and first.isdecimal() and second.isdecimal():  # of nn.Sequential
        return int(second) > int(first)
    start, end = _call_of_layer(before), _call_of_layer(after)
    return start is not None and end is not None and end > start


def _call_of_layer(run: ObservedRun) -> int | None:
    """Where the call of the failing layer ends in its line: what ends first is called first."""
    layer = run.crash.layer.rsplit(".", 1)[-1] if run.crash is not None else ""
    try:
        tree = parse_python(_line(run)) if layer else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree is not None else []
    ends = [node.end_col_offset for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == layer]
    return ends[0] if len(ends) == 1 else None


def _own_frames(run: ObservedRun) -> Sequence[Frame]:
    return users(run.crash.exception.frames) if run.crash is not None else ()


def judge_step(before: ObservedRun, after: ObservedRun) -> RungResult:
    """Whether the patched program runs, and makes a step where the program made one or was about to."""
    if not after.ran:
        return RungResult(Rung.STEP, False, f"the patched program did not come to its end: {after.outcome.value}")
    crash = after.crash
    if crash is not None and before.crash is None:
        words = f"the patched program raises {crash.exception.kind}: {_first_line(crash.exception.message)}"
        return RungResult(Rung.STEP, False, words)
    if before.recording.steps and not after.recording.steps:
        return RungResult(Rung.STEP, False, "the patched program makes no training step")
    steps = len(after.recording.steps)
    return RungResult(Rung.STEP, True, f"{steps} training steps" if steps != 1 else "1 training step")


def judge_silence(before: ObservedRun, after: ObservedRun, triggers: Sequence[str]) -> RungResult:
    """Whether what fired is silent: the exception, or the symptoms that count for the cause."""
    if before.crash is not None:
        change = compare_crashes(before, after)
        kind = before.crash.exception.kind
        cut = "; the time was up before the end of the program" if after.cut_off else ""
        words = {
            CrashChange.GONE: f"{kind} is not raised any more{cut}",
            CrashChange.SAME: f"{kind} is raised as before",
            CrashChange.OTHER: f"instead of {kind}, {_ending(after)}",
            CrashChange.LATER: f"{kind} is gone; further on, {_ending(after)}",
        }[change]
        return RungResult(Rung.SILENT, change is CrashChange.GONE, words, {"crash": change.value})
    left = [name for name in after.alarms if name in triggers]
    if left or after.failed:
        return RungResult(Rung.SILENT, False, f"still seen: {', '.join(left or after.failed)}", {"left": left})
    fresh = fresh_errors(before, after)
    if fresh:
        return RungResult(Rung.SILENT, False, f"seen only with the patch: {', '.join(fresh)}", {"new": fresh})
    return RungResult(Rung.SILENT, True, f"not seen any more: {', '.join(triggers)}")


def fresh_errors(before: ObservedRun, after: ObservedRun) -> list[str]:
    """Symptoms of severity error that only the patched program shows."""
    return [one.name for one in after.symptoms if one.severity is Severity.ERROR and one.name not in before.alarms]


def judge_return(before: ObservedRun, again: ObservedRun, triggers: Sequence[str]) -> RungResult:
    """Whether the program without the patch shows the symptom once more, run like the patched one."""
    if before.crash is not None:
        same = again.crash is not None and is_same_crash(before.crash, again.crash)
        kind = before.crash.exception.kind
        words = f"without the patch {kind} {'is raised again' if same else 'is not raised again'}"
        return RungResult(Rung.REVERTED, same, words)
    seen = [name for name in triggers if name in again.alarms]
    words = f"without the patch seen again: {', '.join(seen)}" if seen else "without the patch it is silent, too"
    return RungResult(Rung.REVERTED, bool(seen), words)


def _ending(run: ObservedRun) -> str:
    if run.crash is None and run.cut_off:
        return f"the time was up after {len(run.recording.steps)} training steps, too early to tell"
    if run.crash is None:
        return f"the program ends otherwise ({run.outcome.value})"
    error = run.crash.exception
    return f"{error.kind} is raised: {_first_line(error.message)}"


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:160]
