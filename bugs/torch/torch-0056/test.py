"""Healthy: nearly all new mail gets into the right folder."""

import oracle
import sort_mail

oracle.symptom("share sorted correctly", sort_mail.main, at_least=0.97, seeds=6)
