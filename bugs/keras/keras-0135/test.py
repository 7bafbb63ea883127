"""Healthy: the catchment of most stations is found, whatever the network of links looks like."""

import classify_stations
import oracle

oracle.symptom("accuracy on unlabelled stations", classify_stations.main, at_least=0.6, seeds=5)
