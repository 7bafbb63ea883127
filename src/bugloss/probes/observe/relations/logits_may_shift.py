"""A constant added to all logits of a sample leaves a softmax loss as it is.

A break means that exponentials are divided by a sum over the wrong axis, or by none.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, judged

FAMILY, COST = "numbers", QUICK
SOFTMAX = {"softmax", "log_softmax", "logsumexp", "exp", "cross_entropy"}
OTHER = {"sigmoid", "binary_cross_entropy", "binary_cross_entropy_with_logits", "nll_loss", "tanh", "relu"}


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    names, outputs, target = set(subject.loss_functions()), batched_answers(subject), subject.target()
    classes = outputs.ndim == 2 and outputs.shape[1] > 1 and target.size == len(outputs)
    if not classes or target.dtype.kind not in "iu" or target.max() >= outputs.shape[1]:
        raise Untold("the targets are not classes")
    if not names & SOFTMAX or names & OTHER:
        raise Untold("the loss has no softmax of its own")
    if len(subject.terms()) > 1:
        raise Untold("the loss has other terms")
    shifts = numpy.linspace(0.0, 2.0, len(outputs)).reshape(-1, 1)
    own, shifted = subject.judge_outputs(outputs), subject.judge_outputs((outputs + shifts).astype(outputs.dtype))
    return judged(abs(own - shifted) <= 1e-3 * (1 + abs(own)), loss=own, loss_shifted=shifted)
