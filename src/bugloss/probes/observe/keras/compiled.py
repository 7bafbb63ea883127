"""What ``compile`` settled: losses, optimizer, metrics, and flags that were changed afterwards."""

from typing import Any

from . import models
from .losses import ELEMENTWISE, loss_facts

MOST_NAMES = 20


def record_losses(subject):
    """One event for every different loss of the model, with the shapes it is given."""
    model = subject.model
    losses = given_losses(models.attribute(model, "loss"))
    shapes = output_shapes(subject)
    for position, loss in enumerate(losses):
        facts = loss_facts(loss)
        facts.update(shape_facts(subject, facts, shapes, position, len(losses)))
        facts["site"] = loss_site(subject, loss)
        key = ("loss", facts["name"], str(facts.get("output_shape")), str(facts.get("target_shape")))
        if key not in subject.reported:
            subject.reported.add(key)
            subject.recorder.emit("loss-function", **facts)


def loss_site(subject, loss):
    """Where a loss of the user's own is written, else where it was made or given to ``compile``."""
    code = getattr(loss, "__code__", None)
    if code is not None and subject.recorder.frames.owns(code.co_filename):
        return subject.recorder.site_of((code.co_filename, code.co_firstlineno, code.co_name))
    return subject.watch.site_of(loss) or subject.recorder.site_of(subject.compile_place)


def given_losses(loss):
    if loss is None:
        return []
    if isinstance(loss, dict):
        return [part for part in loss.values() if part is not None]
    if isinstance(loss, (list, tuple)):
        return [part for part in loss if part is not None]
    return [loss]


def output_shapes(subject):
    """The shapes of the model's outputs on our batch, as far as they are known."""
    if subject.view is not None and subject.view.prediction is not None:
        first = [int(size) for size in subject.view.prediction.shape]
    else:
        first = None
    declared = models.attribute(subject.model, "output_shape")
    if isinstance(declared, list) and declared and isinstance(declared[0], tuple):
        return [[int(size or -1) for size in shape] for shape in declared]
    if first is None and isinstance(declared, tuple):
        first = [int(size) if size else -1 for size in declared]
    return [first] if first else []


def shape_facts(subject, facts, shapes, position, count):
    fields: dict[str, Any] = {}
    output = shapes[position] if position < len(shapes) and (count > 1 or len(shapes) == 1) else None
    targets = subject.targets_given()
    target = targets[position] if position < len(targets) else None
    if target is not None:
        fields.update(target_shape=[int(size) for size in target.shape], target_dtype=str(target.dtype))
    if output is None:
        return fields
    rows = fields["target_shape"][0] if target is not None and target.ndim else output[0]
    fields["output_shape"] = [rows] + output[1:] if output[0] < 0 else output
    if target is not None and facts["kind"] in ELEMENTWISE:
        fields["broadcast"] = stretched(fields["output_shape"], fields["target_shape"])
    return fields


def stretched(output, target):
    """Whether two shapes differ once Keras has evened out a last axis of size one."""
    output, target = list(output[1:]), list(target[1:])
    if len(output) == len(target) + 1 and output[-1] == 1:
        output = output[:-1]
    elif len(target) == len(output) + 1 and target[-1] == 1:
        target = target[:-1]
    return output != target


def record_optimizer(subject):
    """The optimizer's settings, once."""
    model, watch = subject.model, subject.watch
    optimizer = models.attribute(model, "optimizer")
    if optimizer is None:
        return None
    name, new = watch.optimizer_name(optimizer)
    if not new:
        return name
    inner = models.attribute(optimizer, "inner_optimizer") or optimizer
    trainable = models.weights_of(model, "trainable_weights")
    subject.recorder.emit(
        "optimizer",
        optimizer=name,
        kind=type(inner).__name__,
        settings=optimizer_settings(inner),
        site=watch.site_of(inner) or watch.recorder.site_of(subject.compile_place),
        parameters=len(trainable),
        missing=not_collected(model, trainable),
        scheduler=models.schedule_name(inner),
    )
    return name


def optimizer_settings(optimizer):
    """Numbers and switches; a schedule is recorded as its start and its class."""
    try:
        config = dict(optimizer.get_config())
    except Exception:  # an optimizer of the user's own need not be able to say
        config = {}
    rate = config.get("learning_rate", config.get("lr"))
    facts = {}
    if isinstance(rate, dict):
        inner = rate.get("config", {})
        facts["schedule"] = rate.get("class_name", "")
        rate = inner.get("initial_learning_rate") if isinstance(inner, dict) else None
    if models.plain(rate) is not None:
        facts["learning_rate"] = written(models.plain(rate))
    for name in models.OPTIMIZER_PLAIN:
        value = models.plain(config.get(name, models.attribute(optimizer, name)))
        if value is not None and value is not False:
            facts[name] = written(value) if isinstance(value, float) else value
    return facts


def written(value):
    """A number of single precision as the user wrote it: 0.001, not 0.0010000000474974513."""
    return float("%.7g" % value)


def not_collected(model, trainable):
    """Weights that may be trained now but were frozen when a graph was compiled: they stay as they are."""
    collected = models.attribute(model, "_collected_trainable_weights")
    if not isinstance(collected, list):
        return []
    known = {id(weight) for weight in collected}
    return [str(weight.name) for weight in trainable if id(weight) not in known][:MOST_NAMES]


def flags_of(model):
    """Every layer's trainable flag."""
    return {name: bool(models.attribute(layer, "trainable")) for name, layer in models.leaves(model)}


def record_changed_flags(subject):
    """Says so once when layers were frozen or thawed after ``compile``.

    A model that is part of another compiled model is left out: freezing a discriminator for the sake of the model
    around it is how adversarial networks are written.
    """
    if subject.flags is None or subject.watch.is_inner(subject.model):
        return
    now = flags_of(subject.model)
    frozen = [name for name, flag in now.items() if not flag and subject.flags.get(name, True)]
    thawed = [name for name, flag in now.items() if flag and not subject.flags.get(name, True)]
    if not frozen and not thawed:
        return
    # Graphs and tf.keras train with the flags of compile; Keras 3 with those of its first step.
    stale = not subject.edition.three or models.attribute(subject.model, "train_function") is not None
    key = ("flags", tuple(frozen), tuple(thawed))
    if key not in subject.reported:
        subject.reported.add(key)
        facts = {
            "frozen": frozen[:MOST_NAMES],
            "thawed": thawed[:MOST_NAMES],
            "after": "compile",
            "effective": not stale,
        }
        subject.recorder.emit(
            "occasion",
            kind="set-trainable",
            step=subject.recorder.step,
            count=1,
            site=subject.recorder.site_of(subject.compile_place),
            facts=facts,
        )


def metric_names(model):
    """The metrics that were asked for, by name."""
    asked = models.attribute(model, "_compile_metrics") or models.attribute(model, "compiled_metrics")
    given = asked if isinstance(asked, (list, tuple)) else models.attribute(asked, "_user_metrics")
    given = list(given.values()) if isinstance(given, dict) else given
    flat = given if isinstance(given, (list, tuple)) else ([given] if given is not None else [])
    return [part if isinstance(part, str) else str(getattr(part, "name", models.function_name(part))) for part in flat]
