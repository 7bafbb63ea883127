"""Data that cannot become a tensor: strings, objects, ragged lists, plain lists where arrays are wanted."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind

PATTERNS = (
    Pattern(
        "text-in-numbers",
        CrashKind.DTYPE,
        FixPattern.DATA_WRANGLING,
        (
            "could not convert string to float",
            "Cast string to",
            "dtype='string'",
            "too many dimensions 'str'",
            "Invalid dtype: str",
            "numpy.str_",
        ),
        r"string to float: (?:np\.str_\()?(?P<text>'[^']{0,60}')|Cast string|dtype='string'|dimensions 'str'|Invalid "
        r"dtype: str|type numpy\.str_",
        plain(
            "The data contain text where numbers are needed.",
            "Encode text columns and labels first (class indices, one-hot, a vocabulary), and skip header rows and "
            "ids.",
            "A value that cannot be converted: {text}",
        ),
        (
            Example("could not convert string to float: 'setosa'", ("'setosa'",), "ValueError"),
            Example("Cast string to float is not supported", (), "UnimplementedError"),
            Example("too many dimensions 'str'", (), "ValueError"),
            Example("Invalid dtype: str32", (), "ValueError"),
            Example("can't convert np.ndarray of type numpy.str_. The only supported types are", (), "TypeError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "objects-in-array",
        CrashKind.DTYPE,
        FixPattern.DATA_WRANGLING,
        ("Unsupported object type", "numpy.object_", "Invalid dtype: object", "Expected binary or unicode string, got"),
        r"Unsupported object type (?P<type>[\w.]+)|numpy\.object_|Invalid dtype: object|unicode string, got",
        plain(
            "The array contains Python objects⟨ ({type})⟩, usually because its rows have different lengths or "
            "contain None.",
            "Make it rectangular and numeric: pad the rows, fill or drop missing values, then array.astype('float32').",
        ),
        (
            Example(
                "Failed to convert a NumPy array to a Tensor (Unsupported object type NoneType).",
                ("NoneType",),
                "ValueError",
            ),
            Example(
                "Failed to convert a NumPy array to a Tensor (Unsupported object type numpy.ndarray).",
                ("numpy.ndarray",),
                "ValueError",
            ),
            Example(
                "can't convert np.ndarray of type numpy.object_. The only supported types are: float64, float32",
                (),
                "TypeError",
            ),
            Example("Invalid dtype: object", (), "ValueError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "ragged-rows",
        CrashKind.SHAPE,
        FixPattern.DATA_WRANGLING,
        (
            "inhomogeneous shape",
            "expected sequence of length",
            "non-rectangular Python sequence",
            "Argument must be a dense tensor",
        ),
        r"inhomogeneous|of length (?P<first>\d+) at dim \d+ \(got (?P<second>\d+)\)|non-rectangular|must be a dense "
        r"tensor",
        plain(
            "Rows of different lengths cannot be converted to one array.",
            "Pad or cut them to one length (pad_sequence, keras.utils.pad_sequences), or keep them as a list and pad "
            "per batch.",
        ),
        (
            Example(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
                "dimensions.",
                (),
                "ValueError",
            ),
            Example("expected sequence of length 1 at dim 1 (got 2)", (), "ValueError"),
            Example("Can't convert non-rectangular Python sequence to Tensor.", (), "ValueError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "lists-for-arrays",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("Unrecognized data type", "Failed to find data adapter"),
        r"\(of type <class '(?P<type>[\w.]+)'>\)|Failed to find data adapter",
        plain(
            "fit and predict take arrays, tensors or data sets, not Python objects⟨ of type {type}⟩.",
            "Convert the data first: np.array(x, dtype='float32') and np.array(y).",
        ),
        (
            Example(
                "Unrecognized data type: x=[[0, 0, 0], [0, 0, 1]] (of type <class 'list'>)",
                ("list", "np.array("),
                "ValueError",
            ),
            Example(
                "Failed to find data adapter that can handle input: (<class 'list'> containing values of types",
                (),
                "ValueError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "array-for-tensor",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("must be Tensor, not", "expected np.ndarray (got"),
        r"(?P<function>\w+)\(\): argument '(?P<argument>\w+)' .*must be Tensor, not (?P<type>(?!None)[\w.]+)"
        r"|np\.ndarray \(got (?P<got>\w+)\)",
        plain(
            "A tensor is needed⟨ as {argument} of {function}⟩, but a value of type {type}{got} is given.",
            "Convert arrays and lists with torch.as_tensor(x, dtype=torch.float32). Recurrent layers and loaders "
            "return tuples: unpack them first, output, state = lstm(x).",
        ),
        (
            Example(
                "linear(): argument 'input' (position 1) must be Tensor, not numpy.ndarray",
                ("linear", "numpy.ndarray"),
                "TypeError",
            ),
            Example(
                "linear(): argument 'input' (position 1) must be Tensor, not tuple",
                ("output, state = lstm(x)",),
                "TypeError",
            ),
            Example("expected np.ndarray (got list)", ("list",), "TypeError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "array-for-tensor",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("isn't a symbolic tensor", "Only input tensors may be passed as positional"),
        r"Received type: <class '(?P<type>[\w.]+)'>|Only input tensors",
        plain(
            "A layer is called with plain values⟨ ({type})⟩, but needs a symbolic tensor.",
            "Call it on the output of another layer or of Input(…); for numbers build the model first and use "
            "model.predict(array).",
        ),
        (
            Example(
                "Layer dense_56 was called with an input that isn't a symbolic tensor. Received type: <class 'list'>. "
                "Full input: []",
                ("list",),
                "ValueError",
            ),
            Example(
                "Only input tensors may be passed as positional arguments. The following argument value",
                (),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "negative-strides",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("negative strides", "stride in the given numpy array is negative"),
        r"negative",
        plain(
            "The array is a flipped view with negative strides, which tensors do not support.",
            "Copy it first: torch.from_numpy(array.copy()).",
        ),
        (
            Example(
                "At least one stride in the given numpy array is negative, and tensors with negative strides are not",
                (),
                "ValueError",
            ),
        ),
        confidence=0.98,
    ),
    Pattern(
        "not-serializable",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("is not JSON serializable",),
        r"Object of type (?P<type>\w+) is not JSON",
        plain(
            "A value of type {type} cannot be written as JSON.",
            "Write plain numbers: float(value) or value.item(); for arrays value.tolist().",
        ),
        (Example("Object of type float32 is not JSON serializable", ("float32", ".item()"), "TypeError"),),
        confidence=0.95,
    ),
    Pattern(
        "fraction-in-integers",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("to EagerTensor of dtype", "Expected int32, got", "Expected int64, got"),
        r"Cannot convert (?P<value>\S+) to EagerTensor of dtype (?P<dtype>\w+)|Expected (?P<wanted>int\d+), got "
        r"(?P<got>\S+)",
        plain(
            "The number {value}{got} cannot be combined with a tensor of {dtype}{wanted}.",
            "Make the tensor a float first, tf.cast(x, tf.float32), or use an integer.",
        ),
        (Example("Cannot convert 1.5 to EagerTensor of dtype int32", ("1.5", "int32"), "TypeError"),),
    ),
    Pattern(
        "whole-number-needed",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        (
            "must be tuple of ints",
            "must be int, not float",
            "type must be tuple of ints",
            "'float' object cannot be interpreted as an integer",
            "got (float, int)",
        ),
        r"tuple of ints|must be int, not float|interpreted as an integer|\(float, int\)",
        plain(
            "A size must be an integer, but is a float, often the result of a division with /.",
            "Divide with //, or wrap the size in int(…).",
        ),
        (
            Example("zeros(): argument 'size' (position 1) must be tuple of ints, not float", (), "TypeError"),
            Example("'float' object cannot be interpreted as an integer", ("//",), "TypeError"),
            Example(
                "view() received an invalid combination of arguments - got (float, int), but expected one of:",
                (),
                "TypeError",
            ),
        ),
        confidence=0.9,
    ),
)

FAMILY = CrashFamily("conversions", PATTERNS)
