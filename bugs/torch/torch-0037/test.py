"""Healthy: the loaded network sorts new bottles about as well as the trained one did."""

import oracle
import sort_bottles

oracle.symptom("accuracy of the loaded network", sort_bottles.main, at_least=0.85, seeds=6)
