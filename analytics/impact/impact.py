"""The impact of candidates, counted part by part and put into tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ..audit import Audit, audit_part
from ..corpus import Source, each_part
from ..ends import ENDS
from ..latent import WAYS, carried_out
from ..metrics.card import Card, card_of
from ..metrics.columns import WinView
from ..metrics.intervals import LEVEL
from ..metrics.published import GAME_COLUMNS
from ..metrics.where import Where
from ..rescoring import RECORDED, Recorded, Rules, rescore, rescore_each
from ..scoring.limits import LIMIT_NAMES
from ..scoring.ruleset import Ruleset, catalog
from . import games as of_games
from . import latent as of_latent
from . import wins as of_wins
from .candidates import (
    TOGETHER,
    Candidate,
    assumed_of,
    candidates_of,
    differing,
    notes_of,
    range_of_gain,
    unseen_keys,
    untold_of_wins,
    within,
)
from .counting import POINT, parts_of, played_rulesets
from .estimates import bounded, means, rates, words
from .games import SHARES, Games, Played, by_whole_game, counted_games
from .latent import Unwon, games_of, scanned, tempts
from .result import DEFINITIONS, RuleImpact
from .tally import Events, Tally
from .wins import BANDS, GAIN, LOST, SWALLOWED, Pair, Peers, WinCounts

if TYPE_CHECKING:
    import pandas as pd

_READ = ("games", "seats", "rounds", "actions", "wins", "win_yaku", "circumstances", "draws", "rejects")
SEED = 4
PER = 10_000
_TOGETHER = 12
"""Most other yaku that are listed beside a candidate."""


def rule_impact(
    source: Source,
    *,
    base: Rules | Path = RECORDED,
    adopt: Sequence[str] = (),
    drop: Sequence[str] = (),
    set_: Sequence[str] = (),
    rules: Sequence[Rules | Path] = (),
    where: str | None = None,
    latent: bool = True,
    latent_in_games: bool = False,
    assume: str | None = None,
    level: float = LEVEL,
    seed: int = SEED,
    workers: int = 1,
) -> RuleImpact:
    """What each change of the rules, alone and all together, does to recorded wins and to games.

    Parameters
    ----------
    source : Store, its folder, logs, or tables of one part or of several
        Games whose play occurs twice count once.
    base
        A ruleset, its id or its file; `recorded` for the one each game was played under.
    adopt : sequence of str
        `YAKU`, `YAKU=VALUE` or `YAKU=VALUE,VALUE`: each value is a candidate.
    drop : sequence of str
        Yaku to drop. With riichi goes what asks for it: double riichi, ippatsu, ura dora.
    set_ : sequence of str
        `KEY=VALUE`.
    rules
        Other rulesets as a whole; `recorded` among them where the base is another one.
    where : str, optional
        Keep only wins of which this is true as the base scores them. Games are weighed only under a filter of whole
        games.
    latent : bool
        Whether to look for hands that would only now be wins. A store is scanned for them once, and keeps what was
        found as its table `chances`.
    latent_in_games : bool
        Whether to settle games a second time as if the first latent win of every round had ended it.
    seed : int
        Chooses the examples.

    Raises
    ------
    ImpactError
        Nothing to weigh, or nothing to weigh it on.
    scoring.ruleset.RulesetError
        A yaku, key, value or ruleset that does not exist, or a key that scoring again cannot show.
    metrics.columns.StatisticsError
        `where` cannot be read.
    """
    found, candidates = candidates_of(base, adopt, drop, set_, rules, assume=assume)
    filter_ = Where(where) if where and where.strip() else None
    with parts_of(source, workers=workers) as parts:
        played = played_rulesets(parts)
        for one in candidates:
            for id_ in played:
                within(one.rules, id_).check_complete(games=True)
        task = _Task(found, candidates, played, filter_, seed, latent, latent_in_games)
        if task.weighs_latent:
            scanned(parts, workers=workers)
        total = _Counts.none(len(candidates))
        for part in each_part(parts, partial(_of_part, task), workers=workers):
            total += part
    options = {"--adopt": adopt, "--drop": drop, "--set": set_, "--rules": rules}
    return _result(task, _asked(task, options, assume), level, total)


def _asked(task: _Task, options: Mapping[str, Sequence[object]], assume: str | None) -> tuple[str, ...]:
    """The question as words of a command line; what stands at its default is left out."""
    asked = ["--base", task.base.id] if task.base != RECORDED else []
    for option, values in options.items():
        for value in values:
            asked += [option, value.id if isinstance(value, Ruleset) else str(value)]
    asked += ["--assume", assume] if assume else []
    asked += ["--where", task.where.text] if task.where else []
    asked += [] if task.latent else ["--no-latent"]
    asked += ["--latent-in-games"] if task.latent_in_games else []
    return (*asked, *(("--seed", str(task.seed)) if task.seed != SEED else ()))


@dataclass(frozen=True)
class _Task:
    base: Ruleset | Recorded
    candidates: list[Candidate]
    played: list[str]
    where: Where | None
    seed: int
    latent: bool
    latent_in_games: bool

    @property
    def weighs_games(self) -> bool:
        return self.where is None or self.where.columns <= GAME_COLUMNS

    @property
    def weighs_latent(self) -> bool:
        return (self.latent or self.latent_in_games) and self.weighs_games


@dataclass
class _Counts:
    """All that is counted, as it adds up over parts."""

    card: Card
    audit: Audit
    peers: Peers
    wins: Tally
    games: Tally
    latent: Tally
    latent_games: Tally
    dealt: Counter
    of_wins: list[WinCounts]
    of_games: list[Counter]
    of_latent: list[Counter]
    of_latent_games: list[Counter]

    @classmethod
    def none(cls, n: int) -> _Counts:
        """Nothing counted yet."""
        groups = of_wins.groups_of(n), of_games.groups_of(n), of_latent.group_of(n), of_games.groups_of(n)
        counters = [[Counter() for _ in range(n)] for _ in range(3)]
        tallies, of_wins_ = map(Tally.none, groups), [WinCounts() for _ in range(n)]
        return cls(Card(), Audit(), Peers(), *tallies, Counter(), of_wins_, *counters)

    def __iadd__(self, other: _Counts) -> _Counts:
        for name in ("card", "audit", "peers", "wins", "games", "latent", "latent_games"):
            setattr(self, name, getattr(self, name).__iadd__(getattr(other, name)))
        self.dealt.update(other.dealt)
        for mine, its in zip(self.of_wins, other.of_wins, strict=True):
            mine += its
        for name in ("of_games", "of_latent", "of_latent_games"):
            for mine, its in zip(getattr(self, name), getattr(other, name), strict=True):
                mine.update(its)
        return self


def _of_part(task: _Task, part: Mapping[str, pa.Table]) -> _Counts:
    tables = {name: part[name] for name in _READ}  # a part reads its files anew whenever it is asked
    scored = rescore_each(tables, [task.base, *(one.rules for one in task.candidates)])
    view = WinView(tables, next(scored))
    passes = np.ones(len(view), bool) if task.where is None else task.where.rows(view)
    counts = ~view.is_duplicate & passes
    kept = np.flatnonzero(view.rescored.stands & counts)
    result = _Counts.none(len(task.candidates))
    result.card = card_of(view, kept, passes, task.where.words if task.where else ())
    result.audit = audit_part(tables)
    result.peers = Peers.of(view.rescored, view.rescored.stands & counts)

    if task.weighs_games:
        before = Played.of(tables, view.rescored, task.base)
        weighed = counted_games(tables, None if task.where is None else view.game[passes])
        whole = tables["games"]
        is_cut_off = ~whole["is_complete"].to_numpy() & whole["duplicate_of"].is_null().to_numpy()
    if task.weighs_latent:
        unwon = Unwon.of(part, games_of(view, passes, task.where))
        result.dealt = unwon.dealt
    sizes, entries, games, latent, latent_games = [], [], [], [], []
    for place, (candidate, after) in enumerate(zip(task.candidates, scored, strict=True)):
        pair = Pair(candidate, view, after, counts)
        its_sizes, its_entries = of_wins.sizes_and_events(pair, place)
        sizes.append(its_sizes)
        entries += its_entries
        result.of_wins[place] = of_wins.counts_of(pair, task.seed)
        if task.weighs_games:
            games.append(Games(tables, before, Played.of(tables, after, candidate.rules), weighed))
            result.of_games[place] = of_games.counts_of(games[-1], int(is_cut_off.sum()))
        if task.weighs_latent:
            latent.append(unwon.wins(candidate))
            is_tempting = tempts(candidate, task.played)
            result.of_latent[place] = unwon.counts(candidate, latent[-1], is_tempting=is_tempting)
        if task.weighs_latent and task.latent_in_games:
            ended = carried_out(tables, unwon.scan.chances, latent[-1])
            played = Played.of(ended, rescore(ended, candidate.rules), candidate.rules, record=tables)
            latent_games.append(Games(tables, before, played, weighed))
            result.of_latent_games[place] = of_games.counts_of(latent_games[-1], int(is_cut_off.sum()))
    player = view.column("player").dictionary_encode()
    result.wins = Tally.of(
        result.wins.group,
        np.concatenate(sizes, axis=1),
        Events.of(entries),
        view.game,
        view.seat,
        player.indices.to_numpy(),
        player.dictionary.to_pylist(),
    )
    if task.weighs_games:
        result.games = of_games.tally_of(tables, games)
    if latent:
        result.latent = unwon.tally(latent)
    if latent_games:
        result.latent_games = of_games.tally_of(tables, latent_games)
    return result


# Tables


def _result(task: _Task, asked: tuple[str, ...], level: float, total: _Counts) -> RuleImpact:
    import pandas as pd

    candidates, where = task.candidates, task.where
    ids = [one.id for one in candidates]
    unseen = {one.id: unseen_keys(one, task.played) for one in candidates}
    latent = _latent_frame(task, total, level) if task.weighs_latent else pd.DataFrame()
    frame = _candidates_frame(candidates, total, level, task.played)
    frame.insert(frame.columns.get_loc("note"), "latent", latent["n"] if len(latent) else words([None] * len(ids)))
    each, weighed = list(zip(ids, total.of_wins, strict=True)), {one.id: one.yaku for one in candidates}
    notes = []
    if not task.weighs_games:
        also = ", and latent wins not looked for" if task.latent or task.latent_in_games else ""
        notes.append(f"games are not weighed{also}: the filter {where.text!r} keeps some wins of a game and not others")
    notes += [f"{one.id}: {one.value}" for one in candidates if one.kind == TOGETHER]
    notes += [f"{one.id}: {', '.join(one.goes_with)} go with it" for one in candidates if one.goes_with]
    notes += [*notes_of(task.base, candidates, total.card, where), *assumed_of(task.base, candidates)]
    return RuleImpact(
        base=task.base,
        candidates=candidates,
        card=total.card,
        tables={
            "candidates": frame,
            "games": _games_frame(candidates, total.games, total.of_games, level, task.played)
            if task.weighs_games
            else pd.DataFrame(),
            "latent": latent,
            "games_with_latent": _games_frame(candidates, total.latent_games, total.of_latent_games, level, task.played)
            if task.weighs_latent and task.latent_in_games
            else pd.DataFrame(),
            "ladder": _rows(
                ("candidate", "before", "after", "n"),
                (
                    (id_, before, after, counts.ladder[before, after])
                    for id_, counts in each
                    for before in BANDS
                    for after in BANDS
                    if before != after and counts.ladder[before, after]
                ),
            ),
            "crossings": _rows(("candidate", "limit", "n_up", "n_down"), _crossings(each)),
            "gains": _rows(
                ("candidate", "gain", "n"), ((id_, gain, n) for id_, c in each for gain, n in sorted(c.gains.items()))
            ),
            "turns": _rows(
                ("candidate", "turn", "n"), ((id_, turn, n) for id_, c in each for turn, n in sorted(c.turns.items()))
            ),
            "together": _rows(("candidate", "yaku", "n", "share", "lift"), _together(candidates, total)),
            "taken_over": _rows(
                ("candidate", "yaku", "held", "n", "n_other_reading"),
                (
                    (id_, yaku, word, counter[yaku, False] + counter[yaku, True], counter[yaku, True])
                    for id_, c in each
                    for word, counter in (("before", c.dropped), ("after", c.taken))
                    for yaku in _most({y: counter[y, False] + counter[y, True] for y, _ in counter})
                    if yaku != weighed[id_]
                ),
            ),
            "carried": _rows(
                ("candidate", "yaku", "n", "gain"),
                ((id_, yaku, c.carried[yaku], c.carried_gain[yaku]) for id_, c in each for yaku in _most(c.carried)),
            ),
            "balance": _rows(
                ("candidate", "split", "value", "wins", "n", "gain", "gain_per_win"),
                (
                    (id_, split, value, wins, c.balance[split, value, "n"], gain, gain / wins if wins else np.nan)
                    for id_, c in each
                    for split in of_wins.SPLITS
                    for value in (True, False)
                    for wins, gain in [(c.balance[split, value, "wins"], c.balance[split, value, "gain"])]
                ),
            ),
            "peers": _peers_frame(total.peers),
        },
        examples={id_: found for id_, counts in each if (found := _examples(counts))},
        unseen={id_: found for id_, found in unseen.items() if found},
        notes=notes,
        audit=total.audit,
        asked=asked,
        where=where.text if where else None,
        level=level,
        seed=task.seed,
        definitions=DEFINITIONS,
    )


def _rows(columns: Sequence[str], rows: Iterable[tuple]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns))


def _most(counts: Mapping[str, int]) -> list[str]:
    """Yaku that occur, the most frequent first."""
    return sorted((yaku for yaku, n in counts.items() if n), key=lambda yaku: (-counts[yaku], yaku))


def _crossings(each: Sequence[tuple[str, WinCounts]]) -> Iterable[tuple]:
    """Wins that come to stand at a limit or above it, and that fall below it."""
    for id_, counts in each:
        for at, limit in enumerate(BANDS):
            if limit in LIMIT_NAMES[1:] and limit != "counted_yakuman":
                # A counted yakuman pays as a yakuman does.
                first = BANDS.index("counted_yakuman") if limit == "yakuman" else at
                steps = [(BANDS.index(a), BANDS.index(b), n) for (a, b), n in counts.ladder.items()]
                up = sum(n for a, b, n in steps if a < first <= b)
                down = sum(n for a, b, n in steps if b < first <= a)
                yield id_, limit, up, down


def _together(candidates: Sequence[Candidate], total: _Counts) -> Iterable[tuple]:
    """Other yaku of the occurrences; the lift compares with all wins that tell."""
    n = total.wins.by_unit.n
    size = total.wins.by_unit.size
    for place, (one, counts) in enumerate(zip(candidates, total.of_wins, strict=True)):
        first = place * len(of_wins.STATISTICS)
        for yaku in _most(counts.held_with)[: _TOGETHER + 1]:
            if yaku != one.yaku:
                share = counts.held_with[yaku] / int(n[first])
                lift = share * int(size[first]) / counts.held[yaku]
                yield one.id, yaku, counts.held_with[yaku], share, lift


def _peers_frame(peers: Peers) -> pd.DataFrame:
    return _rows(
        ("yaku", "kanji", "english", "value", "n", "per_10000", "mean_points"),
        (
            (
                yaku,
                catalog()[yaku].kanji,
                catalog()[yaku].english,
                catalog()[yaku].value.text,
                peers.n[yaku],
                PER * peers.n[yaku] / peers.wins,
                peers.points[yaku] / peers.n[yaku],
            )
            for yaku in _most(peers.n)
        ),
    )


def _nearest(one: Candidate, n: int, size: int, peers: Peers) -> tuple[str | None, str | None]:
    """The standard yaku nearest in frequency, on a log scale: of all, and of those of the same value."""
    if one.yaku is None or not n or not peers.wins:
        return None, None

    def distance(yaku: str) -> tuple[float, str]:
        return abs(np.log(peers.n[yaku] / peers.wins) - np.log(n / size)), yaku

    others = [yaku for yaku in peers.n if yaku != one.yaku]
    value = one.value if one.option is None and one.value not in (None, "off") else one.identity.value.text
    same = [yaku for yaku in others if catalog()[yaku].value.text.split("/")[0] == value.split("/")[0]]
    return min(others, key=distance, default=None), min(same, key=distance, default=None)


def _candidates_frame(
    candidates: Sequence[Candidate],
    total: _Counts,
    level: float,
    played: Sequence[str],
) -> pd.DataFrame:
    import pandas as pd

    n_rows, n_statistics = len(candidates), len(of_wins.STATISTICS)
    schemes = total.wins.schemes

    def rows_of(statistic: str) -> list:
        at = np.arange(n_rows) * n_statistics + of_wins.STATISTICS.index(statistic)
        return [one.only(at) for one in schemes]

    untold = [untold_of_wins(one, played) for one in candidates]
    occurs = rates(rows_of("occurs"), n_rows, level=level)
    ranges = [range_of_gain(one, played) for one in candidates]
    per_win, each = (
        bounded(means(rows_of(name), n_rows, level=level, scale=POINT), ranges)
        for name in ("gain_per_win", "gain_per_occurrence")
    )
    changes = rates(rows_of("changes"), n_rows, level=level)
    games = total.card.counted_games
    per_game = 100 * occurs["N"] / games if games else np.full(n_rows, np.nan)
    identity = [one.identity for one in candidates]
    plain = [counts.plain for counts in total.of_wins]
    n = occurs["n"]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = {f"share_{name}": np.array([one[name] for one in plain]) / n for name in ("open", "dealer", "tsumo")}
    nearest = [
        _nearest(one, int(k), int(size), total.peers) for one, k, size in zip(candidates, n, occurs["N"], strict=True)
    ]
    sides = [side + suffix for suffix in ("", "_simultaneous") for side in ("low", "high")]
    has_rate = [not why for why in untold]
    occurs |= {name: np.where(has_rate, occurs[name], np.nan) for name in ("rate", *sides)}
    return pd.DataFrame(
        {
            "candidate": [one.id for one in candidates],
            "kind": [one.kind for one in candidates],
            "yaku": words(one.yaku for one in candidates),
            **{
                name: words(None if yaku is None else getattr(yaku, name) for yaku in identity)
                for name in ("kanji", "romaji", "english")
            },
            "option": words(one.option for one in candidates),
            "value": words(one.value for one in candidates),
            "n": words(
                int(k) if size and not why else None for why, k, size in zip(untold, n, occurs["N"], strict=True)
            ),
            "N": occurs["N"],
            "rate": occurs["rate"],
            "per_10000": occurs["rate"] * PER,
            **{side: occurs[side] * PER for side in sides},
            "deff": occurs["deff"],
            "too_few": occurs["too_few"],
            "needed": occurs["needed"],
            "per_100_games": occurs["rate"] * per_game,
            **{f"games_{side}": occurs[side] * per_game for side in sides},
            **shares,
            "median_turn": [_median(counts.turns) for counts in total.of_wins],
            **{
                f"n_{name}": [one[name] for one in plain]
                for name in ("han", "limit", "points", "swallowed", "lost", "only", "gained", "reading")
            },
            "changed": changes["rate"],
            "changed_low": changes["low"],
            "changed_high": changes["high"],
            "gain": per_win["sum"].astype(np.int64),
            "wins": per_win["N"],
            "gain_per_win": per_win["mean"],
            **{f"win_{side}": per_win[side] for side in sides},
            "gain_per_occurrence": each["mean"],
            **{f"occurrence_{side}": each[side] for side in sides},
            "nearest_by_rate": words(rate for rate, _ in nearest),
            "nearest_by_value": words(value for _, value in nearest),
            "note": [
                why or _note(int(size), total.card) for why, size in zip(untold, occurs["N"], strict=True)
            ],
        }
    )


def _note(size: int, card: Card) -> str:
    if size:
        return ""
    return "not recorded by these sources" if card.counted else "no wins"


def _median(counts: Counter) -> float:
    """The middle of counted numbers, the mean of the two middle ones where they are even."""
    n = sum(counts.values())
    if not n:
        return float("nan")
    middle, seen, found = {(n - 1) // 2, n // 2}, 0, []
    for value, count in sorted(counts.items()):
        found += [value] * sum(seen <= at < seen + count for at in middle)
        seen += count
    return sum(found) / len(found)


def _latent_frame(task: _Task, total: _Counts, level: float) -> pd.DataFrame:
    """One row a candidate; counts that cannot be told, or are not asked of it, are null."""
    import pandas as pd

    candidates, plain, dealt = task.candidates, total.of_latent, total.dealt
    _, by_game, by_player = total.latent.schemes
    of_rounds = [by_whole_game(by_game), by_game, by_player]
    found = rates(of_rounds, len(candidates), level=level, weight=SHARES)
    per_game = 100 * dealt["rounds"] / dealt["games"] if dealt["games"] else np.nan
    is_told = np.array([one["told"] > 0 or not one["chances"] for one in plain])

    def told(name: str) -> pd.Series:
        return words(one[name] if is_told_ else None for one, is_told_ in zip(plain, is_told, strict=True))

    def where_asked(name: str, asked: Iterable[bool]) -> pd.Series:
        return words(one[name] if is_asked else None for one, is_asked in zip(plain, asked, strict=True))

    def rate(name: str) -> np.ndarray:
        return np.where(is_told, found[name] * per_game, np.nan)

    is_tempting = [tempts(one, task.played) for one in candidates]
    is_drawn = [one.drawn is not None for one in candidates]
    return pd.DataFrame(
        {
            "candidate": [one.id for one in candidates],
            "n": told("n"),
            "rounds": dealt["rounds"],
            "games": dealt["games"],
            "per_100_games": rate("rate"),
            **{side + suffix: rate(side + suffix) for suffix in ("", "_simultaneous") for side in ("low", "high")},
            "too_few": found["too_few"],
            **{f"n_{way}": told(f"by_{way}") for way in WAYS},
            "n_seats": told("seats"),
            "points": told("points"),
            "mean_points": [_ratio(one["points"], one["n"]) for one in plain],
            "n_lower_bound": told("lower_bound"),
            "n_preempted": told("preempted"),
            "n_furiten": told("furiten"),
            "n_disconnected": told("disconnected"),
            "n_tempted": where_asked("tempted", is_tempting),
            "hands": dealt["hands"],
            "n_paid": where_asked("paid", is_drawn),
            "n_paid_anew": where_asked("paid_anew", is_drawn),
            "note": [
                "; ".join(_latent_notes(one, bool(its_told), its_tempting))
                for one, its_told, its_tempting in zip(candidates, is_told, is_tempting, strict=True)
            ],
        }
    )


def _latent_notes(one: Candidate, is_told: bool, is_tempting: bool) -> Iterable[str]:
    """Why there is no number."""
    if not is_told:
        yield "not recorded by these sources"
    if one.drawn is not None:
        yield "paid without a win: no hand is one tile away"
    elif one.yaku is None:
        yield "about no single yaku: no pattern to be one tile away from"
    elif not is_tempting:
        yield "asks how a hand is won: no pattern to be one tile away from"


def _games_frame(
    candidates: Sequence[Candidate], tally: Tally, plain: Sequence[Counter], level: float, played: Sequence[str]
) -> pd.DataFrame:
    import pandas as pd

    n_rows, n_statistics = len(candidates), len(of_games.STATISTICS)
    _, by_game, by_player = tally.schemes

    def rows_of(statistic: str) -> list:
        at = np.arange(n_rows) * n_statistics + of_games.STATISTICS.index(statistic)
        return [by_whole_game(by_game.only(at)), by_game.only(at), by_player.only(at)]

    flipped = rates(rows_of("flipped"), n_rows, level=level, weight=of_games.SHARES)
    ranges = [(0, np.inf if differing(one, played) else 0) for one in candidates]
    ranks = bounded(means(rows_of("rank_change")[1:], n_rows, level=level), ranges)
    schemes = rows_of("points_moved")
    moved = bounded(means([schemes[0], schemes[2]], n_rows, level=level, scale=50), ranges)
    sides = [side + suffix for suffix in ("", "_simultaneous") for side in ("low", "high")]
    endings = [*ENDS, "unknown"]
    return pd.DataFrame(
        {
            "candidate": [one.id for one in candidates],
            "n_games": flipped["N"],
            "n_incomplete": [one["incomplete"] for one in plain],
            "n_cut_before": [one["cut_before"] for one in plain],
            "n_cut": [one["cut_after"] for one in plain],
            **{f"n_cut_by_{end}": [one[f"cut_by_{end}"] for one in plain] for end in endings[:-1]},
            "n_open_before": [one["open_before"] for one in plain],
            "n_open": [one["open_after"] for one in plain],
            **{f"n_open_for_{end}": [one[f"open_for_{end}"] for one in plain] for end in endings},
            "n_flipped": flipped["n"],
            "flipped": flipped["rate"],
            **{f"flipped_{side}": flipped[side] for side in sides},
            "too_few": flipped["too_few"],
            "n_first": [one["first"] for one in plain],
            "rank_change": ranks["mean"],
            **{f"rank_{side}": ranks[side] for side in sides},
            "points_moved": moved["mean"],
            **{f"points_{side}": moved[side] for side in sides},
            "results_moved": [_ratio(one["result_moved"], 20 * one["result_games"]) for one in plain],
            "sd_before": [_deviation(one, "before") for one in plain],
            "sd_after": [_deviation(one, "after") for one in plain],
        }
    )


def _ratio(a: float, b: float) -> float:
    return a / b if b else float("nan")


def _deviation(one: Counter, side: str) -> float:
    """Standard deviation of the results of seats, in thousands."""
    n, total, squares = (one[f"{name}_{side}"] for name in ("n", "sum", "squares"))
    return sqrt((squares - total**2 / n) / n) / 1000 if n else float("nan")


def _examples(counts: WinCounts) -> list[dict]:
    """Typical (of the median gain), largest, and at the edge: a swallowed gain, a lost win, else the smallest gain."""
    by_gain = {shows[1]: one for shows, (_, one) in counts.examples.items() if shows[0] == GAIN}
    chosen: dict[str, dict] = {}
    if by_gain:
        n, seen = sum(counts.gains.values()), 0
        for gain, count in sorted(counts.gains.items()):
            seen += count
            if 2 * seen >= n:
                chosen["typical"] = by_gain[gain]
                break
        chosen["largest"] = by_gain[max(by_gain, key=lambda gain: (abs(gain), gain))]
        chosen["smallest"] = by_gain[min(by_gain, key=lambda gain: (abs(gain), gain))]
    for name in (SWALLOWED, LOST):
        if (name,) in counts.examples:
            chosen[name] = counts.examples[name,][1]
    found, places = [], set()
    for shows in ("typical", "largest", SWALLOWED, LOST, "smallest"):
        if shows in chosen:
            one = chosen[shows]
            place = (one["game"], one["round_no"], one["winner"])
            if place not in places:
                places.add(place)
                found.append({"shows": shows, **one})
    return found
