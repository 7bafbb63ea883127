"""Which tests of bugs may run in forks of a process that has loaded the framework, and where they run.

Loading a framework takes longer than most tests. What could see that it runs in a fork is run in a new process.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from bugloss.core.run import Isolation, Run
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute, read_source
from bugloss.run.preloaded import PreloadedSandbox
from bugloss.run.sandbox import guards_files

# Each row: words of a program or its test, and what they could find different in a fork.
_NEEDS_NEW_PROCESS = {
    r"\bos\.(environ|getenv|putenv)|KERAS_BACKEND|TF_USE_LEGACY_KERAS": "variables are read while a framework loads",
    r"\b(multiprocessing|forkserver|set_start_method)\b|\bos\.fork": "it starts processes itself",
    r"\bdistributed\b|init_process_group": "it starts processes itself",
    r"\b(sys\.modules|sys\.path|sys\.meta_path|importlib|__import__)\b|\breload\(": "it looks at what is loaded",
    r"\b(perf_counter|process_time|monotonic|cpu_seconds|timeit)\b|\btime\.time\(": "it measures time",
    r"\b(peak_megabytes|tracemalloc|getrusage|psutil|max_rss)\b|\bgc\.": "it measures memory",
    r"\b(disable|enable)_(v2_behavior|v2_tensorshape|eager_execution|resource_variables)\b": "it sets how it starts",
    r"\bset_(num_threads|num_interop_threads|inter_op_parallelism_threads|intra_op_parallelism_threads)\b": (
        "it sets how it starts"
    ),
    r"\bset_(visible_devices|logical_device_configuration|memory_growth)\b": "it sets how it starts",
    r"\bset_virtual_device_configuration\b|\bwarnings\b|\blogging\b|\batexit\b": "it hears what is said while loading",
}
# What to load for the packages of an environment; the optimizers of PyTorch 2 load torch._dynamo.
_MODULES = {"torch": ("torch",), "tensorflow": ("tensorflow",), "tensorflow-cpu": ("tensorflow",), "keras": ("keras",)}
_SECOND_GENERATION = re.compile(r"torch==2\.")


def needs_new_process(job: Job) -> str | None:
    """Why a job must have a process of its own; None where a fork will do."""
    texts = [read_source(source).decode("utf-8", "replace") for name, source in job.files.items() if _is_own(name)]
    reasons = _NEEDS_NEW_PROCESS.items()
    return next((reason for words, reason in reasons if any(re.search(words, text) for text in texts)), None)


def modules_to_load(packages: Iterable[str]) -> tuple[str, ...]:
    """The frameworks among pinned packages."""
    pins = tuple(packages)
    found = [name for pin in pins for name in _MODULES.get(pin.partition("==")[0].partition("[")[0].strip(), ())]
    dynamo = ["torch._dynamo"] if any(map(_SECOND_GENERATION.match, pins)) else []
    return ("numpy", *sorted(found, reverse=True), *dynamo) if found else ()


@dataclass(slots=True)
class PreloadedTrials:
    """Runs jobs; each thread keeps one sandbox, with the framework of the environment that it was asked for last."""

    forked: int = 0
    _own: threading.local = field(default_factory=threading.local)
    _all: list[PreloadedSandbox] = field(default_factory=list)

    def run(self, job: Job, environment: Environment, isolation: Isolation) -> Run:
        """The run of a job: in a fork if it may be forked and ends by itself there."""
        kept = None if needs_new_process(job) else self._sandbox(environment, isolation)
        found = kept.run(job) if kept is not None else None
        if found is None:
            return execute(job, environment, isolation)
        self.forked += 1
        return found

    def close(self) -> None:
        """Ends every sandbox; to be called when no thread uses one."""
        for kept in self._all:
            kept.close()

    def _sandbox(self, environment: Environment, isolation: Isolation) -> PreloadedSandbox | None:
        modules = modules_to_load(environment.packages)
        if not modules or not guards_files(isolation):  # elsewhere files outside of the scratch folder would stay
            return None
        kept: PreloadedSandbox | None = getattr(self._own, "sandbox", None)
        if kept is None or kept.environment.digest != environment.digest:
            if kept is not None:
                kept.close()
            kept = self._own.sandbox = PreloadedSandbox(environment, modules, isolation)
            self._all.append(kept)
        return kept


def _is_own(name: str) -> bool:
    """Whether a file is code of the bug: the oracle beside it is ours, and knows of forks."""
    return name.endswith(".py") and name != "oracle.py"
