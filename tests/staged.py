"""Rounds told with the tiles everybody holds: as rows of games, rounds, actions, wins and draws.

A round is the hands dealt, by seat, and a story, whose words are, seats E S W N by the first dealer::

    E+5p E-5p         draws, discards; E-5p* the tile just drawn
    E! E$             declares riichi, is accepted
    S:pon:5p          takes the last discard; of a run the lowest of it, S:chi:3p
    E:ankan:5p E:kakan:5p E:kita
    E:disconnect E:reconnect dora:3s
    E:ron E:tsumo     a recorded win; what it is worth nobody asks here
    exhaustive sanchahou:SWN    any other end, with the seats that show their hands

Who discards or calls must hold the tiles. Seats without a hand have one that waits for nothing.
"""

from __future__ import annotations

from pathlib import Path

from made_store import table
from told import tiles

from analytics.chances import chances
from analytics.circumstances import circumstances
from analytics.rescoring import rescore
from analytics.settle import settle_rounds
from parsers.schema import DRAW_KINDS
from parsers.store import Store

SEATS = "ESWN"
IDLE = "1139m2259p147s34z"  # nothing comes of it soon
SIGNS = {"+": "draw", "-": "discard", "!": "riichi", "$": "riichi_accepted"}
KIND = [*range(34), 4, 13, 22]


def staged(*rounds: dict, players: int = 4, ruleset: str = "base", game: int = 1) -> dict:
    """The tables of one game; each round is a dict of `hands`, `story` and what else `rounds` holds of it."""
    rows = {name: [] for name in ("rounds", "actions", "wins", "draws")}
    for number, told in enumerate(rounds):
        for name, found in _round({"game": game, "round_no": number}, players, **told).items():
            rows[name] += found
    games = [
        {"game": game, "players": players, "ruleset": ruleset, "is_complete": True, "path": "staged"}
        | {"n_rounds": len(rounds)}
    ]
    return {"games": table("games", games)} | {name: table(name, of) for name, of in rows.items()}


def _round(key: dict, players: int, hands: dict[str, str], story: str, *, indicator: str = "9m", **known) -> dict:
    dealt = {f"hand_{seat}": sorted(tiles(hands.get(SEATS[seat], IDLE))) for seat in range(players)}
    for seat, hand in dealt.items():
        assert len(hand) == 13, f"{seat} has {len(hand)} tiles"
    ura = known.pop("ura", None)
    ura = {"ura_indicators": tiles(ura)} if ura else {}
    row = key | dealt | {"dora_indicators": tiles(indicator)} | ura | known
    actions: list[dict] = []
    found = {"rounds": [row], "actions": actions, "wins": [], "draws": []}
    for word in story.split():
        if word[1] in SIGNS:
            actions.append({"seat": SEATS.index(word[0]), "kind": SIGNS[word[1]]})
            if word[2:]:
                actions[-1]["tile"] = tiles(word[2:])[0]
            continue
        who, _, rest = word.partition(":")
        what, _, shown = rest.partition(":")
        if who == "dora":
            actions.append({"kind": "dora", "tile": tiles(what)[0]})
        elif who in DRAW_KINDS:
            shows = {f"is_tenpai_{seat}": SEATS[seat] in what for seat in range(players)}
            found["draws"].append(key | {"kind": who} | shows)
        elif what in ("ron", "tsumo"):
            loser = None if what == "tsumo" else actions[-1]["seat"]
            win = {"winner": SEATS.index(who), "loser": loser, "is_tsumo": what == "tsumo"}
            found["wins"].append(key | {"win_no": len(found["wins"])} | win | {"win_tile": actions[-1].get("tile", 0)})
        else:
            actions.append(_call(SEATS.index(who), what, tiles(shown), actions))
    row["end"] = "win" if found["wins"] else found["draws"][0]["kind"] if found["draws"] else ""
    _check({seat: list(dealt[f"hand_{seat}"]) for seat in range(players)}, actions)
    for seq, action in enumerate(actions):
        action |= key | {"seq": seq}
    return found


def _check(held: dict[int, list[int]], actions: list[dict]) -> None:
    for action in actions:
        kind, tile, low = action["kind"], action.get("tile"), action.get("meld_kind")
        if kind == "draw":
            held[action["seat"]].append(tile)
        laid = {"discard": [tile], "kita": [30], "kakan": [tile], "ankan": [low] * 4, "pon": [low] * 2}.get(kind, [])
        laid = [low] * 3 if kind == "daiminkan" else laid
        if kind == "chi":
            laid = [low, low + 1, low + 2]
            laid.remove(KIND[tile])
        for one in laid:
            assert one in held[action["seat"]], f"{action} of a hand without it"
            held[action["seat"]].remove(one)


def _call(seat: int, what: str, shown: list[int], before: list[dict]) -> dict:
    action = {"seat": seat, "kind": what}
    if what == "kita":
        return action | {"tile": 30}
    if not shown:
        return action
    kind = KIND[shown[0]]
    action |= {"meld_kind": kind, "meld_red": 0, "tile": shown[0]}
    if what in ("chi", "pon", "daiminkan"):
        return action | {"tile": before[-1]["tile"], "from_seat": before[-1]["seat"]}
    if what == "kakan":
        fed = next(a for a in before if a["kind"] == "pon" and a["seat"] == seat and a["meld_kind"] == kind)
        return action | {"from_seat": fed["from_seat"]}
    return action


def played(tables: dict) -> dict:
    """The tables as a reader leaves them: with seats, hands that won, circumstances, and points as rules have them."""
    [game], rounds = tables["games"].to_pylist(), tables["rounds"].to_pylist()
    seats = [{"game": game["game"], "seat": seat, "player": SEATS[seat]} for seat in range(game["players"])]
    rounds = [row | {f"points_{seat['seat']}": 25000 for seat in seats} for row in rounds]
    taken = [row for row in chances(tables).to_pylist() if row["is_taken"]]
    filled = tables | {"rounds": table("rounds", rounds), "wins": table("wins", taken), "seats": table("seats", seats)}
    filled |= {name: table(name, []) for name in ("win_yaku", "rejects")}
    filled |= {"circumstances": circumstances(filled)}
    deltas = settle_rounds(filled, rescore(filled)).tolist()
    paid = [row | {f"delta_{seat}": its[seat] for seat in range(4)} for row, its in zip(rounds, deltas, strict=True)]
    return filled | {"rounds": table("rounds", paid)}


def stored(tables: dict, path: Path) -> Store:
    """A store of one part with these tables."""
    store = Store.create(path)
    with store.writing() as writer:
        writer.add({}, tables)
    return store
