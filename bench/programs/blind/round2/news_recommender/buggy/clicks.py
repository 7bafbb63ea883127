import numpy as np

PAD = 0
TOPICS = 8


def simulate(n_users=500, n_articles=160, seed=0):
    """Click histories: every reader prefers two topics."""
    rng = np.random.default_rng(seed)
    topic_of = rng.integers(0, TOPICS, n_articles)
    article_names = [f"art-{k:04d}" for k in rng.permutation(n_articles)]
    by_topic = [np.flatnonzero(topic_of == t) for t in range(TOPICS)]
    histories = []
    for _ in range(n_users):
        liked = rng.choice(TOPICS, 2, replace=False)
        clicks = []
        for _ in range(rng.integers(8, 16)):
            topic = rng.choice(liked) if rng.random() < 0.95 else rng.integers(TOPICS)
            clicks.append(article_names[rng.choice(by_topic[topic])])
        histories.append(clicks)
    return histories


class Catalogue:
    """Maps article names to row numbers."""

    def __init__(self, histories):
        names = sorted({name for clicks in histories for name in clicks})
        self.rows = {name: row for row, name in enumerate(names, start=1)}

    def __len__(self):
        return len(self.rows)

    def encode(self, clicks):
        return [self.rows[name] for name in clicks]


def make_examples(histories, catalogue, max_len=10):
    """Past clicks -> one later click, several examples per reader."""
    past, nxt, owner = [], [], []
    for user, clicks in enumerate(histories):
        rows = catalogue.encode(clicks)
        for k in range(4, len(rows)):
            window = rows[max(0, k - max_len):k]
            past.append([PAD] * (max_len - len(window)) + window)
            nxt.append(rows[k])
            owner.append(user)
    return np.array(past), np.array(nxt), np.array(owner)
