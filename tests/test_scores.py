"""Scores as tables: what stands in them, that they do not depend on how a store is cut or read, and lower bounds."""

import json
import shutil

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import PROJECT
from made_store import dies_at
from told import tables_of

from analytics.audit import audit, audit_part
from analytics.chances import chances_of_store
from analytics.corpus import ingest, map_parts
from analytics.metrics import yaku_frequency
from analytics.rescoring import RECORDED, Recorded, amended_rules, rescore, rescore_each
from analytics.scores import score, score_store, score_wins
from analytics.scoring.ruleset import RulesetError, base, catalog, ruleset
from parsers.compact import compact
from parsers.errors import StoreError
from parsers.schema import SCORES, TABLES, YAKU_SETS
from parsers.store import Store

SAMPLES = PROJECT / "data_samples"
KEYS = ["game", "round_no", "winner"]
MOON = """
[yaku.half_moon]
needs = ["tanyao"]
forbids = ["tsumo"]
value = 2
replaces = ["tanyao"]
[yaku.full_moon]
needs = ["pinfu"]
value = 3
replaces = ["half_moon"]
"""


@pytest.fixture(scope="module")
def rulesets(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "mine.toml"
    path.write_text(MOON, "utf-8")
    return [RECORDED, ruleset("seed_local"), ruleset("wrc_2022").assume_base(), ruleset(path)]


@pytest.fixture(scope="module")
def made(tables, rulesets):
    return score(tables, rulesets)


def under(made, at):
    """The scores under one of the rulesets, a row for each win."""
    n = len(made["scores"]["rules"].unique())
    return made["scores"].take(list(range(at, made["scores"].num_rows, n)))


def sets_of(yaku_sets):
    """What each set holds, by id."""
    found = {}
    for row in yaku_sets.to_pylist():
        found.setdefault(row.pop("yaku_set"), []).append(tuple(row.values()))
    return found


# What stands in them


def test_every_win_has_a_row_under_every_ruleset(tables, made, rulesets):
    assert made["scores"].schema.equals(SCORES)
    assert made["yaku_sets"].schema.equals(YAKU_SETS)
    n, names = tables["wins"].num_rows, ["recorded", "seed_local", "wrc_2022", "mine"]
    assert made["scores"].num_rows == n * len(rulesets)
    assert made["scores"]["rules"].to_pylist() == names * n
    for at in range(len(rulesets)):
        assert under(made, at).select(KEYS).equals(tables["wins"].select(KEYS))
    recorded = [_ruleset_of(tables, game) for game in tables["wins"]["game"].to_pylist()]
    ids = made["scores"]["ruleset"].to_pylist()
    assert ids == [id_ for played in recorded for id_ in (played, *names[1:])]
    hashes = {(id_, hash_) for id_, hash_ in zip(ids, made["scores"]["ruleset_hash"].to_pylist(), strict=True)}
    assert hashes >= {(rules.id, rules.hash) for rules in rulesets[1:]}
    assert len(hashes) == len(set(ids))


def _ruleset_of(tables, game):
    return tables["games"]["ruleset"][tables["games"]["game"].to_pylist().index(game)].as_py()


def test_under_the_recorded_rules_the_numbers_are_those_of_the_record(tables, made):
    scores, wins = under(made, 0), tables["wins"]
    assert set(scores["status"].to_pylist()) == {"ok"}
    assert not any(scores["is_lower_bound"].to_pylist())
    assert scores["points"].to_pylist() == wins["points"].to_pylist()
    ordinary = [row for row, han in enumerate(wins["han"].to_pylist()) if han is not None]
    for name in ("han", "fu"):
        assert scores[name].take(ordinary).to_pylist() == wins[name].take(ordinary).to_pylist()
    for seat in range(4):
        recorded = wins[f"delta_{seat}"].fill_null(0).to_pylist()
        assert scores[f"delta_{seat}"].to_pylist() == recorded
    limits = [None if limit == "none" else limit for limit in wins["limit"].to_pylist()]
    for mine, recorded in zip(scores["limit"].to_pylist(), limits, strict=True):
        assert mine == recorded or "yakuman" in mine  # the record knows no double ones


def test_the_yaku_of_a_win_are_those_of_its_set_at_their_worth(tables, made, rulesets):
    sets = sets_of(made["yaku_sets"])
    n = tables["wins"].num_rows
    for at, rescored in enumerate(rescore_each(tables, rulesets)):
        of = under(made, at)["yaku_set"].to_pylist()
        for row in range(n):
            held = sets.get(of[row], [])
            holding = {rescored.yaku[column] for column in np.flatnonzero(rescored.holds[row])}
            assert {yaku for yaku, *_ in held} == holding
            worth = rescored.worths(row)
            assert {yaku: (han, units) for yaku, han, units, _ in held} == {
                yaku: (one.han, one.units) for yaku, one in worth.items()
            }
            if not rescored.units[row] and rescored.base[row] and not rescored.scores[rescored.of[row]].by_floor[row]:
                assert sum(han for _, han, _, _ in held) + rescored.dora_han[row].sum() == rescored.han[row]
            if rescored.units[row]:
                assert sum(units for _, _, units, _ in held) == rescored.units[row]


def test_an_empty_set_has_no_row_and_a_limit_stands_only_where_it_decided():
    hand = {"hand": "567p34678s88p (234m)", "win": "5s"}
    tables = tables_of({"rounds": [{"wins": [{"winner": 1, "loser": 2, **hand}]}]})
    by_value = {}
    for value in ("off", "1", "mangan", "mangan+1", "only haneman", "least yakuman", "yakuman*2", "mangan+5"):
        found = score(tables, base().amend({"yaku.tanyao": value}))
        by_value[value] = [list(row.values())[1:] for row in found["yaku_sets"].to_pylist()]
        [row] = found["scores"].to_pylist()
        expected = {"off": "no_yaku"}.get(value, "ok")
        assert row["status"] == expected
        assert row["yakuman"] == {"least yakuman": 1, "yakuman*2": 2}.get(value, 0)
    assert by_value == {
        "off": [],
        "1": [["tanyao", 1, 0, None]],
        "mangan": [["tanyao", 0, 0, "mangan"]],
        "mangan+1": [["tanyao", 0, 0, "mangan"]],
        "only haneman": [["tanyao", 0, 0, "haneman"]],
        "least yakuman": [["tanyao", 0, 0, "yakuman"]],
        "yakuman*2": [["tanyao", 0, 2, None]],
        "mangan+5": [["tanyao", 5, 0, None]],
    }


def test_a_set_has_the_same_id_for_the_same_yaku_at_the_same_worth_wherever_it_occurs(tables, tmp_path):
    hand = {"hand": "234m567p34678s88p", "win": "5s"}
    other = {"hand": "234p567m34678m88s", "win": "5m"}
    told = [tables_of({"rounds": [{"wins": [{"winner": 1, "loser": 2, **one}]}]}) for one in (hand, other)]
    [[first], [second]] = ([row["yaku_set"] for row in score(one, "base")["scores"].to_pylist()] for one in told)
    assert first == second
    samples = score(tables, "tenhou_4p_aka")
    assert {("tanyao", 1, 0, None), ("pinfu", 1, 0, None)} == set(sets_of(samples["yaku_sets"]).get(first, [])) or (
        first not in sets_of(samples["yaku_sets"])
    )
    worth_more = score(told[0], base().amend({"yaku.pinfu": "2/off"}))["scores"]["yaku_set"].to_pylist()
    assert worth_more != [first]
    # The order in which a ruleset has its own yaku makes no other set.
    ids = set()
    for text in (MOON, "".join(f"[yaku{part}" for part in MOON.split("[yaku")[:0:-1])):
        (tmp_path / "mine.toml").write_text(text.replace('replaces = ["half_moon"]', ""), "utf-8")
        found = score(told[0], ruleset(tmp_path / "mine.toml"))
        assert {"half_moon", "full_moon"} <= set(found["yaku_sets"]["yaku"].to_pylist())
        ids |= set(found["scores"]["yaku_set"].to_pylist())
    assert len(ids) == 1


def test_a_win_of_a_run_that_needs_two_han_stands_under_the_ruleset_that_was_named():
    hand = {"hand": "567p34678s88p (234m)", "win": "5s"}
    tables = tables_of({"rounds": [{"wins": [{"winner": 0, "loser": 1, "run": run, **hand}]} for run in (0, 5)]})
    rules = base().amend({"yaku.paarenchan": "yakuman", "yaku.paarenchan.ryanhan_shibari": "dealer_after_fifth"})
    scores = score(tables, rules)["scores"]
    assert scores["status"].to_pylist() == ["ok", "no_yaku"]
    assert set(scores["ruleset"].to_pylist()) == {rules.id}
    assert set(scores["ruleset_hash"].to_pylist()) == {rules.hash}


# However they are made


def test_many_rulesets_at_once_are_the_same_as_one_at_a_time(tables, made, rulesets):
    alone = [score(tables, rules) for rules in rulesets]
    back = score(tables, rulesets[::-1])
    for at, one in enumerate(alone):
        assert under(made, at).equals(one["scores"])
        assert under(back, len(alone) - 1 - at).equals(one["scores"])
    sets = {}
    for one in alone:
        sets |= sets_of(one["yaku_sets"])
    assert sets == sets_of(made["yaku_sets"])
    assert back["yaku_sets"].equals(made["yaku_sets"])


def test_what_a_store_holds_equals_what_is_scored_in_memory_with_any_number_of_workers(tmp_path, tables, rulesets):
    ingest(SAMPLES, tmp_path / "store", batch=20)
    rulesets = [rulesets[0], rulesets[-1]]
    made = score(tables, rulesets)
    for workers in (1, 2):
        store = Store(tmp_path / "store")
        assert score_store(store, rulesets, workers=workers, again=True) == len(store.part_numbers()) > 2
        for part in store.parts():
            in_memory = score({name: part[name] for name in part}, rulesets)
            assert part["scores"].equals(in_memory["scores"])
        assert store.table("scores").equals(made["scores"])
        assert store.table("yaku_sets").equals(made["yaku_sets"])


# Of a store, its sets of yaku and what it gains later


@pytest.fixture
def grown(tmp_path):
    """A store of sample games with every table there is, grown by two parts that lack what commands make."""
    files = sorted(SAMPLES.glob("*.mjlog"))
    ingest(files[10:30], tmp_path / "store", walls=True)
    store = Store(tmp_path / "store")
    score_store(store, ["recorded", "seed_local"])
    chances_of_store(store)
    assert store.table_names() == list(TABLES)
    summary = ingest([*files[:10], *files[30:]], store, walls=True, batch=25)
    assert (summary.parts, summary.behind) == (2, ["chances", "scores"])
    return store


def joined(store):
    """What whoever reads the folders and joins by name has of each win."""
    scores, sets = (pd.read_parquet(store.path / name) for name in ("scores", "yaku_sets"))
    return scores.merge(sets, on="yaku_set", suffixes=("", "_of_yaku"))


def test_a_set_of_yaku_stands_once_in_a_store_of_several_parts_and_a_join_by_name_is_right(grown, tables):
    assert score_store(grown, ["recorded", "seed_local"]) == 2
    sets = grown.table("yaku_sets").to_pandas()
    assert not sets.duplicated(["yaku_set", "yaku"]).any()
    found = joined(grown).query("rules == 'recorded'")
    lines = tables["win_yaku"].to_pandas()
    lines = lines[~lines.yaku.isin(["dora", "ura_dora", "aka_dora"])]
    assert found.groupby("yaku").size().to_dict() == lines.groupby("yaku").size().to_dict()
    whole = found[(found.yakuman == 0) & (found.points > 0)]
    assert (whole.groupby(KEYS).han_of_yaku.sum() <= whole.groupby(KEYS).han.first()).all()


@pytest.mark.parametrize("is_completed", [True, False], ids=["completed before", "completed after"])
def test_a_store_that_grew_is_after_its_completion_and_compaction_as_if_made_at_once(grown, tmp_path, is_completed):
    rulesets = ["recorded", "seed_local"]
    once = Store.create(tmp_path / "at_once")
    ingest(SAMPLES, once, walls=True)
    score_store(once, rulesets)
    chances_of_store(once)
    if is_completed:
        assert (score_store(grown, rulesets), chances_of_store(grown)) == (2, 2)
    assert compact(grown)
    made = {"scores", "yaku_sets", "chances"}
    assert set(grown.table_names()) == {*TABLES} - (set() if is_completed else made)
    n = 0 if is_completed else 1
    assert (score_store(grown, rulesets), chances_of_store(grown)) == (n, n)
    for name in TABLES:
        assert grown.table(name).equals(once.table(name)), name
    assert len(list(grown.parts())) == 1


def test_scores_are_completed_where_they_lack_and_made_anew_where_anything_differs(grown, rulesets):
    asked = ["recorded", "seed_local"]
    untouched = (grown.path / "scores/part-00000000.parquet").stat().st_mtime_ns
    assert score_store(grown, asked, workers=2) == 2
    assert (grown.path / "scores/part-00000000.parquet").stat().st_mtime_ns == untouched
    assert score_store(grown, asked) == 0
    assert score_store(grown, asked, again=True) == 3
    assert ingest(SAMPLES, grown).behind == ["chances"]
    every = grown.table("scores"), grown.table("yaku_sets")
    for damage in ("scores/part-00000001.parquet", "yaku_sets/part-00000000.parquet"):
        (grown.path / damage).unlink()
        assert score_store(grown, asked) == (3 if "sets" in damage else 1)
        assert (grown.table("scores"), grown.table("yaku_sets")) == every
    (grown.path / "yaku_sets/part-00000000.parquet").write_bytes(b"no Parquet")
    with pytest.raises(StoreError, match=r"'koyaku score .*store --again' makes it anew$"):
        score_store(grown, asked)
    score_store(grown, asked, again=True)
    assert (grown.table("scores"), grown.table("yaku_sets")) == every
    assert score_store(grown, asked[::-1]) == 3
    assert score_store(grown, ["recorded", rulesets[-1].amend({"yaku.half_moon": 3})]) == 3
    assert score_store(grown, ["recorded", rulesets[-1]]) == 3
    assert not set(grown.table("yaku_sets")["yaku_set"].to_pylist()) - set(
        grown.table("scores")["yaku_set"].to_pylist()
    )


def test_at_any_moment_of_a_scoring_every_set_that_a_score_names_is_there(grown, tmp_path):
    for step in range(0, 60, 2):
        path = tmp_path / f"dies_{step}"
        shutil.copytree(grown.path, path)
        died = dies_at(step, lambda path=path: score_store(path, ["recorded", "tenhou_3p"]))
        store = Store(path)
        named = set(store.table("scores").filter(pc.field("points") > 0)["yaku_set"].to_pylist())
        assert named <= set(store.table("yaku_sets")["yaku_set"].to_pylist())
        if not died:
            break
    assert not died
    assert step > 10


# Rules are named once


def test_rulesets_that_come_to_the_same_for_a_game_are_told_apart_by_what_was_asked(tables):
    scores = score(tables, ["recorded", "tenhou_4p_aka"])["scores"].to_pandas()
    assert scores.groupby("rules").size().tolist() == [len(tables["wins"])] * 2
    assert not scores.duplicated([*KEYS, "rules"]).any()
    assert scores[scores.rules == "recorded"].ruleset.nunique() > 2


def test_a_ruleset_that_is_named_twice_is_refused(tables, tmp_path):
    for folder, text in (("one", MOON), ("two", MOON.replace("value = 2", "value = 4"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(text, "utf-8")
    one, two = tmp_path / "one/mine.toml", tmp_path / "two/mine.toml"
    for rulesets, message in [
        (["base", "base"], "^base is named twice$"),
        ([RECORDED, "seed_local", "recorded"], "^recorded is named twice$"),
        ([one, ruleset(one)], "^mine is named twice$"),
        ([one, two], "^two rulesets are called mine; give the file of one another name$"),
    ]:
        for function in (score, score_wins):
            with pytest.raises(RulesetError, match=message):
                function(tables, rulesets)
    with pytest.raises(RulesetError, match=r"^base is named twice$"):
        score_store(tmp_path / "none", ["base", "base"])


def test_scoring_again_stands_in_place_of_the_scores_before_and_changes_no_other_table(tmp_path, tables):
    ingest(SAMPLES, tmp_path / "store")
    before = {name: table for [part] in [Store(tmp_path / "store").parts()] for name, table in _all(part).items()}
    score_store(Store(tmp_path / "store"), ["base", "seed_local"])
    score_store(Store(tmp_path / "store"), "base")
    [part] = Store(tmp_path / "store").parts()
    assert set(part["scores"]["ruleset"].to_pylist()) == {"base"}
    for name, table in before.items():
        assert part[name].equals(table), name


def _all(part):
    return {name: part[name] for name in part if name not in ("scores", "yaku_sets")}


def test_wins_as_a_frame_have_their_yaku_as_a_list(tables, made, rulesets):
    frame = score_wins(tables, rulesets)
    assert list(frame.columns) == [{"yaku_set": "yaku"}.get(name, name) for name in SCORES.names]
    sets = sets_of(made["yaku_sets"])
    expected = [[yaku for yaku, *_ in sets.get(id_, [])] for id_ in made["scores"]["yaku_set"].to_pylist()]
    assert frame["yaku"].tolist() == expected
    pd.testing.assert_series_equal(frame["points"], made["scores"]["points"].to_pandas(), check_names=False)
    nothing = score_wins(tables, base().amend({f"yaku.{id_}": "off" for id_ in catalog()}))
    assert nothing["yaku"].tolist() == [[]] * len(nothing)
    assert not nothing["points"].any()


@pytest.fixture(scope="module")
def sources(tables, tmp_path_factory):
    """The sample games in every form that a function may be given."""
    split = tmp_path_factory.mktemp("sources") / "store"
    ingest(SAMPLES, split, batch=25)
    parts = list(Store(split).parts())
    logs = [str(path) for path in sorted(SAMPLES.iterdir())]
    return [tables, Store(split), split, str(split), str(SAMPLES), SAMPLES, logs, tuple(logs), parts, iter(parts)]


def test_functions_of_games_take_a_store_its_folder_logs_and_tables_alike(tables, sources):
    scores, audited = score_wins(tables, "base"), audit(tables)
    assert audited.wins > 300
    for source in sources[:-1]:
        pd.testing.assert_frame_equal(score_wins(source, "base"), scores)
        assert audit(source) == audited
        assert yaku_frequency(source).card.counted == audited.wins
    pd.testing.assert_frame_equal(score_wins(sources[-1], "base"), scores)


@pytest.mark.parametrize("function", [score, score_wins, audit, yaku_frequency])
def test_what_is_no_source_of_games_is_told_by_its_type(function):
    with pytest.raises(TypeError, match=r"^expected a store, paths, or tables as koyaku.read gives them; not int$"):
        function(5)


def test_a_function_of_tables_or_of_a_store_says_so():
    with pytest.raises(TypeError, match=r"^expected tables by name, as koyaku.read gives them; not str$"):
        rescore("store")
    with pytest.raises(TypeError, match=r"^expected a Store, as koyaku.opened gives one; not str$"):
        list(map_parts("store", len))


def test_a_part_without_wins_has_no_scores(rulesets):
    empty = score(tables_of({"rounds": [{"draw": "exhaustive"}]}), rulesets)
    assert (empty["scores"].num_rows, empty["yaku_sets"].num_rows) == (0, 0)
    assert len(score_wins(tables_of(), rulesets)) == 0


def test_rulesets_that_are_not_there_or_incomplete_are_refused(tables):
    for named, message in [
        ("tenhou", "no ruleset 'tenhou'"),
        (["base", "wrc_2025"], "wrc_2025: incomplete, no source tells limits.counted_yakuman, payment.liable_for"),
        ([], "no ruleset is named"),
    ]:
        with pytest.raises(RulesetError, match=message):
            score(tables, named)


# Changes of the rules that games were played under


def test_the_rules_of_recorded_games_can_be_changed_each_in_its_own(tables):
    changed = amended_rules("recorded", ["tsubame_gaeshi=3"], ["pinfu"], ["dora.aka=false"])
    assert isinstance(changed, Recorded)
    assert changed.id == str(changed) == "recorded + tsubame_gaeshi=3, pinfu=off, dora.aka=false"
    rescored = rescore(tables, changed)
    played = sorted(set(tables["games"]["ruleset"].to_pylist()))
    assert len(rescored.rulesets) == len(played) > 2
    for rules, id_ in zip(rescored.rulesets, played, strict=True):
        assert rules.id.startswith(f"{id_} + tsubame_gaeshi=3, pinfu=off")
        own = ruleset(id_)
        differs = {key for key in rules.values if rules[key] != own[key]}
        assert differs <= {"yaku.tsubame_gaeshi", "yaku.pinfu", "dora.aka"}
        assert rules.hash == own.amend({"yaku.tsubame_gaeshi": 3, "yaku.pinfu": "off", "dora.aka": False}).hash
        alone = rescore(tables, rules)
        rows = rescored.of == rescored.rulesets.index(rules)
        np.testing.assert_array_equal(rescored.points[rows], alone.points[rows])
    # A game whose ruleset carries the changes already is scored under the same.
    assert changed.of(rescored.rulesets[0].id).hash == rescored.rulesets[0].hash


def test_recorded_rules_without_changes_are_those_of_the_games_and_mistakes_are_said_at_once():
    assert amended_rules("recorded") == RECORDED
    assert RECORDED.id == "recorded"
    assert RECORDED.of("tenhou_3p") is ruleset("tenhou_3p")
    for changes in (
        {"adopt": ["tanyo"]},
        {"adopt": ["tanron"]},
        {"set_": ["round.kuikae=true"]},
        {"set_": ["dora.aka"]},
    ):
        with pytest.raises(RulesetError):
            amended_rules("recorded", **changes)


# What the record does not tell


def test_scores_are_lower_bounds_where_a_yaku_is_played_that_logs_do_not_record(tables):
    n = tables["wins"].num_rows
    for changes, is_bound in [
        ({}, False),
        ({"yaku.open_riichi": "2/off"}, True),
        ({"yaku.pon_riichi": "off/1"}, True),
        ({"yaku.open_riichi_deal_in": "least yakuman"}, True),
        ({"yaku.ishino_uenimo_sannen": "yakuman"}, False),
        ({"yaku.ishino_uenimo_sannen": "yakuman", "yaku.ishino_uenimo_sannen.open_double_riichi_counts": False}, True),
        ({"yaku.tsubame_gaeshi": 1, "yaku.paarenchan": "yakuman", "yaku.renkaihou": 2, "yaku.renhou": "mangan"}, False),
    ]:
        scores = score(tables, base().amend(changes))["scores"]
        assert scores["is_lower_bound"].to_pylist() == [is_bound] * n, changes
        if is_bound:  # scored as absent
            plain = score(tables, base())["scores"]
            assert scores["points"].equals(plain["points"])


def test_a_lower_bound_is_one_only_for_the_wins_whose_source_does_not_tell(tables):
    """Of two sources one tells of open riichi: a column that is null for the other's wins."""
    n = tables["wins"].num_rows
    told = [row % 2 == 0 for row in range(n)]
    closed = pc.equal(tables["wins"]["meld_1"].is_valid(), False).to_pylist()
    in_riichi = tables["circumstances"]["is_riichi"].to_pylist()
    values = [(riichi and not_called) if is_told else None
              for is_told, riichi, not_called in zip(told, in_riichi, closed, strict=True)]  # fmt: skip
    circumstances = tables["circumstances"]
    at = circumstances.column_names.index("is_open_riichi")
    circumstances = circumstances.set_column(at, circumstances.schema.field(at), pa.array(values, pa.bool_()))
    scores = score(tables | {"circumstances": circumstances}, base().amend({"yaku.open_riichi": "2/off"}))["scores"]
    assert scores["is_lower_bound"].to_pylist() == [not is_told for is_told in told]
    plain = score(tables, base())["scores"]["points"].to_numpy()
    more = scores["points"].to_numpy() > plain
    assert more.any()
    assert not more[[row for row in range(n) if not values[row]]].any()


# A ruleset's own yaku beyond the tables


def test_yaku_of_ones_own_are_audited_and_counted_like_others(tables, rulesets):
    mine = rulesets[-1]
    rescored = rescore(tables, mine)
    assert rescored.yaku[-2:] == ("half_moon", "full_moon")
    n = int(rescored.holds[:, -2][rescored.stands].sum())
    assert n > 10
    result = audit_part(tables, rules=mine)
    assert result.wins == tables["wins"].num_rows
    lines = [line for m in result.mismatches if m.field == "yaku" and m.computed != "no_yaku" for line in m.computed]
    assert ["half_moon", 2] in lines
    frame = yaku_frequency([tables], rules=mine).table().set_index("key")
    assert frame.loc["half_moon", "n"] == n
    assert frame.loc["half_moon", ["romaji", "english"]].tolist() == ["Half moon", "Half moon"]
    assert "half_moon" not in yaku_frequency([tables]).table()["key"].tolist()
    assert json.dumps(yaku_frequency([tables], rules=mine).as_dict(), default=str)
