"""Measure Koyaku beside its peers, and print one table: `python -m benchmarks.bench --logs LOGS`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from parsers.files import log_files
from parsers.sniff import source_of

from . import wins
from .resident import EngineError, Resident, Work, installed, pin

ROOT = Path(__file__).parents[1]
PARTS = ("scoring", "reading", "memory", "start")
DISTRIBUTIONS = {
    "koyaku": None,
    "mahjong": "mahjong",
    "riichienv": "riichienv",
    "jansou": "jansou",
    "mahjax": "mahjax",
    "lxml": "lxml",
}
"""By engine, the distribution it needs."""
SCORERS, READERS = ("koyaku", "mahjax", "riichienv", "mahjong", "jansou"), ("koyaku", "lxml", "jansou")
GAME_BYTES = (5_000, 15_000)


# -- what is measured


@dataclass(frozen=True)
class Line:
    """A task of an engine under the name of a measure; peers are compared with the line that `is_basis`."""

    measure: str
    unit: str
    engine: str
    task: str
    label: str
    is_basis: bool = False


def scoring_lines(hands: str) -> list[Line]:
    prebuilt, built = f"score {hands} wins, inputs prebuilt", f"score {hands} wins, inputs built"
    one = "Koyaku, facts and one ruleset, from"
    return [
        Line(prebuilt, "wins/s", "koyaku", f"{hands}: prebuilt", f"{one} hands", is_basis=True),
        Line(prebuilt, "wins/s", "mahjax", f"{hands}: prebuilt", "mahjax, batches of 3,000"),
        Line(prebuilt, "wins/s", "mahjax", f"{hands}: prebuilt, one batch", "mahjax, all in one batch"),
        Line(prebuilt, "wins/s", "riichienv", f"{hands}: prebuilt", "riichienv"),
        Line(prebuilt, "wins/s", "mahjong", f"{hands}: prebuilt", "mahjong"),
        Line(prebuilt, "wins/s", "jansou", f"{hands}: prebuilt", "jansou"),
        Line(built, "wins/s", "koyaku", f"{hands}: built", f"{one} Arrow tables", is_basis=True),
        Line(built, "wins/s", "riichienv", f"{hands}: built", "riichienv"),
        Line(built, "wins/s", "mahjong", f"{hands}: built", "mahjong"),
        Line(built, "wins/s", "jansou", f"{hands}: built", "jansou"),
        Line(
            f"twenty further rulesets, {hands} wins", "win × ruleset/s", "koyaku", f"{hands}: further",
            "Koyaku, numbers only, same facts",
        ),
    ]  # fmt: skip


READING_LINES = [
    Line("decode", "games/s", "koyaku", "decode", "Koyaku, bytes to tables", is_basis=True),
    Line("decode", "games/s", "koyaku", "decode, Parquet", "Koyaku, bytes to Parquet"),
    Line("decode", "games/s", "koyaku", "ingest", "Koyaku, files to a store"),
    Line("decode", "games/s", "lxml", "decode", "lxml, a walk that keeps nothing"),
    Line("decode", "games/s", "jansou", "decode", "jansou, bytes to objects"),
    Line("decode, score, audit", "games/s", "koyaku", "audit", "Koyaku, files to an audit", is_basis=True),
    Line("decode, score, audit", "games/s", "jansou", "audit", "jansou, files to verdicts on fu and points"),
    Line("scan for chances", "games/s", "koyaku", "chances", "Koyaku, from a store and into it", is_basis=True),
]

@dataclass(frozen=True)
class Budget:
    """The least rate of a task on the machine the plan was measured on, and the peers' rates there."""

    what: str
    measure: str
    task: str
    least: int
    peers: Mapping[str, int] = field(default_factory=dict)


