"""Well-known tables as the files that programs fetch: with their columns, types, separators and numbers of rows.

A column is (name, low, high, decimals) or (name, values); the last one is the target and depends on the others.
"""

from . import samples

IRIS = (
    ("sepal_length", 4.3, 7.9, 1), ("sepal_width", 2.0, 4.4, 1), ("petal_length", 1.0, 6.9, 1),
    ("petal_width", 0.1, 2.5, 1),
)  # fmt: skip
PIMA = (
    ("pregnancies", 0, 17, 0), ("glucose", 44, 199, 0), ("pressure", 24, 122, 0), ("skin", 7, 99, 0),
    ("insulin", 14, 846, 0), ("bmi", 18.2, 67.1, 1), ("pedigree", 0.078, 2.42, 3), ("age", 21, 81, 0),
    ("class", (0, 1)),
)  # fmt: skip
WINE = (
    ("fixed acidity", 4.6, 15.9, 1), ("volatile acidity", 0.12, 1.58, 2), ("citric acid", 0, 1, 2),
    ("residual sugar", 0.9, 15.5, 1), ("chlorides", 0.012, 0.611, 3), ("free sulfur dioxide", 1, 72, 0),
    ("total sulfur dioxide", 6, 289, 0), ("density", 0.99, 1.004, 4), ("pH", 2.74, 4.01, 2),
    ("sulphates", 0.33, 2, 2), ("alcohol", 8.4, 14.9, 1), ("quality", (3, 4, 5, 6, 7, 8)),
)  # fmt: skip
TITANIC = (
    ("sex", ("male", "female")), ("age", 0.75, 80, 1), ("n_siblings_spouses", 0, 8, 0), ("parch", 0, 5, 0),
    ("fare", 0, 512.3, 4), ("class", ("First", "Second", "Third")),
    ("deck", ("A", "B", "C", "D", "E", "F", "G", "unknown")),
    ("embark_town", ("Cherbourg", "Queenstown", "Southampton", "unknown")), ("alone", ("n", "y")),
    ("survived", (0, 1)),
)  # fmt: skip
AUTO_MPG = (
    ("cylinders", (4, 6, 8)), ("displacement", 68, 455, 1), ("horsepower", 46, 230, 1), ("weight", 1613, 5140, 1),
    ("acceleration", 8, 24.8, 1), ("model year", 70, 82, 0), ("origin", (1, 2, 3)), ("mpg", 9, 46.6, 1),
)  # fmt: skip
HOUSING = (
    ("CRIM", 0.006, 89, 5), ("ZN", 0, 100, 2), ("INDUS", 0.46, 27.7, 2), ("CHAS", (0, 1)), ("NOX", 0.38, 0.87, 3),
    ("RM", 3.5, 8.8, 3), ("AGE", 3, 100, 1), ("DIS", 1.1, 12.1, 4), ("RAD", 1, 24, 0), ("TAX", 187, 711, 0),
    ("PTRATIO", 12.6, 22, 1), ("B", 0.3, 396.9, 2), ("LSTAT", 1.7, 38, 2), ("MEDV", 5, 50, 1),
)  # fmt: skip
HEART = (
    ("age", 29, 77, 0), ("sex", (0, 1)), ("cp", (0, 1, 2, 3, 4)), ("trestbps", 94, 200, 0), ("chol", 126, 564, 0),
    ("fbs", (0, 1)), ("restecg", (0, 1, 2)), ("thalach", 71, 202, 0), ("exang", (0, 1)), ("oldpeak", 0, 6.2, 1),
    ("slope", (1, 2, 3)), ("ca", (0, 1, 2, 3)), ("thal", ("fixed", "normal", "reversible")), ("target", (0, 1)),
)  # fmt: skip
ABALONE = (
    ("length", 0.075, 0.815, 3), ("diameter", 0.055, 0.65, 3), ("height", 0, 1.13, 3), ("whole", 0.002, 2.826, 4),
    ("shucked", 0.001, 1.488, 4), ("viscera", 0.0005, 0.76, 4), ("shell", 0.0015, 1.005, 4), ("rings", 1, 29, 0),
)  # fmt: skip
ADULT = (
    ("age", 17, 90, 0), ("workclass", ("Private", "Self-emp-not-inc", "Local-gov", "State-gov", "Federal-gov", "?")),
    ("fnlwgt", 12285, 1484705, 0),
    ("education", ("HS-grad", "Some-college", "Bachelors", "Masters", "Assoc-voc", "11th", "Doctorate")),
    ("education-num", 1, 16, 0), ("marital-status", ("Married-civ-spouse", "Never-married", "Divorced", "Widowed")),
    ("occupation", ("Prof-specialty", "Craft-repair", "Exec-managerial", "Adm-clerical", "Sales", "Other-service")),
    ("relationship", ("Husband", "Not-in-family", "Own-child", "Unmarried", "Wife", "Other-relative")),
    ("race", ("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other")), ("sex", ("Male", "Female")),
    ("capital-gain", 0, 99999, 0), ("capital-loss", 0, 4356, 0), ("hours-per-week", 1, 99, 0),
    ("native-country", ("United-States", "Mexico", "Philippines", "Germany", "Canada")), ("income", ("<=50K", ">50K")),
)  # fmt: skip
SONAR = tuple([("band%d" % number, 0, 1, 4) for number in range(60)]) + (("class", ("M", "R")),)
IONOSPHERE = tuple([("pulse%d" % number, -1, 1, 5) for number in range(34)]) + (("class", ("b", "g")),)
BANKNOTES = (
    ("variance", -7.04, 6.82, 4), ("skewness", -13.8, 12.95, 4), ("kurtosis", -5.29, 17.9, 4),
    ("entropy", -8.55, 2.45, 4), ("class", (0, 1)),
)  # fmt: skip
CREDIT = (
    (("Time", 0, 172792, 0),) + tuple([("V%d" % number, -5, 5, 6) for number in range(1, 29)])
    + (("Amount", 0, 2000, 2), ("Class", (0, 1)))
)  # fmt: skip

