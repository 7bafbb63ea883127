"""The plug-ins that this room brings itself, as names (see ``core/pack.py``)."""

from __future__ import annotations

_TOOLS = "bugloss.observe.tools"
_CRASH_FAMILIES = (  # in the order in which they are tried: special messages before general ones
    "collation",
    "matrix_shapes",
    "window_shapes",
    "declared_inputs",
    "layer_inputs",
    "target_shapes",
    "sample_counts",
    "target_encoding",
    "reshaping",
    "joining",
    "elementwise_shapes",
    "devices",
    "dtypes",
    "conversions",
    "ranges",
    "indices",
    "memory",
    "checkpoints",
    "versions",
    "imports",
    "files",
    "initialisation",
    "graphs",
    "autograd",
    "numerics",
    "identifiers",
    "given_values",
    "arguments",
    "concepts",
    "demands",
)

PLUGINS = {
    "detector": ["bugloss.observe.detectors.*"],
    "fault": ["bugloss.observe.causes.*"],
    "tool": {
        "deepdiagnosis": f"{_TOOLS}.deepdiagnosis:DeepDiagnosis",
        "deepfd": f"{_TOOLS}.deepfd:DeepFD",
        "deeplocalize": f"{_TOOLS}.deeplocalize:DeepLocalize",
        "tarantula": f"{_TOOLS}.tarantula:Tarantula",
        "value-spectra": f"{_TOOLS}.value_spectra:ValueSpectra",
    },
    "crash-family": {name: f"bugloss.observe.crash.families.{name}:FAMILY" for name in _CRASH_FAMILIES},
}
