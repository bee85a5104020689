"""The tables of a store: one Arrow schema each, every field described.

A field's description gives unit, range, and what null means. `conform` is the one place where a table is
checked against its schema; it is called where a table is made.

Tiles are written in two ways. `kind` is 0-33: 1m-9m, 1p-9p, 1s-9s, then east, south, west, north, white,
green, red. `tile` is 0-36: a kind, or 34, 35, 36 for the red five of man, pin, sou.

Seats are 0-3 by the first dealer of the game: seat 0 is east in the first round, through the whole game.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

SCHEMA_VERSION = 1

SOURCES = ("tenhou_xml",)
ACTION_KINDS = (
    "draw",
    "discard",
    "chi",
    "pon",
    "daiminkan",
    "ankan",
    "kakan",
    "kita",
    "riichi",
    "riichi_accepted",
    "dora",
    "disconnect",
    "reconnect",
)
MELD_KINDS = ("chi", "pon", "daiminkan", "ankan", "kakan")
LIMITS = ("none", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
DRAW_KINDS = (
    "exhaustive",
    "nagashi_mangan",
    "kyuushu_kyuuhai",
    "suufon_renda",
    "suucha_riichi",
    "suukaikan",
    "sanchahou",
)
ROUND_ENDS = ("win", *DRAW_KINDS, "cut")

TILES = pa.list_(pa.uint8())
WORD = pa.dictionary(pa.int8(), pa.string())


def column(name: str, type_: pa.DataType, description: str, *, nullable: bool = False) -> pa.Field:
    """A described field; a nullable one says in its description what null means."""
    return pa.field(name, type_, nullable=nullable, metadata={"description": description})


def _per_seat(prefix: str, type_: pa.DataType, description: str, *, nullable: bool = True) -> list[pa.Field]:
    return [column(f"{prefix}_{seat}", type_, description.format(seat=seat), nullable=nullable) for seat in range(4)]


def _schema(*fields: pa.Field | list[pa.Field]) -> pa.Schema:
    flat = [f for item in fields for f in (item if isinstance(item, list) else [item])]
    return pa.schema(flat, metadata={"koyaku_schema": str(SCHEMA_VERSION)})


_GAME = column("game", pa.int64(), "The game: first eight bytes of the SHA-256 of its own bytes, the only join key.")
_ROUND = column("round_no", pa.int16(), "Round within the game, counted from 0 in order of play.")
_WINNER = column("winner", pa.int8(), "Seat that won.")

GAMES = _schema(
    _GAME,
    column("source_id", pa.string(), "The platform's own id of the game; null where neither content nor file name tells.", nullable=True),
    column("play_hash", pa.int64(), "Equal for the same play recorded in another format: deals, first indicators, draws, discards, calls."),
    column("path", pa.string(), "File as given to ingest; a member of an archive as archive!member."),
    column("source", WORD, "Format the game was read from: " + ", ".join(SOURCES) + "."),
    column("players", pa.int8(), "3 or 4."),
    column("length", WORD, "east (one wind) or south (two winds), as the room was set."),
    column("ruleset", pa.string(), "Id of the ruleset it was played under."),
    column("flags", pa.int32(), "The platform's rule bits the ruleset was read from (Tenhou: GO type); null if not recorded.", nullable=True),
    column("room", pa.string(), "The platform's name of the room or table class; null if not recorded.", nullable=True),
    column("lobby", pa.int32(), "Lobby number; null if not recorded.", nullable=True),
    column("start_time", pa.timestamp("s"), "Start, local time of the platform, to the precision its id gives; null if unknown.", nullable=True),
    column("n_rounds", pa.int16(), "Complete rounds kept."),
    column("is_complete", pa.bool_(), "Whether the record holds the game to its end; game statistics leave others out."),
    column("defects", pa.string(), "What is missing or odd in the record, separated by '; '; null if nothing.", nullable=True),
    column("duplicate_of", pa.int64(), "Game with the same play already in the store; null for the first or only one.", nullable=True),
)

SEATS = _schema(
    _GAME,
    column("seat", pa.int8(), "0-3, seat 0 deals first."),
    column("player", pa.string(), "Name as recorded; empty if the record hides it."),
    column("grade", pa.int16(), "The platform's grade (Tenhou: 0 newcomer to 20 tenhoui, dan from 10); null if not recorded.", nullable=True),
    column("rating", pa.float32(), "Rating before the game; null if not recorded.", nullable=True),
    column("start_points", pa.int32(), "Points before the first round."),
    column("final_points", pa.int32(), "Points at the end of the game, left sticks included; null if the end is missing.", nullable=True),
    column("placement", pa.int8(), "1-4, ties by seat; null if the end is missing.", nullable=True),
    column("result", pa.float32(), "Result with uma and oka as recorded, in thousands; null if not recorded.", nullable=True),
    column("chips", pa.int32(), "Chips won or lost; null where the room has none.", nullable=True),
)

ROUNDS = _schema(
    _GAME,
    _ROUND,
    column("wind", pa.int8(), "Round wind: 0 east, 1 south, 2 west, 3 north."),
    column("dealer", pa.int8(), "Seat of the dealer."),
    column("honba", pa.int16(), "Counters on the table when the round began."),
    column("sticks", pa.int16(), "Riichi sticks on the table when the round began."),
    _per_seat("points", pa.int32(), "Points of seat {seat} when the round began; null for an absent seat."),
    _per_seat("hand", TILES, "The thirteen tiles dealt to seat {seat}, sorted; null for an absent or unseen hand."),
    column("dora_indicators", TILES, "Every dora indicator turned in the round, in order."),
    column("ura_indicators", TILES, "Ura indicators as shown by a riichi win; null if none was shown.", nullable=True),
    column("end", WORD, "How it ended: win, a kind of draw, or cut (not kept)."),
    _per_seat("delta", pa.int32(), "Points won or lost by seat {seat} in the round, its own sticks included; null for an absent seat."),
    column("live_left", pa.int16(), "Tiles left in the live wall when the round ended."),
)

ACTIONS = _schema(
    _GAME,
    _ROUND,
    column("seq", pa.int16(), "Order within the round, counted from 0."),
    column("seat", pa.int8(), "Who acted; null for a dora indicator.", nullable=True),
    column("kind", WORD, "What happened: " + ", ".join(ACTION_KINDS) + "."),
    column("tile", pa.uint8(), "Tile 0-36 drawn, discarded, called, added, set aside or turned; of a concealed kan its kind; null for the rest.", nullable=True),
    column("copy", pa.uint8(), "Which of the four copies, 0-3; null where the source does not tell.", nullable=True),
    column("from_seat", pa.int8(), "Who the called tile came from (an added kan: who fed the triplet); null for the rest.", nullable=True),
    column("meld_kind", pa.uint8(), "Lowest kind 0-33 of the meld; null if none.", nullable=True),
    column("meld_red", pa.int8(), "Red fives in the meld; null if none.", nullable=True),
    column("is_tsumogiri", pa.bool_(), "Whether the discard is the tile just drawn; null for the rest.", nullable=True),
)


def _meld_slots() -> list[pa.Field]:
    fields = []
    for slot in range(1, 5):
        fields += [
            column(f"meld_{slot}", WORD, f"Kind of meld {slot} in call order: " + ", ".join(MELD_KINDS) + "; null if none.", nullable=True),
            column(f"meld_{slot}_kind", pa.uint8(), "Its lowest kind 0-33; null if there is no meld.", nullable=True),
            column(f"meld_{slot}_from", pa.int8(), "Seat that fed it; null for a concealed kan or no meld.", nullable=True),
            column(f"meld_{slot}_called", pa.uint8(), "Tile 0-36 taken from that seat; null for a concealed kan or no meld.", nullable=True),
            column(f"meld_{slot}_red", pa.int8(), "Red fives in it; null if there is no meld.", nullable=True),
        ]
    return fields


WINS = _schema(
    _GAME,
    _ROUND,
    _WINNER,
    column("win_no", pa.int8(), "Order among the wins of the round, counted from 0; the first takes sticks and honba where only one does."),
    column("loser", pa.int8(), "Seat that dealt in; null on a self-draw.", nullable=True),
    column("is_tsumo", pa.bool_(), "Won by self-draw."),
    column("concealed", TILES, "Concealed tiles 0-36, sorted, the winning tile included."),
    column("win_tile", pa.uint8(), "Winning tile 0-36."),
    _meld_slots(),
    column("n_kita", pa.int8(), "North tiles set aside (three players)."),
    column("dora_indicators", TILES, "Dora indicators in effect, as recorded with the win."),
    column("ura_indicators", TILES, "Ura indicators as recorded; null if not shown.", nullable=True),
    column("fu", pa.int16(), "Fu as recorded; null if not recorded.", nullable=True),
    column("han", pa.int16(), "Han as recorded, dora included; null for a yakuman or if not recorded.", nullable=True),
    column("limit", WORD, "Limit as recorded: " + ", ".join(LIMITS) + "; null if not recorded.", nullable=True),
    column("points", pa.int32(), "Points as recorded, without honba and sticks; on a self-draw the sum of the payments; null if not recorded.", nullable=True),
    column("liable", pa.int8(), "Seat recorded as liable; null if none.", nullable=True),
    column("honba_paid", pa.int16(), "Honba recorded with the win; null if not recorded.", nullable=True),
    column("sticks_paid", pa.int16(), "Sticks recorded as taken with the win; null if not recorded.", nullable=True),
    _per_seat("delta", pa.int32(), "Change of seat {seat} by this win alone, as recorded; null for an absent seat."),
)

WIN_YAKU = _schema(
    _GAME,
    _ROUND,
    _WINNER,
    column("yaku", pa.string(), "Yaku id; a number that is not known is kept as source:number."),
    column("han", pa.int8(), "Han as recorded; null for a yakuman.", nullable=True),
)


def _per_definition() -> list[pa.Field]:
    fields = []
    for number in (1, 2, 3):
        fields += [
            column(f"is_eighth_{number}", pa.bool_(), f"With this win the winner's count by definition {number} is a multiple of eight."),
            column(f"is_beyond_eighth_{number}", pa.bool_(), f"With this win the winner's count by definition {number} is eight or more."),
            column(f"is_dealer_eighth_{number}", pa.bool_(), f"The winner is not the dealer, whose count by definition {number} was one short of a multiple of eight."),
        ]
    return fields


CIRCUMSTANCES = _schema(
    _GAME,
    _ROUND,
    _WINNER,
    column("players", pa.int8(), "3 or 4."),
    column("seat_wind", pa.int8(), "Seat wind of the winner: 0 east (dealer) to 3 north; null where a hand case does not state it.", nullable=True),
    column("round_wind", pa.int8(), "Round wind, 0-3; null where a hand case does not state it.", nullable=True),
    column("is_riichi", pa.bool_(), "Riichi accepted or made at the declaration won on by nobody; double riichi included."),
    column("is_double_riichi", pa.bool_(), "Riichi with the first own discard, no call or kan before."),
    column("is_open_riichi", pa.bool_(), "Riichi with the hand shown; null where the source does not record it.", nullable=True),
    column("is_pon_riichi", pa.bool_(), "Riichi with an open hand, after a pon; null where the source does not record it.", nullable=True),
    column("is_tsumosen_riichi", pa.bool_(), "Riichi with the promise to win by self-draw alone; null where the source does not record it.", nullable=True),
    column("is_bunbun_riichi", pa.bool_(), "Open riichi with that promise; null where the source does not record it.", nullable=True),
    column("is_loser_riichi_before_open", pa.bool_(), "The discarder had riichi before the winner's open riichi; null where the source does not record open riichi.", nullable=True),
    column("is_ippatsu", pa.bool_(), "Within one go-around of the own riichi, no call or kan between; a robbed kan does not count."),
    column("is_haitei", pa.bool_(), "Self-draw of the last live tile, not a replacement tile."),
    column("is_houtei", pa.bool_(), "Ron on the last discard, also after a last replacement draw, but not the tile of a robbed kan."),
    column("is_rinshan", pa.bool_(), "Self-draw of a replacement tile after a kan (after kita too)."),
    column("is_chankan", pa.bool_(), "Ron on the tile of an added kan (kokushi: of a concealed one)."),
    column("is_tenhou", pa.bool_(), "Dealer's self-draw on the dealt fourteen tiles."),
    column("is_chiihou", pa.bool_(), "Non-dealer's self-draw on the first own draw, no call or kan before."),
    column("n_own_draws", pa.int16(), "Tiles the winner had drawn, replacement tiles and the winning one included."),
    column("n_own_discards", pa.int16(), "Tiles the winner had discarded."),
    column("n_calls_before", pa.int16(), "Calls of all seats before the win: chi, pon, every kan completed, kita; a robbed kan or kita is not counted."),
    column("n_opponent_calls_before", pa.int16(), "Of these, the calls of the other seats."),
    column("is_declaration_tile", pa.bool_(), "Ron on the tile the discarder declared riichi with."),
    column("is_replacement_sideways", pa.bool_(), "Ron on the discard turned sideways in place of a declaration tile that was called; if that one is called too, the next."),
    column("is_double_declaration", pa.bool_(), "Ron on the tile the discarder declared a double riichi with."),
    column("is_after_kan_discard", pa.bool_(), "Ron on the discard right after the discarder's replacement draw for a kan; a kita after the kan ends it."),
    column("n_kans_in_row", pa.int8(), "Kans the winner made in unbroken succession before the winning replacement draw; a kita between them does not break the row and is not counted; 0 without rinshan."),
    column("is_concealed_kan_chain", pa.bool_(), "At least one kan in that row, and all of them concealed."),
    column("rinshan_kan", WORD, "Kind of the kan (or kita) the winning replacement draw came from; null without rinshan.", nullable=True),
    column("robbed", WORD, "What the ron took the tile from: kakan, ankan, kita; null where it was a discard or a self-draw.", nullable=True),
    column("is_loser_riichi", pa.bool_(), "The discarder had an accepted riichi."),
    column("is_loser_dealer", pa.bool_(), "The dealer dealt in."),
    column("is_riichi_before", pa.bool_(), "Another seat had riichi before the win; a declaration that is won on does not count."),
    column("is_dealer_first_discard", pa.bool_(), "Ron on the first discard of the dealer."),
    column("is_first_go_around", pa.bool_(), "Ron on the discarder's first discard, no call or kan of anybody before, concealed kans and kita included."),
    column("n_visible", pa.int8(), "Of the other three copies of the winning kind, how many are in sight outside the winner's concealed hand, 0-3: rivers, melds of all seats, indicators turned, north tiles set aside."),
    column("live_left", pa.int16(), "Tiles left in the live wall at the win."),
    column("turn", pa.int16(), "Own discards of the winner, plus one on a self-draw: the winner's turn."),
    column("win_streak", pa.int16(), "Rounds in a row won by the winner, this one included; a missing round ends it, rounds before the first one kept are not known."),
    column("dealer_streak", pa.int16(), "Of these, rounds in a row won as dealer; 0 for a non-dealer."),
    column("n_count_1", pa.int16(), "The winner's count of paarenchan before this win, definition 1: rounds won in a row, dealer or not; any other end of a round begins anew. Rounds as for win_streak."),
    column("n_count_2", pa.int16(), "The same, definition 2: rounds won in a row within the running own dealership; 0 for a non-dealer."),
    column("n_count_3", pa.int16(), "The same, definition 3: rounds of the running own dealership won or drawn with the dealer tenpai; an abortive draw neither counts nor begins anew; 0 for a non-dealer."),
    _per_definition(),
    column("is_holder_eighth_1", pa.bool_(), "The count of a seat other than the winner by definition 1 was one short of a multiple of eight."),
    column("n_dora", pa.int8(), "Dora of the first indicator in the hand."),
    column("n_kan_dora", pa.int8(), "Dora of the later indicators in effect at the win."),
    column("n_ura", pa.int8(), "Ura dora of the first indicator; 0 without riichi, null if riichi and not shown.", nullable=True),
    column("n_kan_ura", pa.int8(), "Ura dora of the later indicators; 0 and null as in n_ura.", nullable=True),
    column("n_aka", pa.int8(), "Red fives in the hand."),
    column("n_kita", pa.int8(), "North tiles set aside."),
)

DRAWS = _schema(
    _GAME,
    _ROUND,
    column("kind", WORD, "Kind of draw: " + ", ".join(DRAW_KINDS) + "."),
    _per_seat("is_tenpai", pa.bool_(), "Seat {seat} showed tenpai; null for an absent seat or where the kind of draw shows no hands."),
    _per_seat("is_nagashi", pa.bool_(), "Seat {seat} was paid nagashi mangan; null for an absent seat."),
    _per_seat("delta", pa.int32(), "Payments of seat {seat} at the draw, as recorded; null for an absent seat."),
)

REJECTS = _schema(
    column("path", pa.string(), "File, or archive!member."),
    column("source", pa.string(), "Format, as far as it was recognised; null if not.", nullable=True),
    column("game", pa.int64(), "Game, where its other rounds were kept; null if nothing was.", nullable=True),
    column("round_no", pa.int16(), "First round that is missing; null if the whole file was not read.", nullable=True),
    column("place", pa.string(), "Where in the file: round, event, byte; empty if the whole file."),
    column("reason", pa.string(), "What is wrong."),
)

WALLS = _schema(
    _GAME,
    _ROUND,
    column("wall", pa.list_(pa.uint8()), "All physical tiles 0-135 in the order of the generator (Tenhou: dealt from the end); of three players 108."),
    column("dice", pa.list_(pa.uint8()), "The two dice, 0-5."),
    column("agrees", pa.bool_(), "Deal, indicators and every draw of the record follow from this wall."),
)

SCORES = _schema(
    _GAME,
    _ROUND,
    _WINNER,
    column("rules", pa.string(), "The rules that were asked for: recorded or the id of a ruleset, with changes to it; one row of a win for each."),
    column("ruleset", pa.string(), "Id of the ruleset that these come to for the game: of recorded the one it was played under, of others the same."),
    column("ruleset_hash", pa.string(), "Hash of the ruleset's values."),
    column("status", WORD, "How it stands: ok, or no_yaku or not_winning where the win would be none."),
    column("han", pa.int16(), "Han, dora included; 0 for a yakuman or where nothing is paid."),
    column("fu", pa.int16(), "Fu; of a yakuman those of its reading."),
    column("limit", pa.string(), "Limit it reaches: mangan … counted_yakuman, yakuman, double_yakuman …; null below mangan, for which the recorded `wins.limit` has the word none.", nullable=True),
    column("yakuman", pa.int8(), "Yakuman units; 0 for a counted one."),
    column("points", pa.int32(), "Points without honba and sticks; of a self-draw the sum of the payments."),
    _per_seat("delta", pa.int32(), "Change of seat {seat} by this win, honba and sticks included.", nullable=False),
    column("yaku_set", pa.int64(), "The yaku that count, as a key of yaku_sets; dora are not among them."),
    column("is_lower_bound", pa.bool_(), "The ruleset plays a yaku that the source cannot tell; it is scored as absent."),
)

YAKU_SETS = _schema(
    column("yaku_set", pa.int64(), "The set; the same for the same yaku at the same worth, in every store. The table holds each set once for all parts."),
    column("yaku", pa.string(), "A yaku of the set; an empty set has no row."),
    column("han", pa.int16(), "Han it gives; 0 for a yakuman or where a limit decided."),
    column("yakuman", pa.int8(), "Yakuman units it gives."),
    column("limit", pa.string(), "Limit it lifts the hand to, where that decided; null if not.", nullable=True),
)

_OF_WIN = (
    "loser",
    "is_tsumo",
    "concealed",
    "win_tile",
    *(field.name for field in WINS if field.name.startswith("meld_")),
)

CHANCES = _schema(
    _GAME,
    _ROUND,
    column("winner", pa.int8(), "Seat that could have won."),
    column("seq", pa.int16(), "The action that gave the tile."),
    column("is_taken", pa.bool_(), "Whether it is a recorded win."),
    column("form_mask", pa.uint8(), "Forms in which the hand is complete, whether or not a ruleset plays them: bits standard, seven pairs, thirteen orphans, pairs with four of a kind, scattered, civil war, knitted."),
    [WINS.field(name) for name in _OF_WIN],
    column("dora_indicators", TILES, "Dora indicators in effect."),
    column("ura_indicators", TILES, "Ura indicators of a hand in riichi: as recorded with the win, else as another winner of the round or its wall shows them; null where nothing does, and without riichi.", nullable=True),
    [field for field in CIRCUMSTANCES if field.name not in ("game", "round_no", "winner")],
    column("wait_mask", pa.uint64(), "Kinds that completed the hand before the tile came, in any form but those of a first draw alone: bit k for kind k."),
    column("river_mask", pa.uint64(), "Kinds the seat had discarded, those that others called included."),
    column("passed_mask", pa.uint64(), "Kinds others had offered since the seat's last draw before this tile, which completed its hand in any form, and were not won on."),
    column("passed_riichi_mask", pa.uint64(), "The same, since the seat's riichi; 0 without one."),
    column("called_by", pa.int8(), "Seat that called the tile, this one perhaps; null if none did.", nullable=True),
    column("called_as", WORD, "What it called it as: chi, pon, daiminkan; null if nobody did.", nullable=True),
    column("rons_mask", pa.uint8(), "Other seats that won on the tile, or claimed it when the round was aborted for that: bit per seat."),
    column("is_aborted", pa.bool_(), "The round was aborted because three claimed the tile."),
    column("is_connected", pa.bool_(), "The seat was connected."),
)

TABLES: dict[str, pa.Schema] = {
    "games": GAMES,
    "seats": SEATS,
    "rounds": ROUNDS,
    "actions": ACTIONS,
    "wins": WINS,
    "win_yaku": WIN_YAKU,
    "circumstances": CIRCUMSTANCES,
    "draws": DRAWS,
    "rejects": REJECTS,
    "walls": WALLS,
    "scores": SCORES,
    "yaku_sets": YAKU_SETS,
    "chances": CHANCES,
}


RANGES: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("tile", "win_tile", "concealed", "dora_indicators", "ura_indicators"), (0, 36)),
    **{f"hand_{seat}": (0, 36) for seat in range(4)},
    **{f"meld_{slot}_called": (0, 36) for slot in range(1, 5)},
    **dict.fromkeys(("meld_kind", *(f"meld_{slot}_kind" for slot in range(1, 5))), (0, 33)),
    **dict.fromkeys(("seat", "winner", "loser", "dealer", "liable", "from_seat", "called_by"), (0, 3)),
    **{f"meld_{slot}_from": (0, 3) for slot in range(1, 5)},
    **dict.fromkeys(("wind", "seat_wind", "round_wind"), (0, 3)),
    "players": (3, 4),
    "round_no": (0, 2**15 - 1),
}
"""Least and greatest value of the columns by which others are looked up, the same in every table."""


def words(codes: np.ndarray, vocabulary: tuple[str, ...], *, missing: np.ndarray | None = None) -> pa.DictionaryArray:
    """A dictionary column from small integer codes.

    >>> words(np.array([1, 0]), ("east", "south")).to_pylist()
    ['south', 'east']
    """
    indices = pa.array(np.asarray(codes, dtype=np.int8), mask=missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(vocabulary, pa.string()))


def codes(column_: pa.ChunkedArray | pa.Array, vocabulary: tuple[str, ...]) -> np.ndarray:
    """The inverse of `words` whatever the order of the stored dictionary: int8 codes, null as -1.

    >>> codes(words(np.array([1, 0]), ("east", "south")), ("east", "south"))
    array([1, 0], dtype=int8)
    """
    if isinstance(column_, pa.ChunkedArray):
        column_ = column_.combine_chunks()
    if isinstance(column_, pa.ChunkedArray):  # no chunks at all
        return np.zeros(0, np.int8)
    position = {word: code for code, word in enumerate(vocabulary)}
    lookup = np.array([position[word] for word in column_.dictionary.to_pylist()] + [-1], dtype=np.int8)
    return lookup[column_.indices.fill_null(len(lookup) - 1).to_numpy(zero_copy_only=False)]


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table in the schema's column order and types.

    Raises
    ------
    ValueError
        A column is missing or unknown, a type cannot be cast without loss, or a null stands where the
        schema allows none.
    """
    names, expected = table.column_names, schema.names
    unknown = [name for name in names if name not in expected]
    missing = [name for name in expected if name not in names]
    if unknown or missing:
        raise ValueError(f"table does not fit its schema: unknown columns {unknown}, missing {missing}")
    columns = []
    for field in schema:
        values = table[field.name]
        if not field.nullable and values.null_count:
            raise ValueError(f"column {field.name!r} holds nulls: {field.metadata[b'description'].decode()}")
        try:
            columns.append(values.cast(field.type))
        except pa.ArrowInvalid as error:
            raise ValueError(f"column {field.name!r}: {error}") from None
    return pa.Table.from_arrays(columns, schema=schema)
