"""The audit: what agrees, what it finds when a record is changed, and the real logs."""

import gzip
import json
import re
from collections import Counter
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from conftest import PROJECT, tenhou_logs
from told import tables_of

from analytics.audit import Audit, audit, audit_part
from analytics.corpus import ingest, map_parts
from analytics.scoring.ruleset import ruleset
from parsers.store import Store

# The record of these rounds contradicts itself: an archived log in which somebody moved points between the rounds.
NONAME = ("MahjongPantheon/hanchan_with_noname.xml", 0)  # edited by hand: 30 fu 2 han of a dealer for 2000
INCONSISTENT = {("MahjongRepository/24.txt", 2), ("MahjongRepository/24.txt", 4), NONAME}


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Store:
    store = Store.create(tmp_path_factory.mktemp("samples") / "store")
    ingest(sorted((PROJECT / "data_samples").glob("*.mjlog")), store)
    return store


@pytest.fixture
def tables(samples):
    """The tables of the sample games, to be changed."""
    [part] = samples.parts()
    return {name: part[name] for name in part}


def changed(table, name, row, value):
    column = table[name].to_pylist()
    column[row] = value
    field = table.schema.field(name)
    return table.set_column(table.schema.get_field_index(name), field, pa.array(column, field.type))


def row_of(table, **wanted):
    """The first row that has these values; `...` stands for any but null."""
    for row, values in enumerate(zip(*(table[name].to_pylist() for name in wanted), strict=True)):
        if all(v == w or (w is ... and v is not None) for v, w in zip(values, wanted.values(), strict=True)):
            return row
    raise AssertionError(f"no row with {wanted}")


def found(tables, **options):
    result = audit_part(tables, **options)
    return result, {(m.field, m.winner is not None) for m in result.mismatches}


def test_every_win_round_and_game_of_the_samples_agrees(tables):
    result, fields = found(tables)
    assert fields == set()
    assert result.wins == result.agree == tables["wins"].num_rows > 300
    assert result.rounds == result.rounds_agree == tables["rounds"].num_rows
    assert result.games == result.games_agree > 40
    assert result.rate == 1


def test_the_counts_by_source_and_ruleset_add_up(tables):
    counts = audit_part(tables).as_dict()
    by_ruleset = counts["by_source"]["tenhou_xml"]
    assert set(by_ruleset) == set(tables["games"]["ruleset"].to_pylist())
    for name in ("wins", "agree", "rounds", "rounds_agree"):
        assert sum(one[name] for one in by_ruleset.values()) == counts[name]


def test_an_audit_can_be_written_as_json(tables):
    tables["wins"] = changed(tables["wins"], "points", 3, 1234)
    written = json.loads(json.dumps(audit_part(tables).as_dict()))
    assert written["mismatches"][0]["field"] == "points"
    assert set(written["mismatches"][0]) == {"source", "round", "winner", "field", "recorded", "computed", "cause"}


# A changed record is found


@pytest.mark.parametrize(
    ("name", "change", "fields"),
    [
        ("han", 1, {"han"}),
        ("fu", 10, {"fu"}),
        ("points", 100, {"points"}),
        ("delta_0", 100, {"deltas"}),
        ("delta_3", -100, {"deltas"}),
    ],
)
def test_another_number_in_the_record_of_a_win_is_one_mismatch(tables, name, change, fields):
    row = row_of(tables["wins"], han=3, fu=..., limit="none", delta_3=...)
    before = tables["wins"][name][row].as_py()
    tables["wins"] = changed(tables["wins"], name, row, before + change)
    result = audit_part(tables)
    assert {m.field for m in result.mismatches if m.winner is not None} == fields
    [one] = [m for m in result.mismatches if m.winner is not None]
    if name in fields:
        assert (one.recorded, one.computed) == (before + change, before)
    assert result.agree == result.wins - 1
    assert one.source.endswith(".mjlog")
    assert (one.round, one.winner) == (tables["wins"]["round_no"][row].as_py(), tables["wins"]["winner"][row].as_py())


