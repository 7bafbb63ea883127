"""Generated sentences: words of syllables, of which some follow others, so that a model can learn them."""

from . import samples

BEGINNINGS = "b br c cl d dr f g gr h k l m n p pl r s st t th tr v w".split()
MIDDLES = "a e i o u ai ea oo".split()
ENDINGS = ["", "", "n", "r", "s", "t", "l", "nd", "ck", "m"]
FOLLOWERS = 8  # words that usually come after a word
SHARE = 0.7  # of the words that are one of these


def vocabulary(name, count):
    """So many different words, the frequent ones first and shorter."""
    random = samples.generator(name, "words")
    found = {}
    while len(found) < count:
        syllables = 1 + int(random.randint(0, 2 + len(found) // 300) > 0)
        parts = [
            BEGINNINGS[random.randint(len(BEGINNINGS))] + MIDDLES[random.randint(len(MIDDLES))]
            for _ in range(syllables)
        ]
        found["".join(parts) + ENDINGS[random.randint(len(ENDINGS))]] = None
    return list(found)


def text(name, part, words, known=2000, longest=12):
    """Sentences with about so many words: a list of lists of words."""
    numpy = samples.library("numpy")

    random = samples.generator(name, part)
    table = samples.generator(name, "followers").zipf(1.4, (known, FOLLOWERS)) % known
    usual, chosen = random.uniform(size=words) < SHARE, random.randint(0, FOLLOWERS, words)
    others = numpy.minimum(random.zipf(1.4, words), known) - 1
    numbers, last = [], 0
    for place in range(words):
        last = int(table[last, chosen[place]]) if usual[place] else int(others[place])
        numbers.append(last)
    spelled = vocabulary(name, known)
    lengths = random.randint(3, longest + 1, words // 3 + 1)
    sentences, start = [], 0
    for length in lengths:
        if start >= words:
            break
        sentences.append([spelled[number] for number in numbers[start : start + length]])
        start += length
    return sentences


def prose(name, part, words):
    """The same as text: capital letters, full stops and line breaks."""
    lines = [" ".join(sentence).capitalize() for sentence in text(name, part, words)]
    return "\n".join([line + (".\n" if number % 4 == 3 else ",") for number, line in enumerate(lines)]) + "\n"


def labelled(name, part, count, classes, mean_length):
    """Texts of words, and their classes."""
    lines, labels = samples.texts(name, part, count, classes, mean_length)
    spelled = vocabulary(name, samples.VOCABULARY + 1)
    return [" ".join([spelled[word] for word in line]) for line in lines], labels
