"""One hand in full: its readings, what replaced what, where each number came from, and two rulesets side by side."""

import random

import pytest
from conftest import PROJECT
from dealing import deal
from staged import stored
from told import tables_of

import koyaku
from analytics import account
from analytics.account import AccountError, case_line, difference, explain, glyphs, of_case, of_win, text
from analytics.cases import score_cases
from analytics.corpus import ingest
from analytics.rescoring import amended_rules
from analytics.scores import score
from analytics.scoring.ruleset import RulesetError, amended, base, ruleset
from parsers.store import Store

PINFU = ("234m567p34678s99p", "5s")
TRIPLETS = ("111222333m45p99s", "6p")  # three triplets or three equal runs


def counted(reading):
    return {yaku.id: yaku.worth for yaku in reading.yaku if yaku.counts}


def replaced(reading):
    return {yaku.id: yaku.replaced_by for yaku in reading.yaku if not yaku.counts}


# A hand under one ruleset


def test_a_hand_has_all_its_readings_each_with_its_score_and_one_of_them_is_the_best():
    [found] = explain(*TRIPLETS, "ron", amended("base", ["sanrenkou", "isshoku_sanjun"]), seat="S")
    assert {reading.text: (reading.han, reading.fu, reading.base, reading.limit) for reading in found.readings} == {
        "111m 222m 333m 45p+6p 99s": (4, 50, 2000, "mangan"),
        "123m 123m 123m 45p+6p 99s": (4, 30, 1920, None),
    }
    triplets, runs = found.readings
    assert (triplets.is_best, runs.is_best) == (True, False)
    assert found.best is triplets
    assert counted(triplets) == {"sanankou": "2", "sanrenkou": "2"}
    assert counted(runs) == {"pinfu": "1", "isshoku_sanjun": "3"}
    assert replaced(runs) == {"iipeikou": ("isshoku_sanjun",)}
    assert triplets.fu_parts == [
        ("base", 20),
        ("triplet 111m", 8),
        ("triplet 222m", 4),
        ("triplet 333m", 4),
        ("closed_ron", 10),
        ("rounding", 4),
    ]
    assert (found.status, found.han, found.fu, found.limit, found.units, found.points) == (
        *("ok", 4, 50, "mangan", 0),
        8000,
    )


def test_every_yaku_names_the_line_of_the_ruleset_its_worth_came_from():
    rules = amended("tenhou_3p", ["sanrenkou"], set_=["yaku.sanankou=3"])
    [found] = explain(*TRIPLETS, "ron", rules, seat="S")
    origins = {yaku.id: yaku.origin for yaku in found.best.yaku}
    assert origins == {
        "sanankou": "yaku.sanankou = 3 (amended)",
        "sanrenkou": "yaku.sanrenkou = 2 (adopted)",
    }


@pytest.mark.parametrize(
    ("hand", "win", "by", "adopt", "set_", "more", "yaku", "worth", "origin"),
    [
        (
            *("112233m112233p9s", "9s", "ron", ["chinpeikou"], ["yaku.chinpeikou.mode=replaces_with_5"], {}),
            *("chinpeikou", "5", "yaku.chinpeikou = 5/off (yaku.chinpeikou.mode)"),
        ),
        (
            *(*PINFU, "ron", ["tsubame_gaeshi"], ["yaku.tsubame_gaeshi.double_riichi_doubled=true"]),
            {"ctx": ["riichi_tile=double"]},
            *("tsubame_gaeshi", "yakuman*2", "yaku.tsubame_gaeshi.double_riichi_doubled = true (amended)"),
        ),
        (
            *(*PINFU, "ron", ["tsubame_gaeshi"], ["yaku.tsubame_gaeshi.double_riichi_doubled=true"]),
            {"ctx": ["riichi_tile=true"]},
            *("tsubame_gaeshi", "1", "yaku.tsubame_gaeshi = 1 (adopted)"),
        ),
        (
            *("222m555p222s45m99s", "6m", "ron", ["shoutate"], [], {}),
            *("sanankou", "2", "yaku.sanankou = 2 (base)"),
        ),
        (
            *("222m222p222s45m99s", "6m", "ron", ["shoutate"], [], {}),
            *("sanshoku_doukou", "3"),
            "yaku.sanshoku_doukou = 3 (yaku.shoutate.upgrade_sanshoku_doukou_to_3)",
        ),
        (
            *(*PINFU, "ron", ["open_riichi"], ["yaku.open_riichi.deal_in_penalty=yakuman_if_chaser_only"]),
            {"ctx": ["riichi=open"]},
            "open_riichi_deal_in",
            "least yakuman",
            "yaku.open_riichi_deal_in = least yakuman (yaku.open_riichi.deal_in_penalty)",
        ),
    ],
)
def test_a_worth_that_an_option_gives_names_the_option(hand, win, by, adopt, set_, more, yaku, worth, origin):
    [found] = explain(hand, win, by, amended("base", adopt, set_=set_), seat="S", **more)
    [line] = [line for line in found.best.yaku if line.id == yaku]
    assert (line.counts, line.worth, line.origin) == (True, worth, origin)


