"""What messages of every framework demand, by concept: axes, types, ranges, choices, lengths, the order of calls.

Each row says by which words a concept is known, what it means and what to do; the thing that is meant, what it should be
and what came are read from the sentence (``demand``). These patterns stand after the families that know single messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern
from bugloss.observe.crash.families.demands import tell_demand
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene


@dataclass(frozen=True, slots=True)
class _Concept:
    """Tells a demand with the advice of its concept."""

    advice: str

    def __call__(self, scene: Scene, match: re.Match[str]) -> CrashText:
        return tell_demand(scene, self.advice)


def _row(
    cause: str,
    kind: CrashKind,
    fix_pattern: FixPattern,
    marks: tuple[str, ...],
    expression: str,
    advice: str,
    *examples: tuple[str, str],
    confidence: float = 0.7,
) -> Pattern:
    told = tuple(Example(message, (says,), "ValueError") for message, says in examples)
    return Pattern(cause, kind, fix_pattern, marks, expression, _Concept(advice), told, confidence, general=True)


_DIMENSION = r"(?:[Dd]imension(?:s|al)?|ndim|[Rr]ank|\b\d-?D\b|axes)"
_SAME = r"(?:the )?same|equal|identical|match(?:ing)?|agree|compatible|consistent"
_DEMAND = r"must|should|expect(?:s|ed)?|needs?|ha(?:s|ve) to|requires?|only"
_TYPES = (
    r"tensors?|arrays?|lists?|tuples?|strings?|str\b|ints?\b|integers?|floats?\b|bool(?:ean)?s?\b|callables?|functions?"
    r"|dict(?:ionar(?:y|ies))?s?|instances?|modules?|layers?|iterables?|sequences?|objects?|types?|classes|class\b|numbers?"
    r"|scalars?|[A-Z]\w+"
)

PATTERNS = (
    _row(
        "missing-package", CrashKind.IMPORT, FixPattern.ENVIRONMENT,
        ("nstall", "not available", "import"),
        r"(?i)pip install|(?:requires?|needs?|using) .{0,40}\binstall|please install|is not installed|could not import|"
        r"failed to import|must (?:be installed|install)|have .{0,30} installed",
        "Install the package that is named into the environment that runs the program.",
        ("`plot_model` requires pydot. Please install it with `pip install pydot`.", "pip install pydot"),
        confidence=0.9,
    ),
    _row(
        "method-to-implement", CrashKind.UNINITIALISED, FixPattern.API_CONTRACT,
        ("mplement", "verrid", "subclass", "abstract"),
        r"(?:must|should|needs? to|ha(?:s|ve) to|please|did not|does not|doesn't|is not|not) (?:be )?(?:implement|overrid)"
        r"|subclass(?:es)? (?:must|should|need)|abstract method|[Uu]nimplemented",
        "Define the method that is named in your own class; check its spelling and indentation.",
        ("Metric subclasses must implement the `result()` method.", "in your own class"),
    ),
    _row(
        "argument-combination", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("both", "nly one of", "one of", "together", "at the same time", "simultaneously", "mutually", "without", "either",
         "not be specified", "not be provided", "along with", "at least one", "xactly"),
        r"(?i)\bboth\b.{0,80}\b(?:and|at|cannot|not|be)\b|only one of|(?:exactly|at least|at most) (?:one|two|1|2)\b|together with"
        r"|at the same time|simultaneously|mutually exclusive|(?:specif|provid|pass|set)\w* .{0,60}\b(?:without|along with|but not)\b"
        r"|either .{0,60}\bor\b.{0,40}(?:must|should|not|be) (?:be )?(?:specif|provid|set|given)|not be (?:specified|provided|used)"
        r" (?:when|if|with)",
        "Give only one of the arguments that exclude each other, or all of those that belong together.",
        ("Cannot specify both `steps` and `batch_size`.", "exclude each other"),
    ),
    _row(
        "setting-out-of-bounds", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("ositive", "egative", "between", "greater", "less than", "larger", "smaller", "at least", "at most", "in the range",
         ">", "<", "non-zero", "nonzero", "exceed", "zero", "in range", "divisible", "multiple of", "odd", "even", "nvalid "),
        r"(?:" + _DEMAND + r"|cannot|not|can) .{0,60}(?:positive|negative|between|greater|less than|larger|smaller|at least|at most|"
        r"in (?:the )?(?:range|interval)|[<>]=? ?-?\d|non-?zero|exceed|zero|divisible|divide|multiple of|\bodd\b|\beven\b|[<>]=? )"
        r"|[Ii]nvalid (?:learning rate|momentum|weight_decay|beta|epsilon|lr|rho|alpha|lambd|\w+ value|\w+ parameter)"
        r"|(?:is|are) (?:negative|not positive|out of range|outside)|[<>]=? \d.{0,20}(?:required|expected)",
        "Choose a value within these bounds where it is set.",
        ("Argument `rate` must be between 0 and 1. Received: rate=50", "within these bounds"),
        ("Invalid momentum value: -0.5", "within these bounds"),
    ),
    _row(
        "choice-not-offered", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("one of", "either", "llowed", "upported", "alid ", "nknown", "nrecognized", "nvalid", "nsupported", "nterpret"),
        r"(?:must|should|can) be (?:\w+ )?(?:one of|either|in [\[{(]|['\"`]\w)|[Ee]xpected (?:one of|either)|\bone of\b.{0,20}[:\[({'\"`]"
        r"|(?:[Aa]llowed|[Ss]upported|[Vv]alid|[Aa]vailable) (?:values|options|modes|choices|types|formats|\w+s)\b"
        r"|(?:[Uu]nknown|[Uu]nrecognized|[Uu]nsupported|[Ii]nvalid) (?:value for |argument |arguments? )?`?\w+`?(?: \w+)?(?: value)?[:.]? ?"
        r"|[Cc]ould not interpret|is not (?:a )?(?:valid|recognized|supported|known) \w+",
        "Use one of the values that the message lists; compare the spelling, and the documentation of the installed release.",
        ("`interpolation` must be one of ('nearest', 'bilinear'). Received: cubik", "'nearest', 'bilinear'"),
    ),
    _row(
        "wrong-number-of-axes", CrashKind.SHAPE, FixPattern.DATA_DIMENSION,
        ("imension", "ndim", "ank", "D ", "D,", "D.", "axes", "matri", "vector", "scalar", "square"),
        r"(?:" + _DEMAND + r")\b.{0,80}" + _DIMENSION + r"|" + _DIMENSION + r".{0,60}(?:" + _DEMAND + r"|but got|, got)"
        r"|(?:must|should|expected|expects) .{0,30}(?:matri(?:x|ces)|vectors?|scalars?|square)\b|[Tt]oo (?:many|few) dimensions",
        "Print the shape before this line; add an axis (x[None], unsqueeze, expand_dims), drop one (squeeze) or flatten until it has "
        "the axes that are asked for.",
        ("Expected 4D input to the pooling, but got 2D input of size (8, 10)", "add an axis"),
    ),
    _row(
        "wrong-type-of-values", CrashKind.DTYPE, FixPattern.DATA_TYPE,
        ("dtype", "floating", "oolean", "omplex", "ntegral", "nteger t", "data type", "Long", "cast", "float", "ScalarType"),
        r"(?:" + _DEMAND + r"|cannot|not|but got|, got|[Uu]nsupported|[Ii]nvalid).{0,80}(?:dtype|data type|floating|complex|integral|"
        r"LongTensor|BoolTensor|scalar type|boolean (?:tensor|mask|dtype)|integer (?:tensor|dtype|type))"
        r"|dtypes?\b.{0,60}(?:" + _DEMAND + r"|not supported|mismatch|not match|differ)|(?:cannot|can't|not) be (?:safely )?cast"
        r"|not implemented for dtype",
        "Convert the tensor where it is made: x.float(), x.long(), x.bool(), array.astype('float32'), tf.cast(x, tf.float32).",
        ("Window values must be of a floating dtype, but got int32", "x.float()"),
    ),
    _row(
        "sizes-do-not-agree", CrashKind.SHAPE, FixPattern.DATA_DIMENSION,
        ("same ", "match", "equal", "ncompatible", "agree", "iffer", "roadcast", "nconsistent"),
        r"(?:must|should|to|expected|not|n't) .{0,80}(?:" + _SAME + r").{0,60}(?:shapes?|sizes?|lengths?|numbers?|dimensions?|batch|"
        r"elements|samples|channels|features|devices?|rank|structure|columns|rows)|(?:shapes?|sizes?|lengths?|numbers?|dimensions?|"
        r"batch|structures?).{0,80}(?:mismatch|incompatible|differ|unequal|(?:not|n't) (?:match|agree|equal|the same|compatible|broadcast)|"
        r"must (?:match|agree|be equal|be the same)|should (?:match|be equal))|[Mm]ismatch (?:in|of|between) .{0,30}(?:shape|size|"
        r"number|length|batch)|(?:[Ss]hape|[Ss]ize|[Ll]ength) mismatch|(?:[Ii]ncompatible|[Ii]nconsistent) (?:shapes?|sizes?|lengths?)",
        "Print both shapes before this line; change the one that was made wrongly, where it is made.",
        ("`input` and `target` must have the same number of samples, got 8 and 9", "Print both shapes"),
    ),
    _row(
        "wrong-number-of-items", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("ength", "len(", "number of", "elements", "items", "tuple of", "list of", "inputs", "argument", "empty", "entries"),
        r"(?:" + _DEMAND + r")\b.{0,60}(?:of length|length|\d+ (?:elements|items|inputs|outputs|arguments|tensors|values|entries|ints|"
        r"integers|layers)|(?:tuple|list|sequence) of (?:length )?\d|number of (?:elements|items|inputs|arguments|outputs|layers)|"
        r"non-?empty|at least \w+ (?:element|item|input|tensor))|len\(.{1,40}\).{0,40}(?:" + _DEMAND + r"|!=)|[Ll]ength of .{1,60}"
        r"(?:" + _DEMAND + r"|does not|doesn't)|(?:is|are|an|was|were) empty|[Tt]oo (?:many|few) \w+|no (?:elements|items|data|samples)",
        "Count what is passed on this line; a single value often needs a tuple or list around it, (3,) instead of 3.",
        ("`padding` should be a tuple of 2 integers, got 3", "Count what is passed"),
    ),
    _row(
        "value-not-given", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("None", "must be given", "pecif", "rovide", "issing", "required", "defined", "must be set", "must set", "must pass", "undefined",
         "ust call", "ust feed", "ust have"),
        r"(?:cannot|can't|must not|should not|may not|not) be `?None|(?:is|was|are|got|received|found|to be|be) `?None\b|(?:must|should|"
        r"needs? to|ha(?:s|ve) to|please|is|are|to) (?:also |explicitly |always )?(?:be )?(?:specif(?:y|ied)|provide[d]?|given|required|"
        r"passed|supplied|defined|set\b)|[Mm]issing (?:required |key|keyword |argument|value|\w+)|not (?:provided|specified|given|defined)"
        r"|required (?:argument|when|if|for|to)|[Nn]o \w+(?: \w+)? (?:was|were|is|are|has been) (?:provided|given|specified|passed|set|found)",
        "Pass the value that is missing, or look why the variable that should hold it is None.",
        ("`input_shape` must be specified when `weights` is None.", "Pass the value that is missing"),
    ),
    _row(
        "wrong-order-of-calls", CrashKind.UNINITIALISED, FixPattern.API_CONTRACT,
        ("before", "after", "first", "already", "not been", "never", "not yet", "twice", "more than once", "once", "again", "been called",
         "nitialized", "built", "closed"),
        r"(?:must|should|needs? to|please|be|been|call\w*|you) .{0,60}\b(?:before|first|after)\b|(?:has|have|had|was|were|is) (?:not|never|"
        r"already) (?:yet )?(?:been )?\w+|(?:not|never) (?:yet )?(?:been )?(?:called|built|initialized|created|compiled|fitted|adapted|"
        r"registered)|more than once|already (?:exists|been|registered|in|built|compiled|called|has|set|initialized|started|running)|"
        r"only be (?:called|set|used) once|is closed",
        "Do what the message names first, once, before this line.",
        ("The `TextVectorization` layer has not been adapted yet. Call `adapt()` before using it.", "Call `adapt()`"),
    ),
    _row(
        "execution-mode", CrashKind.GRAPH, FixPattern.API_CONTRACT,
        ("eager", "raph", "tf.function", "session", "Session", "symbolic", "compat.v1", "V2", "backend", "jit", "XLA", "trac"),
        r"(?i)eager(?:ly)? ?(?:execution|mode|tensor)?|graph mode|tf\.function|symbolic|(?:default |in a )?session|tf2? behavior|"
        r"(?:tensorflow|jax|torch|current) backend|inside (?:a )?(?:jit|xla)|while tracing|different graph|same graph",
        "Use the form for the mode that the program runs in: TensorFlow 2 computes eagerly outside tf.function; code for graphs and "
        "sessions needs tf.compat.v1 with eager execution disabled.",
        ("Summaries are merged in graph mode alone.", "graph"),
        confidence=0.65,
    ),
    _row(
        "name-conflict", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("nique", "uplicate", "already exists", "reserved", "conflict", "already used", "already in use", "same name", "overwrite"),
        r"(?i)unique|duplicate|reserved|conflict|already (?:used|in use|taken)|same name|cannot overwrite",
        "Give each layer, variable or key a name of its own.",
        ("All layers added to a model should have unique names. Name 'dense' is used twice.", "a name of its own"),
    ),
    _row(
        "feature-not-supported", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("upport", "mplemented", "llowed", "ossible", "vailable", "ot compatible", "annot be used", "an only"),
        r"(?:not|n't|only|un)[- ]?(?:yet |currently |be |been )?(?:supports?|supported|implemented|allowed|possible|permitted|available|"
        r"compatible)|(?:does|do|did) not (?:currently |yet )?(?:support|allow|implement|accept)|[Oo]nly supports?|can(?:not|'t) be used (?:with|"
        r"in|on|for|when|outside|inside)|can only be used",
        "Leave out the option or kind of tensor that this operation refuses, or use another operation that takes it.",
        ("Adam does not support sparse gradients, please consider SparseAdam instead", "SparseAdam"),
    ),
    _row(
        "wrong-kind-of-value", CrashKind.ARGUMENT, FixPattern.API_CONTRACT,
        ("nstance", "type", "must be a", "should be a", "xpected", "be an", "be the", "callable", "not a ", "not an "),
        r"(?:must|should|to|needs? to|has to|can only|expected (?:type )?|expects) (?:\w+ ){0,3}?be (?:an?|the|either|of type|of|instances?)? ?"
        r"`?(?:\w+[. ]){0,3}(?:" + _TYPES + r")|[Ee]xpected (?:an?|the|type|all|input|argument|\w+ to be)? ?`?(?:\w+ ){0,3}(?:" + _TYPES + r")"
        r"|(?:is|are) not (?:an?|of type|callable|iterable|instance)|[Uu]nsupported type|[Ii]nvalid type|of type <class",
        "Pass the kind of value that is asked for: compare type(…) of what is given with it.",
        ("`callbacks` must be a list of Callback instances, got <class 'str'>", "kind of value"),
        confidence=0.6,
    ),
    _row(
        "saved-file-unreadable", CrashKind.CHECKPOINT, FixPattern.NEURAL_CONNECTION,
        ("heckpoint", "SavedModel", "saved", "serial", "restore", "load", "h5", "archive", "config"),
        r"(?i)checkpoint|savedmodel|(?:un|de|re)?seriali[sz]|restore|(?:load|sav)(?:ing|ed|e)? .{0,40}(?:model|weight|file|layer|optimizer|state)"
        r"|get_config|from_config|hdf5|\bh5\b|archive",
        "Save and load with the same release and the same classes; load weights alone into a model that the program builds.",
        ("Could not deserialize class 'Attention' from its config.", "same classes"),
        confidence=0.6,
    ),
)  # fmt: skip

FAMILY = CrashFamily("concepts", PATTERNS)
