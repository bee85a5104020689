"""Chances and latent wins of real games against a plain scan of the same logs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from conftest import tenhou_logs

from analytics.chances import chances
from analytics.latent import STANDINGS, latent_wins, standings, untaken_wins
from analytics.rescoring import RECORDED, amended_rules
from analytics.scoring.readings import FORMS
from analytics.scoring.ruleset import catalog, ruleset
from parsers import tenhou_xml
from parsers.schema import MELD_KINDS
from tests import chances_reference as reference
from tests import plain_mjlog

ROW = (
    "seat_wind round_wind is_riichi is_double_riichi is_ippatsu is_haitei is_houtei is_rinshan is_chankan is_tenhou "
    "is_chiihou n_own_draws n_own_discards n_calls_before n_opponent_calls_before is_declaration_tile "
    "is_replacement_sideways is_double_declaration is_after_kan_discard n_kans_in_row is_concealed_kan_chain "
    "rinshan_kan robbed is_loser_riichi is_loser_dealer is_riichi_before is_dealer_first_discard is_first_go_around "
    "n_visible live_left turn win_streak dealer_streak n_count_1 n_count_2 n_count_3 n_dora n_kan_dora n_ura n_kan_ura "
    "n_aka n_kita"
).split()


def local_rules():
    """Every local yaku there is, at its catalog value, and seven pairs with four of a kind."""
    local = [id_ for id_, yaku in catalog().items() if yaku.kind == "hand" and not yaku.is_standard and yaku.value.is_on]
    return amended_rules("base", adopt=local, set_=["yaku.chiitoitsu.four_identical=true"])


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


def differences(path):
    """Chances and latent wins compared, what differs, and what there was of each standing."""
    data = path.read_bytes()
    game = plain_mjlog.read(data)
    tables = tenhou_xml.read([(str(path), data)])
    game.rounds = game.rounds[: len(tables["rounds"])]
    plays_red, players = not game.go_type & 2, 3 if game.go_type & 16 else 4
    found, expect = chances(tables), reference.scan(game)
    rows = found.to_pylist()
    seen = Counter(chances=len(rows))
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
        wrong += [(path, place, name, row[name], value) for name, value in expected.items() if row[name] != value]

    rules = rulesets()
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
            if mine != theirs or gone != sorted(voided) or won.n_rounds_with != len({c.round_no for c in latent}):
                wrong.append((path, f"latent {name} to {other_name}", mine, theirs, gone, voided))
    return seen, wrong


def compared(paths):
    total, wrong = Counter(), []
    for path in paths:
        seen, found = differences(path)
        total += seen
        wrong += found
    return total, wrong


def test_chances_and_latent_wins_of_a_few_real_games_are_those_of_the_plain_scan(shared):
    logs = tenhou_logs(shared)
    total, wrong = compared(logs[5 :: len(logs) // 10][:10])
    assert wrong == []
    assert total["chances"] > 40