_PREBUILT_THERE = {"mahjong": 15_500, "riichienv": 165_000, "mahjax": 1_210_000}
_BUILT_THERE = {"mahjong": 13_200, "riichienv": 121_000}
BUDGETS = [
    Budget(
        "scoring wins from hands, all facts, one ruleset",
        "score * wins, inputs prebuilt", "prebuilt", 1_000_000, _PREBUILT_THERE,
    ),
    Budget(
        "scoring wins from Arrow tables, all facts, one ruleset",
        "score * wins, inputs built", "built", 1_000_000, _BUILT_THERE,
    ),
    Budget(
        "further rulesets on the same facts, numbers only", "twenty further rulesets, * wins", "further", 20_000_000
    ),
    Budget("decoding into tables, with Parquet", "decode", "decode, Parquet", 3_000, {"jansou": 401}),
    Budget(
        "decoding into tables, with Parquet, from files to a store", "decode", "ingest", 3_000, {"jansou": 401}
    ),
    Budget("decode, score, audit", "decode, score, audit", "audit", 1_500, {"jansou": 260}),
    Budget("scan for chances, from Parquet to Parquet", "scan for chances", "chances", 1_000),
]  # fmt: skip
MEMORY_LIMIT, START_LIMIT = 1000, 0.3  # MB, seconds


# -- measuring


@dataclass
class Measured:
    """Rates a second of a line, one for each repeat, and the basis's rate over it in the same repeat."""

    line: Line
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    chunk: int = 0
    absent: str | None = None


class Team:
    """Engines, each resident in its own process; those that are not there have a reason in `absent`."""

    def __init__(self, names: Sequence[str], wanted: Sequence[str] | None, work: Work, cpu: int | None):
        self.absent: dict[str, str] = {}
        self.engines: dict[str, Resident] = {}
        for name in names:
            distribution = DISTRIBUTIONS[name]
            if wanted is not None and name not in wanted:
                self.absent[name] = "not asked for"
            elif distribution is not None and installed(distribution) is None:
                self.absent[name] = "not installed"
            else:
                try:
                    self.engines[name] = Resident(name, work, cpu)
                except EngineError as error:
                    self._lose(name, error)

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_exc) -> None:
        for engine in self.engines.values():
            engine.close()

    def _lose(self, name: str, error: EngineError) -> None:
        """A peer that fails is reported so; Koyaku must not."""
        if name == "koyaku":
            raise error
        print(error, file=sys.stderr)
        self.engines.pop(name, None)
        self.absent[name] = "failed"

    def measure(self, lines: Sequence[Line], repeats: int, clock: str) -> list[Measured]:
        """All lines, a chunk of each in turn, after one turn that does not count."""
        found = {line: Measured(line) for line in lines}
        for repeat in range(-1, repeats):
            for line in (line for line in lines if line.engine in self.engines):
                try:
                    timing = self.engines[line.engine].run(line.task)
                except EngineError as error:
                    self._lose(line.engine, error)
                    continue
                if repeat >= 0:
                    found[line].rates.append(timing.units / getattr(timing, clock))
                    found[line].chunk = timing.units
        for line in lines:
            found[line].absent = self.absent.get(line.engine)
        present = [line for line in lines if line.engine in self.engines]
        basis = {line.measure: found[line].rates for line in present if line.is_basis}
        for line in present:
            if line.engine != "koyaku" and line.measure in basis:
                pairs = zip(basis[line.measure], found[line].rates, strict=True)
                found[line].ratios = [own / other for own, other in pairs]
        return list(found.values())

    def agreement(self, hands: Sequence[str]) -> list[dict]:
        """By set of wins and peer, of how many wins the points are as Koyaku's."""
        result = []
        for name, engine in self.engines.items():
            keys = engine.sets if name != "koyaku" and "koyaku" in self.engines else ()
            for key in [key for key in keys if key.split(",")[0] in hands]:
                ours, theirs = self.engines["koyaku"].points(key), engine.points(key)
                differ = [i for i, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
                result.append(
                    {
                        "engine": name,
                        "hands": key,
                        "wins": len(ours),
                        "agree": len(ours) - len(differ),
                        "differ": [{"win": i, "koyaku": ours[i], name: theirs[i]} for i in differ[:20]],
                    }
                )
        return result


def peak_memory(logs: Sequence[tuple[str, bytes]], n_games: int, cpu: int | None) -> dict:
    """Ingest and audit of many games in a process of its own: its peak of resident memory."""
    with tempfile.TemporaryDirectory(prefix="koyaku-bench-") as folder:
        for number in range(n_games):
            again, which = divmod(number, len(logs))
            data = logs[which][1].replace(b'<UN n0="', b'<UN n0="%d.' % again, 1)
            (Path(folder) / f"{number:06}.xml").write_bytes(data)
        command = [sys.executable, "-m", "benchmarks.memory", folder, *([] if cpu is None else [str(cpu)])]
        return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def start_up(repeats: int) -> list[dict]:
    """Seconds of whole processes, in turn."""
    script = Path(sys.executable).with_name("koyaku")
    koyaku = [str(script)] if script.exists() else [sys.executable, "-m", "analytics.cli"]
    commands = {"koyaku --help": [*koyaku, "--help"], "a bare interpreter": [sys.executable, "-c", ""]}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for repeat in range(-1, repeats):
        for name, command in commands.items():
            begin = time.perf_counter()
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            if repeat >= 0:
                seconds[name].append(time.perf_counter() - begin)
    return [{"command": name, **_spread(found)} for name, found in seconds.items()]


def _spread(values: Sequence[float]) -> dict:
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "repeats": len(values)}


