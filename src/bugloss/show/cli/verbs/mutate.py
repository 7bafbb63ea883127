"""``bugloss mutate``."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JobsOption,
    JsonOption,
    OfflineOption,
    OutputOption,
    QuietOption,
    SeedOption,
    TimeoutOption,
)
from bugloss.show.cli.output import console, print_json, spinner

if TYPE_CHECKING:
    from bugloss.core.run import Isolation
    from bugloss.workflows.mutation_base import MutationBase
    from bugloss.workflows.synthesis import MutantResult, Synthesis


def command(
    program: Annotated[
        str | None, typer.Argument(metavar="SCRIPT|BUG", help="A healthy script, or a bug: its fixed program is used.")
    ] = None,
    operator: Annotated[
        list[str] | None, typer.Option("--operator", metavar="NAME", help="Only this operator; may be repeated.")
    ] = None,
    list_operators: Annotated[bool, typer.Option("--list", help="List the operators and run nothing.")] = False,
    metric: Annotated[
        str | None, typer.Option("--metric", help="The word printed before the result, such as accuracy.")
    ] = None,
    lower: Annotated[
        bool | None,
        typer.Option("--lower-is-better/--higher-is-better", help="Default: lower for losses, else higher."),
    ] = None,
    stack: Annotated[
        str | None, typer.Option("--stack", help="The stack of a script. Default: the one it fits.")
    ] = None,
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="Pairs of runs with the same seed.")] = 6,
    each: Annotated[int, typer.Option("--each", min=1, help="Number of places to try for each operator.")] = 1,
    most: Annotated[int, typer.Option("--most", min=1, help="Maximum number of mutants.")] = 100,
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    timeout: TimeoutOption = None,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Put synthetic faults into a healthy program and test which ones change its results.

    Each operator changes one place. Original and mutant run sandboxed with the same seeds. A mutant is killed if it is
    significantly worse (signed ranks, p < 0.05) with at least a medium effect (Cliff's delta). With -o DIR, killed
    mutants are written to DIR as a corpus of synthetic bugs, which scores never mix with real ones; to verify it, run
    BUGLOSS_BUGS=DIR bugloss verify. Exit code: 0 if mutants were decided, 4 if none was, 3 if none could be run.
    """
    from bugloss.core.errors import InvalidInput
    from bugloss.run.sandbox.scratch import scratch_folder
    from bugloss.workflows.synthesis import SynthesisRequest, chosen_operators, synthesize
    from bugloss.workflows.synthetic_bugs import write_bugs

    if list_operators:
        return _list(json)
    if program is None:
        raise InvalidInput("no program is named.", hint="Write: bugloss mutate train.py --metric accuracy")
    chosen_operators(operator or ())
    request = SynthesisRequest(tuple(operator or ()), pairs, most, each, seed, timeout, offline)
    with ExitStack() as rooms:
        base, level = _base(program, rooms.enter_context(scratch_folder()), metric, lower, stack, pairs, isolation)
        with spinner(quiet or json) as notify:
            synthesis = synthesize(base, request, level, jobs=jobs, notify=notify)
        written = write_bugs(synthesis, output) if output is not None else {}
        if json:
            print_json("mutation", _document(synthesis, written, output))
        else:
            _show(synthesis, written, output)
    return _exit_code(synthesis)


def _base(
    program: str, folder: Path, metric: str | None, lower: bool | None, stack: str | None, seeds: int, level: str | None
) -> tuple[MutationBase, Isolation]:
    """A script if there is such a file, else a bug."""
    from bugloss.corpus.collection import load
    from bugloss.run.sandbox import isolation as isolation_at
    from bugloss.workflows.bug_trial import isolation_for
    from bugloss.workflows.mutation_base import base_of_bug, base_of_script

    script = Path(program)
    if program.endswith(".py") or script.is_file():
        base = base_of_script(script, folder, metric, lower_is_better=lower, stack=stack, seeds=seeds)
        return base, isolation_at(level)
    entry, _ = load().twin(program)
    return base_of_bug(entry), isolation_for(entry, level)