def test_what_does_not_count_names_what_stands_in_its_place():
    everything = ruleset("seed_local")
    [found] = explain("1122334455667z", "7z", "ron", everything, seat="S")
    assert counted(found.best) == {"daichisei": "yakuman*2"}
    hidden = replaced(found.best)
    assert hidden["tsuuiisou"] == hidden["sangen_chiitoitsu"] == ("daichisei",)
    assert hidden["chiitoitsu"] == ("daichisei",)  # a yakuman hides what it does not replace
    [found] = explain("112233m112233p9s", "9s", "ron", amended("base", ["kyandonhou"]), seat="S")
    [ryanpeikou] = [reading for reading in found.readings if "ryanpeikou" in counted(reading)]
    assert replaced(ryanpeikou)["iipeikou"] == ("ryanpeikou",)
    equal = amended("base", ["kyandonhou"], set_=["yaku.kyandonhou.allow_X_equal_Y=true"])
    [found] = explain("112233m112233p9s", "9s", "ron", equal, seat="S")
    assert replaced(found.best)["kyandonhou"] == ("ryanpeikou",)  # never together: the better one stands


def test_a_limit_that_decided_stands_alone_and_hides_the_count():
    [found] = explain(*PINFU, "ron", base().amend({"yaku.pinfu": "mangan"}), seat="S", ctx=["riichi=riichi"])
    assert counted(found.best) == {"pinfu": "mangan"}
    assert replaced(found.best) == {"riichi": ("pinfu",)}
    assert (found.han, found.limit, found.points, found.best.limit) == (1, "mangan", 8000, "mangan")
    [found] = explain(*PINFU, "ron", base().amend({"yaku.pinfu": "least yakuman"}), seat="S")
    assert (found.best.limit, found.limit, found.units) == ("yakuman", "yakuman", 1)
    assert "\n= 1 yakuman, yakuman: 32,000 points" in text(found)


def test_a_yaku_that_is_none_by_itself_does_not_count():
    [found] = explain("23678m555p99s (345m)", "1m", "ron", amended("base", ["paarenchan"]), ctx=["counter=7"])
    assert (found.status, found.points, found.best) == ("no_yaku", 0, None)
    [reading] = found.readings
    assert (counted(reading), replaced(reading)) == ({}, {"paarenchan": ()})
    assert "Paarenchan 八連荘 (Eight consecutive wins)         -   no yaku by itself" in text(found)
    assert text(found).splitlines()[1:3] == ["no yaku", "- 23m+1m 678m 555p 99s (345m)   no yaku"]


def test_a_shape_that_is_not_played_is_shown_only_where_there_is_no_other():
    [found] = explain("147m258p369s1234z", "5z", "ron", seat="S")
    assert (found.status, found.points, found.best) == ("not_winning", 0, None)
    [reading] = found.readings
    assert (reading.text, reading.is_played) == ("147m258p369s1234z+5z", False)
    assert "147m258p369s1234z+5z   a shape this ruleset does not play" in text(found)
    [played] = explain("147m258p369s1234z", "5z", "ron", amended("base", ["zenfukou"]), seat="S")
    assert counted(played.best) == {"zenfukou": "3"}
    [kokushi] = explain("19m19p19s1234567z", "5z", "ron", seat="S")  # thirteen scattered tiles too
    assert [reading.is_played for reading in kokushi.readings] == [True]


