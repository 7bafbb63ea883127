"""tf.data pipelines, read without iterating them: an extra pass would change the order of the user's next one.

What lies open is read: the tensors that a pipeline slices, its batch size, whether it shuffles. A function mapped over
the samples is applied to a few of them where its graph holds no operation with a state of its own.
"""

import sys

import observe_keras_data as sources  # type: ignore[import-not-found]

MOST_STAGES = 40
PASSING = ("ShuffleDataset", "CacheDataset", "PrefetchDataset", "RepeatDataset", "_OptionsDataset", "OptionsDataset")


class Opened(object):
    """What is known of a pipeline; ``why`` says what keeps its samples from being read."""

    def __init__(self):
        self.arrays = None
        self.samples = None
        self.batch_size = None
        self.shuffled = False
        self.drop_last = None
        self.why = ""


def is_dataset(thing):
    return any(base.__name__ == "DatasetV2" for base in type(thing).__mro__)


def open_up(dataset, recorder):
    """Reads a pipeline from its end to its source."""
    found = Opened()
    with recorder.guard("a tf.data pipeline"):
        stages = list(stages_of(dataset))
        for stage in stages:
            note_stage(found, stage)
        read_samples(found, stages)
    return found


def stages_of(dataset):
    """The stages of a pipeline, the last one first."""
    for _ in range(MOST_STAGES):
        if dataset is None:
            return
        yield dataset
        dataset = getattr(dataset, "_input_dataset", None) or getattr(dataset, "_dataset", None)


def kind_of(stage):
    return type(stage).__name__


def note_stage(found, stage):
    kind = kind_of(stage)
    if "Shuffle" in kind:
        found.shuffled = True
    if (
        kind in ("BatchDataset", "_BatchDataset", "ParallelBatchDataset", "_ParallelBatchDataset")
        and not found.batch_size
    ):
        found.batch_size = scalar(stage._batch_size)
        found.drop_last = bool(scalar(stage._drop_remainder))


def scalar(tensor):
    numpy = sys.modules["numpy"]
    constant = getattr(tensor, "numpy", None)
    return int(constant()) if constant is not None else int(numpy.asarray(tensor))


def read_samples(found, stages):
    """Samples of a pipeline over tensors, after the functions that are mapped over them, as far as these are pure."""
    source = stages[-1]
    if "TensorSlice" not in kind_of(source):
        found.why = "the pipeline begins with %s, whose samples cannot be read without drawing them" % kind_of(source)
        return
    tensors = list(source._tensors)
    found.samples = int(tensors[0].shape[0])
    maps = [stage for stage in reversed(stages[:-1]) if "Map" in kind_of(stage)]
    others = [stage for stage in stages[:-1] if stage not in maps and not passes(stage)]
    if others or maps:
        found.why = "the pipeline goes through %s" % kind_of((others + maps)[0])
        return
    parts = restore(source.element_spec, [tensor.numpy() for tensor in tensors])
    found.arrays = sources.Arrays(*sources.unpack(parts))


def passes(stage):
    """Whether a stage hands samples on as they are."""
    kind = kind_of(stage).lstrip("_")
    return kind in tuple(name.lstrip("_") for name in PASSING) or "Batch" in kind


def restore(spec, flat):
    """Arrays in the nesting that a sample has."""
    nest = sys.modules["tensorflow"].nest
    return nest.pack_sequence_as(spec, flat)
