"""What mkdocs calls for each page: links that leave ``docs`` lead to the repository; one that leads nowhere is refused.

Documents are read on GitHub as well, where links into the repository are relative.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """The page with its links as the site needs them; code is left alone."""
    folder = PurePosixPath("docs", page.file.src_uri).parent
    parts, at = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [outward(markdown[at : fence.start()], folder, config["repo_url"]), fence[0]]
        at = fence.end()
    return "".join([*parts, outward(markdown[at:], folder, config["repo_url"])])


def outward(text: str, folder: PurePosixPath, address: str) -> str:
    """Text in which links to files outside of ``docs`` have the address of the repository."""

    def link(found: re.Match[str]) -> str:
        target = (ROOT / folder / found[3]).resolve()
        if target.is_relative_to(ROOT / "docs") and not target.is_relative_to(ROOT / "docs" / "examples"):
            return found[0]
        if not target.exists() or not target.is_relative_to(ROOT):
            raise SystemExit(f"{folder}: a link leads nowhere: {found[3]}")
        kind = "tree" if target.is_dir() else "blob"
        return f"{found[1]}[{found[2]}]({address}/{kind}/main/{target.relative_to(ROOT).as_posix()}{found[4] or ''})"

    return LINK.sub(link, text)
