"""A rule impact for a terminal: measures are rows, candidates columns, and what a block says stands beneath it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..metrics.result import aligned, interval_text
from ..notes import counted, width
from .hand import notation

if TYPE_CHECKING:
    from .result import RuleImpact

WIDTH = 100
"""Columns of a terminal that are filled; a single candidate's may take more."""
_GAP = 2
_OF_RATES = ("n", "N", "per_10000", "per_100_games", "needed")
_OF_GAMES = ("games", "flipped", "rank_change", "points_moved", "results_moved", "sd")
Cell = Callable[[dict], str]


def text(result: RuleImpact) -> str:
    """Blocks under a line that says what they stand on; that line and notes alone where no win passes a filter."""
    notes = [line for note in result.notes for line in _wrapped("note", note)]
    if result.card.is_all_filtered:
        return "\n".join([result.headline(), *notes])
    blocks = [[result.headline()], *_wins(result), *_latent(result)]
    blocks += _games(result, "games", "games", _OF_GAMES)
    of_upper_bound = "games, latent wins taken: an upper bound"
    blocks += _games(result, "games_with_latent", of_upper_bound, ("games with latent wins",))
    blocks += [*_pairs(result), _examples(result.examples), notes]
    blocks.append(
        [
            line
            for id_, keys in result.unseen.items()
            for line in _wrapped("not seen", f"{id_}: what {', '.join(keys)} would change")
        ]
    )
    blocks.append([*_defined(result, ("static",)), *_wrapped("interval", interval_text(result.level))])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _wins(result: RuleImpact) -> Iterable[list[str]]:
    found = _by_candidate(result, "candidates")
    level = f"{result.level:.0%} interval"

    def told(form: Callable[[dict], str]) -> Cell:
        return lambda row: "-" if row["n"] is None else form(row)

    def plain(name: str, form: str) -> Cell:
        return told(lambda row: _number(row[name], form))

    def bounds(name: str, form: str) -> Cell:
        return told(lambda row: _between(row, name, form))

    rows = [
        ("occurrences, n", plain("n", ",")),
        ("enough of them?", told(lambda row: "too few" if row["too_few"] else "yes")),
        ("wins they are counted over, N", plain("N", ",")),
        ("per 10,000 wins", plain("per_10000", ",.2f")),
        (f"  {level}", bounds("", ",.2f")),
        ("per 100 games", plain("per_100_games", ",.2f")),
        ("wins needed for ±10%", plain("needed", ",.0f")),
        ("of the n, open hands", plain("share_open", ".1%")),
        ("  by the dealer", plain("share_dealer", ".1%")),
        ("  by self-draw", plain("share_tsumo", ".1%")),
        ("  median turn", plain("median_turn", "g")),
    ]
    notes = {id_: row["note"] for id_, row in found.items()}
    yield [
        *_side_by_side("how often", found, rows, notes),
        *_defined(result, _OF_RATES),
    ]
    rows = [
        ("gain per occurrence", plain("gain_per_occurrence", "+,.0f")),
        (f"  {level}", bounds("occurrence_", "+,.0f")),
        ("gain per win, of all wins", told(lambda row: _number(row["gain_per_win"], "+,.2f") if row["n"] else "-")),
        (f"  {level}", bounds("win_", "+,.2f")),
    ]
    yield [*_side_by_side("what it is worth, in points", found, rows), *_defined(result, ("gain",))]
    rows = [
        ("han differ", plain("n_han", ",")),
        ("limit differs", plain("n_limit", ",")),
        ("points differ", plain("n_points", ",")),
        ("swallowed by a limit", plain("n_swallowed", ",")),
        ("lost: no win any more", plain("n_lost", ",")),
        ("  only: nothing they held counts any more", plain("n_only", ",")),
        ("gained: no win before", plain("n_gained", ",")),
        ("of the n, another reading pays", plain("n_reading", ",")),
    ]
    yield [*_side_by_side("recorded wins that change", found, rows), *_defined(result, ("changes",))]
    rows = [
        ("as rare as", lambda row: row["nearest_by_rate"] or "-"),
        ("as rare as, of the same value", lambda row: row["nearest_by_value"] or "-"),
    ]
    yield [*_side_by_side("beside the standard yaku", found, rows), *_defined(result, ("peers",))]


