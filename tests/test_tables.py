"""Event columns to tables: what the tables say beyond what a source decodes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from parsers import schema
from parsers.errors import LogError
from parsers.events import NO_POINTS, Batch, Lists, Reject
from parsers.store import OPTIONAL
from parsers.tables import play_hash, rejects, tables
from parsers.tenhou_xml.columns import decode
from tests.small_mjlog import AFTER, EXHAUSTED, OWARI, RON, agari, init, log, tsumo

SECOND = tsumo(before=AFTER, owari="280,8.0,240,0.0,240,-2.0,240,-6.0")


def batch(*logs: bytes) -> Batch:
    return decode([(f"{number}.mjlog", data) for number, data in enumerate(logs)]).batch


def column(name: str, of: str, *logs: bytes) -> list:
    return tables(batch(*logs))[name][of].to_pylist()


def test_every_table_has_its_schema():
    made = tables(batch(log(init() + tsumo(), init(ten=AFTER) + SECOND), log(init() + EXHAUSTED)))
    assert set(made) == set(schema.TABLES) - set(OPTIONAL)
    for name, table in made.items():
        assert table.schema.equals(schema.TABLES[name], check_metadata=True)
        table.validate(full=True)


def test_a_batch_of_nothing_has_tables_of_nothing():
    for name, table in tables(batch()).items():
        assert table.num_rows == 0
        assert table.schema.equals(schema.TABLES[name])


def test_rounds_and_actions_are_counted_from_0_in_every_game():
    two = log(init() + "<T60/><D60/>" + tsumo(130), init(ten=AFTER) + SECOND)
    assert column("rounds", "round_no", two, two, log(init() + RON)) == [0, 1, 0, 1, 0]
    assert column("actions", "seq", two, log(init() + RON)) == [0, 1, 2, 0, 0, 1]
    assert column("games", "n_rounds", two, log(init() + RON)) == [2, 1]


def test_the_live_wall_loses_a_tile_with_every_draw():
    four = "<T60/><D60/><U61/><E61/>"
    assert column("rounds", "live_left", log(init() + four + EXHAUSTED)) == [68]
    three = '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,0,0"/>'
    assert column("rounds", "live_left", log(init(three=True) + "<T100/><D100/>" + three, go='type="25"')) == [54]


def test_delta_is_the_points_after_a_round_less_those_before_it():
    data = log(init() + tsumo(), init(ten=AFTER) + SECOND)
    assert [column("rounds", f"delta_{seat}", data) for seat in range(4)] == [[1500, 1500], *[[-500, -500]] * 3]
    assert column("games", "defects", data) == [None]


def test_a_stick_lost_in_a_draw_counts_in_delta_and_is_no_defect():
    riichi = '<T60/><REACH who="0" step="1"/><D60/><REACH who="0" ten="240,250,250,250" step="2"/>'
    draw = '<RYUUKYOKU ba="0,1" sc="240,0,250,0,250,0,250,0"/>'
    data = log(init() + riichi + draw)
    assert column("rounds", "delta_0", data) == [-1000]
    assert column("draws", "delta_0", data) == [0]
    assert column("games", "defects", data) == ["the end of the game is missing"]


@pytest.mark.parametrize("ten", ["266,245,245,244", "250,250,250,250"])
def test_points_that_do_not_add_up_are_a_defect_that_names_the_round(ten):
    data = log(init() + tsumo(), init(ten=ten) + tsumo(before=ten, owari=OWARI))
    assert column("games", "defects", log(init() + RON), data)[1] == "points of round 0 do not add up"
    assert column("rounds", "delta_0", data)[0] == (int(ten[:3]) - 250) * 100


@pytest.mark.parametrize(
    ("owari", "placement"),
    [
        ("400,40,300,10,200,-10,100,-40", [1, 2, 3, 4]),
        ("100,-40,200,-10,300,10,400,40", [4, 3, 2, 1]),
        ("250,0,250,0,250,0,250,0", [1, 2, 3, 4]),
        ("200,0,300,0,300,0,200,0", [3, 1, 2, 4]),
        ("-10,0,-20,0,530,0,500,0", [3, 4, 1, 2]),
    ],
)
def test_placement_goes_by_points_and_then_by_seat(owari, placement):
    assert column("seats", "placement", log(init() + tsumo(owari=owari))) == placement


def test_the_absent_seat_takes_no_place():
    draw = '<RYUUKYOKU ba="0,0" sc="350,0,350,0,350,0,0,0" owari="-50,-1,350,1,750,5,0,0"/>'
    assert column("seats", "placement", log(init(three=True) + draw, go='type="25"')) == [3, 2, 1]


def test_a_game_without_end_has_no_placement_and_is_not_complete():
    data = log(init() + tsumo())
    assert column("seats", "placement", data) == [None] * 4
    assert column("seats", "final_points", data) == [None] * 4
    assert column("games", "is_complete", data, log(init() + tsumo(owari=OWARI))) == [False, True]


def test_indicators_of_a_round_are_the_first_and_those_turned_later():
    turned = f'<T60/><N who="0" m="{1 << 8}"/><T61/><DORA hai="16"/><D61/>'
    assert column("rounds", "dora_indicators", log(init() + turned + EXHAUSTED, init() + RON)) == [[33, 34], [33]]


def test_ura_indicators_of_a_round_are_those_of_the_first_win_that_shows_them():
    second = agari("26,27,28,29,30,31,32,33,34,35,36,37,38,52", 52, 2, 0, doraHaiUra="100", before="240,260,250,250")
    assert column("rounds", "ura_indicators", log(init() + RON + second, init() + RON)) == [[25], None]


def test_a_round_says_how_it_ended():
    draws = [f'<RYUUKYOKU {t} ba="0,0" sc="250,0,250,0,250,0,250,0"/>' for t in ("", 'type="yao9"', 'type="ron3"')]
    data = log(*(init() + draw for draw in draws), init() + RON)
    assert column("rounds", "end", data) == ["exhaustive", "kyuushu_kyuuhai", "sanchahou", "win"]


def test_melds_of_a_seat_that_does_not_win_are_in_no_slot():
    code = 1 << 8  # a concealed kan of 1m
    kan = f'<T60/><N who="0" m="{code}"/><T61/><D61/><U62/><E62/><V63/>'
    win = agari(",".join(map(str, range(26, 39))) + ",63", 63, 2, 2)
    made = tables(batch(log(init() + kan + win)))["wins"].to_pylist()[0]
    assert [made[f"meld_{slot}"] for slot in range(1, 5)] == [None] * 4
    assert made["n_kita"] == 0


# The hash of the play.

PLAY = init() + "<T60/><D60/><U61/><E13/>" + tsumo(130)


def hashes(*logs: bytes) -> list[int]:
    return play_hash(batch(*logs)).tolist()


SAME_PLAY = {
    "other players": log(PLAY).replace(b"east", b"EAST"),
    "another room": log(PLAY, go='type="225"'),
    "other copies of the tiles drawn": log(PLAY.replace("60", "62").replace("61", "63")),
    "other scores and yaku": log(PLAY.replace("30,1500,0", "30,3000,0").replace('yaku="0,1"', 'yaku="7,1"')),
    "riichi, which formats time differently": log(PLAY.replace("<D60/>", '<REACH who="0" step="1"/><D60/>')),
    "a lost connection": log(PLAY.replace("<D60/>", '<BYE who="3"/><D60/>')),
    "tiles dealt in another order": log(PLAY.replace("0,1,2,3,4,5", "5,4,3,2,1,0", 1).replace('hai="5,', 'hai="0,')),
}
OTHER_PLAY = {
    "another tile drawn": log(PLAY.replace("61", "65")),
    "a red five drawn for a plain one": log(PLAY.replace("<T60/><D60/>", "<T52/><D52/>")),
    "a plain five drawn for a red one": log(PLAY.replace("<T60/><D60/>", "<T53/><D53/>")),
    "another discard": log(PLAY.replace("<E13/>", "<E17/>")),
    "another order": log(PLAY.replace("<T60/><D60/><U61/><E13/>", "<U61/><E13/><T60/><D60/>")),
    "another seat": log(PLAY.replace("<U61/><E13/>", "<V61/><F26/>")),
    "another deal": log(PLAY.replace("48,49,50,51", "48,49,50,60").replace("60/>", "51/>")),
    "another first indicator": log(PLAY.replace("1,2,135", "1,2,131")),
    "a round more": log(PLAY, PLAY),
    "a round less of the same draws": log(init() + "<T60/><D60/><U61/><E13/>" + EXHAUSTED),
}


@pytest.mark.parametrize("what", SAME_PLAY)
def test_the_hash_does_not_see(what):
    first, second = hashes(log(PLAY), SAME_PLAY[what])
    assert first == second


@pytest.mark.parametrize("what", OTHER_PLAY)
def test_the_hash_sees(what):
    first, second = hashes(log(PLAY), OTHER_PLAY[what])
    assert first != second


def test_the_hash_of_a_game_does_not_depend_on_its_neighbours():
    logs = [log(PLAY), *OTHER_PLAY.values(), log(init() + EXHAUSTED)]
    assert hashes(*logs) == [hashes(data)[0] for data in logs]
    assert len(set(hashes(*logs))) == len(logs)


def test_the_hash_stays_the_same_from_version_to_version():
    assert hashes(log(init() + EXHAUSTED)) == [-1577594190116416834]


# Rejects and columns with nulls.


def test_a_reject_names_its_place_as_far_as_it_is_known():
    found = rejects(
        [
            Reject(LogError("empty", path="a")),
            Reject(LogError("odd", path="b", round_no=2, event=7), byte=99, game=5),
            Reject(LogError("odd", path="c", round_no=0, event=0), byte=9),
        ],
        "tenhou_xml",
    ).to_pylist()
    assert [row["place"] for row in found] == ["", "round 2, event 7, byte 99", "round 0, event 0, byte 9"]
    assert [row["round_no"] for row in found] == [None, 2, None]  # no round of a and c was kept: all are missing
    assert [row["path"] for row in found] == ["a", "b", "c"]


def test_absent_values_become_null_and_nothing_else_does():
    made = batch(log(init() + tsumo(owari=OWARI)), log(init() + RON))
    assert made.games.final_points[1].tolist() == [NO_POINTS] * 4
    found = tables(made)
    assert found["wins"]["loser"].to_pylist() == [None, 0]
    assert found["wins"]["liable"].null_count == 2
    assert found["seats"]["chips"].null_count == 8
    assert found["actions"]["is_tsumogiri"].to_pylist() == [None, None, True]


def test_lists_know_their_lengths_and_rows():
    lists = Lists.of_lengths(np.array([2, 0, 1]), np.array([5, 6, 7]))
    assert lists.lengths.tolist() == [2, 0, 1]
    assert lists.rows().tolist() == [0, 0, 2]
    assert len(lists) == 3


def test_parts_of_different_batches_can_be_put_together():
    first, second = (tables(batch(data)) for data in (log(init() + RON), log(init() + EXHAUSTED)))
    for name in first:
        together = pa.concat_tables([first[name], second[name]])
        assert together.num_rows == first[name].num_rows + second[name].num_rows
