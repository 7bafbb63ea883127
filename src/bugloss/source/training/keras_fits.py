"""Calls of ``fit`` with what rules ask of them: callbacks, epochs, validation, logged names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.source.program import Program
from bugloss.source.semantics.keras_training import metric_name, metrics_of, spelled
from bugloss.source.values.values import FunctionValue, Items, Model, Operation, Other, Value, integer_of

_POSITIONS = {
    "x": 0,
    "y": 1,
    "batch_size": 2,
    "epochs": 3,
    "verbose": 4,
    "callbacks": 5,
    "validation_split": 6,
    "validation_data": 7,
}
_WATCHERS = ("EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau")


@dataclass(frozen=True, slots=True, eq=False)
class KerasFit:
    """One call of ``fit`` on a Keras network, or on something unknown that gets Keras callbacks."""

    operation: Operation

    @property
    def model(self) -> Model | None:
        receiver = self.operation.receiver
        return receiver if isinstance(receiver, Model) else None

    def argument(self, name: str) -> Value:
        return self.operation.argument(self._position(name), name)

    def given(self, name: str) -> bool:
        return self.operation.given(self._position(name), name)

    def _position(self, name: str) -> int:
        # The generator's variant has another order; it is nearly always called with keywords.
        return _POSITIONS[name] if self.operation.name.endswith(".fit") else -1

    @property
    def epochs(self) -> int | None:
        keyword = self.operation.keywords.get("nb_epoch")
        return integer_of(keyword) if keyword is not None else integer_of(self.argument("epochs"))

    @property
    def validates(self) -> bool | None:
        """Whether anything is held out; None when arguments were passed that are not seen."""
        if self.given("validation_data") or self.given("validation_split"):
            return True
        return None if self.operation.starred else False

    @property
    def watchers(self) -> list[Other]:
        """Callbacks that watch a logged number."""
        given = self.argument("callbacks")
        items = given.items if isinstance(given, Items) else [given]
        return [item for item in items if isinstance(item, Other) and item.kind.rsplit(".", 1)[-1] in _WATCHERS]


def fits(program: Program) -> Iterator[KerasFit]:
    """Every ``fit`` of the file that is Keras's own, once per place."""
    for operation in program.methods("fit", "fit_generator"):
        keras_model = isinstance(operation.receiver, Model) and operation.receiver.framework == "keras"
        if keras_model or "callbacks" in operation.keywords:
            yield KerasFit(operation)


def logged_names(model: Model) -> set[str] | None:
    """The names under which training logs numbers, without ``val_``; None when they cannot all be known."""
    if len(model.compiled) != 1 or len(model.outputs) > 1 or model.style == "subclassed":
        return None
    compiled = model.compiled[0]
    if compiled.starred or compiled.given(-1, "weighted_metrics"):
        return None
    names = {"loss", "lr", "learning_rate"}
    if not compiled.given(2, "metrics"):
        return names
    for metric in metrics_of(compiled.argument(2, "metrics")):
        name = _function_name(metric) or metric_name(metric)
        if name is None:
            return None
        names |= {name, spelled(name)}
    return names


def _function_name(value: Value) -> str | None:
    return getattr(value.node, "name", None) if isinstance(value, FunctionValue) else None
