"""What the tests share."""

import os
import sys
from pathlib import Path

import pytest

from analytics import cli
from analytics.corpus import ingest
from parsers.schema import TABLES
from parsers.store import Store

PROJECT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("KOYAKU_SHARED") or PROJECT.parent / "shared")


@pytest.fixture
def koyaku(monkeypatch, capsys):
    """Run a command; its exit code, standard output and standard error."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["koyaku", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return stop.value.code or 0, *capsys.readouterr()

    return run


@pytest.fixture(scope="session")
def store(tmp_path_factory) -> Store:
    """The sample games in one part."""
    path = tmp_path_factory.mktemp("samples") / "store"
    ingest(PROJECT / "data_samples", path)
    return Store(path)


@pytest.fixture(scope="session")
def tables(store) -> dict:
    """The tables of the sample games."""
    return {name: store.part(0)[name] for name in TABLES if name != "walls"}


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared truth data: real logs, facts, rules. It is no part of the project."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder of shared data at {SHARED}; KOYAKU_SHARED names another place")
    return SHARED


def tenhou_logs(shared: Path) -> list[Path]:
    """Every Tenhou XML log, in the order of their names."""
    return sorted(path for path in (shared / "logs" / "mjlog").rglob("*") if path.is_file())


@pytest.fixture(scope="session")
def real_sample(shared, tmp_path_factory) -> Store:
    """A store of 200 real logs from all folders."""
    logs = tenhou_logs(shared)
    store = Store.create(tmp_path_factory.mktemp("real") / "sample")
    ingest(logs[:: len(logs) // 200][:200], store)
    return store


@pytest.fixture(scope="session")
def real_store(shared, tmp_path_factory) -> Store:
    """A store of all real logs of Tenhou XML."""
    store = Store.create(tmp_path_factory.mktemp("real") / "store")
    ingest(tenhou_logs(shared), store)
    return store


@pytest.fixture(scope="session")
def real_tables(real_sample) -> dict:
    """The tables of the 200 real logs."""
    [part] = real_sample.parts()
    return {name: part[name] for name in part}
