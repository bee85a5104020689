"""What every column of a result means, in the order in which CSV, JSON and `table()` hold them."""

from __future__ import annotations

from collections.abc import Mapping

Columns = Mapping[str, str]


def _bounds(of: str, prefix: str = "") -> Columns:
    return {
        f"{prefix}{side}{suffix}": f"{word} bound of {of}, {scope}."
        for suffix, scope in (("", "of this row alone"), ("_simultaneous", "of all rows of the table at once"))
        for side, word in (("low", "Lower"), ("high", "Upper"))
    }


_NAMES = {"kanji": "Kanji of the yaku.", "romaji": "Its name in Latin letters.", "english": "Its English name."}
_DEFF = "Design effect: how much wider games and players make the interval's variance than single wins would."
_FEW = "Fewer than 30 events."
_NEEDED = "Wins needed for bounds within 10% of the rate seen, players and games being like these; null without events."
_PUBLISHED = (
    "The same figure from a publication about the same kind of tables; null where there is none, or where a filter or "
    "a split is about more than whole games. The sources stand in the JSON and on the page."
)


def _statistic(kind: str, names: Columns, besides: Columns) -> Columns:
    return {
        "kind": kind,
        "key": "What of its kind: a yaku's id, a number of han, a limit.",
        **names,
        "label": "What stands beside the key: kanji and English, or words.",
        "unit": "Of the rate.",
        "n": "Numerator: wins, lines, tiles or points.",
        "N": "Denominator: wins, never rounds; those that can have it and of which the source tells.",
        "rate": "n / N.",
        **_bounds("the rate"),
        "deff": _DEFF,
        "too_few": _FEW,
        **besides,
        "published": _PUBLISHED,
    }


