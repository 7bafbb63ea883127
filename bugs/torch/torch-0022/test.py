"""Healthy: the network reads most of the signs in new photographs."""

import oracle
import read_road_signs


def validation_accuracy(seed):
    return read_road_signs.main(read_road_signs.parse_arguments(["--seed", str(seed)]))


oracle.symptom("validation accuracy", validation_accuracy, at_least=0.88, seeds=6)
