"""Healthy: every negative that is mined has another label than its anchor."""

import mine_pairs
import oracle


def wrong_negatives(seed):
    """How many mined negatives have the label of their anchor; all pairs must be found."""
    embeddings, labels = mine_pairs.make_embeddings()
    _, _, anchors, negatives = mine_pairs.mine(embeddings, labels)
    return int((labels[anchors] == labels[negatives]).sum()) + len(labels) - len(anchors)


oracle.value("wrong or missing negatives", wrong_negatives, equals=0)
