"""Events about the process and its observation: start, exit, property probes, cost and failures of the probe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bugloss.core.diagnosis import Site


@dataclass(frozen=True, slots=True)
class Started:
    """The first event of a process that uses a framework."""

    framework: str  # torch | keras
    version: str  # of the framework
    backend: str = ""  # of Keras: tensorflow | torch | jax | theano
    backend_version: str = ""
    python: str = ""
    device: str = "cpu"
    accelerator: bool = False  # whether the machine has one


@dataclass(frozen=True, slots=True)
class PropertyAnswer:
    """Whether a relation holds, tried on a copy; where it breaks, the first operation or layer that breaks it."""

    name: str
    holds: bool | None  # None: could not be tried
    facts: Mapping[str, Any] = field(default_factory=dict)
    step: int = 0
    family: str = ""
    operation: str = ""
    layer: str = ""
    site: Site | None = None  # where the operation is called
    made: Site | None = None  # where its layer is made


@dataclass(frozen=True, slots=True)
class Cost:
    """What observing cost."""

    seconds: float
    observed_seconds: float
    interval: int = 1
    samples: int = 0
    mode: str = "full"  # full | steps-only, with the reason in why
    why: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """The program ended itself with another exit code than 0."""

    code: int
    message: str = ""
    site: Site | None = None
    refused: bool = False  # by the parser of its command line


@dataclass(frozen=True, slots=True)
class GeneratedData:
    """A data set that could not be downloaded and was replaced by a stand-in."""

    name: str


@dataclass(frozen=True, slots=True)
class ProbeFailure:
    """A part of the observation that failed; the program was not disturbed."""

    where: str
    why: str
