"""Latent wins in a rule impact: five rounds a player can follow, every number of them by hand."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import PROJECT
from staged import played, staged, stored
from told import tables_of

import koyaku as public
from analytics.chances import chances
from analytics.impact import ImpactError, candidates_of, each_local, rule_impact
from analytics.impact.candidates import each_drawn
from analytics.latent import Scan, carried_out
from analytics.rescoring import RECORDED, rescore
from analytics.rounds import numbers
from analytics.scoring.ruleset import amended, base, catalog
from analytics.settle import settle_rounds
from analytics.sweep import NO_WIN, sweep
from analytics.temptation import is_pattern
from parsers.store import Store

POOR = amended("base", drop=["tanyao", "chankan", "nagashi_mangan"])
KANCHAN = "24m456p234p678s88s"  # waits for 3m; by ron nothing but tanyao: 1 han, 40 fu, 1,300 points
DRAGONS = "24m456p234p777z88s"  # waits for 3m; three dragons: 1 han, 40 fu, 1,300 points
ADOPTED = "tanyao=1"

BY_RON_TWICE = {"hands": {"S": KANCHAN}, "story": "E+3m E-3m S+9s S-9s W+3m W-3m exhaustive"}
BY_DRAW = {  # 300 and 500: 1,100 points
    "hands": {"S": "24m456p34p678s88s2z"},
    "story": "E+2p E-2p S:chi:2p S-2z W+9s W-9s N+9s N-9s E+9s E-9s S+3m S-3m exhaustive",
}
BY_ROBBING_A_KAN = {  # west waits only after the triplet was called
    "hands": {"E": "33m11m9m2p5p9p1s4s7s34z", "W": "24m456p234p678s8s1z"},
    "story": "E+9p E-9p S+3m S-3m E:pon:3m E-1m S+9s S-9s W+8s W-1z N+9s N-9s E+3m E:kakan:3m E+9s E-9s exhaustive",
}
FURITEN = {"hands": {"S": KANCHAN}, "story": "E+9s E-9s S+3m S-3m W+3m W-3m exhaustive"}
BEFORE_A_RECORDED_WIN = {
    "hands": {"S": KANCHAN, "W": DRAGONS},
    "story": "E+3m E-3m S+9s S-9s W+9s W-9s N+3m N-3m W:ron",
}
ROUNDS = (BY_RON_TWICE, BY_DRAW, BY_ROBBING_A_KAN, FURITEN, BEFORE_A_RECORDED_WIN)

BY_HAND = {
    "n": 4,
    "rounds": 5,
    "games": 1,
    "per_100_games": 400,
    "n_ron": 2,
    "n_tsumo": 1,
    "n_chankan": 1,
    "n_seats": 4,
    "points": 1300 + 1100 + 1300 + 1300,
    "mean_points": 1250,
    "n_lower_bound": 0,
    "n_preempted": 1,
    "n_furiten": 1,
    "n_disconnected": 0,
    "n_tempted": 5,  # of each round one hand; the hand with dragons is no simples
    "hands": 20,
    "n_paid": None,
    "note": "",
}


@pytest.fixture(scope="module")
def tables():
    return played(staged(*ROUNDS))


@pytest.fixture(scope="module")
def impact(tables):
    return rule_impact(tables, base=POOR, adopt=["tanyao"], latent_in_games=True)


def only(impact, name="latent"):
    [row] = impact.table(name).to_dict("records")
    return row


def test_every_number_of_latent_wins_is_as_counted_by_hand(impact):
    row = only(impact)
    assert {name: row[name] for name in BY_HAND} == BY_HAND
    assert row["low_simultaneous"] <= row["low"] < 400 < row["high"] <= 500
    assert (row["candidate"], row["too_few"], only(impact, "candidates")["latent"]) == (ADOPTED, True, 4)


@pytest.mark.parametrize(
    ("round_", "counts"),
    [
        (BY_RON_TWICE, {"n": 1, "n_ron": 1, "n_seats": 1, "points": 1300}),
        (BY_DRAW, {"n": 1, "n_tsumo": 1, "points": 1100}),
        (BY_ROBBING_A_KAN, {"n": 1, "n_chankan": 1, "points": 1300}),
        (FURITEN, {"n": 0, "n_furiten": 1, "points": 0}),
        (BEFORE_A_RECORDED_WIN, {"n": 1, "n_ron": 1, "n_preempted": 1}),
    ],
    ids=["by ron, the second not counted", "by draw", "by robbing a kan", "furiten", "before a recorded win"],
)
def test_each_round_counts_for_what_it_is(round_, counts):
    row = only(rule_impact(played(staged(round_)), base=POOR, adopt=["tanyao"]))
    assert {name: row[name] for name in counts} == counts


def test_a_second_seat_in_a_round_counts_by_seat_and_not_by_round():
    both = {"hands": {"S": KANCHAN, "W": KANCHAN}, "story": "E+3m E-3m exhaustive"}
    row = only(rule_impact(played(staged(both)), base=POOR, adopt=["tanyao"]))
    assert (row["n"], row["n_ron"], row["n_seats"], row["points"]) == (1, 1, 2, 1300)


def test_games_with_all_latent_wins_taken_are_an_upper_bound(impact, tables):
    # On record 25,000 25,000 26,300 23,700; with them 20,600 28,700 26,000 24,700.
    recorded, bound = only(impact, "games"), only(impact, "games_with_latent")
    assert (recorded["points_moved"], recorded["n_flipped"]) == (0, 0)
    assert (bound["points_moved"], bound["n_flipped"]) == (100 * 4700, 1)
    assert "an upper bound" in impact.text()
    assert not len(rule_impact(tables, base=POOR, adopt=["tanyao"]).table("games_with_latent"))


def test_ura_that_nobody_knows_make_points_a_lower_bound():
    told = {"hands": {"S": KANCHAN}, "story": "E+9s E-9s S+9p S! S-9p S$ W+3m W-3m exhaustive"}
    poor = amended("base", drop=["tanyao", "riichi", "double_riichi", "ippatsu"])
    rounds = (told, told | {"ura": "9p"})
    blind, seen = (rule_impact(played(staged(one)), base=poor, adopt=["tanyao"]) for one in rounds)
    assert (only(blind)["n_lower_bound"], only(seen)["n_lower_bound"]) == (1, 0)
    assert "at least 1,300" in blind.text()
    assert "at least" not in seen.text().partition("\nlatent:")[0]


def test_without_the_layer_nothing_is_said_of_it(tables):
    impact = rule_impact(tables, base=POOR, adopt=["tanyao"], latent=False)
    assert not len(impact.table("latent"))
    assert only(impact, "candidates")["latent"] is None
    assert "latent wins in" not in impact.text()


def test_a_filter_of_wins_leaves_the_layer_out_and_says_so(tables):
    impact = rule_impact(tables, base=POOR, adopt=["tanyao"], where="not is_open")
    assert not len(impact.table("latent"))
    assert "latent wins not looked for" in impact.notes[0]
    assert len(rule_impact(tables, base=POOR, adopt=["tanyao"], where="players == 4").table("latent"))


def test_games_with_the_same_play_count_once(tables):
    again = tables["games"].to_pylist()[0] | {"game": 2, "duplicate_of": 1}
    twice = {}
    for name, one in tables.items():
        rows = one.to_pylist()
        copies = [again] if name == "games" else [row | {"game": 2} for row in rows]
        twice[name] = one.from_pylist(rows + copies, one.schema)
    row = only(rule_impact(twice, base=POOR, adopt=["tanyao"]))
    assert {name: row[name] for name in BY_HAND} == BY_HAND


# What is not about hands


def test_rounds_that_discards_alone_are_paid_in_are_counted():
    tables = tables_of(
        {
            "rounds": [
                {"rivers": {"0": "19m1z", "1": "2m9m1z"}, "draw": "nagashi_mangan"},
                {"rivers": {"0": "19m1z"}, "called": [[0, 1]], "draw": "exhaustive"},
                {"rivers": {"0": "12345m", "1": "12345m"}, "in_turn": True, "draw": "exhaustive"},
            ]
        }
    )
    found = rule_impact(
        tables,
        base="base",
        adopt=["maneman"],
        drop=["nagashi_mangan"],
        set_=["yaku.nagashi_mangan.called_discard_breaks=false"],
    )
    rows = found.table("latent").set_index("candidate")
    assert rows["n_paid"].tolist() == [1, 1, 2, None]
    assert rows["n_paid_anew"].tolist() == [1, 0, 1, None]
    assert rows["n_tempted"].tolist() == [None] * 4
    assert rows.loc["drop nagashi_mangan", "note"].startswith("paid without a win")


def test_what_a_source_does_not_tell_has_no_number(tables):
    row = only(rule_impact(tables, base="base", adopt=["open_riichi"]))
    assert (row["n"], row["points"]) == (None, None)
    assert "not recorded by these sources" in row["note"]


def test_a_yaku_of_circumstances_is_no_pattern():
    rules = amended("base", [y.id for y in catalog().values() if y.kind == "hand" and y.value.is_on])
    asked = ("riichi", "menzen_tsumo", "haitei_raoyue", "tsubame_gaeshi", "uupin_kaihou", "mondeikou", "shiisanpuutaa")
    assert not any(is_pattern(yaku, rules) for yaku in asked)
    shown = ("tanyao", "pinfu", "sanrenkou", "shiiaru_raotai", "daisharin", "yakuhai_seat", "kokushi_musou")
    assert all(is_pattern(yaku, rules) for yaku in shown)
    assert is_pattern("uumensai", base().amend({"yaku.uumensai": 2, "yaku.uumensai.closed_only": True}))


# Laws


@pytest.fixture(scope="module")
def samples():
    return public.read(PROJECT / "data_samples")


def test_rounds_that_are_passed_over_hold_no_latent_wins(samples):
    scan = Scan.of(samples, chances(samples))
    candidates = each_local(RECORDED)[::12]
    n = 0
    for one in candidates:
        quick, whole = scan.wins(one.before, one.rules), scan._wins(one.before, one.rules)
        assert quick == whole, one.id
        n += len(whole.wins)
    assert n
    for changes in ({"payment.multiple_ron": "head_bump"}, {"round.triple_ron": "all"}, {"yaku.tanyao": "off"}):
        for old, new in ((base(), base().amend(changes)), (base().amend(changes), base())):
            assert scan.wins(old, new) == scan._wins(old, new), changes


def test_points_and_pot_are_conserved_with_all_latent_wins_taken(samples):
    old, found = amended("base", drop=["tanyao", "pinfu", "riichi"]), chances(samples)
    latent = Scan.of(samples, found).wins(old, "base")
    assert len(latent.wins)
    ended = carried_out(samples, found, latent)
    rows = latent.wins.filter(latent.wins["is_first"])
    assert len(ended["wins"]) >= len(rows)
    deltas = settle_rounds(ended, rescore(ended, "base"))
    rounds, pot = samples["rounds"].to_pylist(), {}
    for row, delta in zip(rounds, deltas.tolist(), strict=True):
        before = pot.get(row["game"], 1000 * row["sticks"] if row["round_no"] == 0 else 0)
        pot[row["game"]] = before - sum(delta)
        assert pot[row["game"]] >= 0
    assert all(numbers(ended["rounds"]["honba"]) == numbers(samples["rounds"]["honba"]))


def test_rules_that_do_not_change_have_no_latent_wins(samples):
    row = only(rule_impact(samples, adopt=["pinfu"]))
    assert (row["n"], row["n_seats"], row["n_preempted"], row["n_furiten"]) == (0, 0, 0, 0)


# Stores and the command line


@pytest.fixture
def store(tables, tmp_path) -> Store:
    return stored(tables, tmp_path / "store")


@pytest.fixture
def poor(tmp_path):
    file = tmp_path / "poor.toml"
    file.write_text('[yaku]\ntanyao = "off"\nchankan = "off"\nnagashi_mangan = "off"\n')
    return file


def test_the_command_impact_scans_a_store_once_and_counts_the_same(koyaku, store, poor):
    words = ("impact", store.path, "--base", poor, "--adopt", "tanyao", "--json")
    code, out, err = koyaku(*words)
    assert (code, err) == (0, "")
    [row] = json.loads(out)["latent"]
    assert {name: row[name] for name in BY_HAND} == BY_HAND
    assert store.n_rows("chances") == 10
    assert koyaku(*words)[1] == out
    assert json.loads(koyaku("chances", store.path, "--json")[1])["parts_scanned"] == 0
    code, out, err = koyaku(*words, "--latent-in-games")
    [bound] = json.loads(out)["games_with_latent"]
    assert bound["points_moved"] == 470_000
    assert json.loads(koyaku(*words, "--no-latent")[1])["latent"] == []


def test_a_store_that_cannot_be_written_to_is_asked_all_the_same(store, poor):
    with store.writing():
        row = only(rule_impact(store, base=poor, adopt=["tanyao"]))
    assert {name: row[name] for name in BY_HAND} == BY_HAND
    assert "chances" not in store.table_names()


def test_the_command_chances_says_what_they_were(koyaku, tmp_path):
    hands = {"S": KANCHAN, "W": KANCHAN, "N": KANCHAN}
    rounds = (
        {"hands": hands, "story": "E+3m E-3m sanchahou:SWN"},
        {"hands": {"S": KANCHAN, "W": KANCHAN}, "story": "E+3m E-3m S:ron"},
        {"hands": {"S": KANCHAN}, "story": "E+3m E-3m S:disconnect exhaustive"},
        {"hands": {"S": KANCHAN}, "story": "S:disconnect E+3m E-3m exhaustive"},
        {"hands": {"S": KANCHAN}, "story": "S:reconnect E+9s E-9s S+3m S-3m W+3m W-3m exhaustive"},
    )
    store = stored(played(staged(*rounds)), tmp_path / "store")
    code, out, err = koyaku("chances", store.path, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["untaken"] == {"passed": 2, "disconnected": 1, "aborted": 3, "other_ron": 1}
    assert (found["parts_scanned"], found["chances"], found["taken"], found["others"]["furiten"]) == (1, 9, 1, 1)
    assert found["passed_rate"] == pytest.approx(2 / 3)
    code, out, err = koyaku("chances", store.path, "--again")
    assert out.startswith("1 part scanned: 9 chances in 5 rounds of 1 game\n")
    again = koyaku("chances", store.path)[1]
    assert again == out.replace("1 part scanned", "nothing new to scan")
    assert "passed up by choice, 66.67% of what could have been won" in out
    assert "chances" in koyaku("schema", "chances")[1]


def test_what_the_scan_leaves_out_is_told(koyaku, tmp_path):
    """Of two games with the same play one, and of a third the second round, of whose play nothing is recorded."""
    story = {"hands": {"S": KANCHAN}, "story": "E+3m E-3m exhaustive"}
    each = [played(staged(story, game=1)), played(staged(story, game=2)), played(staged(story, story, game=3))]
    tables = {name: pa.concat_tables([one[name] for one in each]) for name in each[0]}
    games, actions = tables["games"], tables["actions"]
    at = games.column_names.index("duplicate_of")
    tables["games"] = games.set_column(at, games.schema.field(at), pa.array([None, 1, None], pa.int64()))
    is_unplayed = pc.and_(pc.equal(actions["game"], 3), pc.equal(actions["round_no"], 1))
    tables["actions"] = actions.filter(pc.invert(is_unplayed))
    store = stored(tables, tmp_path / "store")
    found = json.loads(koyaku("chances", store.path, "--json")[1])
    assert [found[name] for name in ("games", "rounds", "duplicates", "unplayed")] == [2, 2, 1, 1]
    assert koyaku("chances", store.path)[1].splitlines()[:3] == [
        "nothing new to scan: 2 chances in 2 rounds of 2 games",
        "left out: 1 round of which the record holds no play",
        "left out: 1 game whose play is in the store already",
    ]


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: data[::-1]])
def test_damaged_chances_are_named_and_scanned_again_where_asked(koyaku, store, poor, damage):
    whole = koyaku("chances", store.path)[1]
    [file] = (store.path / "chances").iterdir()
    file.write_bytes(damage(file.read_bytes()))
    for words in (("chances", store.path), ("impact", store.path, "--base", poor, "--adopt", "tanyao")):
        code, out, err = koyaku(*words)
        assert (code, out) == (2, "")
        assert err.startswith(f"koyaku: {file}: not readable as Parquet: ")
        assert err.endswith(f"; 'koyaku chances {store.path} --again' makes it anew\n")
    assert koyaku("score", store.path)[0] == 0  # which asks for no chances
    again = whole.replace("nothing new to scan", "1 part scanned")
    assert koyaku("chances", store.path, "--again") == (0, again, "")
    assert koyaku("chances", store.path)[0] == 0


def test_numbers_do_not_depend_on_parts_or_workers(tmp_path):
    stores = []
    for name, batch in (("one", 2000), ("many", 25)):
        stores.append(Store.create(tmp_path / name))
        public.ingest(PROJECT / "data_samples", stores[-1], batch=batch)
    asked = {"adopt": ["nishoku_doujun", "maneman"], "drop": ["tanyao"], "latent_in_games": True}
    one, many = (rule_impact(store, **asked, workers=n) for n, store in enumerate(stores, start=1))
    for name in ("latent", "games_with_latent"):
        assert one.table(name).equals(many.table(name)), name
    assert one.table("latent")["n"].sum() > 0


# The sweep


@pytest.fixture(scope="module")
def swept(samples):
    return sweep(samples, each_local=True)


def test_a_sweep_counts_what_an_impact_counts(tables, samples, swept):
    [tanyao] = candidates_of(POOR, ["tanyao"])[1]
    row = sweep(tables, base=POOR, candidates=[tanyao]).table().iloc[0]
    assert (row["latent"], row["tempted"]) == (4, 5)
    rows = swept.table().set_index(["yaku", "option", "value"])
    found = rule_impact(samples, adopt=["nishoku_doujun", "uumensai", "tsubame_gaeshi"]).table("latent")
    for one in found[:3].to_dict("records"):
        id_, _, value = one["candidate"].partition("=")
        row = rows.loc[(id_, None, value)]
        assert (row["latent"], row["tempted"]) == (one["n"], one["n_tempted"]), id_
    assert swept.as_dict()["dealt"] == {name: one[name] for name in ("games", "rounds", "hands")}
    off = sweep(tables, base=POOR, candidates=[tanyao], latent=False)
    assert off.table()["latent"].tolist() == [None]
    assert off.as_dict()["dealt"] is None


def test_a_sweep_holds_what_is_paid_without_a_win(samples, swept):
    rows = swept.table()
    drawn = rows[rows["note"] == NO_WIN]
    expected = {(one.drawn, one.option, one.value) for one in each_drawn(RECORDED)}
    assert set(drawn[["yaku", "option", "value"]].itertuples(index=False, name=None)) == expected
    assert ("nagashi_mangan", "called_discard_breaks", "false") in expected
    found = rule_impact(samples, set_=["yaku.nagashi_mangan.called_discard_breaks=false"]).table("latent")
    row = drawn[drawn["option"] == "called_discard_breaks"].iloc[0]
    assert row["latent"] == found["n_paid_anew"][0]
    assert np.isnan(row["per_10000"])


def test_a_sweep_of_some_wins_looks_for_no_latent_ones(tables):
    result = sweep(tables, each_local=True, where="not is_open")
    assert result.table()["latent"].isna().all()
    assert result.definitions["latent"].startswith("not looked for")


def test_no_chances_of_a_store_without_games(koyaku, tmp_path):
    code, out, err = koyaku("chances", Store.create(tmp_path / "empty").path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    with pytest.raises(ImpactError, match="no games"):
        rule_impact(Store(tmp_path / "empty"), adopt=["sanrenkou"])
