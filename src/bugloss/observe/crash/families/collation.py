"""Batches that a loader cannot put together, and workers that die while they try."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene

_SURE_OF_SAMPLE = 0.95


def _sample(scene: Scene) -> tuple[Location, ...]:
    """The line that returns a sample, of the only data set that the program has."""
    if scene.program is None:
        return ()
    from bugloss.observe.crash.fixes.settings import sample_return

    found = sample_return(scene.program)
    return (
        ()
        if found is None
        else (Location(found[0].path, found[1].lineno, _SURE_OF_SAMPLE, None, "a sample is made here"),)
    )


def _ragged(scene: Scene, match: re.Match[str]) -> CrashText:
    first, second = match["first"], match["second"]
    return CrashText(
        f"The samples of a batch have different shapes ({first} and {second}), so the loader cannot stack them.",
        "Bring every sample to one shape in __getitem__ (resize, crop, pad), or give the DataLoader a collate_fn that "
        "pads, for example with torch.nn.utils.rnn.pad_sequence.",
        (f"Sample 0 of the batch is {first}, sample {match['number']} is {second}.",),
        _sample(scene),
    )


def _unbatchable(scene: Scene, match: re.Match[str]) -> CrashText:
    return CrashText(
        f"A sample holds something that the loader cannot batch: {match['found']}.",
        "Return tensors, arrays or numbers from __getitem__: add ToTensor() to the transforms, give a default instead "
        "of None, or filter the broken samples in a collate_fn.",
        (),
        _sample(scene),
    )


_COLLATE_FRAMES = (
    "Caught RuntimeError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n"
    '  File "site-packages/torch/utils/data/_utils/collate.py", line 401, in default_collate\n    return f(batch)\n'
)

PATTERNS = (
    Pattern(
        "ragged-batch",
        CrashKind.COLLATE,
        FixPattern.DATA_WRANGLING,
        ("stack expects each tensor to be equal size",),
        r"got (?P<first>\[[^\]]*\]) at entry 0 and (?P<second>\[[^\]]*\]) at entry (?P<number>\d+)",
        _ragged,
        (
            Example(
                _COLLATE_FRAMES
                + (
                    "RuntimeError: stack expects each tensor to be equal size, but got [1] at entry 0 and [2] at entry "
                    "1\n"
                ),
                ("[1] and [2]", "collate_fn"),
            ),
        ),
        confidence=0.95,
        through=("default_collate", "collate", "collate_tensor_fn", "_worker_loop", "fetch"),
    ),
    Pattern(
        "ragged-batch",
        CrashKind.COLLATE,
        FixPattern.DATA_WRANGLING,
        ("each element in list of batch", "storage that is not resizable"),
        r"each element in list of batch|storage that is not resizable",
        plain(
            "The samples of a batch have different lengths or shapes, so the loader cannot stack them.",
            "Bring every sample to one shape in __getitem__, or give the DataLoader a collate_fn that pads.",
        ),
        (
            Example("each element in list of batch should be of equal size"),
            Example("Trying to resize storage that is not resizable"),
        ),
    ),
    Pattern(
        "ragged-batch",
        CrashKind.COLLATE,
        FixPattern.DATA_WRANGLING,
        ("invalid argument 0: Sizes of tensors must match",),
        r"Got (?P<first>\d+) and (?P<second>\d+) in dimension (?P<number>\d+)",
        plain(
            "The samples of a batch have different shapes ({first} and {second} in axis {number}), so the loader "
            "cannot stack them.",
            "Bring every sample to one shape in __getitem__ (resize, crop, pad), or give the DataLoader a collate_fn "
            "that pads.",
        ),
        (
            Example(
                _COLLATE_FRAMES
                + "RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 0. Got 224 and "
                "320 in dimension 2 at /pytorch/aten/src/TH/generic/THTensor.cpp:711\n",
                ("224 and 320",),
            ),
        ),
        confidence=0.95,
        through=("default_collate", "collate", "_worker_loop", "fetch"),
    ),
    Pattern(
        "ragged-batch",
        CrashKind.COLLATE,
        FixPattern.DATA_WRANGLING,
        ("Cannot batch tensors with different shapes", "Cannot add tensor to the batch"),
        r"had shape (?P<first>\[[^\]]*\]) and element (?P<number>\d+) had shape (?P<second>\[[^\]]*\])|Cannot add "
        r"tensor",
        plain(
            "The elements of the data set have different shapes⟨, {first} and {second},⟩ and cannot be batched.",
            "Resize or pad them in map() first, or use padded_batch instead of batch.",
        ),
        (
            Example(
                "Cannot batch tensors with different shapes in component 0. First element had shape [2] and element 1 "
                "had shape [3].",
                ("[2] and [3]", "padded_batch"),
                "InvalidArgumentError",
            ),
        ),
    ),
    Pattern(
        "uncollatable-sample",
        CrashKind.COLLATE,
        FixPattern.DATA_WRANGLING,
        ("batch must contain tensors",),
        r"found (?P<found>.+)$",
        _unbatchable,
        (
            Example(
                "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class "
                "'NoneType'>",
                ("NoneType",),
                "TypeError",
            ),
            Example(
                "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class "
                "'PIL.Image.Image'>",
                ("ToTensor()",),
                "TypeError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "worker-start",
        CrashKind.COLLATE,
        FixPattern.API_CONTRACT,
        ("before the\n        current process has finished its bootstrapping", "has finished its bootstrapping"),
        r"bootstrapping",
        plain(
            "Worker processes import the script again, and the import starts the training again.",
            "Put everything that runs under if __name__ == '__main__':, or set num_workers=0.",
        ),
        (
            Example(
                "An attempt has been made to start a new process before the\n        current process has finished its "
                "bootstrapping phase.",
                ("__main__",),
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "worker-start",
        CrashKind.COLLATE,
        FixPattern.API_CONTRACT,
        ("pickle local object", "pickle <lambda>", "Can't pickle", "cannot pickle"),
        r"(?i)can(?:'|no)t pickle (?P<what>.{1,80})",
        plain(
            "Something that is sent to worker processes cannot be pickled: {what}.",
            "Replace lambdas and nested functions by module-level functions; open files in the "
            "worker; or set num_workers=0.",
        ),
        (
            Example("Can't pickle local object 'make.<locals>.<lambda>'", ("make.<locals>",), "AttributeError"),
            Example("cannot pickle '_io.TextIOWrapper' object", (), "TypeError"),
        ),
        confidence=0.7,
    ),
)

FAMILY = CrashFamily("collation", PATTERNS)
