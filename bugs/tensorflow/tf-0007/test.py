"""Healthy: the trained network follows the exact solution of the equation over the whole interval."""

import numpy as np
import oracle
import solve_equation


def largest_error(seed):
    _, solution, exact = solve_equation.solve(seed)
    return float(np.abs(solution - exact).max())


oracle.symptom("largest error", largest_error, at_most=0.5, seeds=6)
