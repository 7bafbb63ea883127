"""Healthy: of the answers that are given, about nine of ten or more are right."""

import leaves
import oracle
import serve


def share_of_right_answers(seed):
    service = serve.start(seed)
    measured, sorts = leaves.pluck(400, seed + 3000)
    answers = [(service.answer(leaf), leaves.SORTS[sort]) for leaf, sort in zip(measured, sorts)]
    given = [answer == sort for answer, sort in answers if answer is not None]
    return sum(given) / max(len(given), 1)


oracle.value("share of right answers among those given", share_of_right_answers, at_least=0.88)
