"""Makes one array out of trips of different length."""

import numpy as np

from recorder import LONGEST, READINGS


def pad_trips(trips):
    """Short trips are filled up with zeros at their end."""
    table = np.zeros((len(trips), LONGEST, READINGS), "float32")
    for row, trip in zip(table, trips):
        row[: len(trip)] = trip
    return table
