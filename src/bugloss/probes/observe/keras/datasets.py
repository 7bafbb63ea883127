"""tf.data pipelines, read without iterating them: an extra pass would change the order of the user's next one.

What lies open is read: the tensors that a pipeline slices, its batch size, whether it shuffles. A function mapped over
the samples is applied to a few of them where its graph holds no operation with a state of its own.
"""

import sys

from . import data as sources

MOST_STAGES = 40
PASSING = (
    *("ShuffleDataset", "CacheDataset", "PrefetchDataset", "RepeatDataset", "OptionsDataset"),
    *("TakeDataset", "SkipDataset", "ShardDataset"),
)


class Opened(object):
    """What is known of a pipeline; ``why`` says what keeps its samples from being read."""

    def __init__(self):
        self.arrays = None
        self.batch = None  # a few samples, where functions are mapped over them
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
    if is_batch(stage) and not found.batch_size:
        found.batch_size = scalar(stage._batch_size)
        found.drop_last = bool(scalar(stage._drop_remainder))


def scalar(tensor):
    numpy = sys.modules["numpy"]
    constant = getattr(tensor, "numpy", None)
    return int(constant()) if constant is not None else int(numpy.asarray(tensor))


def read_samples(found, stages):
    """Samples of a pipeline over tensors; after functions that are mapped over them a few, where these are pure."""
    source = stages[-1]
    if "TensorSlice" not in kind_of(source):
        found.why = "the pipeline begins with %s, whose samples cannot be read without consuming them" % kind_of(source)
        return
    onward = list(reversed(stages[:-1]))
    rows, same = rows_left(onward, int(source._tensors[0].shape[0]))
    found.samples = len(rows)
    after = [stage for stage in onward if not passes(stage)]
    strange = next((stage for stage in after if not is_pure_map(stage)), None)
    if strange is not None:
        found.why = "the pipeline contains %s, which may consume or drop samples" % kind_of(strange)
        return
    tensors = [tensor.numpy() for tensor in source._tensors]
    tensors = tensors if len(rows) == len(tensors[0]) else [tensor[rows] for tensor in tensors]
    if after:
        found.batch = mapped_batch(source, tensors, onward)
    elif same:
        found.arrays = sources.Arrays(*sources.unpack(restore(source.element_spec, tensors)))
    else:
        found.why = "the pipeline takes a part of its samples after shuffling"


def rows_left(stages, count):
    """The rows of the source that are left after skip, take and shard, and whether it is these very rows.

    After a shuffle their number is known, but not which they are; behind a repetition the same rows come again.
    """
    numpy = sys.modules["numpy"]
    rows, same, size, repeated, shuffled = numpy.arange(count), True, 1, False, False
    for stage in stages:
        kind = kind_of(stage).lstrip("_")
        shuffled = shuffled or "Shuffle" in kind
        repeated = repeated or "Repeat" in kind
        if is_batch(stage):
            size *= scalar(stage._batch_size)
        elif kind in ("TakeDataset", "SkipDataset") and not (repeated and kind == "SkipDataset"):
            number = scalar(stage._count) * size
            taken = rows[:number] if number >= 0 else rows
            rows = taken if kind == "TakeDataset" else rows[len(taken) :]
            same = same and not shuffled
        elif kind == "ShardDataset" and size == 1:
            rows = rows[scalar(stage._index) :: scalar(stage._num_shards)]
            same = same and not shuffled
    return rows, same


def passes(stage):
    """Whether a stage hands samples on as they are, all or a part of them, one by one or in batches."""
    return kind_of(stage).lstrip("_") in PASSING or is_batch(stage)


def is_batch(stage):
    return kind_of(stage).lstrip("_") in ("BatchDataset", "ParallelBatchDataset")


def is_pure_map(stage):
    """Whether a stage maps a function whose graph holds no operation with a state: no random number, no Python."""
    if kind_of(stage).lstrip("_") not in ("MapDataset", "ParallelMapDataset"):
        return False
    operations = stage._map_func.function.graph.get_operations()
    return not any(operation.op_def.is_stateful for operation in operations)


def mapped_batch(source, tensors, stages):
    """A fixed batch of the source's rows, led through the stages by hand."""
    numpy = sys.modules["numpy"]
    tensorflow = sys.modules["tensorflow"]
    rows = numpy.unique(numpy.linspace(0, len(tensors[0]) - 1, sources.PROBE_ROWS).astype("int64"))
    samples = [[tensorflow.convert_to_tensor(tensor[row]) for tensor in tensors] for row in rows]
    whole, spec = None, source.element_spec
    for stage in stages:
        if is_batch(stage):
            whole = [tensorflow.stack(parts) for parts in zip(*samples)] if whole is None else None
        elif is_pure_map(stage):
            function, spec = stage._map_func.function, stage.element_spec
            if whole is None:
                samples = [function(*sample) for sample in samples]
            else:
                whole = function(*whole)
    whole = [tensorflow.stack(parts) for parts in zip(*samples)] if whole is None else whole
    return sources.unpack(restore(spec, [tensor.numpy() for tensor in whole]))


def restore(spec, flat):
    """Arrays in the nesting that a sample has."""
    return sys.modules["tensorflow"].nest.pack_sequence_as(spec, flat)
