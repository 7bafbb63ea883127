"""What a single line of a report looks like: code, a log, part of a traceback, an environment, or prose."""

from __future__ import annotations

import re

from bugloss.core.failure.exception_line import begins_with_exception
from bugloss.core.failure.traceback_text import is_heading
from bugloss.core.report import BlockKind

_LONGEST = 400  # characters of a line that are looked at
_FLAGS = re.IGNORECASE | re.VERBOSE

PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.|In \[\d*\]:)(?:[ \t]|$)")
_TRACE = re.compile(
    r"""^\s*(?: File\ ".{1,300}",\ line\ \d+ | -{2,}>\ ?\d+\b | \d+\ frames | frame\ \#\d+: | at\ [\w.$]+\(.*\.\w+:\d+\)
      | [\w/.<>~-]+\ in\ [\w<>]+\(.*\)\s*$ | During\ handling\ of\ the\ above | The\ above\ exception\ was )""",
    re.VERBOSE,
)
_SHELL = re.compile(
    r"""^\s*(?:\$\ +\S | (?:!|%)?(?:sudo\ +)?(?:pip3?|conda|apt(?:-get)?|git|docker|cd|export|make|cmake)\ +[\w.-]
      | nvidia-smi\b
      | python3?\ +[\w./-]+\.py | python3?\ +-[mc]\ | CUDA_VISIBLE_DEVICES= )""",
    re.VERBOSE,
)
_CODE = re.compile(
    r"""^\s*(?:
        (?:>>>|\.\.\.)(?:\s|$) | In\ \[\d*\]:
      | import\ +\w[\w.]*(?:\ +as\ +\w+)?\s*(?:[,;\#].*)?$ | from\ +\.*[\w.]+\ +import\ +[\w(*]
      | (?:async\ +)?def\ +\w+\s*\( | class\ +\w+\s*[(:] | @[A-Za-z_][\w.]*(?:\(.*)?$
      | (?:for\ (?=.+\ in\ .).+|while\ .+|if\ .+|elif\ .+|with\ .+|except\b.*|(?:try|else|finally)\s*+):\s*+(?:\#.*)?$
      | (?:return|raise|yield|assert|del|global|nonlocal|pass|break|continue)\b(?:\s*$|\ +[\w(\[{"'-])
      | print\s*[('"] | lambda\b
      | [\w.]+(?:\[[^\]=]{0,60}\])*(?:\s*,\s*[\w.\[\]]+){0,8}\s*(?::\s*[\w.\[\], |]+)?(?:[-+*/@|&%]|//|\*\*)?=(?!=)\s*\S
      | (?:[A-Za-z_]\w*\.)+\w+\(.* | [A-Za-z_]\w*\(.*\)\s*[;,]?\s*(?:\#.*)?$ | [A-Za-z_]\w*\($
      | ["']?\w+["']?\s*:\s*.{1,200},\s*$ | [)\]}][\s,;:)\]}]*+$
      | \#\s?(?:include|define)\b | (?:public|private|static|const|var|let|function|namespace)\ +\w
      | .{1,300}[;{]\s*$ )""",
    re.VERBOSE,
)
_LOG = re.compile(
    r"""^\s*(?:
        \[?\d{4}[-/]\d\d[-/]\d\d[\ T]\d\d:\d\d | \[?\d\d:\d\d:\d\d | [IWEF]\d{4}\ \d\d:\d\d
      | \[?(?:debug|info|warn|warning|error|fatal|critical|note)\]?(?::|\ -|\ \[|\])
      | \(?epoch\s*[\[(:\#]?\s*\d+ | (?:step|iter|iteration|batch|epoch)\s*[\[:=\#]?\s*\d+
      | \d+/\d+\s*(?:\[|-|━|:|\s*$) | \d{1,3}%\|
      | [\w\ \[\]-]{0,30}(?:loss|acc|accuracy|error|val_\w+|perplexity|score)\s*[:=]?\s*-?(?:\d+\.\d|nan\b|inf\b)
      | using\ .{1,40}backend | downloading\b | collecting\ \w | successfully\ installed | requirement\ already
      | layer\ \(type\) | [=_]{6,} | total\ params | (?:non-)?trainable\ params | [+|]-{3,}
      | tensor\(\[?.* | array\(\[.* | \[+\s*-?\d[\d.,e+\s-]*\]* | torch\.size\( | <tf\.
      | \(?-?\d[\d.,e+)\s-]*$ | (?:segmentation\ fault|killed|aborted|core\ dumped) )""",
    _FLAGS,
)
_ENVIRONMENT = re.compile(
    r"""^\W{0,5}(?:
        (?:os|operating\ system|platform|system|linux\ distribution|distro|kernel|machine|processor|cpu|gpu|gpus|ram
          |python|pip|conda|cuda|cudnn|nccl|rocm|nvidia|driver|gcc|cmake|pytorch|torch\w*|tensorflow\S*|tf|keras\S*|numpy
          |scipy|pandas|sklearn|scikit-learn|mxnet|jax|jaxlib|transformers|tokenizers|lightning|pytorch-lightning|onnx\w*
          |allennlp|spacy|fairseq|bazel|horovod|ray|dask|h5py|protobuf|library|libc|is\ cuda\ available|version)
        \b[^:=\n]{0,60}(?::|==?)\s*(?!\w+\()[\w"'`~<(/v.-].{0,160}$
      | [A-Za-z][\w.-]{1,40}==\d[\w.*+!-]* | [A-Za-z][\w.-]{1,40}\s{2,}v?\d+\.\d+[\w.+-]*(?:\s.{0,60})?$
      | -\ [A-Za-z][\w.-]{1,40}=\d[\w.=]* )""",
    _FLAGS,
)
_PROSE_WORDS = re.compile(
    r"(?<![\w.'\"])(?:the|i|i'm|to|a|an|of|my|that|it|this|when|was|were|have|has|are|you|we|me|but|be|on|get|so|they|"
    r"there|how|what|why|please|does|can|would|here|which)(?![\w('\"=.])",
    re.IGNORECASE,
)