def _latent(result: RuleImpact) -> Iterable[list[str]]:
    found = _by_candidate(result, "latent")
    if not found:
        return
    is_paid = any(row["n_paid"] is not None for row in found.values())

    def plain(name: str, form: str = ",") -> Cell:
        return lambda row: _number(row[name], form)

    rows = [
        ("rounds with a latent win", plain("n")),
        ("enough of them?", lambda row: "-" if row["n"] is None else "too few" if row["too_few"] else "yes"),
        ("per 100 games", plain("per_100_games", ",.2f")),
        (f"  {result.level:.0%} interval", lambda row: _between(row, "", ",.2f")),
        ("  by ron", plain("n_ron")),
        ("  by self-draw", plain("n_tsumo")),
        ("  by robbing a kan", plain("n_chankan")),
        ("hands, each seat's first", plain("n_seats")),
        ("points each", lambda row: ("at least " * bool(row["n_lower_bound"])) + _number(row["mean_points"], ",.0f")),
        ("recorded wins preempted", plain("n_preempted")),
        ("rounds that furiten alone kept from it", plain("n_furiten")),
        ("hands tempted: one tile away", plain("n_tempted")),
        *([("rounds in which discards are paid", plain("n_paid"))] if is_paid else []),
        *([("  anew", plain("n_paid_anew"))] if is_paid else []),
    ]
    one = next(iter(found.values()))
    title = f"latent wins in {counted(one['rounds'], 'round')} of {counted(one['games'], 'game')}"
    notes = {id_: row["note"] for id_, row in found.items()}
    terms = ("latent", "latent points", "preempted", "furiten", "tempted", *(["paid"] if is_paid else []))
    yield [*_side_by_side(title, found, rows, notes), *_defined(result, terms)]


def _games(result: RuleImpact, name: str, title: str, terms: Sequence[str]) -> Iterable[list[str]]:
    found = _by_candidate(result, name)
    if not found:
        return
    level = f"  {result.level:.0%} interval"

    def plain(name: str, form: str = ",") -> Cell:
        return lambda row: _number(row[name], form)

    def steps(name: str) -> Cell:
        return lambda row: f"{row[f'{name}_before']:,} → {row[name]:,}"

    rows = [
        ("games compared", plain("n_games")),
        ("cut short, before → after", steps("n_cut")),
        ("unfinished and left out, before → after", steps("n_open")),
        ("flipped: two seats in another order", plain("n_flipped")),
        ("  of the games", plain("flipped", ".1%")),
        (level, lambda row: _between(row, "flipped_", ".1%")),
        ("places moved, a seat's mean", plain("rank_change", ".4f")),
        ("points moved per 100 games", plain("points_moved", ",.0f")),
        ("results moved per 100 games", plain("results_moved", ",.1f")),
        ("sd of results before", plain("sd_before", ".3f")),
        ("sd of results after", plain("sd_after", ".3f")),
    ]
    yield [*_side_by_side(title, found, rows), *_defined(result, terms)]


