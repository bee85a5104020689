"""Chances and latent wins of real games against a plain scan of the same logs."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pyarrow as pa
import pytest
from conftest import tenhou_logs
from made_store import table

from analytics.chances import chances
from analytics.latent import STANDINGS, latent_wins, standings, untaken_wins
from analytics.rescoring import RECORDED, amended_rules
from analytics.scoring.readings import FORMS
from analytics.scoring.ruleset import catalog, ruleset
from parsers import tenhou_xml
from parsers.schema import MELD_KINDS
from tests import chances_reference as reference
from tests import dealt_play, plain_mjlog

ROW = [
    "seat_wind", "round_wind", "is_riichi", "is_double_riichi", "is_ippatsu", "is_haitei", "is_houtei",
    "is_rinshan", "is_chankan", "is_tenhou", "is_chiihou", "n_own_draws", "n_own_discards", "n_calls_before",
    "n_opponent_calls_before", "is_declaration_tile", "is_replacement_sideways", "is_double_declaration",
    "is_after_kan_discard", "n_kans_in_row", "is_concealed_kan_chain", "rinshan_kan", "robbed", "is_loser_riichi",
    "is_loser_dealer", "is_riichi_before", "is_dealer_first_discard", "is_first_go_around", "n_visible",
    "live_left", "turn", "win_streak", "dealer_streak", "n_count_1", "n_count_2", "n_count_3", "n_dora",
    "n_kan_dora", "n_ura", "n_kan_ura", "n_aka", "n_kita",
]



def local_rules():
    """Every local yaku there is, at its catalog value, and seven pairs with four of a kind."""
    of_hands = [yaku for yaku in catalog().values() if yaku.kind == "hand" and yaku.value.is_on]
    local = [yaku.id for yaku in of_hands if not yaku.is_standard]
    return amended_rules("base", adopt=local, set_=["yaku.chiitoitsu.four_identical=true"])


@cache
def rulesets():
    return {
        "recorded": RECORDED,
        "base": ruleset("base"),
        "wrc_2022": ruleset("wrc_2022").assume_base(),
        "mahjong_soul_koyaku": ruleset("mahjong_soul_koyaku"),
        "local": local_rules(),
    }


def tile_code(tile, plays_red):
    return 34 + (16, 52, 88).index(tile) if plays_red and tile in (16, 52, 88) else tile // 4


def kinds(mask):
    return {k for k in range(34) if mask >> k & 1}


def of_log(path):
    """A real log by both readers."""
    data = path.read_bytes()
    game, tables = plain_mjlog.read(data), tenhou_xml.read([(str(path), data)])
    game.rounds = game.rounds[: len(tables["rounds"])]
    return path.name, game, tables


def of_seed(seed):
    """A game of random play by both."""
    game = dealt_play.random_game(seed)
    rows = dealt_play.rows(game, seed)
    return f"seed {seed}", game, {name: table(name, its) for name, its in rows.items()}


def differences(path, game, tables, names):
    """Chances and latent wins compared, what differs, and what there was of each standing."""
    plays_red, players = not game.go_type & 2, 3 if game.go_type & 16 else 4
    found, expect = chances(tables), reference.scan(game)
    rows = found.to_pylist()
    seen = Counter(chances=len(rows))
    for row in rows:
        seen.update(form for at, form in enumerate(FORMS) if row["form_mask"] >> at & 1)
        seen.update(f"robbed {row['robbed']}" for _ in [0] if row["robbed"])
        seen["rinshan"] += row["is_rinshan"]
        seen["taken"] += row["is_taken"]
    place = [(row["round_no"], row["seq"], row["winner"]) for row in rows]
    wanted = [(chance.round_no, chance.seq, chance.seat) for chance in expect]
    if place != wanted:
        return seen, [(path, "place", sorted(set(place) ^ set(wanted))[:5])]
    wrong = []
    for row, chance in zip(rows, expect, strict=True):
        expected = {
            "is_taken": chance.is_taken,
            "form_mask": sum(1 << FORMS.index(form) for form in chance.forms),
            "loser": chance.from_seat,
            "concealed": sorted(tile_code(tile, plays_red) for tile in chance.concealed),
            "win_tile": tile_code(chance.tile, plays_red),
            "wait_mask": sum(1 << kind for kind in chance.waits),
            "river_mask": sum(1 << kind for kind in chance.river),
            "passed_mask": sum(1 << kind for kind in chance.passed),
            "passed_riichi_mask": sum(1 << kind for kind in chance.passed_riichi),
            "called_by": chance.called[0] if chance.called else None,
            "called_as": chance.called[1] if chance.called else None,
            "rons_mask": sum(1 << seat for seat in chance.rons),
            "is_aborted": chance.is_aborted,
            "is_connected": chance.is_connected,
            **{name: chance.row[name] for name in ROW},
        }
        for slot in range(4):
            meld = chance.melds[slot] if slot < len(chance.melds) else None
            expected[f"meld_{slot + 1}"] = meld and meld.kind
            expected[f"meld_{slot + 1}_kind"] = meld and meld.tiles[0] // 4
            expected[f"meld_{slot + 1}_from"] = meld and meld.from_seat
        assert set(MELD_KINDS) >= {meld.kind for meld in chance.melds}
        differs = [(name, row[name], value) for name, value in expected.items() if row[name] != value]
        wrong += [(path, row["round_no"], row["seq"], *one) for one in differs]

    rules = {name: rulesets()[name] for name in names}
    recorded = RECORDED.of(tables["games"]["ruleset"][0].as_py())
    for name, one in rules.items():
        plain = recorded if name == "recorded" else one
        mine = [STANDINGS[code] for code in standings(tables, found, one).standing]
        theirs = reference.standings(expect, plain, plays_red)
        seen.update(f"{name} {standing}" for standing in mine)
        for at, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            if a != b:
                wrong.append((path, place[at], f"standing under {name}", a, b))
        for other_name, other in rules.items():
            if other_name == name or "recorded" not in (name, other_name):
                continue
            won = latent_wins(tables, found, one, other)
            other_plain = recorded if other_name == "recorded" else other
            latent, voided = reference.latent(expect, plain, other_plain, plays_red, players)
            mine = sorted((w["round_no"], w["seq"], w["winner"]) for w in won.wins.to_pylist())
            theirs = sorted((c.round_no, c.seq, c.seat) for c in latent)
            gone = sorted((row["round_no"], row["winner"]) for row in won.preempted.to_pylist())
            seen[f"latent {name} to {other_name}"] += len(mine)
            n_rounds = len({chance.round_no for chance in latent})
            if (mine, gone, won.n_rounds_with) != (theirs, sorted(voided), n_rounds):
                wrong.append((path, f"latent {name} to {other_name}", mine, theirs, gone, voided))
    return seen, wrong


def compared(games, names=("recorded", "base", "wrc_2022", "mahjong_soul_koyaku", "local")):
    total, wrong = Counter(), []
    for path, game, tables in games:
        seen, found = differences(path, game, tables, names)
        total += seen
        wrong += found
    return total, wrong


def test_chances_and_latent_wins_of_a_few_real_games_are_those_of_the_plain_scan(shared):
    logs = tenhou_logs(shared)
    total, wrong = compared(map(of_log, logs[5 :: len(logs) // 10][:10]), ("recorded", "local"))
    assert wrong == []
    assert total["chances"] > 40


def test_chances_and_latent_wins_of_random_play_are_those_of_the_plain_scan():
    total, wrong = compared(map(of_seed, range(8)), ("recorded", "local"))
    assert wrong == []
    assert sum(total[form] > 0 for form in FORMS) > 5


@pytest.mark.slow
def test_chances_and_latent_wins_of_much_random_play_are_those_of_the_plain_scan():
    total, wrong = compared(map(of_seed, range(100, 400)))
    assert wrong == []
    asked = [*FORMS, "robbed kita", "robbed kakan", "robbed ankan", "rinshan", "taken", "recorded furiten"]
    assert all(total[one] for one in asked), total


@pytest.mark.slow
def test_chances_and_latent_wins_of_300_real_games_are_those_of_the_plain_scan(shared):
    logs = tenhou_logs(shared)
    games = [of_log(path) for path in logs[:: len(logs) // 300][:300]]
    total, wrong = compared(games)
    assert wrong == []
    assert total["chances"] == 1896  # by the columns and by the plain scan alike
    assert total["taken"] == sum(len(tables["wins"]) for _, _, tables in games)  # as recorded
    assert total["latent recorded to local"] > 40


def test_walls_tell_the_ura_that_winners_showed(shared):
    """Of wins in riichi whose record is taken away, the wall tells the same ura."""
    logs = tenhou_logs(shared)
    tables = tenhou_xml.read([(path.name, path.read_bytes()) for path in logs[:: len(logs) // 30]], walls=True)
    at = tables["rounds"].schema.get_field_index("ura_indicators")
    field = tables["rounds"].schema.field(at)
    nobody = tables["rounds"].set_column(at, field, pa.nulls(len(tables["rounds"]), field.type))
    told = chances(tables)
    blind = chances(tables | {"rounds": nobody, "wins": tables["wins"].slice(0, 0)})
    assert blind["seq"].equals(told["seq"])
    n_told = 0
    has_wall = {(w["game"], w["round_no"]) for w in tables["walls"].to_pylist() if w["agrees"]}
    for row, other in zip(told.to_pylist(), blind.to_pylist(), strict=True):
        if row["is_taken"] and row["is_riichi"] and (row["game"], row["round_no"]) in has_wall:
            assert other["ura_indicators"] == row["ura_indicators"]
            n_told += 1
        assert other["is_riichi"] or other["ura_indicators"] is None
    assert n_told > 30


# ------------------------------------------------------------------------------------------------- all real logs


@pytest.mark.slow
def test_every_recorded_win_that_was_played_is_a_chance_that_was_taken(real_store):
    """With its hand and circumstances, and a win under the rules it was recorded under: legal, and not furiten."""
    n_wins, unplayed = 0, []
    for part in real_store.parts():
        tables = dict(part)
        found = chances(tables)
        taken = found.filter(found["is_taken"])
        played = set(zip(*(tables["actions"][name].to_pylist() for name in ("game", "round_no")), strict=True))
        wins = set(zip(*(tables["wins"][name].to_pylist() for name in ("game", "round_no", "winner")), strict=True))
        keys = list(zip(*(taken[name].to_pylist() for name in ("game", "round_no", "winner")), strict=True))
        assert len(set(keys)) == len(keys)
        assert {key for key in wins if key[:2] in played} == set(keys)
        unplayed += [key for key in wins if key[:2] not in played]
        n_wins += len(keys)
        standing = standings(tables, found, RECORDED).standing
        assert set(standing[found["is_taken"].to_numpy()].tolist()) == {0}
    assert (n_wins, len(unplayed)) == (24802, 1)


@pytest.mark.slow
def test_every_win_that_was_not_taken_falls_in_a_class(real_store):
    classes = Counter()
    for part in real_store.parts():
        tables = dict(part)
        classes.update(untaken_wins(tables, chances(tables))["class"].to_pylist())
    assert classes == {"passed": 144, "aborted": 9, "other_ron": 1, "disconnected": 1}


def one_more_discard(tables, game, chance):
    """Tables and plain game of a round that goes on after a chance with one more discard of the same tile."""
    row = chance
    actions = tables["actions"].to_pylist()
    kept = [a for a in actions if a["round_no"] == row["round_no"] and a["seq"] <= row["seq"]]
    blank = dict.fromkeys(kept[-1], None) | {"game": row["game"], "round_no": row["round_no"], "seat": row["loser"]}
    for step, kind in enumerate(("draw", "discard"), start=1):
        kept.append(blank | {"seq": row["seq"] + step, "kind": kind, "tile": row["win_tile"]})
    of_round = pa.compute.equal(tables["rounds"]["round_no"], row["round_no"])
    changed = {
        "games": tables["games"],
        "rounds": tables["rounds"].filter(of_round),
        "actions": pa.Table.from_pylist(kept, tables["actions"].schema),
        "wins": tables["wins"].slice(0, 0),
        "draws": tables["draws"].slice(0, 0),
    }
    round_ = game.rounds[row["round_no"]]
    event = round_.events[row["seq"]]
    tile = event.tile if isinstance(event, plain_mjlog.Discard) else event.meld.tiles[-1]
    again = [plain_mjlog.Draw(row["loser"], tile), plain_mjlog.Discard(row["loser"], tile)]
    round_.events = [*round_.events[: row["seq"] + 1], *again]
    game.rounds = [round_]
    return changed, game


@pytest.mark.slow
def test_a_seat_that_passed_up_a_win_is_furiten_afterwards(real_store):
    """Fifty wins passed up by choice: were the tile discarded once more at once, the seat could not win on it."""
    n_replayed = 0
    for part in real_store.parts():
        tables = dict(part)
        found = chances(tables)
        classed = untaken_wins(tables, found).filter(pa.compute.field("class") == "passed")
        paths = dict(zip(tables["games"]["game"].to_pylist(), tables["games"]["path"].to_pylist(), strict=True))
        for row in found.take(classed["chance"]).to_pylist():
            if row["is_tsumo"] or n_replayed == 50:
                continue
            n_replayed += 1
            with open(paths[row["game"]], "rb") as file:
                data = file.read()
            game = plain_mjlog.read(data)
            own = tenhou_xml.read([(paths[row["game"]], data)])
            plays_red = not game.go_type & 2
            changed, plain = one_more_discard(own, game, row)
            again = chances(changed)
            last = max(i for i, w in enumerate(again["winner"].to_pylist()) if w == row["winner"])
            assert again["seq"][last].as_py() == row["seq"] + 2
            assert STANDINGS[standings(changed, again, RECORDED).standing[last]] == "furiten"
            expect = reference.scan(plain)
            at = max(i for i, chance in enumerate(expect) if chance.seat == row["winner"])
            assert expect[at].seq == row["seq"] + 2
            rules = RECORDED.of(own["games"]["ruleset"][0].as_py())
            assert reference.standings(expect, rules, plays_red)[at] == "furiten"
    assert n_replayed == 50
