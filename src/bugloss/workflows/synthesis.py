"""Puts faults into a healthy program, runs original and mutants with the same seeds, and decides who is killed.

Nothing here can make a real bug: what is written is of the kind ``synthetic``, in a corpus folder of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bugloss.core.bug import Bound, OracleKind, Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.run import Isolation, Run
from bugloss.core.suggestion import did_you_mean
from bugloss.core.text_diff import text_diff
from bugloss.core.written_file import write_inside
from bugloss.corpus.unified_diff import bug_files
from bugloss.mutate.contract import MutationOperator
from bugloss.mutate.killing import FEWEST_PAIRS, Fate, Killing, decide
from bugloss.mutate.mutants import Mutant, mutants_of
from bugloss.mutate.operators import OPERATORS
from bugloss.mutate.separation import separates, separating_bound
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.workflows.bug_trial import run_trial
from bugloss.workflows.mutation_base import MutationBase
from bugloss.workflows.preloaded_trials import PreloadedTrials

_PASSING = {"Failed", "Undecided"}  # what the oracle raises once everything is measured


@dataclass(frozen=True, slots=True)
class SynthesisRequest:
    """Which faults to try, and over how many pairs of runs."""

    operators: tuple[str, ...] = ()
    pairs: int = 6
    most: int = 100
    each: int = 1  # places per operator: the second learning rate of a program is rarely another fault
    seed: int = 0
    timeout: float | None = None
    offline: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """What the test measured, seed by seed, or why it did not."""

    values: tuple[float, ...] = ()
    fate: Fate | None = None
    reason: str = ""
    seconds: float = 0.0  # of the longest run


@dataclass(frozen=True, slots=True)
class MutantResult:
    """A mutant, what became of it, and the bound that tells it from the original, where there is one."""

    mutant: Mutant
    killing: Killing
    diff: str = field(repr=False)
    values: tuple[float, ...] = ()
    bound: Bound | None = None


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The healthy program's measurements, and every mutant that was tried."""

    base: MutationBase
    original: tuple[float, ...]
    results: tuple[MutantResult, ...]
    left_out: int  # mutants beyond the limit
    seconds: float = 0.0  # of the longest run of the original


def chosen_operators(names: Sequence[str]) -> tuple[MutationOperator, ...]:
    """The operators of these names; all for none."""
    known = {operator.name: operator for operator in OPERATORS}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or "All operators: bugloss mutate --list"
            raise InvalidInput(f"there is no mutation operator '{name}'.", hint=hint)
    return tuple(known[name] for name in names) if names else OPERATORS


def synthesize(
    base: MutationBase,
    request: SynthesisRequest,
    isolation: Isolation,
    *,
    jobs: int = 1,
    notify: Callable[[str], None] = lambda text: None,
) -> Synthesis:
    """Measures the original, then every mutant with the same seeds; the mutants in the order of the operators."""
    if request.pairs < FEWEST_PAIRS:
        raise InvalidInput(
            f"{request.pairs} pairs of runs decide nothing.", hint=f"Use --pairs {FEWEST_PAIRS} or more."
        )
    mutants, left_out = _mutants(base, request)
    preloaded = PreloadedTrials()
    bench = _MutationBench(base, request, isolation, preloaded, notify)
    try:
        notify(f"measuring {base.name}: {base.metric}")
        original, fresh = _healthy(base, bench.measure(base.texts)), _healthy(base, bench.measure(base.texts, block=1))
        with ThreadPoolExecutor(jobs, thread_name_prefix="mutant") as pool:
            results = list(pool.map(lambda mutant: bench.decide(mutant, original.values, fresh.values), mutants))
    finally:
        preloaded.close()
    return Synthesis(base, original.values, tuple(results), left_out, original.seconds)


def _healthy(base: MutationBase, measured: Measured) -> Measured:
    """What the original measures, if that can be compared with."""
    if measured.fate is not None:
        raise InvalidInput(f"the healthy program {base.name} cannot be measured: {measured.reason}.")
    if not all(map(math.isfinite, measured.values)):
        raise InvalidInput(f"the healthy program {base.name} has a {base.metric} that is not finite.")
    return measured


