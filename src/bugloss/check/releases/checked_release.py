"""Which release of a library a program is checked against, as far as it is known."""

from __future__ import annotations

import re

from bugloss.source.program import Program


def keras_release(program: Program) -> tuple[int, int] | None:
    """The Keras release of the target; TensorFlow's own counts as the Keras of the same number."""
    for library in ("keras", "tensorflow", "tf_keras"):
        version = program.target.get(library)
        found = re.match(r"(\d+)\.(\d+)", version) if version else None
        if found is not None:
            major, minor = int(found[1]), int(found[2])
            # TensorFlow brought Keras 2 until 2.15 and Keras 3 since 2.16.
            return (3, 0) if library == "tensorflow" and (major, minor) >= (2, 16) else (major, minor)
    return None
