"""The tables of a store: every column described, and what is refused where a table is made."""

import re

import numpy as np
import pyarrow as pa
import pytest

from analytics.scoring.score import STATUSES
from parsers.schema import (
    ACTION_KINDS,
    DRAW_KINDS,
    LIMITS,
    MELD_KINDS,
    ROUND_ENDS,
    SCHEMA_VERSION,
    TABLES,
    codes,
    column,
    conform,
    words,
)

COLUMNS = [(name, field) for name, schema in TABLES.items() for field in schema]
SMALL = pa.schema(
    [
        column("game", pa.int64(), "The game."),
        column("kind", pa.dictionary(pa.int8(), pa.string()), "What happened."),
        column("tile", pa.uint8(), "Tile; null if none.", nullable=True),
    ],
    metadata={"koyaku_schema": "1"},
)


def small(**more):
    columns = {"game": [1, 2], "kind": words(np.array([0, 1]), ("draw", "discard")), "tile": [None, 36]}
    return pa.table(columns | more)


@pytest.mark.parametrize(("name", "field"), COLUMNS, ids=[f"{name}.{field.name}" for name, field in COLUMNS])
def test_a_column_says_what_it_holds_and_what_null_means(name, field):
    description = field.metadata[b"description"].decode()
    assert description.endswith(".")
    assert not description[0].islower() or description.startswith("east")
    assert re.fullmatch("[a-z][a-z0-9_]*", field.name)
    if field.nullable:
        assert "null" in description


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_its_version_and_the_game_as_its_key(name):
    schema = TABLES[name]
    assert schema.metadata[b"koyaku_schema"].decode() == str(SCHEMA_VERSION)
    assert len(schema.names) == len(set(schema.names))
    # Sets of yaku are the same in whatever game they occur.
    key = {"rejects": None, "yaku_sets": "yaku_set"}.get(name, "game")
    if key:
        assert schema.names[0] == key
        assert not schema.field(key).nullable
    if name not in ("games", "seats", "rejects", "yaku_sets"):
        assert schema.names[1] == "round_no"


# Melds have slots, and the runs of wins of paarenchan three definitions.
_IN_THREES = {
    "wins": {"meld"},
    "circumstances": {"n_count", "is_eighth", "is_beyond_eighth", "is_dealer_eighth", "is_holder_eighth"},
}
_IN_THREES["chances"] = _IN_THREES["wins"] | _IN_THREES["circumstances"]


@pytest.mark.parametrize("name", TABLES)
def test_columns_by_seat_come_in_fours(name):
    by_seat = {}
    for column_name in TABLES[name].names:
        if match := re.fullmatch(r"(.+)_([0-3])", column_name):
            by_seat.setdefault(match[1], []).append(match[2])
    assert _IN_THREES.get(name, set()) <= set(by_seat)
    for prefix, seats in by_seat.items():
        if prefix == "is_holder_eighth":  # the other definitions count dealers only
            assert seats == ["1"]
        elif prefix in _IN_THREES.get(name, ()):
            assert seats == ["1", "2", "3"], prefix
        else:
            assert seats == ["0", "1", "2", "3"], prefix


def test_names_say_what_kind_of_column_it_is():
    for name, field in COLUMNS:
        if field.name.startswith("is_"):
            assert pa.types.is_boolean(field.type), (name, field.name)
        if field.name.startswith("n_"):
            assert pa.types.is_integer(field.type), (name, field.name)
        if pa.types.is_boolean(field.type):
            assert field.name.startswith("is_") or field.name == "agrees", (name, field.name)


def test_every_vocabulary_is_named_in_the_description_of_its_column():
    for table, name, vocabulary in [
        ("actions", "kind", ACTION_KINDS),
        ("draws", "kind", DRAW_KINDS),
        ("wins", "limit", LIMITS),
        ("wins", "meld_1", MELD_KINDS),
    ]:
        description = TABLES[table].field(name).metadata[b"description"].decode()
        assert ", ".join(vocabulary) in description
    assert set(ROUND_ENDS) == {"win", *DRAW_KINDS, "cut"}
    status = TABLES["scores"].field("status").metadata[b"description"].decode()
    assert all(word in status for word in STATUSES)


# Conform


def test_a_table_is_put_into_the_order_and_types_of_its_schema():
    table = conform(small().select(["tile", "kind", "game"]), SMALL)
    assert table.schema.equals(SMALL, check_metadata=True)
    assert table["tile"].to_pylist() == [None, 36]
    assert table["kind"].to_pylist() == ["draw", "discard"]
    assert conform(table, SMALL).equals(table)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_without_rows_conforms(name):
    empty = pa.table({field.name: pa.array([], field.type) for field in TABLES[name]})
    assert conform(empty, TABLES[name]).num_rows == 0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (small(tiel=[1, 2]), r"unknown columns \['tiel'\], missing \[\]"),
        (small().drop_columns(["tile"]), r"unknown columns \[\], missing \['tile'\]"),
        (small(game=[1, None]), "column 'game' holds nulls: The game"),
        (small(tile=[1, 256]), "column 'tile': .*not in range"),
        (small(tile=[1, -1]), "not in range"),
        (small(tile=[1.5, 2.0]), "truncated"),
        (small(game=["a", "b"]), "Failed to parse"),
    ],
)
def test_what_does_not_fit_a_schema_is_refused(table, message):
    with pytest.raises(ValueError, match=message):
        conform(table, SMALL)


# Words and their codes


def test_words_and_codes_are_each_others_inverse():
    numbers = np.array([3, 0, 2, 2, 12])
    missing = np.array([False, True, False, False, False])
    assert words(numbers, ACTION_KINDS, missing=missing).to_pylist() == ["pon", None, "chi", "chi", "reconnect"]
    found = codes(words(numbers, ACTION_KINDS, missing=missing), ACTION_KINDS)
    assert found.tolist() == [3, -1, 2, 2, 12]
    assert found.dtype == np.int8


def test_codes_do_not_depend_on_how_the_dictionary_is_stored():
    stored = pa.DictionaryArray.from_arrays(pa.array([1, 0, None], pa.int8()), pa.array(["pon", "chi"]))
    assert codes(stored, MELD_KINDS).tolist() == [0, 1, -1]
    chunked = pa.chunked_array([words(np.array([0, 1]), MELD_KINDS), words(np.array([2]), MELD_KINDS)])
    assert codes(chunked, MELD_KINDS).tolist() == [0, 1, 2]
    other = pa.chunked_array([words(np.array([1]), ("pon", "kakan")), stored])
    assert codes(other, MELD_KINDS).tolist() == [4, 0, 1, -1]


def test_columns_without_rows_or_chunks_have_no_codes():
    type_ = pa.dictionary(pa.int8(), pa.string())
    assert codes(pa.chunked_array([], type_), MELD_KINDS).tolist() == []
    assert codes(pa.array([], type_), MELD_KINDS).tolist() == []
    assert codes(pa.array([None, None], type_), MELD_KINDS).tolist() == [-1, -1]


def test_a_word_outside_the_vocabulary_is_refused():
    with pytest.raises(KeyError, match="pong"):
        codes(words(np.array([0]), ("pong",)), MELD_KINDS)