def test_dora_are_told_by_kind_with_their_line_and_stand_in_no_yakuman():
    line = {"ctx": ["riichi=riichi"], "dora": "8p1z", "ura": "3m8p", "seat": "S"}
    [found] = explain("234m567p34678s99p", "0s", "ron", **line)
    assert found.dora == [
        ("dora", 2, "dora.indicator = true (base)"),
        ("ura dora", 1, "dora.ura = true (base)"),
        ("kan ura dora", 2, "dora.kan_ura = true (base)"),
        ("red fives", 1, "dora.aka = true (base)"),
    ]
    assert found.han == 2 + 6
    assert sum(int(yaku.worth) for yaku in found.best.yaku) + sum(han for _, han, _ in found.dora) == found.han
    [none] = explain("234m567p34678s99p", "0s", "ron", base().amend({"dora.aka": False}), seat="S")
    assert none.dora == []
    [yakuman] = explain("19m19p19s1234567z", "5z", "ron", dora="4z", seat="S")
    assert (yakuman.dora, yakuman.units, yakuman.han) == ([], 1, 0)


def test_payments_are_by_seat_wind_with_honba_and_sticks_and_missing_where_nobody_is_known_to_pay():
    [found] = explain(*PINFU, "ron", seat="S", win_from="kamicha")
    assert found.payments == {"E": -1000, "S": 1000, "W": 0, "N": 0}
    [found] = explain(*PINFU, "ron", seat="S")
    assert found.payments == {}
    [found] = explain(*PINFU, "tsumo", seat="E")
    assert found.payments == {"E": 2100, "S": -700, "W": -700, "N": -700}
    line = case_line(*PINFU, "ron", seat="W", win_from="toimen") | {"honba": 2, "sticks": 1}
    [found] = of_case(line, [base()])
    assert found.payments == {"E": -1600, "S": 0, "W": 2600, "N": 0}
    three = {"hand": "234567p34678s99p", "win": "5s", "by": "tsumo", "seat": "S", "players": 3}
    [found] = of_case(three, [ruleset("tenhou_3p")])
    assert found.payments == {"E": -700, "S": 1100, "W": -400}


def test_an_incomplete_ruleset_is_refused_and_what_is_assumed_is_shown():
    with pytest.raises(RulesetError, match=r"^wrc_2025: incomplete, no source tells limits\.counted_yakuman"):
        explain(*PINFU, "ron", "wrc_2025")
    [found] = explain(*PINFU, "ron", amended("wrc_2025", assume="base"))
    assert text(found).splitlines()[1] == f"assumed from base: {', '.join(ruleset('wrc_2025').unknown)}"
    assert "assumed" not in text(explain(*PINFU, "ron")[0])


# Dealt hands: an account agrees with the scores


@pytest.mark.parametrize("id_", ["base", "seed_local", "mahjong_soul_koyaku"])
def test_the_account_of_a_dealt_hand_adds_up_to_its_score(id_):
    rng, rules = random.Random(id_), ruleset(id_)
    for _ in range(20):
        line = {word: value for word, value in deal(rng).items() if word not in ("style", "rules")}
        [result] = score_cases([line], rules)
        [found] = of_case(line, [rules])
        assert found.points == result.get("points", 0)
        assert found.status == result.get("error", "ok")
        assert sum(reading.is_best for reading in found.readings) == (found.status == "ok")
        for reading in found.readings:
            assert (reading.base > 0) == bool(counted(reading)) or not reading.is_played
            # A yakuman has no parts that matter, seven pairs one.
            assert not reading.fu_parts or not reading.base or sum(fu for _, fu in reading.fu_parts) == reading.fu
        if found.status != "ok":
            continue
        best = found.best
        assert max(reading.base for reading in found.readings) == best.base
        assert (best.text, best.han, best.fu) == (result["reading"], result["han"] or 0, found.fu)
        dora = ("dora", "ura_dora", "aka_dora", "nuki_dora")
        assert set(counted(best)) == {yaku["id"] for yaku in result["yaku"] if yaku["id"] not in dora}
        assert found.payments == result.get("payments", {})
        assert (found.limit, found.units) == (result["limit"], result["yakuman"])
        if not found.units and found.limit is None:
            han = sum(int(worth.split("+")[-1]) for worth in counted(best).values())
            assert han + sum(n for _, n, _ in found.dora) == found.han
        assert text(found).count("\n* ") == 1
        assert f": {found.points:,} points" in text(found)


# Two rulesets


