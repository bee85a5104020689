"""Tables of games told in a few words: who won what from whom, who was tenpai, what lay in the rivers.

A round is a dict; what it does not say is not there::

    {"dealer": 0, "honba": 1, "sticks": 0, "riichi": [2],
     "wins": [{"winner": 1, "loser": 3, "hand": "23m99s (555z) (666z) (777z)", "win": "4m", "fed": [0, 2, 3]}]}
    {"kans": [[1, "daiminkan"], [1, "kakan"]], "wins": […]}
    {"draw": "exhaustive", "tenpai": [0, 2], "rivers": {"1": "19m1z"}, "called": [[1, 3]]}

A win without `loser` is a self-draw. `fed` are the seats that fed the melds, in order, -1 for nobody. `called` are
pairs: whose discard, and who called it; a third number says after how many discards of hers. `in_turn` lays the rivers
down turn by turn from the dealer on. `kans` are made in their order after all discards. `run` of a win is the winner's
run of wins before it. Hands are written as in the folder `cases`.
"""

from __future__ import annotations

from hand_cases import laid_out
from made_store import table

from analytics.cases import read_case
from analytics.scoring.hands import FLAGS
from parsers.schema import MELD_KINDS

TABLES = ("games", "seats", "rounds", "actions", "wins", "win_yaku", "circumstances", "draws", "rejects")
WINDS = "ESWN"


def tiles(text: str) -> list[int]:
    """Tiles 0-36 of mpsz text."""
    found, digits = [], []
    for char in text:
        if char.isdigit():
            digits.append(int(char))
            continue
        suit = "mpsz".index(char)
        found += [34 + suit if digit == 0 else 9 * suit + digit - 1 for digit in digits]
        digits = []
    return found


def tables_of(*games: dict) -> dict:
    """The tables of some games; each is a dict with `rounds`, and `players`, `ruleset`, `points` if not usual."""
    rows = {name: [] for name in TABLES}
    for number, game in enumerate(games):
        _add_game(rows, 1000 + number, game)
    return {name: table(name, its) for name, its in rows.items()}


def _add_game(rows: dict, game: int, told: dict) -> None:
    players = told.get("players", 4)
    points = told.get("points") or [25000] * players
    rows["games"].append(
        {"game": game, "path": f"{game}.told", "source": "tenhou_xml", "players": players, "is_complete": True}
        | {"ruleset": told.get("ruleset", "base"), "n_rounds": len(told["rounds"])}
    )
    for seat in range(players):
        rows["seats"].append({"game": game, "seat": seat, "player": f"p{seat}", "start_points": points[seat]})
    for number, one in enumerate(told["rounds"]):
        at = {"game": game, "round_no": number}
        rows["rounds"].append(
            at
            | {word: one.get(word, 0) for word in ("wind", "dealer", "honba", "sticks")}
            | {f"points_{seat}": points[seat] for seat in range(players)}
            | {"end": "win" if one.get("wins") else one.get("draw", "")}
        )
        acts = [{"seat": seat, "kind": "riichi_accepted"} for seat in one.get("riichi", ())]
        acts += _discards(one, players)
        acts += [{"seat": seat, "kind": kind} for seat, kind in one.get("kans", ())]
        rows["actions"] += [at | {"seq": seq} | act for seq, act in enumerate(acts)]
        for win_no, win in enumerate(one.get("wins", ())):
            _add_win(rows, at | {"winner": win["winner"]}, win_no, win, one, players)
        if "draw" in one:
            tenpai = one.get("tenpai", ())
            rows["draws"].append(
                at | {"kind": one["draw"]} | {f"is_tenpai_{seat}": seat in tenpai for seat in range(players)}
            )


def _discards(one: dict, players: int) -> list[dict]:
    """The discards of a round and the calls of them."""
    rivers = {int(seat): tiles(river) for seat, river in one.get("rivers", {}).items()}
    made = [(turn, seat, tile) for seat, river in rivers.items() for turn, tile in enumerate(river, start=1)]
    if one.get("in_turn"):
        made.sort(key=lambda turn_of: (turn_of[0], (turn_of[1] - one.get("dealer", 0)) % players))
    called = [(whose, by, *(nth or [len(rivers[whose])])) for whose, by, *nth in one.get("called", ())]
    acts = []
    for turn, seat, tile in made:
        acts.append({"seat": seat, "kind": "discard", "tile": tile})
        callers = [by for whose, by, nth in called if (whose, nth) == (seat, turn)]
        acts += [{"seat": by, "kind": "pon", "from_seat": seat} for by in callers]
    return acts


def _add_win(rows: dict, at: dict, win_no: int, win: dict, one: dict, players: int) -> None:
    seat_wind = (win["winner"] - one.get("dealer", 0)) % players
    bare, melds = laid_out(win["hand"])
    by = "ron" if "loser" in win else "tsumo"
    ctx = {"seat": WINDS[seat_wind], "round": WINDS[one.get("wind", 0)]} | win.get("ctx", {})
    case = read_case({"hand": bare, "melds": melds, "win": win["win"], "by": by, "players": players, "ctx": ctx})
    row = at | {"win_no": win_no, "loser": win.get("loser"), "is_tsumo": by == "tsumo"}
    row |= {"concealed": sorted(case.tiles), "win_tile": case.tiles[-1]}
    for slot, (kind, low) in enumerate(case.melds, start=1):
        fed = win.get("fed", [-1] * 4)[slot - 1]
        row |= {f"meld_{slot}": MELD_KINDS[kind], f"meld_{slot}_kind": low}
        row |= {f"meld_{slot}_from": None, f"meld_{slot}_called": None, f"meld_{slot}_red": 0}
        row |= {f"meld_{slot}_from": fed, f"meld_{slot}_called": low} if fed >= 0 else {}
    rows["wins"].append(row)
    rows["circumstances"].append(
        at
        | {"players": players, "seat_wind": case.seat, "round_wind": case.round}
        | {f"is_{flag}": flag in case.flags for flag in FLAGS}
        | {f"n_count_{definition}": win.get("run", 0) for definition in (1, 2, 3)}
    )
