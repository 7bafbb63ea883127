import numpy as np

TOPICS = ['sport', 'economy', 'science', 'culture', 'weather', 'politics']


def _vocabulary(topic, size=40):
    return ['%s%d' % (topic[:3], i) for i in range(size)]


def headlines(n, seed=0):
    """Headlines as plain strings; most words are common to all topics."""
    rng = np.random.RandomState(seed)
    common = ['word%d' % i for i in range(150)]
    texts, labels = [], []
    for _ in range(n):
        k = rng.randint(len(TOPICS))
        words = []
        for _ in range(rng.randint(8, 16)):
            u = rng.rand()
            if u < 0.18:
                words.append(rng.choice(_vocabulary(TOPICS[k])))
            elif u < 0.25:
                words.append(rng.choice(_vocabulary(TOPICS[rng.randint(len(TOPICS))])))
            else:
                words.append(rng.choice(common))
        texts.append(' '.join(words))
        labels.append(k)
    return texts, np.array(labels)
