"""Yaku frequency and han distribution on the sample logs, whose counts the table that played them has written down."""

import json
import pickle
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from analytics.corpus import ingest
from analytics.metrics import COLUMNS, han_distribution, yaku_frequency
from analytics.metrics.card import Card
from analytics.metrics.columns import StatisticsError, WinView
from analytics.metrics.han import HanMeasure
from analytics.metrics.published import publications, publications_for
from analytics.metrics.result import figure
from analytics.metrics.sums import Sums, Task
from analytics.metrics.where import Where, splits
from analytics.metrics.yaku import YakuMeasure
from analytics.scoring.ruleset import amended, catalog, ruleset, shipped
from parsers.store import Store

SAMPLES = Path(__file__).parents[1] / "data_samples"
EXPECTED = json.loads((Path(__file__).parent / "samples" / "expected.json").read_text())["total"]


@pytest.fixture(scope="module")
def view(tables) -> WinView:
    return WinView.of(tables)


@pytest.fixture(scope="module")
def frequency(store):
    return yaku_frequency(store)


@pytest.fixture(scope="module")
def distribution(store):
    return han_distribution(store)


def rows(result, kind: str) -> pd.DataFrame:
    table = result.table()
    return table[table["kind"] == kind].set_index("key")


def without(tables: dict[str, pa.Table], game: int) -> dict[str, pa.Table]:
    """The same part, one game's play being in the store already."""
    games = tables["games"]
    is_it = np.array([g == game for g in games["game"].to_pylist()])
    other = pa.array([1 if it else None for it in is_it], pa.int64())
    position = games.column_names.index("duplicate_of")
    return {**tables, "games": games.set_column(position, games.schema.field("duplicate_of"), other)}


# Counts


def test_each_yaku_is_counted_as_often_as_the_table_played_it(frequency):
    counted = {key: n for key, n in rows(frequency, "yaku")["n"].items() if n}
    assert counted == EXPECTED["yaku"]


def test_every_yaku_the_rulesets_play_has_a_row_seen_or_not(store):
    few = yaku_frequency(store, where="is_open and limit == 'baiman'")
    played = {id_ for id_, yaku in catalog().items() if yaku.kind == "hand" and ruleset("base").yaku_value(id_).is_on}
    assert set(rows(few, "yaku").index) == played
    unseen = rows(few, "yaku").loc["kokushi_musou"]
    assert unseen["n"] == unseen["low"] == 0 < unseen["high"] < 1


def test_dora_are_counted_as_hands_and_as_tiles(frequency):
    tiles, hands = rows(frequency, "tiles")["n"], rows(frequency, "dora")["n"]
    assert {**tiles} | {"dora": tiles["dora"] + tiles["kita"]} == EXPECTED["dora_han"] | {"kita": tiles["kita"]}
    assert (hands <= tiles[hands.index]).all()


def test_a_double_ron_is_two_wins(frequency):
    assert rows(frequency, "yaku").loc["riichi", "N"] == EXPECTED["wins"]


def test_red_fives_are_asked_only_of_wins_whose_ruleset_has_them(frequency):
    of_rules = frequency.card.rulesets
    with_red = sum(n for id_, n in of_rules.items() if ruleset(id_)["dora.aka"])
    assert rows(frequency, "tiles").loc["aka_dora", "N"] == with_red < EXPECTED["wins"]


def test_north_tiles_are_asked_only_of_three_players(store, frequency):
    three = yaku_frequency(store, where="players == 3")
    assert rows(frequency, "tiles").loc["kita", "N"] == three.card.counted
    assert "kita" not in rows(yaku_frequency(store, where="players == 4"), "tiles").index


def test_value_tiles_count_once_by_hand_and_each_by_line(frequency):
    lines = sum(n for key, n in EXPECTED["yaku"].items() if key.startswith("yakuhai"))
    assert rows(frequency, "lines").loc["yakuhai", "n"] == lines
    assert rows(frequency, "any").loc["yakuhai", "n"] < lines


def test_open_and_closed_hands_add_up_and_riichi_is_never_open(frequency):
    table = rows(frequency, "yaku")
    assert (table["n_open"] + table["n_closed"] == table["n"]).all()
    assert table.loc["riichi", "n_open"] == 0 < table.loc["riichi", "n_dealer"]