# -- the report


def report(options: argparse.Namespace) -> dict:
    """Everything that was asked for, as plain values."""
    made: dict = {"about": about(options)}
    logs = four_player_logs(options.logs, options.games)
    made["about"]["games"] = {"games": len(logs), "mean_bytes": round(sum(len(d) for _, d in logs) / len(logs))}
    with tempfile.TemporaryDirectory(prefix="koyaku-bench-") as name:
        folder, measured = Path(name), []
        if "scoring" in options.parts:
            sets = {"dealt": wins.dealt(options.dealt), "recorded": wins.recorded(logs)}
            for hands, tables in sets.items():
                wins.write(folder, hands, tables)
            made["about"]["wins"] = {hands: tables[0].num_rows for hands, tables in sets.items()}
            work = Work(folder, tuple(sets), options.wins, options.scale)
            with Team(SCORERS, options.engines, work, options.cpu) as team:
                made["agreement"] = team.agreement(tuple(sets))
                for hands in sets:
                    measured += team.measure(scoring_lines(hands), options.repeats, options.clock)
        if "reading" in options.parts:
            (folder / "games").mkdir()
            for number, (_, data) in enumerate(logs):
                (folder / "games" / f"{number:06}.xml").write_bytes(data)
            work = Work(folder, (), 0, options.scale, has_games=True)
            with Team(READERS, options.engines, work, options.cpu) as team:
                measured += team.measure(READING_LINES, options.repeats, options.clock)
    made["rates"] = [_rate(found) for found in measured]
    if "memory" in options.parts:
        made["memory"] = [peak_memory(logs, n, options.cpu) for n in options.memory_games]
    if "start" in options.parts:
        made["start"] = start_up(max(options.repeats, 10) if not options.quick else 2)
    made["budgets"] = budgets(made)
    if options.quick:  # a run so small judges nothing
        for entry in made["budgets"]:
            for one in (entry, *entry.get("multiples", ())):
                one["is_met"] = None
    return made


def about(options: argparse.Namespace) -> dict:
    cpu = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists() and (found := re.search(r"model name\s*:\s*(.+)", info.read_text())):
        cpu = found[1]
    names = ["numpy", "pyarrow", *filter(None, DISTRIBUTIONS.values()), "jax"]
    return {
        "python": platform.python_version(),
        "cpu": cpu,
        "cpus": os.cpu_count(),
        "pinned_to": options.cpu,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "clock": options.clock,
        "repeats": options.repeats,
        "versions": {name: installed(name) or "not installed" for name in names},
    }


