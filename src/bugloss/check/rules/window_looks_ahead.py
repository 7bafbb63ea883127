"""window-looks-ahead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import remove_argument
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, method_of, walk, written


class WindowLooksAhead(Rule):
    """A feature of a forecast is smoothed over a window that reaches into the future.

    ## What it finds
    ``rolling(…, center=True)``, ``np.convolve(…, mode="same")``, a centred filter of SciPy (``savgol_filter``,
    ``gaussian_filter1d``, ``uniform_filter1d``, ``filtfilt``), or a padding of half a window on both sides before
    ``mode="valid"``, in a program that makes windows of a series to forecast.

    ## Why it hurts
    The smoothed value at the last known step contains values after it, among them the target. Validation looks
    good, and forecasts of the real future do not.

    ## Example
    ```python
    smooth = series.rolling(24, center=True).mean()
    ```

    ## Use instead
    ```python
    smooth = series.rolling(24).mean()
    ```

    ## Known problems
    Smoothing of a target or for a plot is not a leak; only files that forecast are looked at.

    ## Fix safety
    Suggested for ``center=True``: it is removed.

    ## References
    Kaufman et al., Leakage in Data Mining (2012).
    """

    name = "window-looks-ahead"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("center=True", "convolve", "_filter", "filtfilt")
    faulty = (
        """\
import numpy as np
import keras

HORIZON = 6

def smooth(series, span):
    padded = np.pad(series, span // 2, mode="edge")
    return np.convolve(padded, np.ones(span) / span, mode="valid")

def windows(series, length):
    x = np.stack([series[i : i + length] for i in range(len(series) - length - HORIZON)])
    return x, series[length + HORIZON :]
""",
        """\
import pandas as pd
import torch

def forecast_features(frame):
    frame["trend"] = frame["load"].rolling(24, center=True).mean()
    return frame
""",
    )
    clean = (
        """\
import numpy as np
import torch

def smooth(series, span):
    padded = np.concatenate([np.full(span - 1, series[0]), series])
    return np.convolve(padded, np.ones(span) / span, mode="valid")

def windows(series, length, horizon):
    return np.stack([series[i : i + length] for i in range(len(series) - length - horizon)])
""",
        """\
import numpy as np
import torch
from scipy.ndimage import gaussian_filter1d

def blur(image):
    return gaussian_filter1d(image, 2.0, axis=0)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not _FORECAST.search(program.source.text):
            return
        for call in program.called("rolling"):
            for item in call.keywords:
                if item.arg == "center" and is_constant(item.value, True):
                    fix = suggested(remove_argument(program, call, item))
                    yield self.finding(program, call, _MESSAGE, fix=fix)
        for call in program.called("convolve", *_CENTRED):
            if method_of(call) in _CENTRED or _is_centred(program, call):
                yield self.finding(program, call, _MESSAGE)


_MESSAGE = "this window is centred, so the smoothed value contains later values of the series: use past values only"
_CENTRED = ("savgol_filter", "gaussian_filter1d", "uniform_filter1d", "filtfilt", "medfilt")
_FORECAST = re.compile(r"horizon|forecast|lookback|look_back|look_ahead|lead_time|n_ahead|steps_ahead", re.IGNORECASE)


def _is_centred(program: Program, call: ast.Call) -> bool:
    mode = keyword_of(call, "mode") or (call.args[2] if len(call.args) > 2 else None)
    if is_constant(mode, "same"):
        return "ones" in written(call)
    halves = [part for part in walk(scope_of(program, call)) if method_of(part) == "pad" and "// 2" in written(part)]
    return is_constant(mode, "valid") and any(isinstance(part, ast.Call) and _both_sides(part) for part in halves)


def _both_sides(pad: ast.Call) -> bool:
    """Whether half a window is added at both ends: one number, or a pair of equal ones."""
    width = keyword_of(pad, "pad_width") or (pad.args[1] if len(pad.args) > 1 else None)
    if isinstance(width, ast.Tuple) and len(width.elts) == 2:
        return written(width.elts[0]) == written(width.elts[1])
    return isinstance(width, ast.BinOp)
