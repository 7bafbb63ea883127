"""Memory that is not there: on the GPU, in the machine, in shared memory."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import elements, read_shape, show_shape

_LEAK = (
    "If memory grows from step to step, graphs are kept: accumulate loss.item() instead of loss, and evaluate "
    "under torch.no_grad()."
)


def _card(scene: Scene, match: re.Match[str]) -> CrashText:
    asked, total = match["asked"], match["total"] or match["capacity"]
    evidence = [f"The step needs {asked} more{f' on a GPU with {total}' if total else ''}."] if asked else []
    if match["reserved"]:
        evidence.append(f"{match['reserved']} are already in use.")
    return CrashText(
        "The GPU has not enough memory for this step.",
        "Halve the batch size until it fits (gradient accumulation keeps the effective size), use smaller inputs or "
        f"mixed precision. {_LEAK}",
        tuple(evidence),
        fix_pattern=FixPattern.ITERATIONS,
    )


def _tensor(scene: Scene, match: re.Match[str]) -> CrashText:
    shape = read_shape(match["shape"] or "")
    count = elements(shape)
    size = f", about {count * 4 / 2**30:.3g} GiB as float32" if count else ""
    return CrashText(
        f"A tensor of {show_shape(shape)} does not fit into memory{size}.",
        "Use smaller batches, and check for an axis that is too large by mistake: a missing squeeze, a broadcast of "
        "(n, 1) with (n,), or a Flatten of large maps before a Dense layer.",
        (f"The tensor is {show_shape(shape)}.",) if shape else (),
    )


def _host(scene: Scene, match: re.Match[str]) -> CrashText:
    asked = match["bytes"]
    size = f"{int(asked) / 2**30:.3g} GiB" if asked else match["asked"] or ""
    shape = f" for an array of {show_shape(read_shape(match['shape']))}" if match["shape"] else ""
    return CrashText(
        f"The machine has not enough memory for {size or 'this line'}{shape}.",
        "Read the data in parts (a Dataset, a generator, np.load with mmap_mode='r'), use float32 instead of float64, "
        "and check for a shape that is too large by mistake.",
        (f"The line allocates {size} at once{shape}.",) if size else (),
    )


PATTERNS = (
    Pattern(
        "accelerator-memory",
        CrashKind.MEMORY,
        FixPattern.ITERATIONS,
        ("out of memory",),
        r"out of memory\. Tried to allocate (?P<asked>[\d.]+ \wi?B)(?:.*?(?P<total>[\d.]+ \wi?B) total capacity)?"
        r"(?:.*?total capacity of (?P<capacity>[\d.]+ \wi?B))?(?:.*?(?P<reserved>[\d.]+ \wi?B) (?:already allocated"
        r"|memory in use|is "
        r"allocated by PyTorch))?|out of memory(?P<other>)",
        _card,
        (
            Example(
                "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 7.80 GiB total capacity; 5.10 GiB already "
                "allocated; 1.2 GiB free)",
                ("needs 2.00 GiB more on a GPU with 7.80 GiB", "5.10 GiB are already in use"),
            ),
            Example(
                "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.69 GiB of which "
                "12.00 MiB is free.",
                ("23.69 GiB", "batch size"),
                "OutOfMemoryError",
            ),
            Example("CUDA error: out of memory", ("batch size",)),
            Example("MPS backend out of memory (MPS allocated: 17.94 GB)", ("batch size",)),
        ),
        confidence=0.9,
    ),
    Pattern(
        "tensor-memory",
        CrashKind.MEMORY,
        FixPattern.ITERATIONS,
        ("OOM when allocating tensor",),
        r"OOM when allocating tensor with shape ?(?P<shape>\[[^\]]*\])",
        _tensor,
        (
            Example(
                "OOM when allocating tensor with shape[10000,10000] and type float on /job:localhost by allocator cpu "
                "[Op:Fill]",
                ("10000×10000", "0.373 GiB"),
                "ResourceExhaustedError",
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "host-memory",
        CrashKind.MEMORY,
        FixPattern.ITERATIONS,
        ("can't allocate memory", "Unable to allocate", "not enough memory"),
        r"tried to allocate (?P<bytes>\d+) bytes|Unable to allocate (?P<asked>[\d.]+ \w+) for an array with shape "
        r"(?P<shape>\([^)]*\))"
        r"|Unable to allocate|not enough memory",
        _host,
        (
            Example(
                "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried "
                "to allocate 40000000000 bytes. Error code 12 (Cannot allocate memory)",
                ("37.3 GiB",),
            ),
            Example(
                "Unable to allocate 72.8 TiB for an array with shape (10000000000000,) and data type float64",
                ("72.8 TiB",),
                "MemoryError",
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "shared-memory",
        CrashKind.MEMORY,
        FixPattern.ENVIRONMENT,
        ("shared memory", "is killed by signal", "exited unexpectedly"),
        r"shared memory|killed by signal: (?P<signal>[\w ]+)|exited unexpectedly",
        plain(
            "A worker process of the loader was killed⟨ ({signal})⟩, usually because shared memory or memory ran out.",
            "Give the container more shared memory (docker run --shm-size=8g), use fewer workers, or num_workers=0 to "
            "see the true error.",
        ),
        (
            Example(
                "DataLoader worker (pid 83) is killed by signal: Bus error. It is possible that dataloader's workers "
                "are out of",
                ("Bus error",),
            ),
            Example("DataLoader worker (pid(s) 12345) exited unexpectedly", ("num_workers=0",)),
            Example("unable to open shared memory object </torch_29919_1396182366> in read-write mode"),
        ),
        confidence=0.8,
    ),
    Pattern(
        "accelerator-memory",
        CrashKind.MEMORY,
        FixPattern.ITERATIONS,
        ("CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED"),
        r"ALLOC_FAILED",
        plain(
            "A GPU library could not allocate its working memory.",
            "Free GPU memory (nvidia-smi lists the processes that use it), use smaller batches, or let TensorFlow "
            "allocate on demand: tf.config.experimental.set_memory_growth(gpu, True).",
        ),
        (Example("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),),
        confidence=0.75,
    ),
)

FAMILY = CrashFamily("memory", PATTERNS)
