"""Healthy: in mixed precision too, the classifier tells complaints from praise on new tickets."""

import oracle
import train_tickets

oracle.symptom("accuracy on new tickets", train_tickets.main, at_least=0.8, seeds=5)
