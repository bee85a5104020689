"""Sweep: candidates scored where they can differ are those scored whole; what a row says, and what it leaves open."""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import PROJECT
from told import tables_of

from analytics.corpus import ingest
from analytics.impact import ImpactError, each_local, rule_impact
from analytics.impact.candidates import candidates_of, each_drawn, other_values, within
from analytics.metrics import yaku_frequency
from analytics.rescoring import Recorded, rescore, rescore_each
from analytics.scoring.hands import from_tables
from analytics.scoring.patterns import differing_keys, may_differ, play
from analytics.scoring.ruleset import RulesetError, amended, base, catalog, keys, ruleset
from analytics.scoring.score import facts_of, score
from analytics.sweep import NO_WIN, NOT_RECORDED, sweep
from parsers.store import Store

SAMPLES = PROJECT / "data_samples"


@pytest.fixture(scope="module")
def swept(store):
    return sweep(store, each_local=True)


@pytest.fixture(scope="module")
def facts(tables):
    return facts_of(from_tables(tables["wins"], tables["circumstances"]))


def by_id(result) -> dict:
    return {(r["yaku"], r["option"], r["value"]): r for r in result.table().to_dict("records")}


def local(base_, yaku: str) -> list:
    """The candidates of one local yaku."""
    return [one for one in each_local(base_) if one.yaku == yaku]


# What is scored again


@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.slow)])
def test_a_candidate_scored_where_it_can_differ_is_the_candidate_scored_whole(tables, step):
    """Local yaku and options, in the slow test every one, against base and what was played, number by number."""
    for base_ in ("recorded", "base"):
        found = by_id(sweep(tables, base=base_, each_local=True))
        candidates = each_local(base_)[::step]
        before, *scored = rescore_each(tables, [base_, *(one.rules for one in candidates)])
        for one, after in zip(candidates, scored, strict=True):
            row = found[one.yaku, one.option, one.value]
            if row["n"] is None:
                assert not row["N"]
                continue
            holds = after.holds[:, after.yaku.index(one.yaku)] & after.stands
            gain = (after.points * after.stands - before.points * before.stands)[holds].sum()
            assert row["n"] == holds.sum(), one.id
            assert row["N"] == after.stands.sum(), one.id
            if row["n"]:
                assert row["mean_gain"] == pytest.approx(gain / holds.sum()), one.id


@pytest.mark.parametrize(
    "changes",
    [
        {"yaku.pinfu": "off"},
        {"yaku.pinfu.tsumo_pinfu": False},
        {"yaku.riichi": "off", "yaku.tanyao": "2"},
        {"yaku.shoutate": "2"},
        {"yaku.chiitoitsu": "3/off"},
        {"yaku.suuankou": "yakuman*2"},
        {"yaku.kinkei_dokuritsu": "mangan+1", "yaku.kinkei_dokuritsu.scoring": "four_han_total"},
        {"limits.kiriage_mangan": True},
        {"payment.tsumo_loss": False},
        {"dora.aka": False},
    ],
    ids=lambda changes: " ".join(changes),
)
def test_where_rulesets_cannot_differ_they_do_not(facts, changes):
    one, other = base(), base().amend(changes)
    left = ~may_differ(facts.patterns, one, other)
    before, after = play(facts.patterns, one), play(facts.patterns, other)
    for name in ("han", "minimum", "units", "floor", "is_fixed", "is_complete"):
        assert (getattr(before, name)[before.row] == getattr(after, name)[after.row])[left].all(), name
    touched = np.zeros(len(facts.hands), bool)
    touched[facts.hands_with(~left)] = True
    first, second = score(facts, [one, other])
    assert (first.key == second.key)[~touched].all()
    assert (first.points == second.points)[~touched].all()


def test_facts_of_some_hands_are_scored_as_among_all(facts):
    rows_ = np.flatnonzero(np.arange(len(facts.hands)) % 5 == 2)
    for id_ in ("base", "yakuza_series"):
        rules = ruleset(id_).assume_base()
        [whole], [part] = score(facts, [rules]), score(facts.only(rows_), [rules])
        for name in ("status", "base", "han", "fu", "units", "points", "holds", "dora_han", "is_lower_bound"):
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[rows_], err_msg=name)
    assert len(facts.only(np.zeros(0, np.int64)).hand) == 0


