"""Puts the settings of this machine into the environment; to be imported first."""

import os
from pathlib import Path


def apply_settings(name="settings.env"):
    for line in (Path(__file__).parent / name).read_text().splitlines():
        variable, separator, setting = line.partition("=")
        if separator and not line.startswith("#"):
            os.environ[variable.strip()] = setting.strip()


apply_settings()
