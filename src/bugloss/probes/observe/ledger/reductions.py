"""Summands of a loss and how each is reduced: a mean over the values of a sample beside a sum over them.

``summands`` walks from the loss backwards. A node is given as ``View``: what kind of operation it is, a constant
factor, how many values of one sample it averages or adds up, and the nodes behind it. A reconstruction that is a mean
over all pixels beside a divergence that is a sum over all latent variables is outweighed by the number of pixels.
"""

MOST_DEPTH = 40
MOST_BEHIND = 400
LEAST_AVERAGED = 32  # values of a sample: with fewer the two reductions hardly differ
LEAST_ADDED = 2
LEAST_FACTOR, MOST_FACTOR = 0.05, 8.0  # a term with another factor was weighed on purpose


class View(object):
    """One operation behind a loss."""

    def __init__(self, kind, behind, factor=1.0, averaged=1, added=1):
        self.kind = kind  # add | scale | reduce | other
        self.behind, self.factor, self.averaged, self.added = behind, factor, averaged, added


class Summand(object):
    """A term of a loss."""

    def __init__(self, factor, averaged, added, node):
        self.factor, self.averaged, self.added, self.node = factor, averaged, added, node


def summands(loss, view, key):
    """The terms of a loss; ``view`` describes a node, ``key`` identifies it."""
    found, waiting, seen = [], [(loss, 1.0, 1, 1, 0)], set()
    while waiting:
        node, factor, averaged, added, depth = waiting.pop()
        if node is None or depth > MOST_DEPTH or (key(node), depth) in seen:
            continue
        seen.add((key(node), depth))
        seen_as = view(node)
        reduced = averaged > 1 or added > 1
        if seen_as.kind == "add" and not reduced:
            waiting += [(one, factor, averaged, added, depth + 1) for one in seen_as.behind]
        elif seen_as.kind in ("scale", "reduce") and seen_as.behind:
            more = (factor * seen_as.factor, averaged * seen_as.averaged, added * seen_as.added)
            waiting.append((seen_as.behind[0],) + more + (depth + 1,))
        else:
            found.append(Summand(factor, averaged * seen_as.averaged, added * seen_as.added, node))
    return found


def uneven(loss, view, key, names):
    """(values that are averaged, values that are added up) where a mean stands beside a summed divergence, or None."""
    terms = [term for term in summands(loss, view, key) if LEAST_FACTOR <= abs(term.factor) <= MOST_FACTOR]
    means = [term for term in terms if term.averaged >= LEAST_AVERAGED and term.added == 1]
    sums = [term for term in terms if term.added >= LEAST_ADDED and term.averaged == 1]
    sums = [term for term in sums if "exp" in operations_behind(term.node, view, key, names)]
    means = [term for term in means if not any(term.node is other.node for other in sums)]
    return (means[0].averaged, sums[0].added) if means and sums else None


def operations_behind(node, view, key, names):
    """Names of the nearest operations behind a node: those of a formula, not of a network."""
    found, waiting, seen = set(), [(node, 0)], set()
    while waiting and len(seen) < MOST_BEHIND:
        one, depth = waiting.pop(0)
        if one is None or key(one) in seen or depth > 8:
            continue
        seen.add(key(one))
        name, behind = names(one)
        found.add(name)
        waiting += [(other, depth + 1) for other in behind]
    return found
