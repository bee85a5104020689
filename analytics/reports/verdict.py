"""The verdict on each candidate in a sentence, made from the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..impact.candidates import Candidate, differing
from ..metrics.result import figure
from ..notes import counted
from ..scoring.ruleset import Yaku
from .names import played_by, short_worth
from .words import none_of, to_the_point

if TYPE_CHECKING:
    from ..impact import RuleImpact

SAME = "changes nothing: these games were played so already, or the base has it so."
_TIMES = {1: "once", 2: "twice"}


def sentences(result: RuleImpact, names: Mapping[str, str], known: Mapping[str, Yaku]) -> list[tuple[str, str]]:
    """The name of each candidate, and what is to be said of it."""
    games = {row["candidate"]: row for row in result.table("games").to_dict("records")}
    played, rows = played_by(result), zip(result.candidates, result.table().to_dict("records"), strict=True)
    return [
        (names[one.id], _sentence(one, row, games.get(one.id), known) if differing(one, played) else SAME)
        for one, row in rows
    ]


def _sentence(one: Candidate, row: dict, game: dict | None, known: Mapping[str, Yaku]) -> str:
    parts = []
    if row["n"] is None:
        parts.append(row["note"])
    elif not row["n"]:
        parts.append(none_of(row["N"], row["high"]) + ("" if one.yaku else " would be scored otherwise"))
    elif one.yaku and not one.has_yaku_before:
        parts += _occurring(row, known)
    else:
        parts += _changed(row)
    orders = []
    if game and game["n_games"] and not (one.yaku and row["n"] is not None and row["too_few"]):
        of_games = _part(game["n_flipped"], game["n_games"], "game")
        orders.append(f"{of_games} would end in another order")
    said = "; ".join(parts)
    return ", and ".join((said, *orders)) + "."


def _occurring(row: dict, known: Mapping[str, Yaku]) -> list[str]:
    """Of a yaku that is taken on: its own figures first, the yaku it is compared with last."""
    bounds = f"{to_the_point(row['low'])} – {to_the_point(row['high'])}"
    each = to_the_point(row["gain_per_occurrence"], "+")
    said = [f"occurs in {to_the_point(row['per_10000'])} of 10,000 wins ({bounds}), {each} points each"]
    if row["too_few"]:
        said.append(f"seen {_TIMES.get(row['n'], '{:,} times'.format(row['n']))}, too few to say more")
    said += [_listed(lost)] if (lost := _lost_and_gained(row)) else []
    if row["nearest_by_rate"]:
        peer = known[row["nearest_by_rate"]]
        said.append(f"about as rare as {peer.name} ({short_worth(peer.value)})")
    return said


def _changed(row: dict) -> list[str]:
    """Of what is dropped, set, or changed as a whole: which wins that bears on."""
    parts, before = _lost_and_gained(row), row["wins"] - row["n_gained"]
    if row["n_points"]:
        of_wins = f"{row['n_points']:,} ({figure(row['n_points'] / before, 'share')})"
        of_wins = of_wins if row["n_lost"] else _part(row["n_points"], before, "win")
        parts.append(f"{of_wins} would pay other points")
    return [_listed(parts) or f"{_part(row['n'], row['N'], 'win')} would be scored otherwise at the same points"]


def _lost_and_gained(row: dict) -> list[str]:
    before, parts = row["wins"] - row["n_gained"], []
    if row["n_lost"]:
        parts.append(f"{_part(row['n_lost'], before, 'win')} would be none")
    if row["n_gained"]:
        parts.append(f"{counted(row['n_gained'], 'hand')} would be wins that were none")
    return parts


def _part(n: int, whole: int, noun: str) -> str:
    """How many of how many, and their share."""
    return f"{n:,} of {counted(whole, noun)} ({figure(n / whole, 'share')})"


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts)