def test_the_difference_of_two_rulesets_names_what_came_what_went_and_what_is_worth_more():
    other = amended("base", ["isshoku_sanjun"], set_=["yaku.pinfu=2/off"])
    one, two = explain("112233123m678p9s", "9s", "ron", [base(), other], seat="S")
    assert difference(one, two).splitlines() == [
        "+ Isshoku sanjun 一色三順 3",
        "- Sanankou 三暗刻 2",
        "points 3,200 -> 5,200 (+2,000)",
    ]
    one, two = explain(*PINFU, "ron", ["base", base().amend({"yaku.pinfu": "2/off"})], seat="S")
    assert difference(one, two).splitlines() == ["  Pinfu 平和 1 -> 2", "points 1,000 -> 2,000 (+1,000)"]
    assert difference(two, one).splitlines() == ["  Pinfu 平和 2 -> 1", "points 2,000 -> 1,000 (-1,000)"]
    assert difference(one, one) == "points 1,000 -> 1,000 (+0)"


def test_the_difference_to_a_hand_that_is_no_win_is_all_it_had():
    one, two = explain(*PINFU, "ron", [base(), base().amend({"yaku.pinfu": "off"})], seat="S")
    assert difference(one, two).splitlines() == ["- Pinfu 平和 1", "points 1,000 -> 0 (-1,000)"]


def test_a_rulesets_own_yaku_go_by_their_own_names(tmp_path):
    (tmp_path / "mine.toml").write_text(
        '[yaku.half_moon]\nneeds = ["pinfu"]\nvalue = 3\nreplaces = ["pinfu"]\nenglish = "Moon at half"\n', "utf-8"
    )
    one, two = explain(*PINFU, "ron", [base(), ruleset(tmp_path / "mine.toml")], seat="S")
    assert "    Half moon (Moon at half)                 3   yaku.half_moon = 3 (mine)\n" in text(two)
    assert "    Pinfu 平和 (No-points hand)              -   replaced by Half moon\n" in text(two)
    assert difference(one, two).splitlines()[:2] == ["+ Half moon 3", "- Pinfu 平和 1"]
    assert difference(two, one).splitlines()[:2] == ["+ Pinfu 平和 1", "- Half moon 3"]


# Text and tiles


def test_the_text_has_the_best_reading_first():
    rules = amended("base", ["isshoku_sanjun=6"])
    shown = text(explain(*TRIPLETS, "ron", rules, seat="S")[0])
    assert [line[0] for line in shown.splitlines() if line[:2] in ("* ", "- ")] == ["*", "-"]
    assert shown.splitlines()[1].startswith("* 123m 123m 123m")


def test_tiles_as_characters():
    assert glyphs("123m0p1234567z") == "🀇🀈🀉🀝🀀🀁🀂🀃🀆🀅🀄︎"
    assert glyphs("triplet 111m, (777z) [9999s]") == "triplet 🀇🀇🀇, (🀄︎🀄︎🀄︎) [🀘🀘🀘🀘]"
    shown = text(explain(*PINFU, "ron", seat="S")[0], as_glyphs=True)
    assert "* 🀈🀉🀊 🀝🀞🀟 🀒🀓+🀔 🀕🀖🀗 🀡🀡" in shown
    assert "yaku.pinfu = 1/off (base)" in shown