def test_han_and_limits_are_counted_as_the_table_paid_them(distribution):
    han = rows(distribution, "han")["n"]
    played = Counter({str(key): n for key, n in EXPECTED["han"].items()})
    assert {key: n for key, n in han.items() if n and key not in ("13+", "yakuman")} == {
        key: n for key, n in played.items() if int(key) < 13
    }
    assert han["13+"] == sum(n for key, n in played.items() if int(key) >= 13)
    assert han["yakuman"] == EXPECTED["yakuman"]
    limits = rows(distribution, "limit")["n"]
    above = ["counted_yakuman", "yakuman", "double_yakuman", "triple_yakuman"]
    folded = {**{key: limits[key] for key in EXPECTED["limits"] if key != "yakuman"}, "yakuman": limits[above].sum()}
    assert folded == EXPECTED["limits"]


def test_points_are_the_sum_the_table_paid(distribution):
    mean = rows(distribution, "mean").loc["points"]
    assert mean["n"] == EXPECTED["points"]
    assert mean["rate"] == pytest.approx(EXPECTED["points"] / EXPECTED["wins"])
    assert mean["low"] < mean["rate"] < mean["high"]


def test_fu_are_of_hands_of_at_most_four_han(distribution):
    fu = rows(distribution, "fu")
    n_low = sum(n for key, n in EXPECTED["han"].items() if int(key) <= 4)
    assert fu["n"].sum() == n_low
    assert set(fu["N"]) == {n_low}


def test_shares_of_han_fu_and_limits_are_whole(distribution):
    for kind in ("han", "fu", "limit"):
        assert rows(distribution, kind)["rate"].sum() == pytest.approx(1)


def test_splits_add_up_to_all_wins(distribution):
    splits = distribution.splits()
    for _, one in splits.groupby("split"):
        assert set(one["value"]) == {True, False}
        assert one[one["key"] == "mangan"].groupby("kind")["n"].sum().to_dict() == {
            "limit": rows(distribution, "limit").loc["mangan", "n"],
            "at_least": rows(distribution, "at_least").loc["mangan", "n"],
        }


# Rulesets


def test_under_another_ruleset_wins_without_a_yaku_are_no_wins(store):
    without_riichi = ruleset("tenhou_4p_aka").amend({"yaku.riichi": "off"})
    result = yaku_frequency(store, rules=without_riichi)
    assert result.card.no_wins > 0
    assert result.card.counted + result.card.no_wins == EXPECTED["wins"]
    assert "riichi" not in rows(result, "yaku").index
    assert [r.id for r in result.rulesets] == ["tenhou_4p_aka + riichi=off"]


def test_the_headline_says_how_many_wins_are_none_under_the_rules(store):
    rules = ruleset("tenhou_4p_aka").amend({"yaku.riichi": "off"})
    for where in (None, "players == 4"):
        card = (result := yaku_frequency(store, rules=rules, where=where)).card
        kept = f" where {where}" if where else ""
        assert result.headline().startswith(f"{card.counted} of {card.wins - card.filtered} wins{kept} by ")
        assert result.headline().endswith(f"; tenhou_4p_aka + riichi=off, under which {card.no_wins} are none")
    assert 0 < card.no_wins < card.counted < card.counted + card.no_wins < card.wins
    one_player = Card(games=1, wins=1, counted=1, players={"x"}, counted_games=1)
    assert one_player.headline(None) == "1 win by 1 player in 1 game"
    assert Card(games=3, wins=9, counted=2, filtered=7, players={"x"}, counted_games=2).headline("honba == 0") == (
        "2 wins where honba == 0 by 1 player in 2 of 3 games"
    )
    assert Card(no_wins=1).under("base") == "base, under which 1 is none"


def test_rules_for_another_number_of_players_are_noted(store, view):
    three, four = (view.column("players").to_pylist().count(players) for players in (3, 4))
    for statistic in (yaku_frequency, han_distribution):
        result = statistic(store, rules=amended("mahjong_soul_4p", assume="base"))
        note = f"{three} wins of three-player games are scored under mahjong_soul_4p, a ruleset for four"
        assert result.notes == result.as_dict()["notes"] == [note]
        assert f"\nnote: {note}\n" in result.text()
        assert statistic(store, rules="tenhou_3p", where="players == 3").notes == []
        assert statistic(store).notes == []
    assert yaku_frequency(store, rules="tenhou_3p").notes == [
        f"{four} wins of four-player games are scored under tenhou_3p, a ruleset for three"
    ]


