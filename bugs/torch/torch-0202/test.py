"""Healthy: the rate in the log is the one with which the epoch was trained."""

import fit_glacier
import oracle


def wrong_rates(seed):
    fit = fit_glacier.Fit(milestones=(2, 4))
    climate, length = fit_glacier.glaciers(40, seed)
    wrong = 0
    for _ in range(6):
        used = fit.optimizer.param_groups[0]["lr"]
        fit.epoch(climate, length)
        wrong += abs(fit.log[-1][0] - used) > 1e-9
    return wrong


oracle.value("epochs whose logged rate is not the one in use", wrong_rates, equals=0)
