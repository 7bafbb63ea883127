"""Healthy: the success rate of a collection does not depend on how it is cut into batches."""

import evaluate_agent
import oracle
import torch
from questions import QuestionSet


class Oracle(torch.nn.Module):
    """Answers the first questions of the small collection wrongly and its last one correctly."""

    def __init__(self, answers):
        super().__init__()
        self.left = list(answers)

    def forward(self, features):
        given, self.left = self.left[: len(features)], self.left[len(features) :]
        return torch.nn.functional.one_hot(torch.tensor(given), 4).float()


def rate(seed):
    dataset = QuestionSet(large=100, small=61, seed=seed)
    given = [int(answer) for answer in dataset.answers]
    given[100:160] = [(answer + 1) % 4 for answer in given[100:160]]
    return evaluate_agent.validate(Oracle(given), dataset, val_batch_size=160)["small"]


oracle.value("success rate when one of 61 answers is right", rate, at_most=0.02)
