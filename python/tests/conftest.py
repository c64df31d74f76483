"""What the tests share."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def golden():
    """Return the rows of a table of published values, without remarks."""

    def rows(name):
        lines = (ROOT / "tests/golden" / name).read_text().splitlines()
        return [line.split("\t") for line in lines if line and not line.startswith("#")]

    return rows


@pytest.fixture
def python(tmp_path):
    """Run a program in another interpreter, and return what it printed."""

    def run(code, *words):
        environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
        command = [sys.executable, "-c", code, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
