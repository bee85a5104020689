"""The committee report of a rule impact: one page and an annex per candidate, in one file that needs nothing else.

The same impact and command give the same bytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from parsers.schema import SCHEMA_VERSION

from ..audit import Audit
from ..impact.candidates import TOGETHER, Candidate, within
from ..impact.hand import notation
from ..impact.wins import BANDS
from ..metrics.intervals import FEW_EVENTS
from ..metrics.result import interval_text
from ..rescoring import Recorded
from ..rulebook import difference
from . import figures, tiles
from . import impact as drawn
from .html import Cell, Picture, Row, Table, check_page, rendered, write_whole
from .names import candidate_name, limit_words, question, ruleset_file, sides, usual, yaku_name, yaku_of
from .words import counted, percent, to_the_point

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup

    from ..impact import RuleImpact

_ACROSS = 5
"""Candidates side by side in one table."""
TIMES = (1, 2, 5)
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
}


def report(result: RuleImpact, file: str | Path, *, command: str | None = None) -> Path:
    """Write the report.

    Parameters
    ----------
    file : path that ends in .html
    command : str, optional
        What makes it again; by default, the question with STORE for the source.

    Raises
    ------
    reports.ReportError
        Another ending, or no such folder. Nothing is written then, nor on any other error.
    """
    file = check_page(file)
    command = command or shlex.join(["koyaku", "impact", "STORE", *result.asked, "-o", file.name])
    write_whole(file, page(result, command).encode())
    return file


def page(result: RuleImpact, command: str) -> str:
    """The report as text."""
    known = yaku_of(result)
    names = {one.id: candidate_name(one, known) for one in result.candidates}
    played = usual(result)
    examples = [one["hand"] for found in result.examples.values() for one in found]
    wins = {row["candidate"]: row for row in result.table().to_dict("records")}
    return rendered(
        "committee.html.jinja",
        title="What the change would do",
        headline=result.headline(),
        tiles=_tiles(result),
        questions=[(names[one.id], question(one, known, names, played)) for one in result.candidates],
        base=_base_words(result),
        verdict=_verdict(result, names, known),
        price=[said for one in result.candidates if (said := _price(one, wins[one.id], names, known))],
        gains=_picture(drawn.draw_gains, drawn.alt_gains, result, _gains_caption(result)),
        rarity=_picture(
            drawn.draw_rarity,
            drawn.alt_rarity,
            result,
            "How often the standard yaku occur under the base, and the candidates among them; at the right what each is "
            "worth in han, and n.",
        ),
        rarity_table=_rarity_table(result),
        limits=_picture(
            drawn.draw_limits,
            drawn.alt_limits,
            result,
            "Wins that come to stand at a limit or above it (right), and that fall below it (left).",
        ),
        crossings=_crossings(result, names),
        together=_together_picture(result),
        together_table=_together_table(result, names, known),
        games=_games(result, names),
        latent=_latent(result, names),
        sensitivity=_sensitivity(result, names),
        symbols=tiles.symbols(examples),
        annexes=[_annex(result, one, names, known, played) for one in result.candidates],
        audit=_audit(result.audit),
        card=_card(result),
        notes=result.notes,
        unseen=[(names[id_], ", ".join(keys)) for id_, keys in result.unseen.items()],
        definitions=[*((_TERMS.get(k, k), text) for k, text in result.definitions.items()), *_more_terms(result)],
        caveats=_caveats(result),
        command=command,
        schema_version=SCHEMA_VERSION,
        games_hash=result.card.games_hash,
        as_of=result.card.as_of or "an unknown day",
        level=f"{result.level:.0%}",
    )


_TERMS = {
    "n": "n",
    "N": "N",
    "per_10000": "Per 10,000 wins",
    "per_100_games": "Per 100 games",
    "gain": "Points gained",
    "changes": "What changes",
    "carried": "Carried by another yaku",
    "lift": "Lift",
    "needed": "Wins needed",
    "peers": "As rare as",
    "games": "Games",
    "flipped": "Games with another order",
    "rank_change": "Places moved",
    "points_moved": "Points moved",
    "results_moved": "Results moved",
    "sd": "Spread of results",
    "static": "Static",
}


def _more_terms(result: RuleImpact) -> list[tuple[str, str]]:
    return [
        ("Intervals", interval_text(result.level)),
        (
            "All candidates at once",
            f"Each of these intervals holds at a level so high that those of all candidates hold together with "
            f"{result.level:.0%} (Bonferroni, which asks nothing of how they depend on each other).",
        ),
        ("Too few", f"Fewer than {FEW_EVENTS} occurrences: the figures say little, and none is coloured."),
        ("Colour", "A gain or loss is coloured only where its interval of all candidates at once leaves zero out."),
    ]


# What the page stands on


def _tiles(result: RuleImpact) -> list[tuple[str, str]]:
    card, audit = result.card, result.audit
    return [
        (f"{card.counted:,}", "recorded wins"),
        (f"{card.counted_games:,}", "games"),
        (f"{len(card.players):,}", "players"),
        (percent(audit.agree, audit.wins) or "-", "of recorded wins re-scored as recorded"),
        (str(sum(one.kind != TOGETHER for one in result.candidates)), "changes weighed"),
    ]


def _base_words(result: RuleImpact) -> str:
    if isinstance(result.base, Recorded):
        played = ", ".join(f"{id_} ({counted(n, 'win')})" for id_, n in result.card.rulesets.most_common())
        changed = f", with {result.base.id.partition(' + ')[2]}" if " + " in result.base.id else ""
        return f"The rules each game was played under{changed}: {played}."
    return f"{result.base.name} ({result.base.id}), version {result.base.hash}, whatever the games were played under."


def _audit(audit: Audit) -> str:
    if not audit.wins:
        return "There are no wins to audit."
    return (
        f"Scored again under the rules they were played by, {audit.agree:,} of {counted(audit.wins, 'recorded win')} "
        f"({percent(audit.agree, audit.wins)}) agree with the record in yaku, han, fu, points and payments, and "
        f"{audit.rounds_agree:,} of {counted(audit.rounds, 'round')} in what every seat won or lost."
    )


def _card(result: RuleImpact) -> Table:
    card = result.card
    rows = [
        ("Wins in the store", f"{card.wins:,}"),
        ("Wins counted", f"{card.counted:,}"),
        ("Games these come from", f"{card.counted_games:,}"),
        ("Winners by name", f"{len(card.players):,}"),
        ("Played", f"{card.first.date()} to {card.as_of}" if card.first else "not recorded"),
        ("Left out: wins of games whose play is stored already", f"{card.duplicate_wins:,}"),
        ("Left out: wins that are none under the base", f"{card.no_wins:,}"),
        (f"Left out by the filter {result.where}" if result.where else "Left out by a filter", f"{card.filtered:,}"),
        ("Games cut off, whose complete rounds count", f"{card.incomplete:,}"),
        ("Files, or the rest of them, not read", f"{sum(card.rejects.values()):,}"),
    ]
    rows += [
        (f"{t['room'] or 'room not recorded'}, {t['players']} players, {t['length']}, {t['ruleset']}", f"{t['wins']:,}")
        for t in card.as_dict()["tables"]
    ]
    return Table("Data card; below, wins by kind of table", ("", "Number"), [Row(row) for row in rows])


def _caveats(result: RuleImpact) -> list[str]:
    said = [
        "The same play is scored again. Players would have played otherwise under other rules; how, recorded games "
        "cannot tell.",
        "Frequencies and intervals are about players and games like these, and say nothing about other rooms, years or "
        "rules.",
        "Games keep their recorded rounds, dealers and honba: a win that is worth more never leads to another round.",
    ]
    if result.latent is None:
        said.append("Hands that would only now be wins are not among recorded ones, and were not scanned for here.")
    if len({(players, length) for players, length, _, _ in result.card.tables}) > 1:
        said.append("The wins come from several kinds of games, mixed as they come; a filter tells them apart (--where).")
    return said


# Tables with the candidates side by side


def _side_by_side(
    caption: str, ids: Sequence[str], names: Mapping[str, str], rows: Sequence[tuple[str, Callable | None]]
) -> list[Table]:
    """Measures as rows, candidates as columns, some to a table; a measure without a function heads those below it."""
    made = []
    for first in range(0, len(ids), _ACROSS):
        across = ids[first : first + _ACROSS]
        body = [
            Row((said,), is_head=True) if cell is None else Row((said, *(cell(id_) for id_ in across)))
            for said, cell in rows
        ]
        of = f", {first + 1} to {first + len(across)} of {len(ids)}" if len(ids) > _ACROSS else ""
        made.append(Table(caption + of, ("", *(names[id_] for id_ in across)), body, kind="compare"))
    return made


def _verdict(result: RuleImpact, names: Mapping[str, str], known: Mapping) -> list[Table]:
    wins = {row["candidate"]: row for row in result.table().to_dict("records")}
    by_id = {one.id: one for one in result.candidates}
    played, level = usual(result), f"{result.level:.0%}"

    def number(row: dict, name: str, form: str) -> str:
        if row["n"] is None or row[name] is None or row[name] != row[name]:
            return "-"
        return to_the_point(row[name], form) if form in ("", "+") else format(row[name], form)

    def cell(function: Callable[[dict], str]) -> Callable[[str], str | Cell]:
        def made(id_: str) -> str | Cell:
            row = wins[id_]
            text = function(row)
            return Cell(text, "few") if row["too_few"] else text

        return made

    def plain(name: str, form: str) -> Callable:
        return cell(lambda row: number(row, name, form))

    def bounds(low: str, high: str, form: str) -> Callable:
        return cell(lambda row: _between(number(row, low, form), number(row, high, form)))

    def share(name: str) -> Callable:
        return cell(lambda row: number(row, f"share_{name}", ".0%"))

    def part(name: str) -> Callable:
        """A count, and how many it is of the occurrences."""
        return cell(lambda row: f"{row[name]:,}" + (f" ({row[name] / row['n']:.0%})" if row["n"] else ""))

    def gain(name: str, low: str, high: str, form: str) -> Callable:
        def made(id_: str) -> str | Cell:
            row = wins[id_]
            text = number(row, name, form)
            if drawn.is_told(row, f"{low}_simultaneous", f"{high}_simultaneous"):
                return Cell(text, "up" if row[name] > 0 else "down")
            return Cell(text, "few") if row["too_few"] else text

        return made

    def value(id_: str) -> str:
        one = by_id[id_]
        return sides(within(one.rules, played).yaku_value(one.yaku)) if one.yaku else "-"

    rows = [
        ("Value", value),
        ("How often", None),
        ("Occurrences, n", cell(lambda row: "-" if row["n"] is None else f"{row['n']:,}")),
        ("Enough?", cell(lambda row: "too few" if row["too_few"] else "yes")),
        ("Wins they are counted over, N", plain("N", ",")),
        ("Per 10,000 wins", plain("per_10000", "")),
        (f"{level} interval, all candidates at once", bounds("low_simultaneous", "high_simultaneous", "")),
        (f"{level} interval, this one alone", bounds("low", "high", "")),
        ("Per 100 games", plain("per_100_games", "")),
        ("Wins needed for ±10%", plain("needed", ",.0f")),
        ("Whose", None),
        ("Open hands", share("open")),
        ("Dealers", share("dealer")),
        ("Self-drawn", share("tsumo")),
        ("Median turn", plain("median_turn", "g")),
        ("What it is worth, in points", None),
        (
            "Gain per occurrence",
            gain("gain_per_occurrence", "occurrence_low", "occurrence_high", "+,.0f"),
        ),
        (
            f"{level} interval, all candidates at once",
            bounds("occurrence_low_simultaneous", "occurrence_high_simultaneous", "+,.0f"),
        ),
        (f"{level} interval, this one alone", bounds("occurrence_low", "occurrence_high", "+,.0f")),
        ("Gain per win", gain("gain_per_win", "win_low", "win_high", "+")),
        (
            f"{level} interval, all candidates at once",
            bounds("win_low_simultaneous", "win_high_simultaneous", "+"),
        ),
        (f"{level} interval, this one alone", bounds("win_low", "win_high", "+")),
        ("Wins that change, and how many that is of the occurrences", None),
        ("Points differ", part("n_points")),
        ("They cross a limit", part("n_limit")),
        ("The gain is swallowed by a limit", part("n_swallowed")),
        ("Another reading pays", part("n_reading")),
        ("Lost: no win any more", part("n_lost")),
        ("of these, nothing but what is dropped", part("n_only")),
        ("Gained: no win before", part("n_gained")),
        ("Beside the standard yaku", None),
        ("As rare as", cell(lambda row: _yaku(row["nearest_by_rate"], known))),
        ("As rare as, of the same value", cell(lambda row: _yaku(row["nearest_by_value"], known))),
    ]
    return _side_by_side("Verdict", [one.id for one in result.candidates], names, rows)


def _between(low: str, high: str) -> str:
    return "-" if "-" in (low, high) else f"{low} – {high}"


def _yaku(id_: str | None, known: Mapping) -> str:
    return yaku_name(known[id_]) if id_ else "-"


def _price(one: Candidate, row: dict, names: Mapping[str, str], known: Mapping) -> str | None:
    """A sentence on how rare and how dear a yaku is."""
    if not (one.yaku and row["n"] and row["nearest_by_rate"]):
        return None
    peer = known[row["nearest_by_rate"]]
    few = " (too few to say more)" if row["too_few"] else ""
    return (
        f"{names[one.id]}: about as rare as {yaku_name(peer)}, which is worth {sides(peer.value)}: "
        f"{to_the_point(row['per_10000'])} per 10,000 wins{few}, {row['gain_per_occurrence']:+,.0f} points each."
    )


def _games(result: RuleImpact, names: Mapping[str, str]) -> list[Table]:
    games = {row["candidate"]: row for row in result.table("games").to_dict("records")}
    if not games:
        return []
    level = f"{result.level:.0%}"

    def plain(name: str, form: str) -> Callable[[str], str]:
        return lambda id_: "-" if games[id_][name] != games[id_][name] else format(games[id_][name], form)

    def bounds(low: str, high: str, form: str) -> Callable[[str], str]:
        return lambda id_: _between(plain(low, form)(id_), plain(high, form)(id_))

    def flipped(id_: str) -> str | Cell:
        text = plain("flipped", ".2%")(id_)
        return Cell(f"{text}, too few", "few") if games[id_]["too_few"] else text

    rows = [
        ("Games weighed", plain("n_games", ",")),
        ("Cut short by a new end", plain("n_cut", ",")),
        ("Left open: the recorded end would not have come", plain("n_open", ",")),
        ("Left out: the record does not reach the end", plain("n_incomplete", ",")),
        ("Two seats finish in another order", plain("n_flipped", ",")),
        ("of the games", flipped),
        (f"{level} interval, all candidates at once", bounds("flipped_low_simultaneous", "flipped_high_simultaneous", ".2%")),
        (f"{level} interval, this one alone", bounds("flipped_low", "flipped_high", ".2%")),
        ("Another seat wins the game", plain("n_first", ",")),
        ("Places moved, a seat's mean", plain("rank_change", ".4f")),
        ("Points moved per 100 games", plain("points_moved", ",.0f")),
        (f"{level} interval, this one alone", bounds("points_low", "points_high", ",.0f")),
        ("Results moved per 100 games, uma and oka included, in thousands", plain("results_moved", ",.1f")),
        ("Spread of results before (standard deviation, thousands)", plain("sd_before", ".3f")),
        ("Spread of results after", plain("sd_after", ".3f")),
    ]
    return _side_by_side("Games and placements", [one.id for one in result.candidates], names, rows)


def _crossings(result: RuleImpact, names: Mapping[str, str]) -> list[Table]:
    frame = result.table("crossings")
    found = {(row.candidate, row.limit): (row.n_up, row.n_down) for row in frame.itertuples()}

    def row(limit: str) -> tuple[str, Callable[[str], str]]:
        def cell(id_: str) -> str:
            up, down = found[id_, limit]
            return " ".join(filter(None, (up and f"+{up:,}", down and f"-{down:,}"))) or "0"

        return limit_words(limit).capitalize(), cell

    rows = [row(limit) for limit in dict.fromkeys(frame["limit"])]
    return _side_by_side(
        "Wins that come to stand at a limit or above it, and that fall below it", [*names], names, rows
    )


def _sensitivity(result: RuleImpact, names: Mapping[str, str]) -> list[Table]:
    """What would follow if the yaku occurred some times as often."""
    wins = {row["candidate"]: row for row in result.table().to_dict("records")}
    ids = [one.id for one in result.candidates if one.yaku and not one.has_yaku_before and wins[one.id]["n"]]

    def scaled(name: str, times: int, sign: str = "") -> Callable[[str], str]:
        def cell(id_: str) -> str:
            is_possible = times * wins[id_]["n"] <= wins[id_]["N"]
            return to_the_point(times * wins[id_][name], sign) if is_possible else "more than all wins"

        return cell

    rows = []
    for times in TIMES:
        rows += [
            (f"×{times}" + (" as recorded" if times == 1 else ""), None),
            ("Per 10,000 wins", scaled("per_10000", times)),
            ("Per 100 games", scaled("per_100_games", times)),
            ("Points gained per win", scaled("gain_per_win", times, "+")),
        ]
    caption = "Assumption, not a finding: players aim for it, and it occurs ×1, ×2, ×5 as often at the same gain"
    return _side_by_side(caption, ids, names, rows)


def _latent(result: RuleImpact, names: Mapping[str, str]) -> Table | None:
    if result.latent is None:
        return None
    rows = [Row((names.get(id_, id_), str(found))) for id_, found in result.latent.items()]
    return Table("Latent wins", ("", "Found"), rows, (0, 1))


def _rarity_table(result: RuleImpact) -> Table:
    rows = [
        Row((row.name, row.value or "", f"{row.n:,}", to_the_point(row.per_10000), "candidate" if row.is_candidate else ""))
        for row in drawn.rarity_rows(result).itertuples(index=False)
    ]
    return Table("The same as a table", ("Yaku", "Worth", "n", "Per 10,000 wins", ""), rows, (0, 1, 4))


def _together_table(result: RuleImpact, names: Mapping[str, str], known: Mapping) -> Table | None:
    about = {one.id for one in result.candidates if one.yaku}
    rows = [
        Row((names[row.candidate], yaku_name(known[row.yaku]), f"{row.n:,}", f"{row.share:.1%}", f"×{row.lift:.2f}"), row.n < FEW_EVENTS)
        for row in result.table("together").itertuples()
        if row.candidate in about
    ]
    if not rows:
        return None
    return Table("The same as a table", ("", "Yaku beside it", "n", "Share", "Lift"), rows, (0, 1))


# Figures


def _picture(draw: Callable, alt: Callable, result: RuleImpact, caption: str) -> Picture:
    return Picture.of(figures.files(draw(result))["svg"], alt(result), caption)


def _gains_caption(result: RuleImpact) -> str:
    return (
        f"Points gained per occurrence with {result.level:.0%} intervals; gray where the interval of all candidates at "
        "once holds zero or there are too few. The verdict is the table behind it."
    )


def _together_picture(result: RuleImpact) -> Picture | None:
    if not len(drawn.together_rows(result)):
        return None
    return _picture(
        drawn.draw_together,
        drawn.alt_together,
        result,
        f"Yaku in the same hands: how many times their usual share, and in brackets hands. Fewer than {FEW_EVENTS} hands "
        "are not coloured.",
    )


# The annex of a candidate


@dataclass(frozen=True)
class _Example:
    title: str
    place: str
    hand: Markup
    indicators: list[tuple[str, Markup]]
    before: str
    after: str
    gain: str


@dataclass(frozen=True)
class _Annex:
    id: str
    name: str
    question: str
    changes: Table
    file: str
    file_about: str
    examples: list[_Example]
    tables: list[Table]


def _annex(result: RuleImpact, one: Candidate, names: Mapping, known: Mapping, played: str) -> _Annex:
    before, after = within(one.before, played), within(one.rules, played)
    rows = [Row((row.key, row.value, row.other or "", row.doc)) for row in difference(before, after)]
    is_one_of_several = isinstance(one.rules, Recorded) and len(result.card.rulesets) > 1
    return _Annex(
        id=f"annex-{result.candidates.index(one) + 1}",
        name=names[one.id],
        question=question(one, known, names, played),
        changes=Table(f"From {before.id} to the candidate", ("Key", "Before", "After", "Meaning"), rows, (0, 1, 2, 3)),
        file=ruleset_file(one, known, played),
        file_about=(
            f"for games played under {played}; for others, the same lines below their own extends"
            if is_one_of_several
            else "as a file"
        ),
        examples=[_example(example, known) for example in result.examples.get(one.id, ())],
        tables=[table for table in _annex_tables(result, one, known) if table is not None],
    )


def _example(one: Mapping, known: Mapping) -> _Example:
    hand = one["hand"]
    winds = f"{_WINDS[hand['round_wind']]} round, {_WINDS[hand['seat_wind']]} seat"
    how = "self-draw" if hand["is_tsumo"] else "ron"
    game = one["source_id"] or one["path"]
    indicators = [("Dora indicators", tiles.tiles(hand["dora_indicators"], "Dora indicators"))]
    if hand["ura_indicators"]:
        indicators.append(("ura", tiles.tiles(hand["ura_indicators"], "Ura indicators")))
    return _Example(
        title=_SHOWS[one["shows"]],
        place=f"Game {game}, round {one['round_no']}, winner in seat {one['winner']}: {winds}, {how}. {notation(hand)}",
        hand=tiles.hand(hand),
        indicators=indicators,
        before=_score_line(one["before"], known),
        after=_score_line(one["after"], known),
        gain=f"{one['gain']:+,}",
    )


def _score_line(score: Mapping, known: Mapping) -> str:
    if not score["is_win"]:
        return "no win"
    held = [f"{yaku_name(known[id_])} {worth}" for id_, worth in score["yaku"].items()]
    held += [f"dora ドラ {score['dora']}"] if score["dora"] else []
    limit = limit_words(score["limit"]) if score["limit"] else ""
    count = "" if "yakuman" in limit and "counted" not in limit else f"{score['han']} han {score['fu']} fu"
    return f"{score['points']:,} points ({', '.join(filter(None, (count, limit)))}): {', '.join(held)}"


def _annex_tables(result: RuleImpact, one: Candidate, known: Mapping) -> Iterable[Table | None]:
    def rows_of(name: str) -> pd.DataFrame:
        frame = result.table(name)
        return frame[frame["candidate"] == one.id]

    yield _ladder(rows_of("ladder"))
    gains = rows_of("gains")
    if 0 < len(gains) <= 24:
        rows = [Row((f"{row.gain:+,}", f"{row.n:,}")) for row in gains.itertuples()]
        yield Table("Points gained by the occurrences", ("Points", "Wins"), rows)
    rows = [
        Row((yaku_name(known[row.yaku]), f"only {row.held}", f"{row.n:,}", f"{row.n_other_reading:,}"))
        for row in rows_of("taken_over").itertuples()
    ]
    if rows:
        heads = ("Yaku", "Held", "Wins", "of these in another reading")
        yield Table("Yaku whose place it takes, or that come with it", heads, rows, (0, 1))
    rows = [Row((yaku_name(known[row.yaku]), f"{row.n:,}", f"{row.gain:+,}")) for row in rows_of("carried").itertuples()]
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
        Row((limit_words(before), *(f"{steps[before, after]:,}" if (before, after) in steps else "" for after in afters)))
        for before in befores
    ]
    return Table("Ladder of limits: from (row) to (column), wins", ("", *map(limit_words, afters)), rows)
