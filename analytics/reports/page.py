"""The report: audit, yaku, han and limits, local yaku on one page that needs nothing but itself, and its files.

The folder holds index.html, each figure as SVG and PNG, the numbers as CSV, the audit as JSON and a manifest. The
same games, rules and command give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from parsers.schema import SCHEMA_VERSION
from parsers.store import Store

from ..audit import Audit, audit_part
from ..corpus import Parts, Source, each_part, is_named, opened_parts
from ..impact.candidates import each_local
from ..metrics.columns import WinView
from ..metrics.han import HanDistribution, distribution_of, han_tasks
from ..metrics.intervals import FEW_EVENTS, LEVEL
from ..metrics.result import figure, interval_text
from ..metrics.sums import Counted, Task, task_of
from ..metrics.yaku import YakuFrequency, YakuMeasure, frequency_of
from ..notes import counted as number_of
from ..rescoring import RECORDED, Recorded, Rules, rules_of
from ..sweep import Sweep, sweep
from ..targets import ReportError, check_folder, naming
from . import figures
from . import han as han_report
from . import sweep as sweep_report
from . import yaku as yaku_report
from .html import Cell, Picture, Row, Table, kinds_of_table, rendered, version
from .words import audit_sentence, group_name, interval, measured, percent, to_the_point

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "manifest.json"
_MOST_REASONS, _MOST_MISMATCHES = 25, 20


class Report(NamedTuple):
    """What was written: the page, and how many files or parts of files had not been read."""

    page: Path
    n_rejects: int


def report(
    source: Source,
    out: str | os.PathLike,
    *,
    rules: Rules = RECORDED,
    where: str | None = None,
    level: float = LEVEL,
    workers: int = 1,
    sources: Iterable[str | os.PathLike] = (),
    command: str | None = None,
) -> Report:
    """Write the report of a store, of logs, or of tables at hand, into a folder.

    Parameters
    ----------
    source : Store, its folder, logs, or tables of one part or of several
    out : path
        The folder; made, or replaced if it holds a report and nothing else.
    rules, where, level, workers
        As for `yaku_frequency`.
    sources
        What the games were read from, as the command that reproduces the report names it.
    command : str
        That command, in place of the one made from the arguments.

    Raises
    ------
    ReportError
        The folder holds other things. Nothing is written then, nor on any other error.
    StatisticsError
        `where` cannot be read.
    """
    out = check_report(out)
    task = task_of([(YakuMeasure(rules), None), *han_tasks(None)], rules, where)
    if is_named(source) and not sources:
        sources = [source] if isinstance(source, str | Path) else source
    local = None
    with opened_parts(source, workers=workers) as parts:
        parts = parts if isinstance(parts, Store) else list(parts)
        audit, counted = _count(parts, task, workers)
        if counted.card.games:  # each at its own value: what its options change, `koyaku sweep` tells
            usual = [one for one in each_local(task.rules) if one.option is None]
            local = sweep(
                parts, base=task.rules, candidates=usual, where=where, latent=False, level=level, workers=workers
            )
    frequency = frequency_of(counted, task, 0, level=level)
    distribution = distribution_of(counted, task, 1, level=level)
    command = command or _command(out, rules, where, sources)
    made = _files(_Content(frequency, distribution, local, audit, command, isinstance(task.rules, Recorded)))
    _write(out, made)
    return Report(out / "index.html", sum(counted.card.rejects.values()))


def _count(parts: Parts, task: Task, workers: int) -> tuple[Audit, Counted]:
    audit, total = Audit(), Counted.none(task)
    for its_audit, its_counts in each_part(parts, partial(_of_part, task), workers=workers):
        audit += its_audit
        total += its_counts
    return audit, total


def _of_part(task: Task, tables: Mapping[str, pa.Table]) -> tuple[Audit, Counted]:
    view = WinView.of(tables, task.rules)
    return audit_part(view.tables), task.of_view(view)


def _command(out: Path, rules: Rules, where: str | None, sources: Iterable[str | os.PathLike]) -> str:
    given = [str(source) for source in sources] or ["STORE"]
    words = ["koyaku", "report", *given, "-o", out.name]
    rules = rules_of(rules)
    if rules != RECORDED:
        words += ["--rules", rules.id]
    if where:
        words += ["--where", where]
    return shlex.join(words)


# -- what the folder holds


@dataclass(frozen=True)
class _Content:
    """What a report is about."""

    frequency: YakuFrequency
    distribution: HanDistribution
    local: Sweep | None
    audit: Audit
    command: str
    is_recorded: bool


def _files(content: _Content) -> dict[str, bytes]:
    frequency, distribution, local, audit = content.frequency, content.distribution, content.local, content.audit
    drawn = {
        "yaku": yaku_report.draw(frequency),
        "han": han_report.draw_histograms(distribution),
        "limits": han_report.draw_limits(distribution),
        **({"local": sweep_report.draw(local)} if local else {}),
    }
    made = {f"{name}.{form}": data for name, each in drawn.items() for form, data in figures.files(each).items()}
    made["yaku.csv"] = _csv(frequency.frame)
    made["han.csv"] = _csv(distribution.frame)
    made["han_by_group.csv"] = _csv(distribution.split_frame)
    if local:
        made["local.csv"] = _csv(local.frame)
    made["audit.json"] = _json(audit.as_dict())
    made["index.html"] = _page(content, made).encode()
    made[MANIFEST] = _json(
        {
            "koyaku": version(),
            "schema": SCHEMA_VERSION,
            "command": content.command,
            "as_of": frequency.card.as_of,
            "rulesets": [
                {"id": r.id, "name": r.name, "hash": r.hash, "assumed": list(r.assumed)} for r in frequency.rulesets
            ],
            "where": frequency.where,
            "level": frequency.level,
            "card": frequency.card.as_dict(),
            "audit": {key: value for key, value in audit.as_dict().items() if key != "mismatches"},
            "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(made.items())},
        }
    )
    return made


def _csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False, lineterminator="\n").encode()


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def check_report(out: str | os.PathLike) -> Path:
    """A folder that a report can be written to, there or not yet; only an empty folder or a report is replaced.

    Raises
    ------
    ReportError
        It holds other things, is a file, or cannot be written.
    """
    out = Path(out)
    check_folder(out.parent, of=out)
    if not out.exists():
        return out
    if not out.is_dir():
        raise ReportError(f"{out}: is a file; a report is a folder")
    held = {entry.name for entry in out.iterdir()}
    try:
        own = {MANIFEST, *json.loads((out / MANIFEST).read_bytes())["files"]} if held else set()
    except (OSError, ValueError, KeyError, TypeError):
        own = set()
    if held - own:
        raise ReportError(f"{out}: holds other things ({min(held - own)}); a report needs a folder of its own")
    return out


def _write(out: Path, made: Mapping[str, bytes]) -> None:
    """All files aside, then the folder under its name at once."""
    with naming(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        try:
            fresh = aside / "new"
            fresh.mkdir()
            for name, data in made.items():
                (fresh / name).write_bytes(data)
            if out.exists():
                os.rename(out, aside / "old")
            try:
                os.rename(fresh, out)
            except OSError:
                if (aside / "old").exists():
                    os.rename(aside / "old", out)
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)


# -- the page


def _page(content: _Content, made: Mapping[str, bytes]) -> str:
    def picture(name: str, alt: str, caption: str) -> Picture:
        return Picture.of(made[f"{name}.svg"], alt, caption, name)

    frequency, distribution, local, audit = content.frequency, content.distribution, content.local, content.audit
    card = frequency.card
    level = f"{frequency.level:.0%}"
    yaku, han = yaku_report.build(frequency), han_report.build(distribution)
    return rendered(
        "report.html.jinja",
        schema_version=SCHEMA_VERSION,
        title="Yaku, han and points of winning hands",
        headline=frequency.headline(),
        tiles=_tiles(frequency, distribution, audit),
        notes=[f"{note[0].upper()}{note[1:]}." for note in frequency.notes],
        card=_card_table(frequency),
        tables=kinds_of_table(card),
        rulesets=_rulesets_table(frequency),
        rejects=_rejects_table(frequency),
        audit_sentence=audit_sentence(audit),
        audit=_audit_table(audit),
        mismatches=_mismatch_table(audit),
        yaku_figure=picture(
            "yaku",
            yaku_report.alt(frequency),
            f"Share of wins that hold each yaku, log axis. Thick whiskers: {level} interval of the yaku alone; thin: "
            f"of all rows of the result at once. At the right, n."
            + (" Black strokes: published figures." if frequency.published else ""),
        ),
        han_figure=picture("han", han_report.alt_histograms(distribution), f"Han and fu, {level} intervals, n above."),
        limits_figure=picture(
            "limits",
            han_report.alt_limits(distribution),
            f"Limits by group of wins, and mean points without honba and sticks with their {level} intervals.",
        ),
        yaku=_rate_table(yaku["yaku"], "Yaku, the most frequent first", level),
        besides=_rate_table(yaku["besides"], "Dora, yakuhai and what riichi brings", level),
        groups=_groups_table(distribution, level),
        shares=_rate_table(han["besides"], "Shares and mean points", level),
        han=_rate_table(han["han"], "Han of winning hands, dora included", level),
        fu=_rate_table(han["fu"], "Fu of hands of at most four han", level),
        local=local and {
            "definition": f"Each is adopted alone, at the value named. {local.definitions['static']}",
            "figure": sweep_report.picture(local, made["local.svg"], "local"),
            "table": sweep_report.table(local),
        },
        yaku_definition=frequency.definitions["yaku"],
        han_definition=f"{distribution.definitions['han']} {distribution.definitions['fu']}",
        definitions=_definitions(frequency, distribution, local),
        published=list({p.id: p for p in (*frequency.published, *distribution.published)}.values()),
        caveats=_caveats(frequency, content.is_recorded),
        command=content.command,
        as_of=card.as_of or "an unknown day",
        games_hash=card.games_hash,
        files=sorted(name for name in (*made, MANIFEST) if name.endswith((".csv", ".json"))),
    )


def _tiles(frequency: YakuFrequency, distribution: HanDistribution, audit: Audit) -> list[tuple[str, str]]:
    """The numbers a reader looks for first."""

    def rate(frame: pd.DataFrame, kind: str, key: str) -> str | None:
        row = frame[(frame["kind"] == kind) & (frame["key"] == key) & (frame["N"] > 0)]
        return figure(row["rate"].iloc[0], row["unit"].iloc[0]) if len(row) else None

    frame = distribution.frame
    found = [
        (f"{frequency.card.counted:,}", "wins counted"),
        (percent(audit.agree, audit.wins), "of recorded wins re-scored as recorded"),
        (rate(frame, "mean", "points"), "points a win"),
        (rate(frame, "at_least", "mangan"), "of wins mangan or more"),
        (rate(frame, "share", "riichi"), "of wins in riichi"),
        (rate(frame, "share", "open"), "of wins open"),
        (rate(frame, "share", "tsumo"), "of wins by self-draw"),
    ]
    return [(value, name) for value, name in found if value is not None]


def _card_table(result: YakuFrequency) -> Table:
    card = result.card
    span = f"{card.first.date()} to {card.as_of}" if card.first else "not recorded"
    rows = [
        ("Games in the store, other records of the same play left out", f"{card.games:,}"),
        ("Their rounds", f"{card.rounds:,}"),
        ("Their wins", f"{card.wins:,}"),
        ("Wins counted", f"{card.counted:,}"),
        ("Games these come from", f"{card.counted_games:,}"),
        ("Rounds these come from", f"{card.counted_rounds:,}"),
        ("Winners by name", f"{len(card.players):,}"),
        ("Played", span),
        ("Formats", ", ".join(f"{name} ({n:,} wins)" for name, n in sorted(card.sources.items())) or "none"),
        ("Left out: games whose play is stored already", f"{card.duplicates:,}"),
        ("Left out: wins of these", f"{card.duplicate_wins:,}"),
        ("Left out: wins that are none under these rules", f"{card.no_wins:,}"),
        (f"Left out by the filter {result.where}" if result.where else "Left out by a filter", f"{card.filtered:,}"),
        ("Games cut off, whose complete rounds count", f"{card.incomplete:,}"),
        ("Files, or the rest of them, not read", f"{sum(card.rejects.values()):,}"),
    ]
    return Table("Data card", ("", "Number"), [Row(row) for row in rows])


def _rulesets_table(result: YakuFrequency) -> Table:
    wins = result.card.rulesets
    heads = ["Id", "Name", "Hash", "Wins", "Assumed from base, for no source tells"]
    rows = [(r.id, r.name, r.hash, f"{wins[r.id]:,}", ", ".join(r.assumed)) for r in result.rulesets]
    n_shown = len(heads) if any(row[-1] for row in rows) else len(heads) - 1
    shown = [Row(row[:n_shown]) for row in rows]
    return Table("Rulesets the wins are scored under", heads[:n_shown], shown, (0, 1, 2, 4))


def _rejects_table(result: YakuFrequency) -> Table:
    reasons = list(result.card.as_dict()["rejects"].items())
    rows = [Row((reason, f"{n:,}")) for reason, n in reasons[:_MOST_REASONS]]
    if rest := sum(n for _, n in reasons[_MOST_REASONS:]):
        rows.append(Row(("other reasons", f"{rest:,}")))
    return Table("Why files, or the rest of them, were not read", ("Reason", "Files"), rows)


def _audit_table(audit: Audit) -> Table:
    heads = ("Format and ruleset", "Wins", "Agree", "Rounds", "Agree")
    shown = audit.as_dict()
    lines = [(f"{source} {rules}", c) for source, by in shown["by_source"].items() for rules, c in by.items()]
    rows = [
        Row((name, *(f"{counts[key]:,}" for key in ("wins", "agree", "rounds", "rounds_agree"))))
        for name, counts in (*lines, ("all", shown))
    ]
    if audit.games:
        rows.append(Row((f"final points of {number_of(audit.games, 'game')}", "", f"{audit.games_agree:,}", "", "")))
    return Table("Wins and rounds that agree with the record", heads, rows)


def _mismatch_table(audit: Audit) -> Table:
    rows = [
        Row(
            (
                m.source,
                "" if m.round is None else str(m.round),
                "" if m.winner is None else str(m.winner),
                m.field,
                str(m.recorded),
                str(m.computed),
                m.cause or "",
            )
        )
        for m in audit.mismatches[:_MOST_MISMATCHES]
    ]
    n = len(audit.mismatches)
    caption = "Differences" if n == len(rows) else f"Differences, {len(rows)} of {n:,}; all are in audit.json"
    heads = ("Source", "Round", "Winner", "Field", "Recorded", "Computed", "Cause")
    return Table(caption, heads, rows, (0, 3, 4, 5, 6))


def _percent_of(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def _rate_table(frame: pd.DataFrame, caption: str, level: str) -> Table:
    """Rates with their intervals; columns that would say the same in every row are said once, in the caption."""
    frame = frame[frame["N"] > 0]
    is_yaku, sizes, units = "n_open" in frame and (frame["kind"] == "yaku").all(), set(frame["N"]), set(frame["unit"])
    has_published, has_names = frame["published"].notna().any(), "romaji" in frame
    columns = {
        "": lambda r: Cell(
            yaku_report.row_name(r) if has_names else r.label,
            id=r.key if is_yaku else "",
            note="too few" if r.too_few else "",
        ),
        "n": lambda r: "-" if r.unit.startswith("points") else f"{r.n:,}",
        "N": lambda r: f"{r.N:,}",
        "Rate": lambda r: measured(r.rate, r.unit),
        f"{level} interval": lambda r: interval(r.low, r.high, r.unit),
        f"{level}, all rows at once": lambda r: interval(r.low_simultaneous, r.high_simultaneous, r.unit),
        "Per 10,000 wins": lambda r: to_the_point(10_000 * r.rate),
        "Of these open": lambda r: _percent_of(r.n_open, r.n),
        "by dealers": lambda r: _percent_of(r.n_dealer, r.n),
        "Unit": lambda r: r.unit,
        "Design effect": lambda r: to_the_point(r.deff),
        "Published": lambda r: measured(r.published, r.unit),
    }
    dropped = {
        "N": len(sizes) == 1,
        "Unit": len(units) == 1,
        "Per 10,000 wins": not is_yaku,
        "Of these open": not is_yaku,
        "by dealers": not is_yaku,
        "Published": not has_published,
    }
    columns = {head: cell for head, cell in columns.items() if not dropped.get(head)}
    if len(units) == 1:
        caption += f"; {min(units)}"
    if len(sizes) == 1:
        caption += f", N = {min(sizes):,}"
    rows = [Row([cell(r) for cell in columns.values()], bool(r.too_few)) for r in frame.itertuples()]
    text = [place for place, head in enumerate(columns) if head in ("", "Unit")]
    return Table(caption, ["Yaku" if is_yaku else "", *list(columns)[1:]], rows, text, kind="rates")


def _groups_table(result: HanDistribution, level: str) -> Table:
    """Limits by group, one column each."""
    from ..metrics.han import BANDS

    def row(name: str, rows: pd.DataFrame) -> Row:
        limits = rows[rows["kind"] == "limit"].set_index("key")
        mean = rows[rows["kind"] == "mean"].iloc[0]
        shares = [figure(limits.loc[band, "rate"], "share") for band in bands]
        bounds = interval(mean["low"], mean["high"], mean["unit"])
        return Row([name, f"{mean['N']:,}", *shares, Cell(measured(mean["rate"], mean["unit"]), note=bounds)])

    frame, splits = result.frame, result.split_frame
    if not len(frame):
        return Table("Limits by group of wins", ("",), [])
    all_limits = frame[frame["kind"] == "limit"].set_index("key")["n"]
    bands = [band for band in BANDS if all_limits[band] or band not in BANDS[-2:]]
    rows = [row("all wins", frame)]
    for (split, value), block in splits.groupby(["split", "value"], sort=False):
        rows.append(row(group_name((split,), (value,)), block))
    words = [band.replace("_", " ") if band != "none" else "below mangan" for band in bands]
    heads = ["", "Wins", *(word.capitalize() for word in words), f"Mean points, {level} interval"]
    return Table("Limits and mean points by group of wins", heads, rows)


def _definitions(frequency: YakuFrequency, distribution: HanDistribution, local: Sweep | None) -> list[tuple[str, str]]:
    words = {
        "yaku": "Yaku",
        "any": "Any yakuhai",
        "lines": "Yakuhai lines",
        "dora": "Hands with dora",
        "tiles": "Dora, tiles",
        "riichi": "Of riichi wins",
        "han": "Han",
        "fu": "Fu",
        "limit": "Limits",
        "points": "Points",
        "share": "Shares",
    }
    of_local = (("n", "n"), ("N", "N"), ("points each", "mean_gain"))
    said = {**frequency.definitions, **distribution.definitions}
    level = f"{frequency.level:.0%}"
    return [
        *((word, said[term]) for term, word in words.items()),
        *((f"Local yaku, {term}", local.definitions[key]) for term, key in of_local if local),
        ("Filter", frequency.where or "None."),
        ("Intervals", interval_text(frequency.level)),
        (
            "All rows at once",
            f"Each of these intervals holds at a level so high that all rows of the result hold together with {level} "
            f"(Bonferroni, which asks nothing of how rows depend on each other).",
        ),
        ("Too few", f"Fewer than {FEW_EVENTS} events; the rate says little."),
    ]


def _caveats(result: YakuFrequency, is_recorded: bool) -> list[str]:
    said = [
        "The intervals are about players and games like these. They say nothing about other rooms, years or rules, "
        "and nothing about how these games were chosen.",
        "A rate is a share of wins, not of rounds: it shows how hands were won, not how often a yaku was aimed for.",
    ]
    kinds = {(players, length) for players, length, _, _ in result.card.tables}
    if len(kinds) > 1:
        said.append(
            f"The wins come from {len(kinds)} kinds of games by players and length, and the rates mix them as they "
            f"come. A filter tells them apart, as --where \"players == 4 and length == 'south'\"."
        )
    if not is_recorded:
        said.append(
            "The wins were played under other rules and are only scored under these: players would have played "
            "otherwise, and hands that would have been wins under these rules alone are not seen."
        )
    return said
