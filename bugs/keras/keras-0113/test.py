"""Healthy: bus and bicycle are told apart on trips that the network has not seen."""

import commute
import oracle
from padding import pad_trips
from recorder import record_trips


def share_told_right(seed):
    model = commute.train(seed)
    trips, by_bus = record_trips(200, 10_000 + seed)
    return float(((model.predict(pad_trips(trips), verbose=0)[:, 0] > 0.5) == by_bus).mean())


oracle.symptom("accuracy on new trips", share_told_right, at_least=0.82, seeds=5)
