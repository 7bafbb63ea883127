"""Sketches of healthy training that look odd: no detector may raise an alarm over any of them."""

from __future__ import annotations

from dataclasses import replace

from bugloss.observe.recording import (
    Batch,
    Epoch,
    Evaluation,
    Numbers,
    RecordedLayer,
    RecordedModel,
    Recording,
    Targets,
    TrainingStep,
)
from bugloss.observe.sketch import falling, noisy, sketch

_SQUARES = {
    "kind": "mse",
    "name": "MSELoss",
    "from_logits": None,
    "output_shape": (64, 1),
    "target_shape": (64, 1),
    "target_dtype": "float32",
}
_BINARY = {
    "kind": "binary-cross-entropy",
    "name": "BCEWithLogitsLoss",
    "output_shape": (64, 1),
    "target_shape": (64, 1),
    "target_dtype": "float32",
}


def _real(mean: float, std: float, samples: int = 64) -> Numbers:
    return Numbers((samples, 1), "float32", mean - 3 * std, mean + 3 * std, mean, std)


def _head(units: int, activation: str = "linear", front: int = 680) -> tuple[RecordedLayer, ...]:
    return (
        RecordedLayer("fc1", "Linear", front, front, {"units": 40, "activation": "relu"}),
        RecordedLayer("fc2", "Linear", 41 * units, 41 * units, {"units": units, "activation": activation}),
    )


def _regression(losses: list[float], mean: float, std: float) -> Recording:
    batch = {
        "target": _real(mean, std),
        "targets": Targets("real"),
        "outputs": Numbers((64, 1), "float32", -1.0, 1.0, 0.0, 0.4),
        "output_spread": 0.4,
    }
    data = {"target": _real(mean, std, 640), "targets": Targets("real")}
    return sketch(losses, loss=_SQUARES, batch=batch, data=data, architecture=_head(1), model={"output_activation": ""})


def _binary(losses: list[float], counts: dict[str, int]) -> Recording:
    labels = Targets("binary", 2, counts, 1.8)
    batch = {
        "target": Numbers((64, 1), "float32", 0.0, 1.0, 0.4, 0.49),
        "targets": labels,
        "outputs": Numbers((64, 1), "float32", -1.0, 1.0, 0.0, 0.4),
        "output_spread": 0.4,
    }
    data = {"targets": labels, "target": Numbers((640, 1), "float32", 0.0, 1.0, 0.4, 0.49)}
    return sketch(losses, loss=_BINARY, batch=batch, data=data, architecture=_head(1))