YAKU = _statistic(
    "`yaku`; `any` win with yakuhai and `lines` of yakuhai; `dora` as hands and `tiles` of dora; `riichi` and "
    "`riichi_tiles`: among wins in riichi.",
    _NAMES,
    {
        "n_open": "Of n, in open hands.",
        "n_closed": "Of n, in closed hands.",
        "n_dealer": "Of n, by dealers.",
    },
)
HAN = _statistic(
    "`han` 1 to 12, 13+, yakuman; `fu` 20 to 120+; `limit`, none below mangan; `at_least` mangan; `points` "
    "at_least_3900 …; `share` dealer, tsumo, riichi, open, dama; `mean` points.",
    {},
    {},
)
SWEEP = {
    "rules": "The ruleset, of candidates that are one; else null.",
    "yaku": "Id of the yaku; null for all that a ruleset changes.",
    **_NAMES,
    "option": "The option of the yaku that is set; null where the yaku stands as usual.",
    "value": "What the option, or the yaku, is at.",
    "n": "Wins whose best reading holds the yaku; of a ruleset, wins scored otherwise. Null where N is 0.",
    "N": "Wins under the same rules of which the source tells what the yaku asks for.",
    "per_10000": "10,000 n / N.",
    **_bounds("per_10000"),
    "per_100_games": "100 n over the games the wins come from.",
    "deff": _DEFF,
    "too_few": _FEW,
    "needed": _NEEDED,
    "mean_gain": "Points that the n wins gain, over n; honba and sticks apart.",
    "gain_low": "Lower bound of mean_gain, of this row alone.",
    "gain_high": "Upper bound of mean_gain, of this row alone.",
    "latent": "Rounds with a hand that would only now be a win; of what is paid without a win, rounds in which it is "
    "paid anew. Null where not looked for or not told.",
    "tempted": "Hands dealt that came to stand one tile from the pattern; null of what is no pattern.",
    "note": "Why there is no number, or what the row rests on.",
}
_CANDIDATE = {"candidate": "The change, as it is asked for."}
_ENDS = {
    "bust": "a seat below zero",
    "goal": "the first having the return points in the last round or later",
    "leading_dealer": "the dealer repeating and leading then",
    "limit": "the last round of the wind beyond the room's length",
}
_GAMES = {
    **_CANDIDATE,
    "n_games": "Games compared: complete, and at an end where the record ends, before and after.",
    "n_incomplete": "Games left out whose record does not reach the end.",
    "n_cut_before": "Games over before their last round, under the rules before.",
    "n_cut": "The same under the rules after.",
    **{f"n_cut_by_{end}": f"Of n_cut, ended by {word}." for end, word in _ENDS.items()},
    "n_open_before": "Games left out that would not have ended where they did, under the rules before.",
    "n_open": "The same under the rules after.",
    **{f"n_open_for_{end}": f"Of n_open, ended on record by {word}." for end, word in _ENDS.items()},
    "n_open_for_unknown": "Of n_open, ended on record by what is not known.",
    "n_flipped": "Games in which two seats finish in another order.",
    "flipped": "n_flipped / n_games.",
    **_bounds("flipped", "flipped_"),
    "too_few": "Fewer than 30 games flipped.",
    "n_first": "Games that another seat wins.",
    "rank_change": "Places moved, a seat's mean.",
    **_bounds("rank_change", "rank_"),
    "points_moved": "Points that change hands, per 100 games.",
    **_bounds("points_moved", "points_"),
    "results_moved": "Results that change hands, uma and oka included, in thousands per 100 games.",
    "sd_before": "Standard deviation of the seats' results, in thousands, before.",
    "sd_after": "The same after.",
}
_SHARES = {"open": "open hands", "dealer": "hands of the dealer", "tsumo": "self-draws"}
IMPACT: Mapping[str, Columns] = {
    "candidates": {
        **_CANDIDATE,
        "kind": "`adopt`, `drop`, `set`, `rules` or `together`.",
        "yaku": "Id of the yaku it is about; null of options, other keys and whole rulesets.",
        **_NAMES,
        "option": "The option of a yaku that is set.",
        "value": "What the yaku or the option is set to; of all together, the ids of the candidates.",
        "n": "Wins that hold the yaku; of what is about no single yaku, wins scored otherwise. Null if none shows it.",
        "N": "Wins under the same rules of which the source tells what the yaku asks for.",
        "rate": "n / N.",
        "per_10000": "10,000 n / N.",
        **_bounds("per_10000"),
        "deff": _DEFF,
        "too_few": _FEW,
        "needed": _NEEDED,
        "per_100_games": "100 n over the games the wins come from.",
        **_bounds("per_100_games", "games_"),
        **{f"share_{name}": f"Share of the n that are {word}." for name, word in _SHARES.items()},
        "median_turn": "Median turn of the n.",
        "n_han": "Wins before and after whose han differ.",
        "n_limit": "The same of the limit.",
        "n_points": "The same of the points.",
        "n_swallowed": "Wins whose han rose and whose points did not, a limit being reached already.",
        "n_lost": "Wins that are none after the change.",
        "n_only": "Of n_lost, those of which no yaku they held counts any more.",
        "n_gained": "Recorded wins that were none before the change.",
        "n_reading": "Of n, wins before and after whose best reading is another one.",
        "changed": "Of the wins that stand before or after, the share whose points differ; no win is worth nothing.",
        "changed_low": "Lower bound of changed, of this row alone.",
        "changed_high": "Upper bound of changed, of this row alone.",
        "gain": "Points after less points before, all wins together.",
        "wins": "Wins that stand before or after.",
        "gain_per_win": "gain / wins.",
        **_bounds("gain_per_win", "win_"),
        "gain_per_occurrence": "Points the n gain, over n.",
        **_bounds("gain_per_occurrence", "occurrence_"),
        "nearest_by_rate": "The standard yaku that is nearest in frequency.",
        "nearest_by_value": "The same among those of the same value.",
        "latent": "Rounds with a latent win: n of the table `latent`.",
        "note": "Why there is no number.",
    },
    "games": _GAMES,
    "latent": {
        **_CANDIDATE,
        "n": "Rounds with a hand that would be a win after the change and was none before.",
        "rounds": "Rounds looked at.",
        "games": "Games these are of.",
        "per_100_games": "100 n over the games.",
        **_bounds("per_100_games"),
        "too_few": _FEW,
        "n_ron": "Of n, by ron on a discard.",
        "n_tsumo": "Of n, by self-draw.",
        "n_chankan": "Of n, by robbing a kan.",
        "n_seats": "Hands, a seat's first of each round, instead of rounds.",
        "points": "Points of the n, honba and sticks apart.",
        "mean_points": "points / n.",
        "n_lower_bound": "Of n, whose points are a lower bound: ura or a yaku are not known.",
        "n_preempted": "Recorded wins that would not have come about.",
        "n_furiten": "Rounds without a latent win in which furiten alone stood in the way of one.",
        "n_disconnected": "Rounds and seats whose only latent wins fell to a seat that was not connected.",
        "n_tempted": "Hands dealt that came to stand one tile from the pattern; null of what is no pattern.",
        "hands": "Hands dealt.",
        "n_paid": "Rounds in which discards alone are paid; null of other candidates.",
        "n_paid_anew": "Of n_paid, those that were not paid before.",
        "note": "Why there is no number.",
    },
    "games_with_latent": _GAMES,
    "ladder": {
        **_CANDIDATE,
        "before": "Limit before, `none` below mangan, `no_win` of what was none.",
        "after": "Limit after.",
        "n": "Wins that went from one to the other.",
    },
    "crossings": {
        **_CANDIDATE,
        "limit": "A limit.",
        "n_up": "Wins that rise to it or above it.",
        "n_down": "Wins that fall below it.",
    },
    "gains": {**_CANDIDATE, "gain": "Points gained.", "n": "Of the n occurrences, those that gain so many."},
    "turns": {**_CANDIDATE, "turn": "Turn of the win.", "n": "Of the n occurrences, those won then."},
    "together": {
        **_CANDIDATE,
        "yaku": "Another yaku.",
        "n": "Of the n occurrences, those that hold it too.",
        "share": "The same as a share.",
        "lift": "That share over the share of the yaku among the N.",
    },
    "taken_over": {
        **_CANDIDATE,
        "yaku": "Another yaku.",
        "held": "`before` or `after`: when alone a win holds it.",
        "n": "Such wins.",
        "n_other_reading": "Of n, those that are read otherwise.",
    },
    "carried": {
        **_CANDIDATE,
        "yaku": "Another yaku that is worth something else under the new rules.",
        "n": "Wins without the yaku weighed that hold it.",
        "gain": "Points these gain.",
    },
    "balance": {
        **_CANDIDATE,
        "split": "What wins are split by.",
        "value": "True or false of it.",
        "wins": "Wins of this side.",
        "n": "Of these, occurrences.",
        "gain": "Points these wins gain.",
        "gain_per_win": "gain / wins.",
    },
    "peers": {
        "yaku": "Id of a standard yaku.",
        "kanji": _NAMES["kanji"],
        "english": _NAMES["english"],
        "value": "Its usual value.",
        "n": "Wins that hold it under the base.",
        "per_10000": "10,000 n over the wins under the base.",
        "mean_points": "Mean points of these wins.",
    },
}
RESULTS: Mapping[str, Mapping[str, Columns]] = {
    "yaku": {"": YAKU},
    "han": {"": HAN},
    "sweep": {"": SWEEP},
    "impact": IMPACT,
}
"""By command its tables by name; the only one of a command has none."""