def test_with_head_bump_a_double_ron_is_one_win(store):
    result = yaku_frequency(store, rules=ruleset("tenhou_4p_aka").amend({"payment.multiple_ron": "head_bump"}))
    assert result.card.no_wins == EXPECTED["double_rons"]


@pytest.mark.parametrize("id_", shipped())
def test_every_shipped_ruleset_has_statistics(tables, id_):
    rules = amended(id_, assume="base")
    assert yaku_frequency([tables], rules=rules).card.rulesets.keys() == {rules.id}


def test_a_yaku_that_no_source_records_has_no_rate_and_is_named(tables, store):
    with_open = yaku_frequency([tables], rules=ruleset("base").amend({"yaku.open_riichi": 2, "yaku.tsubame_gaeshi": 1}))
    keys_told = with_open.table()["key"].tolist()
    assert "open_riichi" not in keys_told
    assert "tsubame_gaeshi" in keys_told
    assert with_open.definitions["not recorded"] == "Open riichi オープンリーチ: not recorded by these sources."
    assert "\nnot recorded: Open riichi オープンリーチ: not recorded by these sources.\n" in with_open.text()
    assert "not recorded" not in yaku_frequency(store).definitions


def test_wins_whose_source_does_not_tell_of_a_yaku_are_no_part_of_its_rate(tables):
    n = tables["wins"].num_rows
    told = [row % 3 == 0 for row in range(n)]
    in_riichi = tables["circumstances"]["is_riichi"].to_pylist()
    values = [riichi if is_told else None for is_told, riichi in zip(told, in_riichi, strict=True)]
    circumstances = tables["circumstances"]
    at = circumstances.column_names.index("is_open_riichi")
    circumstances = circumstances.set_column(at, circumstances.schema.field(at), pa.array(values, pa.bool_()))
    rules = ruleset("base").amend({"yaku.open_riichi": 2})
    rows = yaku_frequency([tables | {"circumstances": circumstances}], rules=rules).table().set_index("key")
    assert (rows.loc["open_riichi", "n"], rows.loc["open_riichi", "N"]) == (sum(v is True for v in values), sum(told))
    assert rows.loc["tanyao", "N"] == n


# Parts, workers, duplicates


@pytest.fixture(scope="module")
def split(tmp_path_factory) -> Store:
    """The sample games in several parts."""
    path = tmp_path_factory.mktemp("split") / "store"
    ingest(SAMPLES, path, batch=13)
    return Store(path)


def test_results_do_not_depend_on_how_games_are_spread_over_parts(split, store, frequency, distribution):
    backwards = list(split.parts())[::-1]
    assert len(backwards) >= 4
    many = yaku_frequency(backwards)
    pd.testing.assert_frame_equal(many.table(), frequency.table(), check_exact=True)
    assert many.card.as_dict() == frequency.card.as_dict()
    by_player = [yaku_frequency(parts, by="player").table() for parts in (backwards, store)]
    pd.testing.assert_frame_equal(*by_player, check_exact=True)
    many = han_distribution(split)
    pd.testing.assert_frame_equal(many.table(), distribution.table(), check_exact=True)
    pd.testing.assert_frame_equal(many.splits(), distribution.splits(), check_exact=True)


@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_workers(split, frequency):
    pd.testing.assert_frame_equal(yaku_frequency(split, workers=2).table(), frequency.table(), check_exact=True)


def test_other_records_of_the_same_play_are_left_out_and_counted(tables, frequency):
    game = tables["wins"]["game"][0].as_py()
    n_wins = tables["wins"]["game"].to_pylist().count(game)
    result = yaku_frequency([without(tables, game)])
    assert (result.card.duplicates, result.card.duplicate_wins) == (1, n_wins)
    assert result.card.counted == frequency.card.counted - n_wins
    assert result.card.games == frequency.card.games - 1
    assert result.card.games_hash != frequency.card.games_hash


def test_the_design_effect_is_that_of_sums_made_win_by_win(view, frequency):
    wins = pd.DataFrame({"player": view.column("player").to_pylist(), "game": view.game})
    measure = YakuMeasure()
    position = [s.key for s in measure.statistics].index("pinfu")
    wins["pinfu"] = measure.count(view).values[:, position]
    effects = []
    for cluster in ("player", "game"):
        by = wins.groupby(cluster)["pinfu"].agg(["sum", "count"])
        rate, size = wins["pinfu"].mean(), by["count"]
        n_clusters = size.sum() ** 2 / (size**2).sum()
        variance = n_clusters / (n_clusters - 1) * ((by["sum"] - rate * size) ** 2).sum() / size.sum() ** 2
        effects.append(variance * size.sum() / (rate * (1 - rate)))
    assert rows(frequency, "yaku").loc["pinfu", "deff"] == pytest.approx(max(1, *effects))


