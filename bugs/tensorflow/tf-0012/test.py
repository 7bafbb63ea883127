"""Healthy: asked without training, the network sorts shells that it has not seen."""

import oracle
import shell_sorter

oracle.symptom("share of new shells that are sorted right", shell_sorter.accuracy_of_new_shells, at_least=0.9, seeds=6)
