"""What the tests share."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("KOYAKU_SHARED") or PROJECT.parent / "shared")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared truth data: real logs, facts, rules. It is no part of the project."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder of shared data at {SHARED}; KOYAKU_SHARED names another place")
    return SHARED