def test_a_case_of_words_is_read_like_one_of_the_file_of_cases():
    line = case_line(*PINFU, "ron", ["riichi=double", "last_tile=1"], "S", "E", "kamicha", "4m3p", "12s")
    assert line == {
        "hand": PINFU[0],
        "win": PINFU[1],
        "by": "ron",
        "ctx": {"riichi": "double", "last_tile": 1},
        "seat": "S",
        "round": "E",
        "win_from": "kamicha",
        "dora_ind": ["4m", "3p"],
        "ura_ind": ["1s", "2s"],
    }


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"ctx": ["riichi"]}, "'riichi' states nothing; expected KEY=VALUE, as in riichi=double"),
        ({"ctx": ["riichi=double", "riichi=riichi"]}, "'riichi' is stated twice, expected one value"),
        ({"ctx": ["last_tile=1", "riichi=double", "last_tile=1"]}, "'last_tile' is stated twice, expected one value"),
        ({"ura": "1m"}, "ura indicators are turned for a hand in riichi only, as with --ctx riichi=riichi"),
        ({"ura": "1m", "ctx": ["riichi=pon"]}, "ura indicators are turned for a hand in riichi only"),
        ({"ctx": ["richi=double"]}, "no key of ctx \"richi\"; nearest: 'riichi'"),
        ({"ctx": ["riichi=twice"]}, "riichi is \"twice\", expected one of"),
        ({"seat": "X"}, "seat is \"X\""),
        ({"win_from": "left"}, "win_from is \"left\", expected one of kamicha, toimen, shimocha"),
        ({"dora": "9x"}, "'9x' are no indicators; expected tiles, as in 4m3p"),
        ({"ura": "m3"}, "'m3' are no indicators"),
        ({"dora": "8z"}, 'dora_ind is "8z"'),
    ],
)
def test_what_cannot_be_said_of_a_hand_is_named(more, message):
    with pytest.raises(AccountError) as error:
        explain(*PINFU, "ron", **more)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("hand", "win", "by", "message"),
    [
        ("234m567p34678s9p", "5s", "ron", "13 tiles with the winning one"),
        ("234m567p34678s99p", "5s", "rob", "by is \"rob\", expected one of ron, tsumo"),
        ("234m567p34678s99p", "55s", "ron", "win is \"55s\", expected one tile"),
        ("222222m34678s99p", "5s", "ron", "6 tiles 2m"),
        ("two of man", "5s", "ron", "expected tiles as in '123m0p7z'"),
    ],
)
def test_a_hand_that_cannot_be_one_is_named(hand, win, by, message):
    with pytest.raises(AccountError) as error:
        explain(hand, win, by)
    assert message in str(error.value)


# Recorded wins


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Store:
    """A store of some sample games of four and of three players."""
    logs = sorted((PROJECT / "data_samples").glob("*.mjlog"))
    path = tmp_path_factory.mktemp("account") / "store"
    ingest([*logs[:6], *logs[-6:]], path)
    return Store(path)


def test_every_recorded_win_is_explained_as_it_was_paid(store):
    [part] = store.parts()
    part = {name: part[name] for name in ("games", "wins", "rounds")}
    games = {game["game"]: game for game in part["games"].to_pylist()}
    assert {game["players"] for game in games.values()} == {3, 4}
    wins = part["wins"].to_pylist()
    for win in random.Random(2).sample(wins, 15):
        game = games[win["game"]]
        place, [found] = of_win(store, win["round_no"], win["winner"], ["recorded"], game=game["path"])
        assert place == f"{game['path']}, round {win['round_no']}, winner {win['winner']}"
        assert found.rules.id == game["ruleset"]
        assert (found.status, found.points) == ("ok", win["points"])
        if win["han"] is not None:
            assert (found.han, found.fu) == (win["han"], win["fu"])
        [dealer] = [
            one["dealer"]
            for one in part["rounds"].to_pylist()
            if (one["game"], one["round_no"]) == (win["game"], win["round_no"])
        ]
        seats = range(game["players"])
        winds = {"ESWN"[(seat - dealer) % game["players"]]: win[f"delta_{seat}"] for seat in seats}
        assert found.payments == winds


def test_a_recorded_win_is_explained_under_other_rules_and_changes_of_its_own(store):
    [part] = store.parts()
    win, game = part["wins"].to_pylist()[0], part["games"].to_pylist()
    [game] = [one for one in game if one["game"] == win["game"]]
    changed = amended_rules("recorded", ["sanrenkou"])
    _, found = of_win(store, win["round_no"], win["winner"], [changed, "seed_local", base()], game=game["source_id"])
    assert [one.rules.id for one in found] == [f"{game['ruleset']} + sanrenkou=2", "seed_local", "base"]
    scores = score({name: part[name] for name in part}, [changed, "seed_local", "base"])["scores"].to_pylist()
    at = ("game", "round_no", "winner")
    expected = [row["points"] for row in scores if all(row[name] == win[name] for name in at)]
    assert [one.points for one in found] == expected


def test_a_win_that_is_not_there_is_named_with_those_that_are(store):
    [part] = store.parts()
    game = part["games"].to_pylist()[0]
    wins = [win for win in part["wins"].to_pylist() if win["game"] == game["game"]]
    there = ", ".join(f"round {win['round_no']} winner {win['winner']}" for win in wins)
    for round_no, winner in ((99, 0), (wins[0]["round_no"], (wins[0]["winner"] + 1) % 3 + 4)):
        with pytest.raises(AccountError) as error:
            of_win(store, round_no, winner, ["recorded"], game=game["path"])
        assert str(error.value) == f"{game['path']}: no win of seat {winner} in round {round_no}; wins: {there}"


