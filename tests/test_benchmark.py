"""The benchmark: its wins are the same for every engine, and it runs. Nothing here is timed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def benchmark(monkeypatch):
    """Import a module of the benchmark."""
    from importlib import import_module

    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: import_module(f"benchmarks.{name}")


@pytest.fixture
def dealt(benchmark, tmp_path):
    """A set of 300 dealt wins as an engine finds it."""
    wins = benchmark("wins")
    wins.write(tmp_path, "dealt", wins.dealt(300))
    return benchmark("resident").Work(tmp_path, ("dealt",), n_hands=900)


def test_dealt_wins_are_distinct_and_repeat_in_another_order(benchmark):
    wins = benchmark("wins")
    tables = wins.dealt(50)
    assert len({repr(win) for win in wins.plain(*tables)}) == 50
    again = list(wins.plain(*wins.repeated(tables, 120)))
    assert len(again) == 150
    assert sorted(map(repr, again[:50])) == sorted(map(repr, again[50:100]))
    assert again[:50] != again[50:100]


def test_the_tiles_of_a_win_are_told_apart(benchmark):
    wins = benchmark("wins")
    for win in wins.plain(*wins.dealt(200)):
        tiles, tile, melds = wins.numbered(win)
        whole = tiles + [number for meld in melds for number in meld]
        assert len(set(whole)) == len(whole)
        assert tile in tiles
        assert {16, 52, 88}.intersection(whole) == {4 * (4 + 9 * (t - 34)) for t in _whole(win) if t >= 34}


def _whole(win):
    return win.concealed + [tile for meld in win.melds for tile in meld.tiles]


@pytest.mark.parametrize("peer", ["mahjong", "jansou", "riichienv"])
def test_a_peer_gives_the_same_points(benchmark, dealt, peer):
    pytest.importorskip(peer, reason=f"the engine {peer}, a peer of the benchmark, is not installed")
    engine, koyaku = (benchmark(f"engines.{name}").load(dealt) for name in (peer, "koyaku"))
    for hands, points in engine.points.items():
        assert points() == koyaku.points[hands]()
    for task in engine.tasks.values():
        assert task.run() == 300


def test_further_rulesets_are_all_different(benchmark):
    further = benchmark("engines.koyaku").further_rulesets()
    assert len({rules.hash for rules in further}) == 20


def test_an_absent_peer_is_named(benchmark, dealt, monkeypatch):
    bench = benchmark("bench")
    monkeypatch.setitem(bench.DISTRIBUTIONS, "mahjong", "no-such-distribution")
    lines = bench.scoring_lines("dealt")
    with bench.Team(("mahjong", "jansou"), ("mahjong",), dealt, None) as team:
        absent = {found.line.engine: found.absent for found in team.measure(lines, 1, "wall") if found.absent}
    assert absent == {"mahjong": "not installed", "jansou": "not asked for"}


def test_a_budget_is_held_against_the_rate_and_against_the_peer_of_the_same_run(benchmark):
    bench = benchmark("bench")

    def rate(engine, task, median):
        return {"measure": "decode", "engine": engine, "task": task, "unit": "games/s", "rate": {"median": median}}

    rates = [rate("koyaku", "decode, Parquet", 2000), rate("koyaku", "ingest", 4000), rate("jansou", "decode", 200)]
    written, stored = bench.budgets({"rates": rates})
    assert (written["is_met"], stored["is_met"]) == (False, True)  # a slow machine
    for entry, multiple in ((written, 10), (stored, 20)):
        [one] = entry["multiples"]
        assert one == {"peer": "jansou", "least": 3000 / 401, "measured": multiple, "is_met": True}
    assert bench.budgets({"rates": rates[:1]})[0]["multiples"] == []


def test_the_tiny_form_runs_measures_what_every_budget_is_about_and_judges_none(benchmark):
    command = [sys.executable, "-m", "benchmarks.bench", "--quick", "--json", "--engines", "koyaku"]
    made = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    assert {row["label"] for row in made["rates"] if row["engine"] == "koyaku"} == {
        row["label"] for row in made["rates"] if "rate" in row
    }
    assert all(row["absent"] in ("not asked for", "not installed") for row in made["rates"] if "absent" in row)
    assert len(made["budgets"]) == 12
    assert {one["is_met"] for entry in made["budgets"] for one in (entry, *entry.get("multiples", ()))} == {None}
    shown = benchmark("bench").markdown(made)
    assert shown.endswith("A quick run shows that everything runs; it is too small to hold the budgets against.")
    assert "| met |" not in shown
    for entry in made["budgets"]:
        entry["is_met"] = False
    assert shown.count("\n") < (judged := benchmark("bench").markdown(made)).count("\n")
    assert judged.count("**no**") == 12
    assert made["memory"][0]["games"] == 20


def test_a_peer_that_fails_is_named_and_the_others_go_on(benchmark, dealt, monkeypatch):
    bench, resident = benchmark("bench"), benchmark("resident")
    calls = []

    class Engine:
        def __init__(self, name, *_):
            self.name = name

        def run(self, task):
            calls.append((self.name, task))
            if self.name == "jansou" and len(calls) > 2:
                raise resident.EngineError("jansou: cannot")
            return resident.Timing(units=10, wall=2.0, cpu=1.0)

        def close(self):
            pass

    monkeypatch.setattr(bench, "Resident", Engine)
    monkeypatch.setitem(bench.DISTRIBUTIONS, "jansou", None)
    with bench.Team(("koyaku", "jansou"), None, dealt, None) as team:
        own, peer = [line for line in bench.READING_LINES if line.task == "audit"]
        found = team.measure([own, peer], 3, "wall")
    assert [one.absent for one in found] == [None, "failed"]
    assert found[0].rates == [5.0, 5.0, 5.0]
