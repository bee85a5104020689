"""What a rule impact returns: one row per candidate, tables beside it, and the wins that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..audit import Audit
from ..metrics.card import Card
from ..metrics.result import interval_text
from ..rescoring import Recorded
from ..scoring.ruleset import Ruleset
from ..targets import write_all
from .candidates import Candidate, ImpactError

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
    "not, a limit being reached already. Lost: wins that are none after the change; lost because no yaku is left "
    "(only): none that they held counts any more, be it dropped or not for such a hand. Gained: wins that were none "
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
        """The tables for a terminal under a line that says what they stand on: see `impact.text`."""
        from .text import text

        return text(self)

    def headline(self) -> str:
        """One line: how many wins, from where, against what."""
        return f"{self.card.headline(self.where)}; base {self.card.under(self.base.id)}"