def test_rulesets_differ_in_the_keys_they_do_not_share():
    assert differing_keys(base(), base().amend({"yaku.tanyao": 2})) == ["yaku.tanyao"]
    assert "yaku.sanshoku_doukou" in differing_keys(base(), base().amend({"yaku.shoutate": "2"}))
    assert differing_keys(base(), base()) == []


# Rows


def test_every_local_yaku_and_option_has_its_row(swept):
    local = [yaku for yaku in catalog().values() if not yaku.is_standard and yaku.kind == "hand"]
    options = [(y.id, o, v) for y in local for o in y.options for v in other_values(keys()[f"yaku.{y.id}.{o}"])]
    assert len(local) > 100
    assert len(options) > 100
    drawn = {(one.drawn, one.option, one.value) for one in each_drawn("recorded")}
    assert ("maneman", None, "mangan") in drawn
    assert set(by_id(swept)) == drawn | {(y.id, None, y.value.text if y.value.is_on else "1") for y in local} | set(
        options
    )


def test_the_most_frequent_come_first_and_what_is_not_recorded_last(swept):
    table = swept.table()
    counted = [n for n in table["n"] if n is not None]
    assert counted == sorted(counted, reverse=True)
    assert table["n"].isna().tolist() == [False] * len(counted) + [True] * (len(table) - len(counted))
    not_recorded = table[table["n"].isna()]
    assert {"open_riichi", "pon_riichi"} <= set(not_recorded["yaku"])
    assert set(not_recorded["note"]) == {NOT_RECORDED, NO_WIN}
    assert set(not_recorded.set_index("yaku")["note"]["maneman"]) == {NO_WIN}
    assert not_recorded["per_10000"].isna().all()
    assert not_recorded["N"].eq(0).all()


def test_a_yaku_without_an_agreed_value_is_taken_at_one_han(swept):
    assert by_id(swept)["tanron", None, "1"]["note"] == "no agreed value: taken at one han"


def test_occurrences_are_those_of_the_yaku_frequency_and_of_the_impact(store, swept):
    chosen = (("nishoku_doujun", None, "1/off"), ("uumensai", "closed_only", "true"), ("renroku", None, "1/off"))
    for yaku, option, value in chosen:
        row = by_id(swept)[yaku, option, value]
        adopt, set_ = ([], [f"yaku.{yaku}.{option}={value}"]) if option else ([f"{yaku}={value}"], [])
        rules = Recorded(adopt=tuple(adopt) or (yaku,), set_=tuple(set_))
        found = yaku_frequency(store, rules=rules).table().set_index(["kind", "key"]).loc["yaku", yaku]
        assert (row["n"], row["N"]) == (found["n"], found["N"])
        assert row["low"] == pytest.approx(found["low"] * 10_000)
        assert row["high"] == pytest.approx(found["high"] * 10_000)
        assert row["deff"] == pytest.approx(found["deff"])
    impact = rule_impact(store, adopt=["nishoku_doujun"]).table().iloc[0]
    row = by_id(swept)["nishoku_doujun", None, "1/off"]
    assert row["mean_gain"] == impact["gain_per_occurrence"]
    assert (row["gain_low"], row["gain_high"]) == (impact["occurrence_low"], impact["occurrence_high"])
    assert row["needed"] == impact["needed"]


def test_a_yaku_the_base_plays_is_weighed_against_the_base_without_it(store):
    with_it = amended("base", ["nishoku_doujun=2/off"])
    row, alone = (
        by_id(sweep(store, base=rules, candidates=local(rules, "nishoku_doujun")))["nishoku_doujun", None, "1/off"]
        for rules in (with_it, "base")
    )
    for name in ("n", "N", "low", "high", "mean_gain", "gain_low"):
        assert row[name] == pytest.approx(alone[name]), name


