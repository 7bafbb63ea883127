"""Sessions of a web shop as lists of event codes."""
import numpy as np

CODES = ['login_failed', 'login', 'search', 'view', 'cart', 'pay', 'change_email', 'logout']
N_CODES = len(CODES)
MAX_EVENTS = 30


def make_session(rng):
    """A session counts as an attack if failed logins pile up before the mail address is changed."""
    length = rng.randint(10, MAX_EVENTS + 1)
    attack = rng.rand() < 0.5
    codes = list(rng.randint(1, N_CODES, size=length))
    n_failed = rng.randint(3, 6) if attack else rng.randint(0, 2)
    for _ in range(n_failed):
        codes[rng.randint(0, length // 2)] = 0
    if rng.rand() < 0.8:
        codes[rng.randint(length // 2, length)] = CODES.index('change_email')
    return codes, int(attack)


def make_sessions(n, seed):
    rng = np.random.RandomState(seed)
    pairs = [make_session(rng) for _ in range(n)]
    return [codes for codes, _ in pairs], np.array([label for _, label in pairs])


def encode(sessions):
    """Token ids for the embedding, one per event; the rows are filled up afterwards."""
    return [[code for code in codes] for codes in sessions]