def _list(json: bool) -> int:
    from inspect import getdoc

    from bugloss.mutate.operators import OPERATORS
    from bugloss.show.cli.columns import show_columns
    from bugloss.show.cli.exit_codes import FINE

    rows = [(one.name, one.group.value, one.deepcrime, " ".join((getdoc(one) or "").split())) for one in OPERATORS]
    if json:
        keys = ("operator", "group", "deepcrime", "description")
        print_json("operators", {"operators": [dict(zip(keys, row, strict=True)) for row in rows]})
    else:
        show_columns(("operator", "group", "DeepCrime", "what it does"), rows)
    return FINE


def _document(synthesis: Synthesis, written: dict[int, str], output: Path | None) -> dict[str, object]:
    from bugloss.workflows.synthetic_bugs import mutant_facts

    base = synthesis.base
    mutants = [mutant_facts(result, written.get(place)) for place, result in enumerate(synthesis.results)]
    return {
        "kind": "synthetic",
        "base": base.name,
        "stack": base.entry.bug.stack,
        "metric": base.metric,
        "higher_is_better": base.higher_is_better,
        "original": synthesis.original,
        "mutants": mutants,
        "left_out": synthesis.left_out,
        "output": output,
        **{fate.replace("-", "_"): count for fate, count in _counts(synthesis).items()},
    }


def _counts(synthesis: Synthesis) -> dict[str, int]:
    from bugloss.mutate.killing import Fate

    return {fate.value: sum(one.killing.fate is fate for one in synthesis.results) for fate in Fate}


def _show(synthesis: Synthesis, written: dict[int, str], output: Path | None) -> None:
    from bugloss.show.cli.columns import show_columns

    base, screen = synthesis.base, console()
    values = ", ".join(f"{value:.4g}" for value in synthesis.original)
    better = "higher" if base.higher_is_better else "lower"
    screen.print(f"{base.name}: {base.metric} ({better} is better): {values}", markup=False, soft_wrap=True)
    rows = [_row(result, written.get(place, "")) for place, result in enumerate(synthesis.results)]
    if rows:
        show_columns(("operator", "place", "fate", "median", "p", "delta", "bug or reason"), rows)
    words = ", ".join(f"{count} {fate}" for fate, count in _counts(synthesis).items() if count)
    screen.print(f"{len(rows)} mutants: {words or 'no operator applies to this program'}", soft_wrap=True)
    if synthesis.left_out:
        screen.print(f"{synthesis.left_out} more were left out: --most {len(rows) + synthesis.left_out}", markup=False)
    if written:
        screen.print(f"Verify the bugs: BUGLOSS_BUGS={output} bugloss verify", markup=False, soft_wrap=True)


def _row(result: MutantResult, bug: str) -> tuple[str, ...]:
    from bugloss.mutate.killing import Fate

    mutant, killing = result.mutant, result.killing
    decided = killing.fate in {Fate.KILLED, Fate.SURVIVED}
    median = "NaN" if killing.mutant is None else f"{killing.mutant:.4g}"
    numbers = (median, f"{killing.p_value:.3g}", f"{killing.cliffs_delta:.2f}") if decided else ("", "", "")
    overlaps = killing.fate is Fate.KILLED and result.bound is None
    remark = bug or killing.reason or ("no bound separates it from the original: no bug" if overlaps else "")
    return (mutant.operator.name, f"{mutant.path}:{mutant.line}", killing.fate.value, *numbers, remark)


def _exit_code(synthesis: Synthesis) -> int:
    from bugloss.mutate.killing import Fate
    from bugloss.show.cli.exit_codes import ENVIRONMENT, FINE, INCONCLUSIVE

    fates = {result.killing.fate for result in synthesis.results}
    if fates & {Fate.KILLED, Fate.SURVIVED, Fate.BROKEN}:
        return FINE
    return ENVIRONMENT if fates == {Fate.NOT_RUN} else INCONCLUSIVE
