"""The Cora graph: papers with their words and subjects, and who cites whom."""

from . import archives, samples

SUBJECTS = (
    "Case_Based", "Genetic_Algorithms", "Neural_Networks", "Probabilistic_Methods", "Reinforcement_Learning",
    "Rule_Learning", "Theory",
)  # fmt: skip
PAPERS, WORDS, CITATIONS = 2708, 1433, 5429
WITHIN = 0.81  # share of citations within a subject, as in the real graph


def cora(name):
    numpy = samples.library("numpy")

    random = samples.generator("cora")
    subjects = random.randint(0, len(SUBJECTS), PAPERS)
    likely = random.uniform(size=(len(SUBJECTS), WORDS)) < 0.08
    has = (random.uniform(size=(PAPERS, WORDS)) < numpy.where(likely[subjects], 0.06, 0.006)).astype(int)
    ids = random.permutation(PAPERS) * 37 + 31
    rows = zip(ids, has, subjects)
    content = [
        "\t".join(["%d" % paper] + [str(one) for one in words] + [SUBJECTS[kind]]) for paper, words, kind in rows
    ]
    files = (("cora/cora.content", content), ("cora/cora.cites", citations(random, subjects, ids)))
    return archives.packed(name, [(path, ("\n".join(lines) + "\n").encode("ascii")) for path, lines in files])


def citations(random, subjects, ids):
    numpy = samples.library("numpy")

    within = [numpy.flatnonzero(subjects == number) for number in range(len(SUBJECTS))]
    lines = []
    for citing in random.randint(0, PAPERS, CITATIONS):
        near = within[subjects[citing]]
        cited = near[random.randint(len(near))] if random.uniform() < WITHIN else random.randint(PAPERS)
        lines.append("%d\t%d" % (ids[cited], ids[citing]))
    return lines