def _mutants(base: MutationBase, request: SynthesisRequest) -> tuple[list[Mutant], int]:
    found = []
    for operator in chosen_operators(request.operators):
        found += list(islice(mutants_of(base.texts, [operator]), request.each))
    return found[: request.most], max(0, len(found) - request.most)


@dataclass(frozen=True, slots=True)
class _MutationBench:
    """Runs variants of one program with the same seeds."""

    base: MutationBase
    request: SynthesisRequest
    isolation: Isolation
    preloaded: PreloadedTrials
    notify: Callable[[str], None]

    def decide(self, mutant: Mutant, original: tuple[float, ...], fresh: tuple[float, ...]) -> MutantResult:
        """Compares a mutant with the original; a bound is chosen on the same seeds and must hold on fresh ones."""
        before = self.base.texts[mutant.path]
        diff = text_diff(before, mutant.text, f"a/{mutant.path}", f"b/{mutant.path}")
        self.notify(f"{mutant.operator.name} in {mutant.path}:{mutant.line}")
        texts = {**self.base.texts, mutant.path: mutant.text}
        measured = self.measure(texts)
        if measured.fate is not None:
            return MutantResult(mutant, Killing(measured.fate, 0, reason=measured.reason), diff)
        higher = self.base.higher_is_better
        killing = decide(original, measured.values, higher_is_better=higher)
        bound = None
        if killing.fate is Fate.KILLED:
            bound = separating_bound(original, measured.values, self.base.stated, higher_is_better=higher)
        if bound is not None and not separates(bound, fresh, self.measure(texts, block=1).values):
            bound = None
        return MutantResult(mutant, killing, diff, measured.values, bound)

    def measure(self, texts: Mapping[str, str], block: int = 0) -> Measured:
        """The measurements of one variant on a block of seeds; a variant that raises or is stopped says so."""
        values: list[float] = []
        seconds = 0.0
        with scratch_folder() as folder:
            self._lay_out(folder, texts)
            for seed in self._base_seeds(block):
                trial = run_trial(
                    self.base.entry, Twin.FIXED, seed=seed, offline=self.request.offline, timeout=self.request.timeout,
                    isolation=self.isolation, program=folder, runner=self.preloaded.run, notify=self.notify,
                )  # fmt: skip
                problem = _problem(trial.run)
                if problem is not None:
                    return problem
                values += _numbers(trial.run)
                seconds = max(seconds, trial.run.seconds)
        if len(values) < self.request.pairs:
            return Measured((), Fate.BROKEN, f"{len(values)} of {self.request.pairs} measurements were made")
        return Measured(tuple(values[: self.request.pairs]), seconds=seconds)

    def _base_seeds(self, block: int) -> range:
        """As many runs as it takes for the pairs that were asked for."""
        oracle = self.base.entry.oracle
        repeats = oracle.measurement.repeats if oracle.measurement is not None else 1
        per_run = repeats if oracle.kind is OracleKind.SYMPTOM else 1
        runs = math.ceil(self.request.pairs / per_run)
        first = self.request.seed + block * runs
        return range(first, first + runs)

    def _lay_out(self, folder: Path, texts: Mapping[str, str]) -> None:
        for file, _ in bug_files(self.base.entry.program(Twin.FIXED)).files:
            write_inside(folder, file.name, texts[file.name].encode() if file.name in texts else file.read_bytes())


def _problem(run: Run) -> Measured | None:
    """Why a run measured nothing: the machine stopped it, or the program raised."""
    if not run.outcome.came_to_an_end:
        return Measured((), Fate.NOT_RUN, run.stopped or f"it ended as {run.outcome.value}")
    if run.exception is not None and run.exception.kind not in _PASSING:
        first = run.exception.message.strip().split("\n", 1)[0][:160]
        return Measured((), Fate.BROKEN, f"it raised {run.exception.kind}: {first}".rstrip(": "))
    if not run.evidence:
        return Measured((), Fate.BROKEN, f"it ended with exit code {run.exit_code} before anything was measured")
    return None


def _numbers(run: Run) -> Iterator[float]:
    """The measured values; what is not a number is NaN, which is worse than any number."""
    for event in run.evidence:
        value = event.get("value")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        yield float(value) if is_number and isinstance(value, int | float) else math.nan
