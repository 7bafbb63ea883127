"""Well-known files of measured series and sounds."""

import datetime

from . import archives, samples

COMMANDS = ("down", "go", "left", "no", "right", "stop", "up", "yes")
CLIMATE = (
    "Date Time", "p (mbar)", "T (degC)", "Tpot (K)", "Tdew (degC)", "rh (%)", "VPmax (mbar)", "VPact (mbar)",
    "VPdef (mbar)", "sh (g/kg)", "H2OC (mmol/mol)", "rho (g/m**3)", "wv (m/s)", "max. wv (m/s)", "wd (deg)",
)  # fmt: skip
BEGIN = datetime.datetime(2009, 1, 1, 0, 10, tzinfo=datetime.timezone.utc)
DAY, YEAR = 144, 52560  # in steps of ten minutes


def waves(random, labels, length):
    """One row for each label: a frequency of the class with any phase, and noise; mean 0, variance 1."""
    numpy = samples.library("numpy")

    place = numpy.arange(length) / float(length)
    frequency = 6 + 5 * labels[:, None] + random.uniform(-1, 1, (len(labels), 1))
    rows = numpy.sin(2 * numpy.pi * (frequency * place + random.uniform(size=(len(labels), 1))))
    rows = rows + random.normal(0, 0.5, rows.shape)
    return (rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)


def ford(name):
    """Engine noise: a label of -1 or 1, then 500 values, between tabs."""
    random = samples.generator(name)
    labels = random.randint(0, 2, 3601 if "train" in name else 1320)
    rows = zip(labels, waves(random, labels, 500))
    return joined(["\t".join(["%d" % (2 * label - 1)] + ["%.6f" % value for value in row]) for label, row in rows])


def heartbeats(name):
    """140 values of a heartbeat and whether it is normal."""
    random = samples.generator(name)
    labels = (random.uniform(size=4998) < 0.58).astype(int)
    rows = zip(labels, waves(random, labels, 140))
    return joined([",".join(["%.6f" % value for value in row] + ["%d" % label]) for label, row in rows])


def joined(lines):
    return ("\n".join(lines) + "\n").encode("ascii")


def passengers(name):
    """Monthly numbers of twelve years."""
    numpy = samples.library("numpy")

    months = numpy.arange(144)
    counts = (110 + 2.4 * months) * (1 + 0.2 * numpy.sin(2 * numpy.pi * (months - 3) / 12))
    rows = ['"%d-%02d",%d' % (1949 + month // 12, month % 12 + 1, counts[month]) for month in months]
    return joined(['"Month","Passengers"'] + rows)


def climate(name):
    """Ten-minute values of a weather station."""
    rows = 40000
    columns = weather(samples.generator("climate"), rows)
    steps = [BEGIN + datetime.timedelta(minutes=10 * number) for number in range(rows)]
    cells = [[step.strftime("%d.%m.%Y %H:%M:%S") for step in steps]]
    cells.extend([["%.2f" % value for value in column] for column in columns])
    data = joined([",".join(['"%s"' % word for word in CLIMATE])] + [",".join(row) for row in zip(*cells)])
    return archives.packed(name, [("jena_climate_2009_2016.csv", data)]) if name.endswith(".zip") else data


def weather(random, rows):
    numpy = samples.library("numpy")

    step = numpy.arange(rows)
    day, year = numpy.sin(2 * numpy.pi * step / DAY), numpy.sin(2 * numpy.pi * step / YEAR)
    warm = 9.4 + 5 * day + 9 * year + numpy.cumsum(random.normal(0, 0.05, rows)).clip(-6, 6)
    wet = (75 - 12 * day + random.normal(0, 4, rows)).clip(13, 100)
    pressure = 989 + numpy.cumsum(random.normal(0, 0.1, rows)).clip(-30, 25)
    most = 6.1 * numpy.exp(0.06 * warm)
    now = most * wet / 100
    wind = numpy.abs(random.normal(2, 1.5, rows))
    dew = warm - (100 - wet) / 5
    moist = (wet, most, now, most - now, now * 0.62, now)
    return (pressure, warm, warm + 274, dew) + moist + (1300 - 4 * warm, wind, wind * 1.6, random.uniform(0, 360, rows))


def speech(name):
    """Spoken words of a second: 16,000 values each."""
    random = samples.generator(name)
    files = []
    for number, word in enumerate(COMMANDS):
        labels = samples.library("numpy").full(60, 8 * number)
        for place, row in enumerate(waves(random, labels, 16000)):
            path = "mini_speech_commands/%s/%04d_nohash_0.wav" % (word, place)
            files.append((path, archives.sound(row / 6, 16000)))
    return archives.packed(name, files)