def test_what_makes_wins_of_hands_that_were_none_is_counted_among_more_wins():
    only_local = {"winner": 1, "loser": 2, "hand": "33m55s (111m) (222m) (888p)", "win": "3m"}
    pinfu = {"winner": 2, "loser": 3, "hand": "234m567p34678s99p", "win": "5s"}
    tables = tables_of({"rounds": [{"wins": [only_local], "rivers": {"0": "5m"}}, {"wins": [pinfu]}]})
    poor = amended("base", drop=["toitoi"])
    found = by_id(sweep(tables, base=poor, candidates=local(poor, "sanrenkou") + local(poor, "uumensai")))
    row = found["sanrenkou", None, "2"]
    assert (row["n"], row["N"], row["mean_gain"]) == (1, 2, 2000)
    assert found["uumensai", None, "2"]["N"] == 1


def test_with_head_bump_what_was_no_win_takes_the_turn_of_another():
    first = {"winner": 1, "loser": 0, "hand": "33m55s (111m) (222m) (888p)", "win": "3m"}
    second = {"winner": 2, "loser": 0, "hand": "234567p345s1299m", "win": "3m"}
    tables = tables_of({"rounds": [{"wins": [first, second], "rivers": {"0": "5m"}}]})
    poor = amended("base", drop=["toitoi"], set_=["payment.multiple_ron=head_bump"])
    row = by_id(sweep(tables, base=poor, candidates=local(poor, "sanrenkou")))["sanrenkou", None, "2"]
    after = rescore(tables, amended(poor, ["sanrenkou"]))
    assert (row["n"], row["N"]) == (1, after.stands.sum()) == (1, 1)


def test_numbers_do_not_depend_on_parts(swept, tmp_path):
    split = Store.create(tmp_path / "split")
    ingest(SAMPLES, split, batch=25)
    assert len(split.part_numbers()) > 2
    other = sweep(split, each_local=True)
    pd.testing.assert_frame_equal(other.table(), swept.table(), check_exact=True)


def test_a_filter_keeps_the_wins_it_lets_through(store):
    _, candidates = candidates_of("recorded", ["uumensai"])
    three, four, every = (
        sweep(store, candidates=candidates, where=where).table().iloc[0]
        for where in ("players == 3", "players == 4", None)
    )
    for name in ("n", "N"):
        assert three[name] + four[name] == every[name]
    assert sweep(store, candidates=candidates, where="players  == 3").where == "players == 3"


# Folders of rulesets


def test_every_ruleset_of_a_folder_has_its_row_and_one_for_each_local_yaku_it_adds(store, tmp_path):
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "league.toml").write_text(
        'extends = "tenhou_4p_aka"\n[yaku]\nsanrenkou = "2"\nnishoku_doujun = "1/off"\n'
        '[yaku.mine]\nneeds = ["toitoi", "tanyao"]\nclosed = 2\n'
    )
    (folder / "same.toml").write_text('extends = "base"\n')
    result = sweep(store, base="tenhou_4p_aka", rules_dir=folder)
    table = result.table()
    found = {(row["rules"], row["yaku"]): row for row in table.to_dict("records")}
    expected = {("league", yaku) for yaku in (None, "sanrenkou", "nishoku_doujun", "mine")} | {("same", None)}
    assert set(found) == expected
    alone = rule_impact(store, base="tenhou_4p_aka", rules=[folder / "league.toml"]).table().iloc[0]
    whole = found["league", None]
    assert (whole["n"], whole["N"]) == (alone["n"], alone["N"])
    assert whole["mean_gain"] == alone["gain_per_occurrence"]
    assert found["league", "nishoku_doujun"]["n"] > 50
    assert found["league", "mine"]["english"] == "Mine"
    assert found["same", None]["N"] == whole["N"]
    assert "all it changes" in result.text()


def test_the_base_itself_changes_nothing(store, tmp_path):
    (tmp_path / "same.toml").write_text('extends = "base"\n')
    [row] = sweep(store, base="base", rules_dir=tmp_path).table().to_dict("records")
    assert (row["n"], row["per_10000"]) == (0, 0)
    assert np.isnan(row["mean_gain"])


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({}, ImpactError, "nothing to sweep"),
        ({"each_local": True, "base": "nope"}, RulesetError, "no ruleset 'nope'"),
        ({"rules_dir": "nowhere"}, ImpactError, "^nowhere: no ruleset, there is no such folder$"),
    ],
)
def test_a_sweep_that_cannot_be_is_one_clear_line(store, given, error, message):
    with pytest.raises(error, match=message):
        sweep(store, **given)


