"""Made-up names of two languages as numbers of letters."""

import random

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENDINGS = (["ov", "ski", "enko", "in"], ["ez", "ado", "illa", "os"])


def make_names(count, seed):
    rng = random.Random(seed)
    names = []
    for _ in range(count):
        language = rng.randrange(2)
        stem = "".join(rng.choice(LETTERS) for _ in range(rng.randint(2, 6)))
        names.append((stem + rng.choice(ENDINGS[language]), language))
    return names


def encode(name):
    return [LETTERS.index(letter) + 1 for letter in name]