def _pairs(result: RuleImpact) -> Iterable[list[str]]:
    """What is counted by candidate and something else: limits, yaku."""

    def of_two_sides(row: dict) -> str:
        others = f", {row['n_other_reading']:,} read otherwise" if row["n_other_reading"] else ""
        return f"{row['n']:,}{others}"

    for name, title, key, cell, terms in (
        ("ladder", "limits, before → after", lambda row: f"{row['before']} → {row['after']}", _n, ()),
        (
            "together",
            "other yaku of the n: how many of them, share, lift",
            lambda row: row["yaku"],
            lambda row: f"{row['n']:,}  {row['share']:6.1%}  ×{row['lift']:.2f}",
            ("lift",),
        ),
        (
            "taken_over",
            "yaku that a win holds on one side only",
            lambda row: f"{row['held']}: {row['yaku']}",
            of_two_sides,
            (),
        ),
        (
            "carried",
            "carried: wins without the yaku, and their points",
            lambda row: row["yaku"],
            lambda row: f"{row['n']:,}  {row['gain']:+,}",
            ("carried",),
        ),
    ):
        found: dict[str, dict[str, dict]] = {}
        labels: dict[str, None] = {}
        for row in result.tables[name].to_dict("records"):
            found.setdefault(row["candidate"], {})[key(row)] = row
            labels[key(row)] = None
        if found:
            rows = [
                (label, lambda rows, label=label, cell=cell: cell(rows[label]) if label in rows else "-")
                for label in labels
            ]
            yield [*_side_by_side(title, found, rows, is_sparse=True), *_defined(result, terms)]


def _n(row: dict) -> str:
    return f"{row['n']:,}"


def _by_candidate(result: RuleImpact, name: str) -> dict[str, dict]:
    return {row["candidate"]: row for row in result.tables[name].to_dict("records")}


def _side_by_side(
    title: str,
    found: Mapping[str, dict],
    rows: Sequence[tuple[str, Cell]],
    notes: Mapping[str, str] | None = None,
    *,
    is_sparse: bool = False,
) -> list[str]:
    """Measures as rows, candidates as columns, as many side by side as fit, then why there is no number of some.

    Of a sparse table, rows that say nothing of the candidates side by side are left out.
    """
    labels = ["", *(label for label, _ in rows)]
    columns = [[id_, *(cell(row) for _, cell in rows)] for id_, row in found.items()]
    widest = _GAP + max(width(cell) for column in columns for cell in column)
    most = max(1, (WIDTH - max(map(width, labels))) // widest)
    n_tables = -(-len(columns) // most)
    each, lines = -(-len(columns) // n_tables), [title]
    for first in range(0, len(columns), each):
        across = list(zip(labels, *columns[first : first + each], strict=True))
        lines += aligned([row for row in across if not is_sparse or set(row[1:]) != {"-"}], left={0})
    return lines + [line for id_, note in (notes or {}).items() if note for line in _wrapped(id_, note)]


def _defined(result: RuleImpact, terms: Iterable[str]) -> list[str]:
    return [line for term in terms for line in _wrapped(term.replace("_", " "), result.definitions[term])]


def _wrapped(term: str, sentence: str) -> list[str]:
    return textwrap.wrap(f"{term}: {sentence}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _number(value: object, form: str) -> str:
    return "-" if value is None or value != value else format(value, form)


def _between(row: dict, name: str, form: str) -> str:
    low, high = (_number(row[f"{name}{side}"], form) for side in ("low", "high"))
    return "-" if "-" in (low, high) else f"{low} – {high}"


def _examples(examples: Mapping[str, list[dict]]) -> list[str]:
    lines = []
    for id_, found in examples.items():
        for one in found:
            name = one["source_id"] or one["path"]
            lines.append(f"{id_}, {one['shows']}: {name}, round {one['round_no']}, winner {one['winner']}")
            lines.append(f"    {notation(one['hand'])}")
            lines += [f"    {side:7}{_score_line(one[side])}" for side in ("before", "after")]
    return ["examples", *lines] if lines else []


def _score_line(score: dict) -> str:
    if not score["is_win"]:
        return "no win"
    yaku = ", ".join(f"{id_} {worth}" for id_, worth in score["yaku"].items())
    dora = f", dora {score['dora']}" if score["dora"] else ""
    limit = f" {score['limit']}" if score["limit"] else ""
    return f"{score['points']:>7,}  {score['han']} han {score['fu']} fu{limit}: {yaku}{dora}"
