"""Support tickets as sequences of word ids; 0 is padding."""

import numpy as np

WORDS = 40
LENGTH = 20
ANGRY = range(1, 7)
PLEASED = range(7, 13)


def make_tickets(count, seed):
    """Tickets of 6 to 20 words; a ticket is a complaint if angry words outnumber pleased ones."""
    rng = np.random.default_rng(seed)
    tickets = np.zeros((count, LENGTH), "int32")
    for ticket, length in zip(tickets, rng.integers(6, LENGTH + 1, size=count)):
        ticket[:length] = rng.integers(1, WORDS, size=length)
        ticket[rng.integers(length)] = rng.choice([*ANGRY, *PLEASED])
    balance = np.isin(tickets, ANGRY).sum(axis=1) - np.isin(tickets, PLEASED).sum(axis=1)
    clear = balance != 0
    return tickets[clear], (balance[clear] > 0).astype("float32")
