"""Writes the training data as word numbers to a JSON file."""

import json
import os
import sys
import tempfile

from messages import collect
from pipeline import batches


def export(path, seed=0):
    rows = []
    for numbers, levels in batches(*collect(120, seed)):
        rows = merge(rows, numbers.numpy().tolist(), levels.numpy().tolist())
    with open(path, "w") as file:
        json.dump([list(row) for row in rows], file)
    return len(rows)


def merge(rows, numbers, levels):
    """Adds what is not there yet; the table has lines twice."""
    found = set(rows)
    found.update(zip(map(tuple, numbers), levels))
    return sorted(found)


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(tempfile.mkdtemp(), "texts.json")
    print("%d rows in %s" % (export(target), target))