def test_a_record_whose_points_do_not_follow_from_its_own_han_and_fu_has_that_as_cause(tables):
    row = row_of(tables["wins"], han=2, fu=30, limit="none", points=2000)
    tables["wins"] = changed(tables["wins"], "points", row, 2900)
    [one] = audit_part(tables).mismatches
    assert one.cause.startswith("the record contradicts itself: 30 fu 2 han by a non-dealer's")
    assert one.cause.endswith("is 2000, recorded 2900")


def test_a_yaku_the_record_lacks_or_has_besides_is_found(tables):
    lines = tables["win_yaku"]
    row = row_of(lines, yaku="tanyao")
    keep = np.arange(lines.num_rows) != row
    lacks, fields = found(tables | {"win_yaku": lines.filter(pa.array(keep))})
    assert fields == {("yaku", True)}
    [one] = lacks.mismatches
    assert ["tanyao", 1] in one.computed
    assert ["tanyao", 1] not in one.recorded
    other, fields = found(tables | {"win_yaku": changed(lines, "yaku", row, "toitoi")})
    assert fields == {("yaku", True)}
    more, fields = found(tables | {"win_yaku": changed(lines, "han", row, 2)})
    assert fields == {("yaku", True)}
    assert other.agree == more.agree == lacks.agree == lacks.wins - 1


def test_a_yaku_number_that_is_not_known_is_a_finding(tables):
    lines = tables["win_yaku"]
    tables["win_yaku"] = changed(lines, "yaku", row_of(lines, yaku="riichi"), "tenhou:57")
    [one] = audit_part(tables).mismatches
    assert one.field == "yaku"
    assert ["tenhou:57", 1] in one.recorded


def test_a_yakuman_recorded_as_ordinary_is_found(tables):
    row = row_of(tables["wins"], limit="yakuman", han=None)
    tables["wins"] = changed(tables["wins"], "han", row, 13)
    result, fields = found(tables)
    assert fields == {("han", True)}
    assert result.mismatches[0].recorded == 13


def test_ura_dora_written_under_dora_is_no_mismatch(tables):
    lines = tables["win_yaku"].to_pylist()
    joined = []
    for line in lines:
        if line["yaku"] == "ura_dora":
            win = [line[key] for key in ("game", "round_no", "winner")]
            same = [one for one in joined if [*win, "dora"] == list(one.values())[:4]]
            if same:
                same[0]["han"] += line["han"]
            else:
                joined.append(line | {"yaku": "dora"})
        else:
            joined.append(dict(line))
    assert len(joined) < len(lines)
    schema = tables["win_yaku"].schema
    _, fields = found(tables | {"win_yaku": pa.Table.from_pylist(joined, schema)})
    assert fields == set()


def test_other_points_after_a_round_are_a_mismatch_of_the_round(tables):
    tables["rounds"] = changed(tables["rounds"], "delta_1", 5, tables["rounds"]["delta_1"][5].as_py() + 1000)
    [one] = audit_part(tables).mismatches
    assert (one.field, one.winner, one.round) == ("deltas", None, tables["rounds"]["round_no"][5].as_py())
    assert one.cause.startswith("the record contradicts itself: the changes it states add up to")


def test_other_points_at_the_end_are_a_mismatch_of_the_game(tables):
    tables["seats"] = changed(tables["seats"], "final_points", 6, 99900)
    result = audit_part(tables)
    [one] = result.mismatches
    assert (one.field, one.winner, one.round) == ("final_points", None, None)
    assert 99900 in one.recorded
    assert result.games_agree == result.games - 1


def test_a_win_that_is_none_under_the_rules_of_the_game_is_a_mismatch_in_every_field(tables):
    games = tables["games"]
    aka = games["ruleset"].to_pylist()
    as_if = ["tenhou_4p_noaka_nokuitan" if id_ == "tenhou_4p_aka" else id_ for id_ in aka]
    tables["games"] = games.set_column(games.schema.get_field_index("ruleset"), "ruleset", pa.array(as_if))
    result = audit_part(tables)
    lost = [m for m in result.mismatches if m.computed == "no_yaku"]
    assert lost
    assert {m.field for m in lost} == {"yaku", "han", "fu", "points", "deltas"}
    assert {m.cause for m in lost} == {"the recorded hand is no yaku under tenhou_4p_noaka_nokuitan"}


