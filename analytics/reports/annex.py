"""The annex of a candidate in the committee report: recorded hands, tables, and the rules as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..impact.candidates import Candidate, within
from ..impact.hand import notation
from ..impact.wins import BANDS
from ..metrics.intervals import FEW_EVENTS
from ..rescoring import Recorded
from ..rulebook import Row as Difference
from ..rulebook import difference
from ..scoring.ruleset import Yaku
from . import tiles
from .html import Row, Table
from .names import limit_words, question, ruleset_file

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup

    from ..impact import RuleImpact

_WINDS = ("East", "South", "West", "North")
_SHOWS = {
    "typical": "Typical: the median gain",
    "largest": "Largest change",
    "smallest": "Edge: the smallest change",
    "swallowed": "Edge: the gain is swallowed by a limit",
    "lost": "Edge: no win any more",
}
_SPLITS = {
    "is_dealer": ("dealer", "non-dealer"),
    "is_open": ("open hand", "closed hand"),
    "is_tsumo": ("self-draw", "ron"),
    "is_riichi": ("riichi", "no riichi"),
    "is_rated_higher": ("a player rated above the rest of the table", "a player rated no higher than the rest"),
}


@dataclass(frozen=True)
class Example:
    """A recorded hand as tiles, with its score before and after."""

    title: str
    place: str
    hand: Markup
    indicators: list[tuple[str, Markup]]
    before: str
    after: str
    gain: str


@dataclass(frozen=True)
class Annex:
    """What the template shows of a candidate."""

    id: str
    name: str
    question: str
    changes: Table
    file: str
    file_about: str
    examples: list[Example]
    tables: list[Table]


def annex_of(
    result: RuleImpact, one: Candidate, names: Mapping[str, str], known: Mapping[str, Yaku], played: Sequence[str]
) -> Annex:
    """Of one candidate; the first ruleset of `played` is the one its file is written for."""
    usual = played[0]
    before, after = within(one.before, usual), within(one.rules, usual)
    rows = [Row((row.key, row.value, row.other or "", _meaning(row, known))) for row in difference(before, after)]
    is_one_of_several = isinstance(one.rules, Recorded) and len(result.card.rulesets) > 1
    return Annex(
        id=f"annex-{result.candidates.index(one) + 1}",
        name=names[one.id],
        question=question(one, known, names, played),
        changes=Table(f"From {before.id} to the candidate", ("Key", "Before", "After", "Meaning"), rows, (0, 1, 2, 3)),
        file=ruleset_file(one, known, usual),
        file_about=(
            f"for games played under {usual}; for others, the same lines below their own extends"
            if is_one_of_several
            else "as a file"
        ),
        examples=[_example(example, known) for example in result.examples.get(one.id, ())],
        tables=[table for table in _annex_tables(result, one, known) if table is not None],
    )


def _meaning(row: Difference, known: Mapping[str, Yaku]) -> str:
    yaku = known.get(row.key.removeprefix("yaku."))
    return yaku.full_name if yaku else row.doc


def _example(one: Mapping, known: Mapping[str, Yaku]) -> Example:
    hand = one["hand"]
    winds = f"{_WINDS[hand['round_wind']]} round, {_WINDS[hand['seat_wind']]} seat"
    how = "self-draw" if hand["is_tsumo"] else "ron"
    game = one["source_id"] or one["path"]
    indicators = [("Dora indicators", tiles.tiles(hand["dora_indicators"], "Dora indicators"))]
    if hand["ura_indicators"]:
        indicators.append(("ura", tiles.tiles(hand["ura_indicators"], "Ura indicators")))
    return Example(
        title=_SHOWS[one["shows"]],
        place=f"Game {game}, round {one['round_no']}, winner in seat {one['winner']}: {winds}, {how}. {notation(hand)}",
        hand=tiles.hand(hand),
        indicators=indicators,
        before=_score_line(one["before"], known),
        after=_score_line(one["after"], known),
        gain=f"{one['gain']:+,}",
    )


def _score_line(score: Mapping, known: Mapping[str, Yaku]) -> str:
    if not score["is_win"]:
        return "no win"
    held = [f"{known[id_].name} {worth}" for id_, worth in score["yaku"].items()]
    held += [f"dora ドラ {score['dora']}"] if score["dora"] else []
    limit = limit_words(score["limit"]) if score["limit"] else ""
    count = "" if "yakuman" in limit and "counted" not in limit else f"{score['han']} han {score['fu']} fu"
    return f"{score['points']:,} points ({', '.join(filter(None, (count, limit)))}): {', '.join(held)}"


def _annex_tables(result: RuleImpact, one: Candidate, known: Mapping[str, Yaku]) -> Iterable[Table | None]:
    def rows_of(name: str) -> pd.DataFrame:
        frame = result.table(name)
        return frame[frame["candidate"] == one.id]

    yield _ladder(rows_of("ladder"))
    gains = rows_of("gains")
    if 0 < len(gains) <= 24:
        rows = [Row((f"{row.gain:+,}", f"{row.n:,}")) for row in gains.itertuples()]
        yield Table("Points gained by the occurrences", ("Points", "Wins"), rows)
    rows = [
        Row((known[row.yaku].full_name, f"only {row.held}", f"{row.n:,}", f"{row.n_other_reading:,}"))
        for row in rows_of("taken_over").itertuples()
    ]
    if rows:
        heads = ("Yaku", "Held", "Wins", "of these in another reading")
        yield Table("Yaku whose place it takes, or that come with it", heads, rows, (0, 1))
    rows = [
        Row((known[row.yaku].full_name, f"{row.n:,}", f"{row.gain:+,}")) for row in rows_of("carried").itertuples()
    ]
    if rows:
        yield Table("Carried by other yaku whose value changes", ("Yaku", "Wins", "Points gained"), rows)
    rows = [
        Row(
            (
                _SPLITS[row.split][0 if row.value else 1],
                f"{row.wins:,}",
                f"{row.n:,}",
                f"{row.gain:+,}",
                "-" if row.gain_per_win != row.gain_per_win else f"{row.gain_per_win:+,.2f}",
            ),
            row.n < FEW_EVENTS,
        )
        for row in rows_of("balance").itertuples()
        if row.wins or row.split != "is_rated_higher"  # most sources record no rating
    ]
    yield Table("Who gains", ("Wins by", "Wins", "n", "Points gained", "per win"), rows)


def _ladder(frame: pd.DataFrame) -> Table | None:
    """From the limit in the row to the one in the column."""
    if not len(frame):
        return None
    steps = {(row.before, row.after): row.n for row in frame.itertuples()}
    befores = [band for band in BANDS if any(before == band for before, _ in steps)]
    afters = [band for band in BANDS if any(after == band for _, after in steps)]
    rows = [
        Row(
            (
                limit_words(before),
                *(f"{steps[before, after]:,}" if (before, after) in steps else "" for after in afters),
            )
        )
        for before in befores
    ]
    return Table("Ladder of limits: from (row) to (column), wins", ("", *map(limit_words, afters)), rows)
