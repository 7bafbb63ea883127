"""The pages in a real chromium: journeys, accessibility in light and dark, narrow screens, no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from show.web.conftest import Served

pytestmark = pytest.mark.browser
PAGES = [
    *(
        "/",
        "/ask",
        "/explore",
        "/explore?q=loss+nan&framework=torch",
        "/bugs/torch-0003",
        "/bugs/keras-0001?code=whole",
    ),
    *("/runs", "/cases", "/jobs", "/bench", "/bench/compare", "/studies", "/studies/patterns", "/studies/agreement"),
    *("/health", "/submit", "/nowhere"),
]
TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 9, in <module>
    out = model(x)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)
"""


@pytest.fixture
def errors() -> list[str]:
    return []


@pytest.fixture
def page(chromium: Any, served: Served, errors: list[str]) -> Iterator[Any]:
    """An empty tab; what its console calls an error fails the test."""
    context = chromium.new_context(base_url=served.address, viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.set_default_timeout(15_000)
    tab.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert [error for error in errors if "status of 404" not in error and "status of 400" not in error] == []


def violations(tab: Any, options: dict[str, Any] | None = None) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(tab, options=options or {"resultTypes": ["violations"]}).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


@pytest.fixture(scope="module")
def visited(chromium: Any, served: Served) -> Iterator[tuple[Any, list[str]]]:
    """A tab for all pages, and the addresses that it asked for."""
    context = chromium.new_context(base_url=served.address)
    tab, asked = context.new_page(), list[str]()
    tab.on("request", lambda request: asked.append(request.url))
    yield tab, asked
    context.close()


@pytest.mark.parametrize(
    "address",
    [
        *PAGES,
        *("/cases/CASE", "/jobs/CASE", "/runs/here/RUN", "/runs/compare?run=here/RUN&run=here/RUN"),
        *("/jobs/EVALUATION", "/bench/job-EVALUATION", "/bench/job-EVALUATION?tool=check&bug=torch-0003"),
        "/bench/compare?first=job-EVALUATION&second=job-EVALUATION",
    ],
)
def test_a_page_passes_accessibility_checks_fits_a_phone_and_asks_nobody_else(
    visited: tuple[Any, list[str]], served: Served, address: str
) -> None:
    tab, asked = visited
    asked.clear()
    tab.emulate_media(color_scheme="light")
    tab.set_viewport_size({"width": 1280, "height": 900})
    answer = tab.goto(
        address.replace("CASE", served.case).replace("RUN", served.run).replace("EVALUATION", served.evaluation)
    )
    assert answer.status == (404 if address == "/nowhere" else 200)
    assert violations(tab) == []
    tab.emulate_media(color_scheme="dark")
    assert violations(tab, {"runOnly": ["color-contrast"]}) == []  # nothing else depends on colours
    tab.set_viewport_size({"width": 390, "height": 844})
    assert not tab.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert {url for url in asked if not url.startswith((served.address, "data:"))} == set()


def wait_until(page: Any, condition: str) -> None:
    """As ``wait_for_function``, whose repeated evaluation the policy of the pages forbids."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def test_the_first_paint_takes_less_than_a_second(page: Any) -> None:
    for address in ("/", "/explore", "/bugs/torch-0003", "/health"):
        page.goto(address)  # what is made once is made
        page.goto(address)
        painted = "performance.getEntriesByName('first-contentful-paint')[0]"
        wait_until(page, f"Boolean({painted})")
        assert page.evaluate(f"{painted}.startTime") < 1000, address


def test_an_engineer_pastes_a_traceback_and_finds_a_solved_bug(page: Any) -> None:
    page.goto("/")
    page.fill("#text", TRACEBACK)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#answer")
    assert "RuntimeError" in page.inner_text("#answer")
    page.click("#answer a.bug >> nth=0")
    page.wait_for_url(re.compile(r"/bugs/"))
    assert page.locator("#fix .diff").count() >= 1
    assert violations(page) == []


def test_a_program_gets_findings_with_a_fix(page: Any) -> None:
    page.goto("/ask")
    page.fill(
        "#text",
        "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))\n"
        "loss = nn.CrossEntropyLoss()\nloss(model(torch.randn(2, 4)), torch.tensor([0, 1]))\n",
    )
    page.click("button.main")
    page.wait_for_selector(".finding .unified")
    assert "\\x0d" not in page.inner_text("#answer")
    assert violations(page) == []


def test_a_report_gets_questions_edits_and_marked_facts(page: Any) -> None:
    page.goto("/ask?bug=torch-0003")
    page.click("button.main")
    page.wait_for_selector("mark.fact")
    assert page.locator("text=Edits that make it run").count() == 1
    assert violations(page) == []


def test_filters_combine_and_the_address_holds_them(page: Any) -> None:
    page.goto("/explore")
    every = int(page.inner_text(".tally strong"))
    page.check("input[name=framework][value=torch]")
    page.wait_for_url(re.compile("framework=torch"))
    narrowed = int(page.inner_text(".tally strong"))
    count = int(page.inner_text("label:has(input[name=symptom][value=crash]) .count"))
    page.check("input[name=symptom][value=crash]")
    page.wait_for_url(re.compile("symptom=crash"))
    assert int(page.inner_text(".tally strong")) == count < narrowed < every
    page.go_back()
    page.wait_for_url(re.compile("framework=torch$"))
    assert int(page.inner_text(".tally strong")) == narrowed
    page.click("a.active")
    page.wait_for_url(re.compile("/explore$"))
    assert int(page.inner_text(".tally strong")) == every


def test_the_keyboard_reaches_search_and_content(page: Any) -> None:
    page.goto("/health")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("q=softmax"))
    assert page.locator("ol.bugs > li").count() > 0


def test_sliders_change_the_rules(page: Any) -> None:
    page.goto("/studies")
    before = int(page.inner_text("[role=status] strong"))
    page.locator("input[name=confidence]").focus()
    page.keyboard.press("End")
    page.wait_for_url(re.compile("confidence=100"))
    assert int(page.inner_text("[role=status] strong")) < before


def test_a_tool_that_does_not_apply_is_grey_with_a_reason(page: Any) -> None:
    page.goto("/bugs/torch-0003")
    button = page.locator("button[value=deeplocalize]")
    assert button.is_disabled()
    assert "exception" in page.inner_text(f"#{button.get_attribute('aria-describedby')}")
    assert page.locator("button[value=test-buggy]").is_enabled()


def test_nothing_is_crushed_on_a_phone(visited: tuple[Any, list[str]], served: Served) -> None:
    """Columns of tables were so narrow on a phone that words stood letter by letter below each other."""
    tab, _ = visited
    tab.set_viewport_size({"width": 390, "height": 844})
    for address in (
        "/runs",
        "/jobs",
        "/health",
        "/studies/patterns",
        f"/runs/compare?run=here/{served.run}&run=here/{served.run}",
    ):
        tab.goto(address)
        words = "[...document.querySelectorAll('td, th')].filter(one => one.offsetParent && one.innerText.trim().split(/\\s+/).some(w => w.length > 4))"
        narrowest = tab.evaluate(f"Math.min(...{words}.map(one => one.getBoundingClientRect().width))")
        assert narrowest > 40, address


def test_every_section_is_in_sight_on_a_phone(visited: tuple[Any, list[str]]) -> None:
    tab, _ = visited
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto("/health")
    for link in tab.locator("nav.sections a").all():
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, link.inner_text()


def test_tools_are_evaluated_from_the_page_bench(page: Any) -> None:
    page.goto("/bench")
    page.locator("details:has(select[name=task])").evaluate("one => one.open = true")
    page.fill("input[name=where]", "id=torch-0003")
    for tool in ("diagnose", "deeplocalize", "bugloss"):
        page.uncheck(f"input[name=tools][value={tool}]")
    page.click("button.main")
    page.wait_for_url(re.compile("/jobs/"))
    assert "detect: check on 1 bug" in page.inner_text("h1")
    page.click("text=Stop this job")


def test_explore_and_ask_work_without_scripts(chromium: Any, served: Served) -> None:
    context = chromium.new_context(base_url=served.address, java_script_enabled=False)
    tab = context.new_page()
    tab.goto("/explore")
    tab.check("input[name=framework][value=keras]")
    tab.click("button.apply")
    assert "framework=keras" in tab.url
    tab.goto("/ask")
    tab.fill("#text", TRACEBACK)
    tab.click("button.main")
    assert "What failed" in tab.inner_text("main")
    context.close()


def test_markup_in_a_search_is_text(page: Any) -> None:
    page.goto("/explore?q=%3Cscript%3Ealert(1)%3C/script%3E%3Cimg%20src=x%20onerror=alert(1)%3E")
    assert page.locator("main script, main img").count() == 0
    assert page.input_value("#query").startswith("<script>")


def test_a_button_of_a_bug_starts_a_job_and_its_console_follows_it(page: Any) -> None:
    """The buttons are called action, so that form.action was one of them and the request went nowhere."""
    page.goto("/bugs/torch-0003")
    page.click("button[value=test-buggy]")
    page.wait_for_selector("[data-console][data-job]")  # given only after the server has taken the job
    page.wait_for_selector("[data-console]:not([data-state=''])", state="attached")  # told by an event
    assert "/jobs/" in (page.get_attribute("[data-job-link]", "href") or "")


def test_a_finished_case_shows_reproduction_evidence_and_cause(page: Any, served: Served) -> None:
    """The server failed on every case that was done: it gave the template some values twice."""
    page.goto("/cases")
    page.click(f"a[href='/cases/{served.case}']")
    assert "R4" in page.inner_text("h1")
    page.click("#edits summary")
    assert "+import torch" in page.inner_text("#edits .unified")
    assert "nn.Linear(256, 120)" in page.inner_text("#causes")
    assert page.inner_text("#repair button") == "Search for a patch"
