"""Tables of the committee report with the candidates side by side: measures are rows, candidates columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..impact.candidates import within
from ..metrics.result import figure
from ..notes import counted
from ..scoring.ruleset import Yaku
from . import impact as drawn
from .html import Cell, Row, Table, breakable
from .names import limit_words, played_by, sides
from .words import to_the_point

if TYPE_CHECKING:
    from ..impact import RuleImpact

_ACROSS = 5
"""Candidates side by side in one table."""
TIMES = (1, 2, 5)


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
        heads = [breakable(names[id_]) for id_ in across]
        made.append(Table(caption + of, ("", *heads), body, kind="compare"))
    return made


def verdict(result: RuleImpact, names: Mapping[str, str], known: Mapping[str, Yaku]) -> list[Table]:
    """How often, whose, worth what, and what changes."""
    wins = {row["candidate"]: row for row in result.table().to_dict("records")}
    by_id = {one.id: one for one in result.candidates}
    usual, level = played_by(result)[0], f"{result.level:.0%}"

    def number(row: dict, name: str, form: str) -> str:
        is_unseen = not row["n"] and name.startswith("gain_")
        if row["n"] is None or is_unseen or row[name] is None or row[name] != row[name]:
            return "-"
        return to_the_point(row[name], form) if form in ("", "+") else format(row[name], form)

    def cell(function: Callable[[dict], str]) -> Callable[[str], str | Cell]:
        def made(id_: str) -> str | Cell:
            row = wins[id_]
            text = function(row)
            return Cell(text, "few") if row["too_few"] and row["n"] is not None else text

        return made

    def plain(name: str, form: str) -> Callable:
        return cell(lambda row: number(row, name, form))

    def bounds(low: str, high: str, form: str) -> Callable:
        return cell(lambda row: _between(number(row, low, form), number(row, high, form)))

    def share(name: str) -> Callable:
        return cell(lambda row: number(row, f"share_{name}", ".0%"))

    def part(name: str) -> Callable:
        """A count, and how many it is of the occurrences."""
        return cell(lambda row: number(row, name, ",") + (f" ({row[name] / row['n']:.0%})" if row["n"] else ""))

    def lost_share(row: dict) -> str:
        stood = row["wins"] - row["n_gained"]
        return figure(row["n_lost"] / stood, "share") if stood and row["n"] is not None else "-"

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
        return sides(within(one.rules, usual).yaku_value(one.yaku)) if one.yaku else "-"

    rows = [
        ("Value", value),
        ("How often", None),
        ("Occurrences, n", cell(lambda row: "-" if row["n"] is None else f"{row['n']:,}")),
        *([("Why none", cell(lambda row: row["note"] or "-"))] if any(row["note"] for row in wins.values()) else []),
        ("Enough?", cell(lambda row: "-" if row["n"] is None else "too few" if row["too_few"] else "yes")),
        ("Wins they are counted over, N", plain("N", ",")),
        ("Per 10,000 wins", plain("per_10000", "")),
        (f"{level} interval, all candidates at once", bounds("low_simultaneous", "high_simultaneous", "")),
        (f"{level} interval, this one alone", bounds("low", "high", "")),
        ("Per 100 games", plain("per_100_games", "")),
        ("Recorded wins it takes to know that rate to ±10%", plain("needed", ",.0f")),
        ("Latent wins besides", cell(lambda row: "not scanned" if row["latent"] is None else f"{row['latent']:,}")),
        ("Whose", None),
        ("Open hands", share("open")),
        ("Dealers", share("dealer")),
        ("Self-drawn", share("tsumo")),
        ("Median turn", plain("median_turn", "g")),
        ("What it is worth, in points", None),
        (
            "Gain per occurrence",
            gain("gain_per_occurrence", "occurrence_low", "occurrence_high", "+"),
        ),
        (
            f"{level} interval, all candidates at once",
            bounds("occurrence_low_simultaneous", "occurrence_high_simultaneous", "+"),
        ),
        (f"{level} interval, this one alone", bounds("occurrence_low", "occurrence_high", "+")),
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
        ("of all wins, these are", cell(lost_share)),
        ("Lost because no yaku is left", part("n_only")),
        ("Gained: no win before", part("n_gained")),
        ("Beside the standard yaku", None),
        ("As rare as", cell(lambda row: _yaku(row["nearest_by_rate"], known))),
        ("As rare as, of the same value", cell(lambda row: _yaku(row["nearest_by_value"], known))),
    ]
    return _side_by_side("Changes side by side", [one.id for one in result.candidates], names, rows)


def _between(low: str, high: str) -> str:
    return "-" if "-" in (low, high) else f"{low} – {high}"


def _yaku(id_: str | None, known: Mapping[str, Yaku]) -> str:
    return known[id_].name if id_ else "-"


def games(result: RuleImpact, names: Mapping[str, str], name: str, caption: str) -> list[Table]:
    """What becomes of the games, of one of the tables of games."""
    found = {row["candidate"]: row for row in result.table(name).to_dict("records")}
    if not found:
        return []
    level = f"{result.level:.0%}"

    def plain(name: str, form: str) -> Callable[[str], str]:
        def cell(id_: str) -> str:
            value = found[id_][name]
            if value != value:
                return "-"
            return figure(value, form) if form == "share" else format(value, form) if form else to_the_point(value)

        return cell

    def bounds(low: str, high: str, form: str) -> Callable[[str], str]:
        return lambda id_: _between(plain(low, form)(id_), plain(high, form)(id_))

    def steps(name: str) -> Callable[[str], str]:
        return lambda id_: f"{found[id_][f'{name}_before']:,} → {found[id_][name]:,}"

    def flipped(id_: str) -> str | Cell:
        text = plain("flipped", "share")(id_)
        return Cell(f"{text}, too few", "few") if found[id_]["too_few"] else text

    rows = [
        ("Games weighed", plain("n_games", ",")),
        ("Cut short by a new end, before → after", steps("n_cut")),
        ("Left open, before → after: the recorded end would not have come", steps("n_open")),
        ("Left out: the record does not reach the end", plain("n_incomplete", ",")),
        ("Two seats finish in another order", plain("n_flipped", ",")),
        ("of the games", flipped),
        (
            f"{level} interval, all candidates at once",
            bounds("flipped_low_simultaneous", "flipped_high_simultaneous", "share"),
        ),
        (f"{level} interval, this one alone", bounds("flipped_low", "flipped_high", "share")),
        ("Another seat wins the game", plain("n_first", ",")),
        ("Places moved, a seat's mean", plain("rank_change", "")),
        (f"{level} interval, all candidates at once", bounds("rank_low_simultaneous", "rank_high_simultaneous", "")),
        (f"{level} interval, this one alone", bounds("rank_low", "rank_high", "")),
        ("Points moved per 100 games", plain("points_moved", "")),
        (
            f"{level} interval, all candidates at once",
            bounds("points_low_simultaneous", "points_high_simultaneous", ""),
        ),
        (f"{level} interval, this one alone", bounds("points_low", "points_high", "")),
        ("Results moved per 100 games, uma and oka included, in thousands", plain("results_moved", "")),
        ("Spread of results before (standard deviation, thousands)", plain("sd_before", ".3f")),
        ("Spread of results after", plain("sd_after", ".3f")),
    ]
    return _side_by_side(caption, [one.id for one in result.candidates], names, rows)


def crossings(result: RuleImpact, names: Mapping[str, str]) -> list[Table]:
    """Wins that reach each limit, and that fall below it."""
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


def sensitivity(result: RuleImpact, names: Mapping[str, str]) -> list[Table]:
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


def latent(result: RuleImpact, names: Mapping[str, str]) -> list[Table]:
    """Hands that would only now be wins; nothing where they were not looked for."""
    found = {row["candidate"]: row for row in result.table("latent").to_dict("records")}
    if not found:
        return []
    level = f"{result.level:.0%}"

    def number(id_: str, name: str) -> str:
        value = found[id_][name]
        if value is None or value != value:
            return "-"
        return f"{value:,}" if isinstance(value, int) else to_the_point(value)

    def plain(name: str) -> Callable[[str], str | Cell]:
        def cell(id_: str) -> str | Cell:
            return Cell(number(id_, name), "few") if found[id_]["too_few"] else number(id_, name)

        return cell

    def bounds(suffix: str) -> Callable[[str], str]:
        return lambda id_: _between(number(id_, f"low{suffix}"), number(id_, f"high{suffix}"))

    def points(id_: str) -> str:
        return ("at least " if found[id_]["n_lower_bound"] else "") + number(id_, "mean_points")

    rows = [
        ("Rounds that a hand would now have won first", plain("n")),
        ("Enough?", lambda id_: "too few" if found[id_]["too_few"] else "yes"),
        ("Per 100 games", plain("per_100_games")),
        (f"{level} interval, all candidates at once", bounds("_simultaneous")),
        (f"{level} interval, this one alone", bounds("")),
        ("by ron", plain("n_ron")),
        ("by self-draw", plain("n_tsumo")),
        ("by robbing a kan", plain("n_chankan")),
        ("Hands, each seat's first", plain("n_seats")),
        ("Points each", points),
        ("Recorded wins that would not have come about", plain("n_preempted")),
        ("Rounds in which furiten alone stood in the way", plain("n_furiten")),
        ("Temptation: hands dealt that came within one tile", plain("n_tempted")),
    ]
    if any(row["n_paid"] is not None for row in found.values()):
        rows += [("Rounds in which discards alone are paid", plain("n_paid"))]
        rows += [("and were not before", plain("n_paid_anew"))]
    rows += [("Note", lambda id_: found[id_]["note"] or "-")]
    one = next(iter(found.values()))
    caption = f"Latent wins in {counted(one['rounds'], 'round')} of {counted(one['games'], 'game')}"
    return _side_by_side(caption, list(found), names, rows)
