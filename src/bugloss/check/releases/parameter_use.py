"""Keyword arguments that the release knows no longer, or only under another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bugloss.check.contract import rename_keyword
from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.catalogue import signature, signature_history
from bugloss.check.releases.removal import Release, keras_release_of, release_of
from bugloss.check.releases.replacement import Replacement, of_parameters
from bugloss.check.releases.requirement import parse_version
from bugloss.core.finding import Fix, Safety
from bugloss.source.program import Program
from bugloss.source.text.names import canonical
from bugloss.source.values.values import Model, Operation

# Words that only Keras 1 used: an unknown receiver of fit(nb_epoch=…) is a model of Keras.
_TELLING = {"nb_epoch", "samples_per_epoch", "nb_val_samples", "max_q_size", "nb_worker", "pickle_safe", "val_samples"}
_METHODS = ("fit", "evaluate", "predict", "fit_generator", "predict_generator", "save")


@dataclass(frozen=True, slots=True)
class ParameterUse:
    """A keyword of a call, with what the table or the catalogue says of it."""

    function: str
    keyword: ast.keyword
    call: ast.Call
    release: Release
    line: Replacement | None  # None: the catalogue alone says that it is gone

    @property
    def is_gone(self) -> bool:
        return self.line is None or self.line.is_removed(self.release.version)


def outdated_parameters(program: Program) -> Sequence[ParameterUse]:
    """Every keyword that is outdated in the release that counts."""
    return program.remembered(_find_outdated)


def _find_outdated(program: Program) -> Sequence[ParameterUse]:
    return [*_of_functions(program), *_of_methods(program)]


def _of_functions(program: Program) -> Iterator[ParameterUse]:
    for use in api_uses(program).all:
        if use.call is None or not any(keyword.arg for keyword in use.call.keywords):
            continue
        if ".legacy." in (program.names.raw(use.call.func) or ""):  # kept as they were for old arguments
            continue
        release = _release(program, use.symbol)
        lines = {line.parameter: line for line in _lines(use.symbol)}
        for keyword in use.call.keywords:
            line = lines.get(keyword.arg or "")
            if keyword.arg is None or (line is None and not _was_accepted(program, use, keyword.arg)):
                continue
            # The signature itself is believed before the table.
            refused = (
                line is None or not line.is_removed(release.version) or not _is_accepted(program, use, keyword.arg)
            )
            if refused and (line is None or _matters(line, release)):
                yield ParameterUse(use.symbol, keyword, use.call, release, line)


def _of_methods(program: Program) -> Iterator[ParameterUse]:
    if "keras" not in program.frameworks or "keras" in api_uses(program).version_aware:
        return
    for operation in program.methods(*_METHODS):
        if not isinstance(operation.node, ast.Call):
            continue
        method = operation.name.rsplit(".", 1)[-1]
        lines = {line.parameter: line for line in of_parameters("keras", f"keras.Model.{method}")}
        release = keras_release_of(program, "keras" if "keras" in program.names.roots else "tensorflow.keras")
        for keyword in operation.node.keywords:
            line = lines.get(keyword.arg or "")
            if line is not None and _may_be_model(operation, line.parameter) and _matters(line, release):
                yield ParameterUse(f"Model.{method}", keyword, operation.node, release, line)


def _may_be_model(operation: Operation, parameter: str) -> bool:
    if isinstance(operation.receiver, Model):
        return operation.receiver.framework == "keras"
    return operation.name.startswith("?.") and parameter in _TELLING


def _matters(line: Replacement, release: Release) -> bool:
    return line.how != "default" and (line.is_removed(release.version) or line.is_deprecated(release.version))


def _release(program: Program, symbol: str) -> Release:
    is_keras = symbol.startswith(("keras.", "tensorflow.keras."))
    return keras_release_of(program, symbol) if is_keras else release_of(program, symbol.split(".")[0])


def _lines(symbol: str) -> tuple[Replacement, ...]:
    """The table's lines; tf.compat.v1 keeps the old parameters, so only its Keras names are folded."""
    if symbol.startswith("tensorflow.compat."):
        return ()
    name = canonical(symbol)
    return of_parameters(name.split(".")[0], name)


def _is_accepted(program: Program, use: ApiUse, name: str) -> bool:
    """Whether the signature of the release names it: that of the name as written, or of its usual spelling."""
    usual = canonical(use.symbol)
    for symbol, release in ((use.symbol, release_of(program, use.package)), (usual, _release(program, use.symbol))):
        parameters = signature(symbol.split(".")[0], symbol, release.version) or ()
        if any(one.name == name and not one.kind.startswith("*") for one in parameters):
            return True
    return False


def _was_accepted(program: Program, use: ApiUse, name: str) -> bool:
    """Whether the release refuses it for certain and an earlier one took it."""
    version = release_of(program, use.package).version
    parameters = signature(use.package, use.symbol, version)
    if parameters is None or any(one.kind == "**" or one.name == name for one in parameters):
        return False
    earlier = [
        old
        for first, old in signature_history(use.package, use.symbol)
        if parse_version(first) < parse_version(version)
    ]
    return any(one.name == name and not one.kind.startswith("*") for old in earlier for one in old)


def renamed_keyword(program: Program, use: ParameterUse) -> Fix | None:
    """The keyword under its new name, where it means the same and is not there already."""
    if use.line is None or not use.line.new or use.keyword.arg is None:
        return None
    if use.line.how != "same" or any(keyword.arg == use.line.new for keyword in use.call.keywords):
        return Fix(Safety.ADVICE, f"pass {use.line.new}= instead")
    return rename_keyword(program, use.keyword, use.line.new, f"pass {use.line.new}= instead", Safety.SAFE)