# File name: columns, rows, separator, whether there is a line of names.
FILES = {
    "iris.csv": (IRIS + (("species", ("setosa", "versicolor", "virginica")),), 150, ",", True),
    "iris.data": (IRIS + (("class", ("Iris-setosa", "Iris-versicolor", "Iris-virginica")),), 150, ",", False),
    "iris_training.csv": (IRIS + (("species", (0, 1, 2)),), 120, ",", True),
    "iris_test.csv": (IRIS + (("species", (0, 1, 2)),), 30, ",", True),
    "pima-indians-diabetes.data.csv": (PIMA, 768, ",", False),
    "pima-indians-diabetes.csv": (PIMA, 768, ",", False),
    "pima-indians-diabetes.data": (PIMA, 768, ",", False),
    "winequality-red.csv": (WINE, 1599, ";", True),
    "winequality-white.csv": (WINE, 4898, ";", True),
    "titanic/train.csv": (TITANIC, 627, ",", True),
    "titanic/eval.csv": (TITANIC, 264, ",", True),
    "housing.data": (HOUSING, 506, " ", False),
    "housing.csv": (HOUSING, 506, " ", False),
    "heart.csv": (HEART, 303, ",", True),
    "abalone_train.csv": (ABALONE, 3320, ",", False),
    "abalone_test.csv": (ABALONE, 850, ",", False),
    "adult.data": (ADULT, 32561, ", ", False),
    "sonar.all-data": (SONAR, 208, ",", False),
    "sonar.csv": (SONAR, 208, ",", False),
    "ionosphere.csv": (IONOSPHERE, 351, ",", False),
    "ionosphere.data": (IONOSPHERE, 351, ",", False),
    "data_banknote_authentication.txt": (BANKNOTES, 1372, ",", False),
    "creditcard.csv": (CREDIT, 30000, ",", True),
}
FIRST = ("titanic/train.csv", "titanic/eval.csv")  # whose target is the first column
PARTIAL = ("creditcard.csv",)  # of 284,807 rows


def lines(name, columns, rows, separator, named):
    """The bytes of a table."""
    cells = columns_of(name, columns, rows)
    names = [column[0] for column in columns]
    if name in FIRST:
        cells, names = [cells[-1]] + cells[:-1], [names[-1]] + names[:-1]
    head = [separator.join(names)] if named else []
    return ("\n".join(head + [separator.join(row) for row in zip(*cells)]) + "\n").encode("ascii")


def columns_of(name, columns, rows):
    """The columns as lists of words; the last one follows from a weighted sum of the others."""
    numpy = samples.library("numpy")

    random = samples.generator("table", name)
    unit = random.uniform(size=(rows, len(columns)))
    inputs = unit[:, :-1]
    # The same in all parts of a data set, such as training and test: by the columns, not by the file.
    weights = samples.generator("target", len(columns)).uniform(0.2, 1, len(columns) - 1)
    score = inputs.dot(weights) + random.normal(0, 0.05, rows)
    unit[:, -1] = (numpy.argsort(numpy.argsort(score)) + 0.5) / rows
    return [spelled(column, unit[:, place]) for place, column in enumerate(columns)]


def spelled(column, unit):
    if len(column) == 2:
        values = [str(value) for value in column[1]]
        return [values[int(share * len(values))] for share in unit]
    _, low, high, decimals = column
    form = "%%.%df" % decimals
    return [form % (low + share * (high - low)) for share in unit]


def auto_mpg(name):
    """Fixed columns, a tab before the name of the car, and six unknown values."""
    columns = columns_of("auto-mpg", AUTO_MPG, 398)
    rows = []
    for number, row in enumerate(zip(*([columns[-1]] + columns[:-1]))):
        cells = list(row)
        if number % 66 == 32:
            cells[3] = "?"
        rows.append("   ".join(cells) + '\t"car %d"' % number)
    return ("\n".join(rows) + "\n").encode("ascii")
