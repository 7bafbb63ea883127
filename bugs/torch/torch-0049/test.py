"""Healthy: the communities of most users are found."""

import community
import oracle

oracle.symptom("share of communities found", community.main, at_least=0.55, seeds=6)