def four_player_logs(paths: Sequence[str], most: int) -> list[tuple[str, bytes]]:
    """Whole Tenhou XML games of four players and of about 10 kB."""
    found = []
    for path, data in log_files(paths):
        if len(found) == most:
            break
        if isinstance(data, bytes) and GAME_BYTES[0] <= len(data) <= GAME_BYTES[1] and source_of(data) == "tenhou_xml":
            kind = re.search(rb'<GO type="(\d+)"', data)
            if kind and not int(kind[1]) & 0x10 and data.rstrip().endswith(b"</mjloggm>"):
                found.append((path, data))
    if not found:
        raise SystemExit(f"no four-player games of 5 to 15 kB in {', '.join(map(str, paths))}")
    return found


def _rate(found: Measured) -> dict:
    line = found.line
    row = {"measure": line.measure, "engine": line.engine, "label": line.label, "task": line.task, "unit": line.unit}
    if found.absent:
        return row | {"absent": found.absent}
    row |= {"chunk": found.chunk, "rate": _spread(found.rates)}
    return row | ({"ratio": _spread(found.ratios)} if found.ratios else {})


def budgets(made: dict) -> list[dict]:
    """What the project promises, against what was measured."""
    result, rates = [], [row for row in made["rates"] if "rate" in row]
    fastest: dict[tuple[str, str], float] = {}
    for row in rates:
        key = row["measure"], row["engine"]
        fastest[key] = max(fastest.get(key, 0), row["rate"]["median"])
    for budget in BUDGETS:
        pattern = re.escape(budget.measure).replace(r"\*", "(.+)")
        for row in rates:
            match = re.fullmatch(pattern, row["measure"])
            if match and row["engine"] == "koyaku" and row["task"].split(": ")[-1] == budget.task:
                which = f"{budget.what} ({match[1]} wins)" if match.groups() else budget.what
                rate, limit = row["rate"]["median"], f"at least {budget.least:,} {row['unit']}"
                entry = _budget(which, limit, f"{rate:,.0f}", rate >= budget.least)
                here = {peer: fastest.get((row["measure"], peer)) for peer in budget.peers}
                result.append(entry | {"multiples": [_multiple(budget, rate, *one) for one in here.items() if one[1]]})
    if made.get("memory"):
        peak = max(entry["peak_mb"] for entry in made["memory"])
        result.append(_budget("resident memory", f"under {MEMORY_LIMIT:,} MB", f"{peak:,.0f}", peak < MEMORY_LIMIT))
    if made.get("start"):
        seconds = made["start"][0]["median"]
        result.append(_budget("koyaku --help", f"at most {START_LIMIT} s", f"{seconds:.2f}", seconds <= START_LIMIT))
    return result


def _budget(what: str, limit: str, measured: str, is_met: bool) -> dict:
    return {"what": what, "limit": limit, "measured": measured, "is_met": is_met}


def _multiple(budget: Budget, rate: float, peer: str, peer_rate: float) -> dict:
    """The budget as a multiple of a peer, which no machine's speed changes."""
    least, found = budget.least / budget.peers[peer], rate / peer_rate
    return {"peer": peer, "least": least, "measured": found, "is_met": found >= least}


