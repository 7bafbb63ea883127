"""Writes the screenshots of the documentation in chromium: pages of ``bugloss serve``, and the page of a diagnosed run.

Usage: python scripts/screenshots.py [run]. Needs the extra ``dev`` and the distribution's chromium; ``run`` writes only
the page of the run, which needs the stack torch.
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
EXAMPLE = IMAGES.parent / "examples" / "train.py"
SIZE = {"width": 1280, "height": 860}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def main() -> int:
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is not installed: apt-get install chromium", file=sys.stderr)
        return 3
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium, args=FLAGS)
        photograph_run(browser)
        if sys.argv[1:] != ["run"]:
            photograph_server(browser)
        browser.close()
    return 0


def photograph_run(browser: Browser) -> None:
    """The page that ``bugloss diagnose`` writes about the example."""
    with tempfile.TemporaryDirectory() as work:
        shutil.copy(EXAMPLE, work)
        command = [sys.executable, "-m", "bugloss", "diagnose", EXAMPLE.name, "--json"]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        run = json.loads(done.stdout)["run"]
        page = Path(work, ".bugloss", "runs", str(run), "report.html")
        photograph(browser, page.as_uri(), IMAGES / "run-page.png")


def photograph_server(browser: Browser) -> None:
    with tempfile.TemporaryDirectory() as work:
        server = subprocess.Popen(
            [sys.executable, "-m", "bugloss", "serve", "--port", "0", "--json", "--work", work],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert server.stdout is not None
            address = str(json.loads(server.stdout.readline())["address"]).rstrip("/")
            for name, path in PAGES.items():
                photograph(browser, address + path, IMAGES / f"{name}.png")
        finally:
            server.terminate()
            server.wait()


def photograph(browser: Browser, address: str, file: Path) -> None:
    """The first screen of a page, as a desktop shows it in light colours."""
    page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]}, color_scheme="light")
    page.goto(address)
    page.screenshot(path=file)
    page.close()


if __name__ == "__main__":
    sys.exit(main())
