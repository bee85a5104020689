"""The committee report of a rule impact: one page and an annex per candidate, in one file that needs nothing else.

The same impact and command give the same bytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from parsers.schema import SCHEMA_VERSION

from ..impact.candidates import TOGETHER
from ..metrics.intervals import FEW_EVENTS
from ..metrics.result import interval_text
from ..notes import counted
from ..rescoring import Recorded
from ..scoring.ruleset import Yaku
from ..targets import check_page, write_whole
from . import compared, figures, tiles
from . import impact as drawn
from .annex import annex_of
from .html import Picture, Row, Table, kinds_of_table, rendered
from .names import candidate_name, played_by, question, yaku_of
from .verdict import sentences
from .words import audit_sentence, percent, to_the_point

if TYPE_CHECKING:
    from ..impact import RuleImpact


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
    played = played_by(result)
    examples = [one["hand"] for found in result.examples.values() for one in found]
    return rendered(
        "committee.html.jinja",
        title="What the change would do",
        headline=result.headline(),
        tiles=_tiles(result),
        questions=[(names[one.id], question(one, known, names, played)) for one in result.candidates],
        base=_base_words(result),
        sentences=sentences(result, names, known),
        verdict=compared.verdict(result, names, known),
        gains=_gains_picture(result),
        rarity=_picture(
            drawn.draw_rarity,
            drawn.alt_rarity,
            result,
            "How often the standard yaku occur under the base, and the candidates among them; at the right what each "
            "is worth in han, and n.",
        ),
        rarity_table=_rarity_table(result),
        limits=_limits_picture(result),
        no_crossing=drawn.NO_CROSSING,
        crossings=compared.crossings(result, names) if drawn.crossing(result) else [],
        together=_together_picture(result),
        together_table=_together_table(result, names, known),
        games=compared.games(result, names, "games", "Games and placements"),
        games_with_latent=compared.games(
            result, names, "games_with_latent", "The same, every round ended by its first latent win: an upper bound"
        ),
        latent=compared.latent(result, names),
        sensitivity=compared.sensitivity(result, names),
        symbols=tiles.symbols(examples),
        annexes=[annex_of(result, one, names, known, played) for one in result.candidates],
        audit=audit_sentence(result.audit),
        card=_card(result),
        kinds=kinds_of_table(result.card),
        notes=[note for note in result.notes if note.partition(": ")[0] not in names],
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
    "latent": "Latent wins",
    "latent points": "Their points",
    "preempted": "Would not have come about",
    "furiten": "Furiten alone",
    "tempted": "Temptation",
    "paid": "Paid discards",
    "games with latent wins": "Games with latent wins",
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
    n_changes = sum(one.kind != TOGETHER for one in result.candidates)
    return [
        (f"{card.counted:,}", "recorded wins"),
        (f"{card.counted_games:,}", "games"),
        (f"{len(card.players):,}", "players"),
        (percent(audit.agree, audit.wins) or "-", "of recorded wins re-scored as recorded"),
        (str(n_changes), "change weighed" if n_changes == 1 else "changes weighed"),
    ]


def _base_words(result: RuleImpact) -> str:
    if isinstance(result.base, Recorded):
        played = ", ".join(f"{id_} ({counted(n, 'win')})" for id_, n in result.card.rulesets.most_common())
        changed = f", with {result.base.id.partition(' + ')[2]}" if " + " in result.base.id else ""
        return f"The rules each game was played under{changed}: {played}."
    return f"{result.base.name} ({result.base.id}), version {result.base.hash}, whatever the games were played under."


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
    return Table("Data card", ("", "Number"), [Row(row) for row in rows])


def _caveats(result: RuleImpact) -> list[str]:
    said = [
        "The same play is scored again. Players would have played otherwise under other rules; how, recorded games "
        "cannot tell.",
        "Frequencies and intervals are about players and games like these, and say nothing about other rooms, years or "
        "rules.",
        "Games keep their recorded rounds, dealers and honba: a win that is worth more never leads to another round.",
    ]
    if not len(result.table("latent")):
        said.append("Hands that would only now be wins are not among recorded ones, and were not scanned for here.")
    else:
        said.append("Latent wins are hands as they came about; how hands would have been built they cannot tell.")
    if len({(players, length) for players, length, _, _ in result.card.tables}) > 1:
        said.append(
            "The wins come from several kinds of games, mixed as they come; a filter tells them apart (--where)."
        )
    return said


# Figures, and the tables behind them


def _rarity_table(result: RuleImpact) -> Table:
    rows = [
        Row(
            (
                row.name,
                row.value or "",
                f"{row.n:,}",
                to_the_point(row.per_10000) if row.n else f"at most {to_the_point(row.high)}",
                "candidate" if row.is_candidate else "",
            )
        )
        for row in drawn.rarity_rows(result).itertuples(index=False)
    ]
    return Table("Beside the standard yaku", ("Yaku", "Worth", "n", "Per 10,000 wins", ""), rows, (0, 1, 4))


def _together_table(result: RuleImpact, names: Mapping[str, str], known: Mapping[str, Yaku]) -> Table | None:
    about = {one.id for one in result.candidates if one.yaku}
    rows = [
        Row(
            (names[row.candidate], known[row.yaku].full_name, f"{row.n:,}", f"{row.share:.1%}", f"×{row.lift:.2f}"),
            row.n < FEW_EVENTS,
        )
        for row in result.table("together").itertuples()
        if row.candidate in about
    ]
    if not rows:
        return None
    return Table("Yaku in the same hands", ("Candidate", "Yaku beside it", "n", "Share", "Lift"), rows, (0, 1))


def _picture(draw: Callable, alt: Callable, result: RuleImpact, caption: str) -> Picture:
    return Picture.of(figures.svg(draw(result)), alt(result), caption)


def _gains_picture(result: RuleImpact) -> Picture | None:
    rows = drawn.gain_rows(result)
    if not rows:
        return None
    few = " Intervals of too few occurrences are cut at the edge of the axis, with an arrow."
    caption = (
        f"Points gained per occurrence with {result.level:.0%} intervals; gray where the interval of all candidates at "
        f"once holds zero or there are too few.{few if any(row['too_few'] for row in rows) else ''} The table above "
        "holds the numbers."
    )
    return _picture(drawn.draw_gains, drawn.alt_gains, result, caption)


def _limits_picture(result: RuleImpact) -> Picture | None:
    if not drawn.crossing(result):
        return None
    caption = "Wins that come to stand at a limit or above it (right), and that fall below it (left)."
    return _picture(drawn.draw_limits, drawn.alt_limits, result, caption)


def _together_picture(result: RuleImpact) -> Picture | None:
    if not len(drawn.together_rows(result)):
        return None
    return _picture(
        drawn.draw_together,
        drawn.alt_together,
        result,
        f"Yaku in the same hands: how many times their usual share, and in brackets hands. Fewer than {FEW_EVENTS} "
        "hands are not coloured.",
    )
