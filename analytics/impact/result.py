"""What a rule impact returns: one row per candidate, tables beside it, and the wins that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..audit import Audit
from ..metrics.card import Card
from ..metrics.result import aligned, interval_text
from ..rescoring import Recorded
from ..scoring.ruleset import Ruleset
from ..targets import write_all
from .candidates import Candidate, ImpactError
from .hand import notation

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

DEFINITIONS = {
    "n": "Wins whose best reading holds the yaku under the rules that play it: those after the change, of a yaku that "
    "is dropped those before. Of a candidate that is about no single yaku, wins that are scored otherwise.",
    "N": "Wins that stand under the same rules and of which the source tells what the yaku asks for. A double ron is "
    "two wins.",
    "per_10000": "10,000 n / N, with its bounds.",
    "per_100_games": "100 n over the games the wins come from; bounds are those of n / N at as many wins a game.",
    "gain": "Points after less points before, honba and sticks apart; what is no win is worth nothing. Per occurrence: "
    "over n. Per win: over the wins that stand before or after. The same hands are compared, so that its interval is "
    "that of a paired difference.",
    "changes": "Han, limit or points differ: of wins that stand before and after. Swallowed: han rose and points did "
    "not, a limit being reached already. Lost: wins that are none after the change; only, those of them of "
    "which no yaku they held counts any more, be it dropped or not for such a hand. Gained: wins that were none "
    "before.",
    "carried": "Wins without the yaku weighed in which another one is worth something else under the new rules.",
    "lift": "Share of another yaku among the n wins over its share among the N.",
    "needed": "Wins needed for bounds within 10% of the rate seen, players and games being like these.",
    "peers": "Standard yaku under the base: the nearest in frequency, and the nearest in frequency of those of the "
    "same value.",
    "games": "Rounds, dealers and honba as recorded, payments under the rules before and after. A game is cut at the "
    "first round after which it is over; it is open, and left out, where the end on record would not have come: "
    "nobody is below zero or has the return points any more. Games whose record does not reach the end are left out.",
    "flipped": "Games in which two seats finish in another order; equal points by the ruleset.",
    "rank_change": "Places moved, a seat's mean.",
    "points_moved": "Half the sum of the changes of what seats win or lose in a game, per 100 games.",
    "results_moved": "Half the sum of the changes of results, uma and oka included, in thousands per 100 games that "
    "both rulesets have uma for.",
    "sd": "Standard deviation of the results of seats, uma and oka included, in thousands; the same seats before and "
    "after.",
    "latent": "Rounds with a hand that would be a win under the new rules and was none under the old, at the first "
    "tile that completed it: worth something, not furiten by the shapes that are played, not set aside by another "
    "claim. A round counts once; among hands, every seat's first does. Claims passed up under both rules stay passed "
    "up, seats that were not connected win nothing.",
    "latent points": "Of these wins, honba and sticks apart; a lower bound where ura or a yaku are not known.",
    "preempted": "Recorded wins that would not have come about, the round having ended before or the tile being "
    "another's.",
    "furiten": "Rounds without a latent win in which furiten alone stood in the way of one.",
    "tempted": "Hands dealt that came to stand one tile, of which they did not see all copies, from the pattern, "
    "whoever held them and wanted it or not; a round and seat counts once.",
    "paid": "Rounds in which discards alone are paid, under the rules that pay them; anew: and not before the change.",
    "games with latent wins": "The same games, every round ended by its first latent win. It is an upper bound: all "
    "of them taken, and the rounds after them as recorded.",
    "static": "The same play scored again: players would have played otherwise.",
}


@dataclass(frozen=True)
class RuleImpact:
    """What would change if the rules did.

    Attributes
    ----------
    base : Ruleset or Recorded
    candidates : list of Candidate
        One a row of `table()`, in its order.
    card : Card
        Of the wins as the base scores them.
    tables : mapping of name to DataFrame
        Their columns are those of `described.IMPACT`.
        `candidates`, `games`, `latent` (hands that would only now be wins) and, where asked for, `games_with_latent`
        with one row each; and in rows by `candidate`: `ladder`, `crossings`, `gains` (histogram of points gained by
        occurrences), `turns`, `together` (other yaku in the same hands), `taken_over` (yaku held only before, or only
        after), `carried`, `balance`; `peers`: standard yaku under the base.
    examples : mapping of candidate to list of dict
        Recorded wins: `shows` typical, largest, swallowed, lost or smallest; path, source_id, round_no, winner; how
        the win is scored before and after.
    unseen : mapping of candidate to list of str
        Keys that differ of which nothing is told: they change what players may do, or are not settled.
    notes : what is left out, and why
    audit : Audit
        Of the same games under the rules they were played by: whether the record is scored as it stands.
    asked : tuple of str
        The question as a command line puts it: `--adopt`, `sanrenkou=1,2`.
    """

    base: Ruleset | Recorded
    candidates: list[Candidate]
    card: Card
    tables: Mapping[str, pd.DataFrame]
    examples: Mapping[str, list[dict]]
    unseen: Mapping[str, list[str]]
    notes: list[str]
    audit: Audit
    asked: tuple[str, ...]
    where: str | None
    level: float
    seed: int
    definitions: Mapping[str, str]

    def table(self, name: str = "candidates") -> pd.DataFrame:
        """One of `tables`, to keep.

        Raises
        ------
        ImpactError
            There is no such table.
        """
        if name not in self.tables:
            raise ImpactError(f"no table {name!r}; known: {', '.join(self.tables)}")
        return self.tables[name].copy()

    def as_dict(self) -> dict:
        """Plain values, as JSON takes them; what cannot be told is None."""
        plain = {
            name: frame.astype(object).where(frame.notna(), None).to_dict("records")
            for name, frame in self.tables.items()
        }
        return {
            "base": self.base.id,
            "n_wins": self.card.counted,
            "n_games": self.card.counted_games,
            "where": self.where,
            "level": self.level,
            "seed": self.seed,
            "definitions": {**self.definitions, "interval": interval_text(self.level)},
            "notes": self.notes,
            "card": self.card.as_dict(),
            "audit": {name: getattr(self.audit, name) for name in ("wins", "agree", "rounds", "rounds_agree")},
            **plain,
            "examples": dict(self.examples),
            "unseen": dict(self.unseen),
        }

    def write_csv(self, folder: str | Path) -> list[Path]:
        """Each table that was made as a file of the folder, itself made if there is none; all of them, or none.

        Raises
        ------
        reports.ReportError
            It cannot be written to.
        """
        made = {name: frame for name, frame in self.tables.items() if len(frame.columns)}
        return write_all(folder, {f"{name}.csv": frame.to_csv(index=False).encode() for name, frame in made.items()})

    def plot(self, name: str = "gains") -> Figure:
        """A figure: points gained per occurrence (`gains`), `rarity` beside the standard yaku, `limits`, `together`.

        Raises
        ------
        ImpactError
            There is no such figure.
        """
        from ..reports.impact import FIGURES  # the one step up, for notebooks

        if name not in FIGURES:
            raise ImpactError(f"no figure {name!r}; known: {', '.join(FIGURES)}")
        return FIGURES[name](self)

    def report(self, file: str | Path, *, command: str | None = None) -> Path:
        """Write the committee report: one page that needs nothing but itself; whole, or not at all.

        Raises
        ------
        reports.ReportError
            The name does not end in .html, or there is no such folder.
        """
        from ..reports.committee import report

        return report(self, file, command=command)

    def text(self) -> str:
        """The tables for a terminal, under a line that says what they stand on; that line alone where no win counts."""
        notes = [f"note: {note}" for note in self.notes]
        if not self.card.counted:
            return "\n".join([self.headline(), *notes])
        wins = self.tables["candidates"].to_dict("records")
        games, with_latent = (
            {row["candidate"]: row for row in self.tables[name].to_dict("records")}
            for name in ("games", "games_with_latent")
        )
        blocks = [[self.headline()], self._occurrences(wins), self._changes(wins), self._latent()]
        blocks += [self._games(games), self._games(with_latent, "games, latent wins taken: an upper bound")]
        for name, title in _SHOWN.items():
            frame = self.tables[name]
            if len(frame):
                rows = [tuple(frame.columns), *(tuple(map(_shown, row)) for row in frame.itertuples(index=False))]
                blocks.append([title, *aligned(rows, left=set(range(1 + (name == "ladder") * 2)))])
        blocks.append(self._examples())
        blocks.append(notes)
        blocks.append([f"not seen: {id_}: what {', '.join(keys)} would change" for id_, keys in self.unseen.items()])
        defined = [f"{term}: {text}" for term, text in self.definitions.items()]
        blocks.append([*defined, f"interval: {interval_text(self.level)}"])
        return "\n\n".join("\n".join(block) for block in blocks if block)

    def headline(self) -> str:
        """One line: how many wins, from where, against what."""
        return f"{self.card.headline(self.where)}; base {self.card.under(self.base.id)}"

    def _occurrences(self, wins: Sequence[dict]) -> list[str]:
        level = f"{self.level:.0%} interval"
        head = ("", "n", "N", "per 10,000", level, "per 100 games", "open", "dealer", "self-draw", "turn", "per win")
        shown = [(*head, "each", level, "needed", "")]
        for row in wins:
            if row["n"] is None:
                shown.append((row["candidate"], *("-",) * 13, row["note"]))
                continue
            few = "too few" if row["too_few"] else ""
            note = "; ".join(filter(None, (few, row["note"])))
            shown.append(
                (
                    row["candidate"],
                    f"{row['n']:,}",
                    f"{row['N']:,}",
                    f"{row['per_10000']:.2f}",
                    f"{row['low']:.2f} – {row['high']:.2f}",
                    f"{row['per_100_games']:.2f}",
                    *(_percent(row[f"share_{name}"]) for name in ("open", "dealer", "tsumo")),
                    _shown(row["median_turn"]),
                    f"{row['gain_per_win']:+.2f}",
                    _points(row["gain_per_occurrence"]),
                    f"{_points(row['occurrence_low'])} – {_points(row['occurrence_high'])}",
                    _shown(row["needed"]),
                    note,
                )
            )
        return aligned(shown, left={0, 14})

    def _changes(self, wins: Sequence[dict]) -> list[str]:
        names = ("n_han", "n_limit", "n_points", "n_swallowed", "n_lost", "n_only", "n_gained", "n_reading")
        words = ("nearest_by_rate", "nearest_by_value")
        shown = [("", *(name.removeprefix("n_") for name in names), "as rare as", "of its value")]
        shown += [
            (
                row["candidate"],
                *("-" if row["n"] is None else f"{row[name]:,}" for name in names),
                *(row[word] or "-" for word in words),
            )
            for row in wins
        ]
        return aligned(shown, left={0, len(names) + 1, len(names) + 2})

    def _latent(self) -> list[str]:
        rows = self.tables["latent"].to_dict("records")
        if not rows:
            return []
        counts = ("n_ron", "n_tsumo", "n_chankan", "n_seats", "n_preempted", "n_furiten", "n_tempted", "n_paid")
        names = [name.removeprefix("n_") for name in counts]
        shown = [("", "n", "per 100 games", f"{self.level:.0%} interval", *names, "paid anew", "points each", "")]
        for row in rows:
            few = "too few" if row["too_few"] and row["n"] is not None else ""
            points = f"{row['mean_points']:,.0f}" if row["n"] else "-"
            shown.append(
                (
                    row["candidate"],
                    _shown(row["n"]),
                    _shown(row["per_100_games"]),
                    "-" if row["n"] is None else f"{row['low']:.2f} – {row['high']:.2f}",
                    *(_shown(row[name]) for name in (*counts, "n_paid_anew")),
                    f"at least {points}" if row["n_lower_bound"] else points,
                    "; ".join(filter(None, (few, row["note"]))),
                )
            )
        title = f"latent wins: hands of {rows[0]['rounds']:,} rounds in {rows[0]['games']:,} games that were no wins"
        return [title, *aligned(shown, left={0, len(shown[0]) - 1})]

    def _games(self, games: Mapping[str, dict], title: str = "games") -> list[str]:
        if not games:
            return []
        level = f"{self.level:.0%} interval"
        shown = [("", "games", "cut", "open", "flipped", "", level, "places", "points/100", "sd before", "sd after")]
        for id_, row in games.items():
            shown.append(
                (
                    id_,
                    f"{row['n_games']:,}",
                    *(f"{row[f'{name}_before']:,} → {row[name]:,}" for name in ("n_cut", "n_open")),
                    f"{row['n_flipped']:,}",
                    _percent(row["flipped"]),
                    f"{_percent(row['flipped_low'])} – {_percent(row['flipped_high'])}",
                    f"{row['rank_change']:.4f}",
                    f"{row['points_moved']:,.0f}",
                    f"{row['sd_before']:.3f}",
                    f"{row['sd_after']:.3f}",
                )
            )
        return [title, *aligned(shown, left={0})]

    def _examples(self) -> list[str]:
        lines = []
        for id_, found in self.examples.items():
            for one in found:
                name = one["source_id"] or one["path"]
                lines.append(f"{id_}, {one['shows']}: {name}, round {one['round_no']}, winner {one['winner']}")
                lines.append(f"    {notation(one['hand'])}")
                lines += [f"    {side:7}{_score_line(one[side])}" for side in ("before", "after")]
        return ["examples", *lines] if lines else []


_SHOWN = {
    "ladder": "limits, before and after",
    "together": "in the same hands",
    "taken_over": "yaku that only one side holds",
    "carried": "carried by other yaku",
}


def _score_line(score: dict) -> str:
    if not score["is_win"]:
        return "no win"
    yaku = ", ".join(f"{id_} {worth}" for id_, worth in score["yaku"].items())
    dora = f", dora {score['dora']}" if score["dora"] else ""
    limit = f" {score['limit']}" if score["limit"] else ""
    return f"{score['points']:>7,}  {score['han']} han {score['fu']} fu{limit}: {yaku}{dora}"


def _percent(value: float) -> str:
    return "-" if value != value else f"{100 * value:.1f}%"


def _points(value: float) -> str:
    return "-" if value != value else f"{value:+,.0f}"


def _shown(value: object) -> str:
    if value is None or value != value:
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if value == int(value) and abs(value) >= 10 else f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