def test_players_without_a_name_are_each_their_own(tables):
    seats = tables["seats"]
    hidden = seats.set_column(
        seats.column_names.index("player"), seats.schema.field("player"), pa.array(["NoName"] * len(seats))
    )
    task = Task([(HanMeasure(), ())])
    sums = task({**tables, "seats": hidden}).sums[0]
    assert not any(sums.players.values())
    key = next(iter(sums.nameless))
    assert sums.nameless[key].clusters[0] > sums.by_game[key].clusters[0]


def test_an_empty_store_has_no_rows_and_no_wins(tables):
    nothing = {name: table.slice(0, 0) for name, table in tables.items()}
    result = yaku_frequency([nothing])
    assert result.table().empty
    assert (result.card.counted, result.card.as_of) == (0, None)
    assert han_distribution([]).table().empty
    given = yaku_frequency([nothing], rules="tenhou_4p_aka").table()
    assert given["N"].eq(0).all()
    assert given["rate"].isna().all()


def test_a_task_with_a_ruleset_travels_to_other_processes():
    amended = ruleset("tenhou_4p_aka").amend({"yaku.tanyao.open": False})
    task = Task([(YakuMeasure(), splits(["length", "turn <= 6"]))], amended, Where("players == 4"))
    arrived = pickle.loads(pickle.dumps(task))
    assert arrived.rules == amended
    assert arrived.rules.hash == amended.hash
    assert arrived.where.text == "players == 4"
    assert [split.name for split in arrived.measures[0][1]] == ["length", "turn <= 6"]


# Filters


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("is_riichi", lambda w: w["is_riichi"]),
        ("not is_riichi and is_tsumo", lambda w: ~w["is_riichi"] & w["is_tsumo"]),
        ("players == 4 and length == 'east'", lambda w: (w["players"] == 4) & (w["length"] == "east")),
        ("limit in ('haneman', 'baiman')", lambda w: w["limit"].isin(["haneman", "baiman"])),
        ("limit not in ['none']", lambda w: w["limit"] != "none"),
        ("1000 < points <= 3900 or han >= 6", lambda w: w["points"].between(1001, 3900) | (w["han"] >= 6)),
        ("seat_wind == round_wind", lambda w: w["seat_wind"] == w["round_wind"]),
        ("year == 2024 and month >= '2024-06'", lambda w: (w["year"] == 2024) & (w["month"] >= "2024-06")),
        ("is_open == False", lambda w: ~w["is_open"]),
        ("rating > 1500.5", lambda w: w["rating"] > 1500.5),
        ("-1 < honba", lambda w: w["honba"] > -1),
    ],
)
def test_a_filter_keeps_what_pandas_keeps(view, where, kept):
    wins = pd.DataFrame({name: view.column(name).to_pylist() for name in COLUMNS})
    assert Where(where).rows(view).tolist() == kept(wins).tolist()


def test_what_is_not_recorded_passes_neither_a_filter_nor_its_opposite(tables):
    games = tables["games"]
    unknown = games.set_column(games.column_names.index("room"), "room", pa.nulls(len(games), pa.string()))
    view = WinView.of({**tables, "games": unknown})
    assert not Where("room == 'houou'").rows(view).any()
    assert not Where("not room == 'houou'").rows(view).any()


