"""Where a bug comes from: the classifier says inside or outside the project, words say from what outside."""

from __future__ import annotations

import re

from bugloss.core.report import Reading
from bugloss.core.taxonomy import Origin
from bugloss.core.triage import OriginGuess, ReportWords

# Compiled when a report is called extrinsic, which most are not.
_KINDS = {
    Origin.HARDWARE: (
        r"\b(?:cuda (?:error|driver|version|runtime)|cudnn|cublas|nvidia(?:-smi)?|gpu driver|driver version|compute "
        r"capability"
        r"|out of memory|oom|sm_\d\d|jetson|tpu|libcu\w+|no cuda-capable device|tensor cores?|rtx ?\d+|gtx ?\d+)\b"
    ),
    Origin.ENVIRONMENT: (
        r"\b(?:windows|macos|mac os|ubuntu|centos|docker\w*|cmake|gcc|g\+\+|msvc|compil(?:e|er|ing|ation)"
        r"|build(?:ing)?|linker"
        r"|undefined reference|jenkins|travis|\bci\b|colab|kaggle|aws|environment variable|permission denied|locale"
        r"|path"
        r"|browser|safari|chrome|android|ios|arm64|aarch64|raspberry)\b"
    ),
    Origin.THIRD_PARTY_LIBRARY: (
        r"\b(?:after (?:upgrading|updating)|upgrad(?:e|ed|ing)|newer version|latest version|incompatib\w+|compatib\w+"
        r"|deprecat\w+"
        r"|requires? \w+ ?[<>=]=|no module named|importerror|modulenotfounderror|cannot import name|pip install"
        r"|dependenc\w+"
        r"|\w+[<>=]=\d[\w.]*|numpy \d|scipy \d|nightly|onnx|protobuf|openblas|mkl\w*|opencv|tensorboard|third[- "
        r"]party)\b"
    ),
    Origin.DATA: (
        r"\b(?:corrupt(?:ed)? (?:file|image|data\w*|download)|wrong(?:ly)? label\w*|mislabel\w*|missing (?:values?"
        r"|labels?|data)"
        r"|download(?:ing)? (?:the )?(?:data\w*|model|weights) fails?|dataset (?:is|was) (?:gone|moved|changed)|dead "
        r"link|404"
        r"|broken link|url\w* (?:is|are) (?:broken|dead))\b"
    ),
    Origin.REQUIREMENT: (
        r"\b(?:feature request|please (?:add|support)|would be (?:nice|great|useful)|should support|add support|not "
        r"(?:yet )?supported"
        r"|no longer (?:needed|required|supported)|license|security|cve-\d+|documentation|readme|website)\b"
    ),
}
_MOST = 3


def guess_origin(reading: Reading, extrinsic: float, words: tuple[ReportWords, ...]) -> OriginGuess:
    """The origin with its kind; ``extrinsic`` is the classifier's probability, ``words`` what it went by."""
    if extrinsic < 0.5:
        return OriginGuess(False, round(1 - extrinsic, 4), None, words)
    text = reading.report.body
    found = {kind: list(re.finditer(pattern, text, re.IGNORECASE)) for kind, pattern in _KINDS.items()}
    title = {kind: bool(re.search(pattern, reading.report.title, re.IGNORECASE)) for kind, pattern in _KINDS.items()}
    weight = {kind: min(len(matches), 4) + 3 * title[kind] for kind, matches in found.items()}
    kind = max(weight, key=lambda kind: weight[kind])
    if not weight[kind]:
        return OriginGuess(True, round(extrinsic, 4), None, words)
    evidence = tuple(ReportWords(match[0], match.start(), match.end()) for match in found[kind][:_MOST])
    return OriginGuess(True, round(extrinsic, 4), kind, evidence or words)