def test_a_game_must_be_the_only_one_that_is_meant(store):
    paths = store.table("games")["path"].to_pylist()
    some = f"{'; '.join(paths[:3])}; …; name one with --game, by a part of its path or its id"
    for game, said in (
        ("", f"12 games: {some}"),
        ("2024", f"12 games fit '2024': {some}"),
        ("nothing", f"no game fits 'nothing'; there are: {some}"),
    ):
        with pytest.raises(AccountError) as error:
            of_win(store, 0, 0, ["recorded"], game=game)
        assert str(error.value) == said


def test_a_store_without_games_says_why(tmp_path):
    with pytest.raises(AccountError, match=r"^no game here$"):
        of_win(Store.create(tmp_path / "empty"), 0, 0, ["recorded"])
    (tmp_path / "junk").write_text("junk")
    ingest(tmp_path / "junk", tmp_path / "store")
    with pytest.raises(AccountError, match=rf"^no game here; {tmp_path}/junk: unknown format"):
        of_win(Store(tmp_path / "store"), 0, 0, ["recorded"])


def test_a_game_named_in_full_is_meant_even_where_it_is_a_part_of_others(tmp_path):
    name, other = "game.mjlog", "game.mjlog.bak"
    for put, path in zip((name, other), sorted((PROJECT / "data_samples").iterdir())[:2], strict=True):
        (tmp_path / put).write_bytes(path.read_bytes())
    ingest([tmp_path / name, tmp_path / other], tmp_path / "store")
    store = Store(tmp_path / "store")
    [part] = store.parts()
    [first] = [game["game"] for game in part["games"].to_pylist() if game["path"].endswith(name)]
    win = next(win for win in part["wins"].to_pylist() if win["game"] == first)
    place, _ = of_win(store, win["round_no"], win["winner"], ["recorded"], game=str(tmp_path / name))
    assert place == f"{tmp_path / name}, round {win['round_no']}, winner {win['winner']}"


def test_a_run_of_wins_that_needs_two_han_needs_them_in_an_account_too(tmp_path):
    hand = {"hand": "567p34678s88p (234m)", "win": "5s"}
    tables = tables_of({"rounds": [{"wins": [{"winner": 0, "loser": 1, "run": 5, **hand}]}]})

    rules = base().amend({"yaku.paarenchan": "yakuman"})
    bound = rules.amend({"yaku.paarenchan.ryanhan_shibari": "dealer_after_fifth"})
    _, [free, refused] = of_win(stored(tables, tmp_path / "store"), 0, 0, [rules, bound])
    assert (free.status, refused.status) == ("ok", "no_yaku")
    assert refused.rules["round.minimum_han"] == 2


def test_a_win_that_head_bump_sets_aside_is_paid_nothing(store):
    [part] = store.parts()
    wins = part["wins"].to_pylist()
    games = {game["game"]: game["path"] for game in part["games"].to_pylist()}
    by_round = {}
    for win in wins:
        by_round.setdefault((win["game"], win["round_no"]), []).append(win["winner"])
    (game, round_no), winners = next((at, winners) for at, winners in by_round.items() if len(winners) == 2)
    bump = amended_rules("recorded", set_=["payment.multiple_ron=head_bump"])
    found = [of_win(store, round_no, winner, [bump], game=games[game])[1][0] for winner in winners]
    assert sorted(bool(one.payments) for one in found) == [False, True]
    assert all(one.points > 0 for one in found)


def test_the_public_face_has_the_account():
    assert koyaku.explain is account.explain


@pytest.mark.parametrize(
    ("case", "besides"),
    [
        ({"honba": 2, "sticks": 1}, "   (2,000 +1,000 riichi stick, +600 honba)"),
        ({"sticks": 3}, "   (2,000 +3,000 riichi sticks)"),
        ({"honba": 1}, "   (2,000 +300 honba)"),
        ({}, ""),
    ],
)
def test_what_the_winner_gets_beside_the_points_is_named(case, besides):
    line = case_line("234m567p34678s99p", "5s", "ron", ["riichi=riichi"], seat="S", win_from="kamicha")
    [found] = of_case(line | case, [base()])
    last = text(found).splitlines()[-1]
    total = 2000 + 300 * case.get("honba", 0) + 1000 * case.get("sticks", 0)
    assert last.endswith(f"S {total:+,}  W +0  N +0{besides}")