def _gan() -> Recording:
    """Two optimizers that take turns; neither loss falls."""
    plain = sketch()
    real, fake = noisy([0.69] * 100, 0.2), noisy([0.8] * 100, 0.4, seed=1)
    steps = []
    for index in range(100):
        steps.append(
            TrainingStep(2 * index, real[index], 0.0002, index // 10, 64, "optimizer-0", backwards=2, cleared=True)
        )
        steps.append(
            TrainingStep(2 * index + 1, fake[index], 0.0002, index // 10, 64, "optimizer-1", backwards=1, cleared=True)
        )
    first, generator = (
        plain.models[0],
        RecordedModel("model-1", "Generator", plain.models[0].layers, None, 0, 1090, 1090),
    )
    optimizers = (
        replace(plain.optimizers[0], settings={"learning_rate": 0.0002}),
        replace(plain.optimizers[0], optimizer="optimizer-1", settings={"learning_rate": 0.0002}),
    )
    samples = tuple(
        sample for step in plain.samples for sample in (step, replace(step, model="model-1", step=step.step + 1))
    )
    loss = replace(plain.losses[0], **_BINARY)
    return replace(
        plain,
        steps=tuple(steps),
        models=(first, generator),
        optimizers=optimizers,
        samples=samples,
        losses=(loss,),
        batches=(),
        data=(),
        epochs=(),
    )


def _warm_up() -> Recording:
    rates = [0.001 * min(index + 1, 30) / 30 for index in range(100)]
    losses = noisy([*[2.303] * 10, *falling(2.3, 0.3, 90)], 0.05)
    return sketch(losses, steps={"learning_rate": rates}, optimizer={"scheduler": "LambdaLR"})


def _frozen_backbone() -> Recording:
    layers = (
        RecordedLayer("backbone.conv1", "Conv2d", 9408, 0),
        RecordedLayer("backbone.conv2", "Conv2d", 36864, 0),
        RecordedLayer("head", "Linear", 5130, 5130, {"units": 10}),
    )
    still = {
        "gradient_rms": None,
        "gradient_maximum": None,
        "gradient_zero_share": None,
        "changed": False,
        "update_ratio": 0.0,
    }
    return sketch(
        falling(2.4, 0.4),
        architecture=layers,
        layers={"backbone.conv1": still, "backbone.conv2": still},
        model={"parameters": 51402, "trainable": 5130},
        optimizer={"parameters": 2},
    )


def _embedding() -> Recording:
    layers = (
        RecordedLayer("embedding", "Embedding", 320000, 320000, {"num_embeddings": 10000, "embedding_dim": 32}),
        RecordedLayer("lstm", "LSTM", 8448, 8448, {"hidden_size": 32}),
        RecordedLayer("head", "Linear", 330, 330, {"units": 10}),
    )
    sparse = {"gradient_rms": 1e-5, "gradient_zero_share": 0.98, "update_ratio": 1e-4, "weight_rms": 1.0}
    return sketch(architecture=layers, layers={"embedding": sparse}, model={"parameters": 328778, "trainable": 328778})


def _dropout() -> Recording:
    layers = (
        RecordedLayer("fc1", "Linear", 680, 680, {"units": 40, "activation": "relu"}),
        RecordedLayer("dropout", "Dropout", settings={"rate": 0.4}),
        RecordedLayer("fc2", "Linear", 410, 410, {"units": 10}),
    )
    return sketch(
        noisy(falling(2.3, 0.6), 0.1),
        architecture=layers,
        validation=[1.8, 1.4, 1.15, 0.95, 0.8, 0.7, 0.62, 0.55, 0.5, 0.47],
        accuracies=[0.3, 0.45, 0.55, 0.62, 0.67, 0.71, 0.75, 0.78, 0.8, 0.81],
        validation_accuracies=[0.42, 0.55, 0.64, 0.7, 0.75, 0.79, 0.82, 0.84, 0.85, 0.86],
    )


def _evaluation_only() -> Recording:
    plain = sketch()
    evaluation = Evaluation(0, 5, 320, 0.4, 0.88, predicted={str(label): 32 for label in range(10)})
    batch = Batch(0, "validation", 64, plain.batches[0].inputs, outputs=plain.batches[0].outputs, output_spread=0.9)
    return Recording(started=plain.started, models=plain.models, batches=(batch,), evaluations=(evaluation,))


def _one_epoch() -> Recording:
    plain = sketch(noisy(falling(2.3, 0.5, 60), 0.1), steps={"epoch": 0})
    return replace(plain, epochs=(Epoch(0, 59, 1.1, 0.68, 0.55, 0.83, 0.001),))


HEALTHY: dict[str, Recording] = {
    "plain": sketch(),
    "empty": Recording(),
    "three-steps": sketch([2.31, 2.28, 2.3], epochs=()),
    "one-step": sketch([2.31], epochs=()),
    "one-epoch": _one_epoch(),
    "evaluation-only": _evaluation_only(),
    "regression": _regression(noisy(falling(1.1, 0.1), 0.1), 0.0, 1.0),
    "regression-on-raw-targets": _regression(noisy(falling(2.6e5, 4e3), 0.1), 500.0, 90.0),
    "regression-at-its-floor": _regression(noisy([0.05] * 100, 0.2), 0.0, 1.0),
    "binary": _binary(noisy(falling(0.7, 0.2), 0.1), {"0": 340, "1": 300}),
    "imbalanced-binary": _binary(noisy(falling(0.7, 0.15), 0.2), {"0": 520, "1": 120}),
    "gan": _gan(),
    "warm-up": _warm_up(),
    "starts-at-its-floor": sketch(
        noisy([0.03] * 100, 0.3), accuracies=[0.99], validation=[0.04], validation_accuracies=[0.985]
    ),
    "noisy-small-batches": sketch(noisy(falling(2.3, 0.5, 400), 0.5), steps={"batch": 4}, data={"batch_size": 4}),
    "single-sample-batches": sketch(noisy(falling(2.3, 0.3, 640), 0.9), steps={"batch": 1}, data={"batch_size": 1}),
    "plateau-after-convergence": sketch(
        noisy([*falling(2.3, 0.05, 60), *[0.05] * 240], 0.15),
        accuracies=[0.5, 0.9, 0.98],
        validation=[1.0, 0.3, 0.12, 0.11, 0.1, 0.1, 0.105, 0.1, 0.11, 0.105],
        validation_accuracies=[0.6, 0.92, 0.97],
    ),
    "interpolates-its-data": sketch(
        falling(2.3, 1e-7, 300),
        layers={name: {"gradient_rms": [0.01, 0.01, 0.005, 1e-3, 1e-4, 1e-6, 1e-8, 0.0]} for name in ("fc1", "fc2")},
    ),
    "accumulation": sketch(steps={"backwards": 4, "batch": 64}),
    "frozen-backbone": _frozen_backbone(),
    "sparse-embedding": _embedding(),
    "dropout": _dropout(),
    "validation-rises-a-little": sketch(
        noisy(falling(2.3, 0.1), 0.1),
        accuracies=[0.4, 0.7, 0.85, 0.92, 0.95, 0.97],
        validation=[1.8, 1.1, 0.8, 0.6, 0.5, 0.46, 0.44, 0.45, 0.47, 0.48],
        validation_accuracies=[0.4, 0.66, 0.78, 0.85, 0.88, 0.89],
    ),
    "full-batch": sketch(
        falling(2.4, 0.3, 40), steps={"epoch": list(range(40)), "batch": 640}, data={"batch_size": 640}, epochs=()
    ),
    "sum-reduction": sketch(
        [64 * loss for loss in noisy(falling(), 0.1)], loss={"reduction": "sum"}, steps={"gradient_norm": 40.0}
    ),
    "negative-objective": sketch([1.0 - 0.05 * index for index in range(100)], loss={"kind": "custom", "name": "elbo"}),
    "rectified-half-silent": sketch(layers={"fc1": {"zero_share": 0.6, "dead_share": 0.2}}),
    "no-layers-seen": sketch(samples=()),
    "no-loss-function-seen": replace(sketch(), losses=()),
    "mixed-precision": sketch(
        [*falling(2.3, 1.0, 50), float("inf"), *falling(1.0, 0.4, 49)],
        steps={"skipped": [*[False] * 50, True, False], "loss_scale": [*[65536.0] * 51, 32768.0]},
        epochs=(),
    ),
}