def test_a_winner_is_rated_higher_than_the_mean_of_the_others_or_that_is_not_known(tables):
    seats = tables["seats"].to_pandas()
    seats["rating"] = (1500 + np.arange(len(seats)) * 37 % 400).astype(np.float32)
    seats.loc[seats.index[5], "rating"] = None
    place = tables["seats"].column_names.index("rating")
    rated = tables["seats"].set_column(place, "rating", pa.array(seats["rating"], pa.float32(), from_pandas=True))
    found = WinView.of({**tables, "seats": rated}).column("is_rated_higher").to_pylist()
    by_game = dict(list(seats.groupby("game")))
    expected = []
    for win in tables["wins"].to_pylist():
        its = by_game[win["game"]].set_index("seat")["rating"]
        own, others = its[win["winner"]], its.drop(win["winner"])
        expected.append(None if its.isna().any() else bool(own > others.mean()))
    assert found == expected
    assert {True, False, None} == set(found)


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("turn <= 6", lambda w: w["turn"] <= 6),
        ("player == '{player}'", lambda w: w["player"] == w["player"][0]),
        ("not is_open and players == 4", lambda w: ~w["is_open"] & (w["players"] == 4)),
        ("is_rated_higher or grade > 99", lambda w: w["is_rated_higher"]),
    ],
)
def test_wins_are_split_by_a_condition_into_those_it_is_true_of_and_the_others(store, view, condition, value):
    wins = pd.DataFrame({name: view.column(name).to_pylist() for name in COLUMNS})
    condition = condition.format(player=wins["player"][0])
    expected = Counter(None if pd.isna(one) else bool(one) for one in value(wins))
    for statistic in (yaku_frequency, han_distribution):
        result = statistic(store, by=[condition])
        assert result.by == (condition,)
        table = result.table()
        first = table.drop_duplicates(condition)
        groups = [None if pd.isna(flag) else flag for flag in first[condition]]
        assert dict(zip(groups, first["N"], strict=True)) == expected
        for flag, where in ((True, condition), (False, f"not ({condition})")):
            alone = statistic(store, where=where).table()
            if expected[flag]:
                group = table[table[condition] == flag]
                for column in ("n", "low", "high", "deff"):
                    one, other = (f[f["N"] > 0].set_index(["kind", "key"])[column].to_dict() for f in (group, alone))
                    assert one == other


def test_what_a_condition_compares_and_is_not_recorded_is_a_group_of_its_own(tables):
    games = tables["games"]
    known = [row % 2 == 0 for row in range(len(games))]
    rooms = pa.array(["houou" if is_known else None for is_known in known], pa.string())
    told = {**tables, "games": games.set_column(games.column_names.index("room"), "room", rooms)}
    wins = WinView.of(told).game
    first = yaku_frequency(told, by="room == 'x'").table().drop_duplicates("room == 'x'")
    assert first["room == 'x'"].tolist() == [False, None]
    assert first["N"].tolist() == [sum(known[game] for game in wins), sum(not known[game] for game in wins)]
    assert yaku_frequency(told, by="room == 'x'").notes == ["room: no win has 'x'; known: houou"]
    assert "\n-            riichi " in yaku_frequency(told, by="room == 'x'").text()


def test_a_filter_that_no_win_passes_is_told_in_place_of_a_table(store, view):
    name = view.column("player")[0].as_py()
    card = yaku_frequency(store).card
    result = yaku_frequency(store, where=f"player == '{name}x'", by="player")
    assert result.text() == (
        f"no win where player == '{name}x' among {card.wins} wins in {card.games} games; recorded\n"
        f"note: player: no win has '{name}x'; nearest: '{name}'"
    )
    assert yaku_frequency(store, where="room == 'x'").notes == [
        "room: no win has 'x'; known: houou, houou_fast, ippan, ippan_fast, joukyuu"
    ]
    assert len(yaku_frequency(store, where="room not in ('x', 'houou', 'y') or 'z' != room").notes) == 3
    assert yaku_frequency(store, where="month >= '2024'").notes == []
    for where in ("player == 'x'", "players == 3 and players == 4"):
        assert han_distribution(store, where=where).text().startswith(f"no win where {where} among ")


