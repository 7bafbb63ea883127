"""Healthy: the autoencoders of two processes give the same code to a patch."""

import fabric
import oracle
import train_fabric


def disagreement(seed):
    first, second = train_fabric.launch(seed=seed)
    patches = fabric.weave(64, seed=seed + 5000)
    codes = first(patches)[0]
    return ((codes - second(patches)[0]).norm() / codes.norm()).item()


oracle.symptom("relative difference of the codes", disagreement, at_most=1e-3, seeds=5)
