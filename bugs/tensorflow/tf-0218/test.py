"""Healthy: a router that was trained for a few epochs sends most new tickets to the right desk."""

import numpy as np

import oracle
import route_tickets


def accuracy_on_new_tickets(seed):
    model = route_tickets.main(seed)
    tickets, desks = route_tickets.write_tickets(600, seed + 40000)
    return float(np.mean(np.argmax(model(tickets).numpy(), axis=1) == desks))


oracle.symptom("accuracy on new tickets", accuracy_on_new_tickets, at_least=0.75, seeds=5)
