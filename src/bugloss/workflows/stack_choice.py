"""The stack for a program: the one whose releases it was written for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bugloss.check.releases.written_for import CandidateReleases, Likelihood, rank_candidates
from bugloss.core.errors import InvalidInput
from bugloss.stacks.stack import Stack, load_stack, stack_names
from bugloss.workflows.subject import ProgramText

FRAMEWORKS = frozenset({"torch", "keras", "tensorflow"})
_PROJECTS = {"tensorflow-cpu": "tensorflow"}
# Packages that are built on a framework: a program may import nothing else of it.
_BUILT_ON = {
    "torch": {
        *("torchvision", "torchaudio", "torchtext", "torchmetrics", "pytorch_lightning", "lightning", "ignite"),
        *("timm", "fastai", "skorch", "torch_geometric", "transformers", "sentence_transformers", "diffusers"),
        *("stable_baselines3", "kornia", "monai", "captum", "accelerate", "peft", "einops"),
    },
    "keras": {"keras_tuner", "kerastuner", "keras_cv", "keras_nlp", "scikeras", "keras_applications"},
    "tensorflow": {"tensorflow_hub", "tensorflow_datasets", "tensorflow_probability", "tensorflow_addons", "tf_keras"},
}
_MOST_REASONS = 4


def stack_for(program: ProgramText) -> tuple[str, str]:
    """The stack that suits a program, and why."""
    imported = frameworks(program.imports)
    if not imported:
        raise InvalidInput(
            "the script imports neither torch nor keras nor tensorflow.",
            hint="Name the stack to run it in: --stack torch",
        )
    best, others = _ranked(program, imported)
    shown = _once_each(best.reasons)[:_MOST_REASONS] if others else ()
    words = f"the program imports {_named(imported, program.imports)}"
    return best.name, f"{words} and is written for it: {', '.join(shown)}" if shown else words


def _once_each(reasons: Iterable[str]) -> list[str]:
    """Reasons about one name are one reason: ``name (this; that)``."""
    notes: dict[str, list[str]] = {}
    for reason in reasons:
        name, _, note = reason.partition(" (")
        notes.setdefault(name, []).extend([note.removesuffix(")")] if note else [])
    return [f"{name} ({'; '.join(said)})" if said else name for name, said in notes.items()]


def _ranked(program: ProgramText, imported: Iterable[str]) -> tuple[Likelihood, list[Likelihood]]:
    stacks = sorted(
        (load_stack(name) for name in stack_names()), key=lambda stack: (stack.date, stack.name), reverse=True
    )
    candidates = [CandidateReleases(stack.name, releases_of(stack), max(stack.python, key=_number)) for stack in stacks]
    having = [one for one in candidates if set(imported) <= set(one.releases)]
    some = [one for one in candidates if set(imported) & set(one.releases)]
    best, *others = rank_candidates(program.sources, having or some)
    return best, others


def _named(imported: Iterable[str], imports: Iterable[str]) -> str:
    """The frameworks; of one that only another package needs, that package."""
    names = set(imports)
    built = {name: sorted(names & _BUILT_ON[name]) for name in imported if name not in names}
    words = [f"{' and '.join(built[name])}, which need{'s' * (len(built[name]) == 1)} {name}" for name in sorted(built)]
    return " and ".join([*sorted(set(imported) & names), *words])


def frameworks(imports: Iterable[str]) -> set[str]:
    """The frameworks that are imported; where there is none, those behind what is imported."""
    names = set(imports)
    return set(FRAMEWORKS & names) or {framework for framework, built in _BUILT_ON.items() if built & names}


def releases_of(stack: Stack) -> Mapping[str, str]:
    """The releases that a stack has of what is catalogued."""
    pins = (package.partition("==") for package in stack.packages)
    named = {_PROJECTS.get(name, name): release for name, _, release in pins}
    return {name: named[name] for name in ("keras", "numpy", "tensorflow", "torch") if name in named}


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
