"""Steps of the schema."""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from bugloss.record.store import upgrading


def test_the_newest_step_is_the_one_that_opening_a_store_takes_for_it() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(upgrading.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == upgrading.NEWEST
