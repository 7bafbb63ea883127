"""Healthy: most new radio calls are written down without a mistake."""

import oracle
import train_radio

oracle.symptom("share of calls without a mistake", train_radio.main, at_least=0.5, seeds=5)
