"""Four-digit channel codes spoken in radio shorthand -> compact form."""
import numpy as np

SPOKEN = ["zer", "one", "two", "thr", "fou", "fiv", "six", "sev", "eig", "nin"]
START, STOP = "<", ">"
CHARS = sorted(set("".join(SPOKEN)) | set("0123456789-:<>"))
INDEX = {c: i for i, c in enumerate(CHARS)}
TGT_LEN = 7


def encode(text):
    return [INDEX[c] for c in text]


def make_pairs(n_train, n_val, seed):
    rng = np.random.default_rng(seed)
    numbers = rng.permutation(10000)[:n_train + n_val]
    texts = [f"{number:04d}" for number in numbers]
    src = np.array([encode("-".join(SPOKEN[int(d)] for d in t)) for t in texts])
    tgt = np.array([encode(f"{START}{t[:2]}:{t[2:]}{STOP}") for t in texts])
    return (src[:n_train], tgt[:n_train]), (src[n_train:], tgt[n_train:])
