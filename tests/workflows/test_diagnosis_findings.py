"""A diagnosis counts what check finds in every file of the program, not only in the script that was started."""

from __future__ import annotations

from bugloss.core.failed_plugin import FailedPlugin
from bugloss.observe.sources import Sources
from bugloss.workflows.diagnosis import findings_elsewhere

FILES = {
    "train.py": "import torch\nfrom agent import learn\n",
    "agent.py": """\
import torch

def learn(net, target_net, batch, gamma=0.99):
    state, action, reward, after, done = batch
    with torch.no_grad():
        target = reward + gamma * target_net(after).max(1).values
    return torch.nn.functional.mse_loss(net(state).gather(1, action).squeeze(1), target)
""",
    "unrelated.py": "import torch\n\ndef loss_of(x, temperature):\n    return torch.softmax(x * temperature, dim=1)\n",
}


def test_files_that_the_script_imports_are_checked_and_others_are_not() -> None:
    failed: list[FailedPlugin] = []
    found = list(findings_elsewhere(Sources(FILES.get, ("train.py",)), "train.py", {}, failed.append))
    assert [(finding.rule, finding.path, finding.span.line) for finding in found if finding.severity.rank > 0] == [
        ("bootstrap-from-terminal-state", "agent.py", 6)
    ]
    assert failed == []