def test_a_filter_reaches_the_counts_and_the_card(store, view):
    result = yaku_frequency(store, where="is_riichi")
    n = int(np.sum(view.column("is_riichi").to_pylist()))
    assert (result.card.counted, result.card.filtered) == (n, EXPECTED["wins"] - n)
    assert rows(result, "yaku").loc["tanyao", "N"] == n


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("playres == 4", "where: no column 'playres'; nearest: 'players'"),
        ("player == 4", "where: player is a word, compared with 4"),
        ("4 == player", "where: player is a word, compared with 4"),
        ("length == 'easst'", "where: length is never 'easst'; nearest: 'east'"),
        ("players", "where: players is a number; compare it with a value"),
        ("is_riichi > 1", "where: is_riichi is a flag, compared with 1"),
        ("players == 4 & is_riichi", "where: 4 & is_riichi is not understood"),
        ("is_open & is_riichi", "where: write 'and', 'or', 'not' instead of &, |, ~"),
        ("is_open is True", "where: 'is' is not understood; write =="),
        ("room in 'houou'", "where: 'houou' is no list; write ('houou',)"),
        ("players ==", "where: 'players ==' is not understood"),
        ("players == 4; import os", "is not understood"),
        ("__import__('os').system('true')", "is not understood"),
        ("@players == 4", "is not understood"),
        ("player.upper() == 'X'", "is not understood"),
        ("[x for x in (1,)] == 4", "is not understood"),
        ("han == 10 ** 10 ** 10", "is not understood"),
        ("(lambda: is_open)()", "is not understood"),
        ("f'{player}' == 'x'", "is not understood"),
        ("(" * 900 + "is_open" + ")" * 900, "is not understood"),
        ("not " * 480 + "is_open", None),
        ("han == " + "9" * 400, "is too large a number"),
        ("player == '" + "x" * 3000 + "'", "where: longer than 2000 characters"),
    ],
)
def test_a_filter_that_cannot_be_is_one_clear_line(where, message):
    if message is None:
        Where(where)
        return
    with pytest.raises(StatisticsError) as caught:
        Where(where)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# Splits


def test_groups_of_a_split_add_up(store, frequency):
    split = yaku_frequency(store, by=["length", "dealer"])
    assert list(split.table().columns[:2]) == ["length", "is_dealer"]
    both = split.table()[split.table()["kind"] == "yaku"].groupby("key")["n"].sum()
    assert both.to_dict() == rows(frequency, "yaku")["n"].to_dict()


def test_a_split_by_player_takes_games_as_clusters(store):
    split = han_distribution(store, by="player")
    means = split.table()[split.table()["kind"] == "mean"]
    assert means["player"].is_monotonic_increasing
    assert means["high"].notna().sum() > len(means) / 2


def test_a_split_by_what_is_not_recorded_has_a_group_for_it_that_comes_last(tables):
    games = tables["games"]
    start = games["start_time"].to_pylist()
    unknown = games.set_column(
        games.column_names.index("start_time"),
        games.schema.field("start_time"),
        pa.array([None, *start[1:]], pa.timestamp("s")),
    )
    table = yaku_frequency([{**tables, "games": unknown}], by="year").table()
    assert table["year"].unique()[0] == 2024
    assert pd.isna(table["year"].unique()[-1])


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("dealr", "by: no column 'dealr'; nearest: "),
        (["dealer", "is_dealer"], "by: 'is_dealer' is given twice"),
        ("xyzzy", "by: no column 'xyzzy'; known: players, "),
    ],
)
def test_a_split_that_cannot_be_is_one_clear_line(tables, by, message):
    with pytest.raises(StatisticsError) as caught:
        yaku_frequency([tables], by=by)
    assert str(caught.value).startswith(message)


def test_every_column_can_be_split_by(view):
    sums = Task([(HanMeasure(), splits(name)) for name in COLUMNS]).of_view(view).sums
    for name, split in zip(COLUMNS, sums, strict=True):
        found = sum(tables.total() for tables in split.tables.values())
        assert (name, found) == (name, EXPECTED["wins"])
        assert split.groups == sorted(split.groups)


# The table


def test_intervals_of_all_rows_at_once_contain_those_of_each_row(frequency):
    table = frequency.table().dropna(subset="low")
    assert (table["low_simultaneous"] <= table["low"]).all()
    assert (table["high_simultaneous"] >= table["high"]).all()


def test_fewer_than_thirty_events_are_marked(frequency):
    table = rows(frequency, "yaku")
    assert table["too_few"].to_dict() == {key: EXPECTED["yaku"].get(key, 0) < 30 for key in table.index}
    assert 0 < table["too_few"].sum() < len(table)


def test_a_result_is_plain_json(frequency, distribution):
    for result in (frequency, distribution):
        plain = json.loads(json.dumps(result.as_dict(), allow_nan=False))
        assert len(plain["rows"]) == len(result.table())
        assert plain["card"]["wins"] == EXPECTED["wins"]


def test_the_text_of_a_result_has_a_headline_and_a_line_a_row(frequency):
    lines = frequency.text().split("\n")
    names = {tuple(re.split(r" {2,}", line)[:2]) for line in lines}
    assert {("riichi", "立直 (Ready)"), ("pinfu", "平和 (No-points hand)")} <= names
    assert ("yakuhai", "役牌 (any value tiles)") in names
    assert {("ura_dora", "裏ドラ (of riichi wins)"), ("aka_dora", "赤ドラ (red fives, tiles)")} <= names
    assert lines[0].startswith(f"{EXPECTED['wins']} wins by ")
    assert sum("riichi" in line for line in lines) >= 2


