"""fit-before-split."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.sklearn_data import FITTED, RESAMPLED
from bugloss.source.values.values import Tensor, Value


class FitBeforeSplit(Rule):
    """A scaler, feature selector or resampler is fitted on all data before the split.

    ## What it finds
    ``train_test_split`` of data on which a scikit-learn transformer was fitted (``fit_transform``), or that
    imbalanced-learn resampled.

    ## Why it hurts
    The test data leak into the training data: through their mean, through the selected features, or as copies
    (resampling). The score on the test set is too high, and the model does worse on new data.

    ## Example
    ```python
    x = StandardScaler().fit_transform(x)
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    ```

    ## Use instead
    ```python
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaler = StandardScaler().fit(x_train)
    x_train, x_test = scaler.transform(x_train), scaler.transform(x_test)
    ```

    ## Known problems
    Label encoders do not leak and are not reported; tables that are transformed in place are not followed.

    ## Fix safety
    No fix is offered: statements have to be moved.

    ## References
    Yang and others: Data leakage in notebooks, ASE 2022; scikit-learn documentation, "Common pitfalls: data
    leakage".
    """

    name = "fit-before-split"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("train_test_split",)
    faulty = (
        """\
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
import keras

def prepare(x, y):
    x = StandardScaler().fit_transform(x)
    return train_test_split(x, y, test_size=0.2)
""",
        """\
import pandas as pd
from imblearn.over_sampling import SMOTE
from sklearn.model_selection import train_test_split

table = pd.read_csv("table.csv")
x, y = SMOTE().fit_resample(table.drop("y", axis=1), table["y"])
x_train, x_test, y_train, y_test = train_test_split(x, y)
""",
    )
    clean = (
        """\
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

def prepare(x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_train, x_valid, y_train, y_valid = train_test_split(x_train, y_train)
    return x_train, x_valid, scaler.transform(x_test)
""",
        """\
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import LabelEncoder

def prepare(x, y):
    y = LabelEncoder().fit_transform(y)
    return train_test_split(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("sklearn.model_selection.train_test_split"):
            for value in operation.positional:
                fact = _leak(value)
                if fact is not None:
                    kind, _, name = fact.partition(":")
                    done = "was fitted on" if f"{kind}:" == FITTED else "resampled"
                    message = f"{name} {done} all data before this split: the test data leak into the training data"
                    yield self.finding(program, operation.node, message)
                    break


def _leak(value: Value) -> str | None:
    if not isinstance(value, Tensor) or "training-part" in value.facts:
        return None
    return next((fact for fact in sorted(value.facts) if fact.startswith((FITTED, RESAMPLED))), None)
