"""Writes the screenshots of the documentation: starts ``bugloss serve`` and photographs its pages in chromium.

Usage: python scripts/screenshots.py. Needs the extra ``dev`` and the distribution's chromium.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
PAGES = {"web-explore": "/explore?category=tensor", "web-bug": "/bugs/torch-0003"}
SIZE = {"width": 1280, "height": 860}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def main() -> int:
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is not installed: apt-get install chromium", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory() as work, sync_playwright() as player:
        server = subprocess.Popen(
            [sys.executable, "-m", "bugloss", "serve", "--port", "0", "--json", "--work", work],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert server.stdout is not None
            address = str(json.loads(server.stdout.readline())["address"]).rstrip("/")
            browser = player.chromium.launch(executable_path=chromium, args=FLAGS)
            for name, path in PAGES.items():
                photograph(browser, address + path, IMAGES / f"{name}.png")
        finally:
            server.terminate()
            server.wait()
    return 0


def photograph(browser: Browser, address: str, file: Path) -> None:
    """The first screen of a page, as a desktop shows it in light colours."""
    page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]}, color_scheme="light")
    page.goto(address)
    page.screenshot(path=file)
    page.close()


if __name__ == "__main__":
    sys.exit(main())
