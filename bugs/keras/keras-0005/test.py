"""Healthy: the classifier trains on the icons and reports its accuracy."""

import oracle
import icon_classifier

oracle.survives(icon_classifier.main)