def test_a_store_can_be_audited_under_rules_of_ones_own(tables):
    mine = ruleset("tenhou_4p_aka").amend({"limits.kiriage_mangan": True})
    result = audit_part(tables, rules=mine)
    assert 0 < result.agree < result.wins
    assert (result.rules, result.as_dict()["rules"]) == (mine.id, mine.id)
    assert not [m.cause for m in result.mismatches if m.cause and "contradicts itself" in m.cause]


def test_nothing_to_audit_has_no_rate():
    result = audit_part(tables_of())
    assert result == Audit()
    assert result.rate is None
    assert result.as_dict()["rate"] is None


def test_the_audits_of_parts_add_up(tables):
    whole = audit_part(tables)
    total = Audit()
    games = tables["games"]["game"].to_pylist()
    for chosen in (games[::2], games[1::2]):
        keep = pa.array(chosen)
        total += audit_part(
            {
                name: table.filter(pa.compute.is_in(table["game"], keep)) if name != "rejects" else table.slice(0, 0)
                for name, table in tables.items()
            }
        )
    assert total.as_dict() == whole.as_dict() | {"rejects": 0}


# Real logs


def text_of(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")


def recorded_wins(logs, store):
    """AGARI tags in the rounds the store keeps, counted in the bytes."""
    kept = {}
    for part in store.parts():
        games = part.table("games", ["path", "n_rounds"])
        kept |= dict(zip(games["path"].to_pylist(), games["n_rounds"].to_pylist(), strict=True))
    total = 0
    for path in logs:
        rounds = re.split(r"<INIT\b", text_of(path))[1:]
        total += sum(one.count("<AGARI ") for one in rounds[: kept.get(str(path), 0)])
    return total


def check_real(store, logs):
    result = audit(store)
    assert result.wins == recorded_wins(logs, store)
    of_rounds = [m for m in result.mismatches if m.round is not None]
    rounds = {(path, m.round) for m in of_rounds for path in known_as(m.source)}
    assert all(m.cause for m in result.mismatches)
    is_noname = NONAME in rounds
    assert (result.wins - result.agree, result.games - result.games_agree) == (is_noname, is_noname)
    assert {m.source.endswith(NONAME[0]) for m in result.mismatches if m.winner is not None} <= {True}
    assert result.rounds - result.rounds_agree == len(rounds)
    return result, rounds


def known_as(source):
    named = [path for path, _ in INCONSISTENT if source.endswith(path)]
    assert named, f"{source} is not among the records known to be inconsistent"
    return set(named)


def test_a_sample_of_real_wins_agrees(real_sample, shared):
    logs = tenhou_logs(shared)
    result, rounds = check_real(real_sample, logs[:: len(logs) // 200][:200])
    assert result.wins > 1000
    assert rounds <= INCONSISTENT


@pytest.mark.slow
def test_all_real_wins_agree(real_store, shared):
    result, rounds = check_real(real_store, tenhou_logs(shared))
    assert rounds == INCONSISTENT
    assert result.wins == 24_803
    reasons = Counter()
    for part in real_store.parts():
        reasons.update(part["rejects"]["reason"].to_pylist())
    assert sum(reasons.values()) == 18, reasons
    assert sum(n for reason, n in reasons.items() if "cut off" in reason) == 18, reasons


@pytest.mark.slow
def test_the_number_of_workers_changes_no_audit(real_store):
    assert audit(real_store, workers=2).as_dict() == audit(real_store).as_dict()


@pytest.mark.slow
def test_a_function_over_the_parts_may_be_sent_to_other_processes(real_store):
    found_ = list(map_parts(real_store, partial(audit_part, rules="tenhou_4p_aka"), workers=2))
    assert len(found_) == len(real_store.part_numbers()) > 1