def kind_of(line: str, *, verbatim: bool) -> BlockKind | None:
    """What a line looks like; None where it could be anything. ``verbatim``: it is in a fence or is indented."""
    head = line[:_LONGEST]
    if not head.strip() or (len(line) > _LONGEST and not verbatim):
        return None
    if PROMPT.match(head):
        return BlockKind.CODE
    if is_heading(head) or begins_with_exception(head) or _TRACE.match(head):
        return BlockKind.TRACEBACK
    if not verbatim:
        return _loose(head)
    if head.lstrip().startswith("#") and not _ENVIRONMENT.match(head):
        return BlockKind.CODE
    return _tight(head)


def _tight(head: str) -> BlockKind | None:
    """A line that its author set apart: code unless it looks like output."""
    if _ENVIRONMENT.match(head) and not _CODE.match(head):
        return BlockKind.ENVIRONMENT
    if _LOG.match(head) and not _is_code(head):
        return BlockKind.LOG
    if _CODE.match(head) or _SHELL.match(head):
        return BlockKind.CODE
    if re.match(r"^[A-Za-z][\w.-]{1,40}==\d", head):
        return BlockKind.ENVIRONMENT
    return None


def _is_code(head: str) -> bool:
    return bool(re.match(r"^\s*[\w.]+\s*=(?!=)\s*[\w\[({'\"]|^\s*(?:for|if|while|return|print|def)\b", head))


def _loose(head: str) -> BlockKind | None:
    """A line amid prose: called code only when it cannot well be a sentence."""
    if _ENVIRONMENT.match(head) and len(_PROSE_WORDS.findall(head)) < 2:
        return BlockKind.ENVIRONMENT
    words = len(_PROSE_WORDS.findall(head))
    if head.lstrip().startswith(("#", "- ", "* ", ">", "|", "!", "<", "1.", "**")) or words > 1:
        return None
    if _LOG.match(head) and not words and not _is_code(head) and re.search(r"\d", head):
        return BlockKind.LOG
    if (_CODE.match(head) or _SHELL.match(head)) and (not words or re.search(r"[=(]", head)):
        return None if _is_sentence(head) else BlockKind.CODE
    return None


def _is_sentence(head: str) -> bool:
    """Several plain words in a row and an end mark: a sentence, though it may begin like code."""
    words = re.search(r"(?<![A-Za-z'])(?:[A-Za-z']++ ){4}", head)
    return bool(words and re.search(r"[.?!]\s*$|:\s*$", head)) and "=" not in head


def language_of(lines: list[str]) -> str:
    """``shell`` or ``python`` as far as the lines show, else nothing."""
    telling = [line for line in lines if line.strip()]
    if telling and all(_SHELL.match(line) or line.lstrip().startswith("#") for line in telling):
        return "shell"
    python = re.compile(
        r"^\s*(?:import|from \S+ import|def|class|print|for .* in|with|if .*:|[\w.]+\s*=(?!=)|[\w.]+\()"
    )
    curly = sum(line.rstrip().endswith((";", "{", "}")) for line in telling)
    if any(python.match(line) for line in telling) and curly * 2 <= len(telling):
        return "python"
    return ""
