import numpy as np

DESKS = ["invoices", "repairs", "parking", "library"]
TOPICS = [
    ["invoice", "pay", "amount", "bank", "due"],
    ["broken", "lamp", "leak", "heating", "door"],
    ["car", "permit", "garage", "fine", "space"],
    ["book", "loan", "reader", "card", "shelf"],
]
FILLERS = ["the", "please", "my", "we", "today", "about", "is", "need"]
WORDS = sorted(set(sum(TOPICS, [])) | set(FILLERS))


def write_requests(count, seed):
    """Strings with two words of the topic among fillers, and the number of the desk."""
    rng = np.random.RandomState(seed)
    desks = rng.randint(len(DESKS), size=count)
    texts = []
    for desk in desks:
        words = [*rng.choice(TOPICS[desk], 2), *rng.choice(FILLERS, rng.randint(1, 5))]
        rng.shuffle(words)
        texts.append(" ".join(words))
    return np.array(texts), desks