def test_a_table_is_ones_own_to_change(frequency):
    table = frequency.table()
    table.loc[0, "n"] = -1
    assert frequency.table().loc[0, "n"] >= 0


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.99, "share of wins", "99.0%"),
        (1.2e-06, "share of wins", "0.00012%"),
        (9.9e-07, "share of wins", "<0.0001%"),
        (2.14e-118, "share of wins", "<0.0001%"),
        (0.5637, "tiles per win", "0.5637"),
    ],
)
def test_numbers_are_shown_to_the_digits_they_deserve(value, unit, shown):
    assert figure(value, unit) == shown


# Published figures

HOUOU = (4, "east", "tenhou_4p_aka", "houou_fast")


def test_published_figures_stand_beside_the_same_kind_of_tables_only():
    assert [p.id for p in publications_for(Counter({HOUOU: 5}), ["year", "length"])] == ["houou_tonpu"]
    assert publications_for(Counter({HOUOU: 5, (4, "east", "tenhou_4p_aka", "ippan"): 1}), []) == []
    assert publications_for(Counter({HOUOU: 5}), ["is_open"]) == []
    assert publications_for(Counter(), []) == []


def test_published_figures_name_rows_that_exist():
    keys = {(s.kind, s.key) for measure in (YakuMeasure(), HanMeasure()) for s in measure.statistics}
    for published in publications():
        assert set(published.figures) <= keys
        assert all(0 <= value <= 1 for key, value in published.figures.items() if key[0] != "mean")


def test_split_by_length_each_group_has_its_own_published_figures(store):
    where = "room in ('houou', 'houou_fast') and ruleset == 'tenhou_4p_aka'"
    result = yaku_frequency(store, where=where, by="length")
    riichi = result.table()[result.table()["key"] == "riichi"].set_index("length")["published"]
    assert riichi.to_dict() == {"east": 0.344889, "south": 0.384015}


# Real logs


def test_a_houou_sample_keeps_the_laws_of_counting_and_nears_what_is_published(shared):
    folder = shared / "logs" / "mjlog" / "houou2023"
    if not folder.is_dir():
        pytest.skip("no houou2023 in the shared data")
    files = [(path.name, path.read_bytes()) for path in sorted(folder.iterdir())[:600]]
    from analytics.circumstances import circumstances
    from parsers.tenhou_xml import read

    tables = read(files)
    tables["circumstances"] = circumstances(tables)
    frequency, distribution = yaku_frequency([tables]), han_distribution([tables])
    share, yaku = rows(distribution, "share"), rows(frequency, "yaku")
    assert share.loc[["riichi", "open", "dama"], "n"].sum() == frequency.card.counted
    recorded = Counter(tables["win_yaku"]["yaku"].to_pylist())
    assert {key: recorded.get(key, 0) for key in yaku.index} == yaku["n"].to_dict()
    dragons = yaku.loc[["yakuhai_haku", "yakuhai_hatsu", "yakuhai_chun"]]
    assert dragons["low"].max() < dragons["high"].min()
    near = yaku[(yaku["published"] - yaku["rate"]).abs() <= 0.05]
    assert len(near) == len(yaku)
    settled = yaku.drop(index=["riichi", "ippatsu", "menzen_tsumo", "pinfu", "tanyao"])
    inside = (settled["low_simultaneous"] <= settled["published"]) & (
        settled["published"] <= settled["high_simultaneous"]
    )
    assert inside.all()


def test_cards_add_up():
    a = Card(games=2, players={"x"}, rejects=Counter({"cut": 1}), game_ids=[np.array([5, 1])])
    b = Card(games=1, players={"x", "y"}, rejects=Counter({"cut": 2}), game_ids=[np.array([3])])
    one, other = Card(), Card()
    for card in (a, b):
        one += card
    for card in (b, a):
        other += card
    assert one.as_dict() == other.as_dict()
    assert one.as_dict()["players"] == 2
    assert one.rejects == {"cut": 3}


def test_sums_of_nothing_have_no_groups():
    assert Sums(HanMeasure(), ()).groups == []