def test_a_folder_with_a_file_that_is_no_ruleset_or_an_incomplete_one_is_refused(store, tmp_path):
    (tmp_path / "part.toml").write_text('extends = "jpml_b"\n')
    with pytest.raises(RulesetError, match=r"part\.toml: incomplete"):
        sweep(store, rules_dir=tmp_path)
    assert len(sweep(store, rules_dir=tmp_path, assume="base").table())
    (tmp_path / "bad.toml").write_text("yaku.tanyoa = 2\n")
    with pytest.raises(RulesetError, match="nearest"):
        sweep(store, rules_dir=tmp_path, assume="base")


def test_what_is_assumed_of_the_base_and_of_the_files_is_told_wherever_the_sweep_is_printed(koyaku, store, tmp_path):
    (tmp_path / "part.toml").write_text('extends = "jpml_b"\n')
    words = ("sweep", store.path, "--base", "jpml_b", "--rules-dir", tmp_path, "--assume", "base", "--no-latent")
    words = (*words, "--where", "players == 4")
    keys = ", ".join(ruleset("jpml_b").unknown)
    told = [f"assumed from base for {id_}: {keys}" for id_ in ("jpml_b", "part")]
    code, out, err = koyaku(*words)
    assert (code, err) == (0, "")
    assert [line for line in out.splitlines() if line.startswith("note: ")] == [f"note: {one}" for one in told]
    assert json.loads(koyaku(*words, "--json")[1])["notes"] == told
    for options in (("--csv",), ("-o", tmp_path / "x.csv")):
        assert koyaku(*words, *options)[2] == "".join(f"note: {one}\n" for one in told)
    koyaku(*words, "-o", tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text("utf-8")
    assert all(f"<p>A{one[1:]}.</p>" in page for one in told)


def test_candidates_at_hand_are_swept(store):
    _, candidates = candidates_of("recorded", ["sanrenkou=1,2"], ["tanyao"])
    rows_ = by_id(sweep(store, candidates=candidates[:2]))
    assert set(rows_) == {("sanrenkou", None, "1"), ("sanrenkou", None, "2")}
    assert within(candidates[0].rules, "tenhou_3p").yaku_value("sanrenkou").text == "1"


# What it says


def test_a_sweep_is_plain_json_csv_and_text(swept, tmp_path):
    plain = swept.as_dict()
    assert {"base", "n_wins", "n_games", "rows"} <= set(plain)
    columns = {"yaku", "option", "value", "n", "N", "per_10000", "low", "high", "mean_gain", "latent"}
    assert columns <= set(plain["rows"][0])
    assert "NaN" not in json.dumps(plain, default=lambda x: x.item())
    for name in ("sweep.json", "sweep.csv", "sweep.txt"):
        swept.write(tmp_path / name)
    assert json.loads((tmp_path / "sweep.json").read_text())["n_wins"] == plain["n_wins"]
    assert len(pd.read_csv(tmp_path / "sweep.csv")) == len(swept.table())
    assert (tmp_path / "sweep.txt").read_text().startswith(swept.headline())
    assert {path.name for path in tmp_path.iterdir()} == {"sweep.json", "sweep.csv", "sweep.txt"}


def test_rules_for_other_tables_and_words_that_no_win_has_are_noted(store):
    three = yaku_frequency(store, where="players == 3").card.counted
    of_three = f"{three} wins of three-player games are scored under "
    result = sweep(store, base="tenhou_4p_aka", candidates=local("tenhou_4p_aka", "sanrenkou")[:1], latent=False)
    assert result.notes == result.as_dict()["notes"] == [f"{of_three}tenhou_4p_aka, a ruleset for four"]
    assert f"\nnote: {of_three}" in result.text()
    nothing = sweep(store, candidates=local("recorded", "sanrenkou")[:1], where="room == 'hououu'")
    assert nothing.text().startswith("1 candidate on no win where room == 'hououu' among ")
    assert nothing.text().endswith("; base recorded\nnote: room: no win has 'hououu'; nearest: 'houou'")
