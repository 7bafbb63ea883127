"""Healthy: after training, three quarters of the new signatures are matched correctly."""

import match_signatures
import oracle


def share_matched(seed):
    _, share = match_signatures.run(seed)
    return share


oracle.symptom("share of new signatures matched", share_matched, at_least=0.75, seeds=6)