def markdown(made: dict) -> str:
    about_, lines = made["about"], []
    versions = ", ".join(f"{name} {number}" for name, number in about_["versions"].items())
    games = about_["games"]
    lines += [
        f"{about_['cpu']}, {about_['cpus']} processors, all work on one; load {about_['load']:.1f} at the start. "
        f"Python {about_['python']}, {versions}.",
        f"{games['games']:,} games of {games['mean_bytes']:,} bytes on average; median of {about_['repeats']} repeats, "
        f"{about_['clock']} time, chunks of all engines in turn.",
        "",
    ]
    if "agreement" in made:
        lines += ["| points as Koyaku's | wins | agree |", "|---|---|---|"]
        for entry in made["agreement"]:
            hands = entry["hands"].replace(", double", ", four yakuman double")
            lines.append(f"| {entry['engine']}, {hands} | {entry['wins']:,} | {entry['agree']:,} |")
        lines.append("")
    if made["rates"]:
        lines += ["| measure | engine | median | min–max | Koyaku / it | chunk |", "|---|---|---|---|---|---|"]
        lines += [_rate_line(row) for row in made["rates"]] + [""]
    for entry in made.get("memory", ()):
        lines.append(f"Ingest and audit of {entry['games']:,} games: {entry['peak_mb']:,.0f} MB resident at most.")
    for entry in made.get("start", ()):
        spread = f"{entry['min']:.3f}–{entry['max']:.3f}"
        lines.append(f"Start-up, {entry['command']}: {entry['median']:.3f} s ({spread}).")
    if made.get("memory") or made.get("start"):
        lines.append("")
    if any(entry["is_met"] is None for entry in made["budgets"]):
        lines.append("A quick run shows that everything runs; it is too small to hold the budgets against.")
        return "\n".join(lines)
    lines += ["| budget | limit | measured | met |", "|---|---|---|---|"]
    for entry in made["budgets"]:
        lines.append(f"| {entry['what']} | {entry['limit']} | {entry['measured']} | {_verdict(entry['is_met'])} |")
        for one in entry.get("multiples", ()):
            least, found = _number(one["least"]), _number(one["measured"])
            met = _verdict(one["is_met"])
            lines.append(f"| … as a multiple of {one['peer']} | at least {least} | {found} | {met} |")
    return "\n".join(lines)


def _verdict(is_met: bool) -> str:
    return "yes" if is_met else "**no**"


def _rate_line(row: dict) -> str:
    if "absent" in row:
        return f"| {row['measure']} ({row['unit']}) | {row['label']} | {row['absent']} | | | |"
    rate, ratio = row["rate"], row.get("ratio")
    compared = "" if ratio is None else f"{_number(ratio['median'])} ({_number(ratio['min'])}–{_number(ratio['max'])})"
    return (
        f"| {row['measure']} ({row['unit']}) | {row['label']} | {rate['median']:,.0f} "
        f"| {rate['min']:,.0f}–{rate['max']:,.0f} | {compared} | {row['chunk']:,} |"
    )


def _number(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}"


# -- the command line


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description="Measure Koyaku beside its peers.")
    parser.add_argument("--logs", nargs="+", default=[str(ROOT / "data_samples")], help="Tenhou XML logs, or folders")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to measure")
    parser.add_argument("--engines", nargs="+", choices=list(DISTRIBUTIONS), help="only these; default all installed")
    parser.add_argument("--games", type=int, default=2500, help="most games to decode")
    parser.add_argument("--dealt", type=int, default=20_000, help="distinct dealt wins")
    parser.add_argument("--wins", type=int, default=300_000, help="wins scored at once, the distinct ones repeated")
    parser.add_argument("--memory-games", type=int, nargs="+", default=[2500, 10_000], help="sizes of the corpus")
    parser.add_argument("--repeats", type=int, default=11)
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall", help="cpu: time of the process alone")
    parser.add_argument("--cpu", type=int, default=_last_cpu(), help="processor to use")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="a tiny form; its numbers mean nothing")
    options = parser.parse_args(arguments)
    options.scale = 1.0
    if options.quick:
        options.scale, options.repeats, options.games, options.dealt, options.wins = 0.01, 1, 10, 200, 1000
        options.memory_games = [20]
    return options


def _last_cpu() -> int | None:
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def main(arguments: Sequence[str] | None = None) -> None:
    options = parsed(arguments)
    pin(options.cpu)
    made = report(options)
    print(json.dumps(made, indent=2) if options.json else markdown(made))


if __name__ == "__main__":
    main()
