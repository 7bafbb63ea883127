"""Labels in a few numbers: how often each class occurs, in which order, and whether equal samples disagree."""

from collections import Counter

MOST_CLASSES = 64
MOST_LABELS = 100000


def label_facts(labels, hashes=None):
    """What ``Targets`` holds of a row of labels; ``hashes`` has one number for each sample."""
    if hashes is not None and len(hashes) != len(labels):
        hashes = None
    labels = whole(labels)
    facts = {"counts": counts_of(labels), "run_length": float(len(labels)) / (changes(labels) + 1)}
    facts["conflicting_share"] = conflicting(labels, hashes) if hashes is not None else 0.0
    return facts


def whole(labels):
    """Labels of an array or a tensor as whole numbers, the first hundred thousand."""
    return [int(label) for label in labels.reshape(-1)[:MOST_LABELS].tolist()]


def counts_of(labels):
    """How often each class occurs; of very many the most frequent."""
    return {str(label): count for label, count in sorted(Counter(labels).most_common(MOST_CLASSES))}


def changes(labels):
    """How often a label differs from the one before it."""
    return sum(1 for left, right in zip(labels, labels[1:]) if left != right)


def conflicting(labels, hashes):
    """The share of samples whose exact copy has another label."""
    hashes = [int(value) for value in hashes[:MOST_LABELS]]
    known = {}
    for sample, label in zip(hashes, labels):
        known.setdefault(sample, set()).add(label)
    return sum(1 for sample in hashes if len(known[sample]) > 1) / float(max(len(hashes), 1))


def in_order(labels):
    """Whether labels of several classes come one class after the other."""
    labels = whole(labels)
    different = len(set(labels))
    return different > 1 and len(labels) >= 4 * different and changes(labels) == different - 1
