"""Local yaku of circumstance and history on recorded rounds, each round walked action by action.

The rounds are named by file, round and winner and read from the shared logs; of what happens in them nothing is
written down but what the walk must find.
"""

from __future__ import annotations

import pytest
from plain_mjlog import Agari, Call, Discard, Dora, Draw, Game, Riichi, read

from analytics.corpus import read as read_logs
from analytics.rescoring import amended_rules, rescore_each
from analytics.scores import score_wins

TSUBAME = [
    ("MahjongPantheon/doubleron_and_riichi.xml", 7, 0),
    ("houou2023/2023050116gm-00e1-0000-333bea01.html", 0, 1),
    ("houou2023/2024032023gm-00e1-0000-85b8594f.html", 1, 2),
    ("thewaxmango/2022010219gm-00b9-0000-8c0d02bf.txt", 2, 1),
    ("thewaxmango/2022011300gm-00e1-0000-ed3f6d54.txt", 3, 0),
]
SIDEWAYS = [
    ("MahjongRepository/14.txt", 5, 1),
    ("houou2023/2023052520gm-00e1-0000-b6602509.html", 4, 1),
    ("houou2023/2024031600gm-00e1-0000-7f3a3334.html", 8, 3),
    ("thewaxmango/2022010403gm-00a9-0000-4d3fd64f.txt", 4, 2),
    ("thewaxmango/2022011215gm-00a9-0000-47417e4f.txt", 5, 0),
]
KANBURI = [
    ("MahjongPantheon/openhand_bug.xml", 2, 0),
    ("houou2023/2023050321gm-00e1-0000-e9b32745.html", 2, 0),
    ("houou2023/2023112101gm-00e1-0000-f3658a79.html", 0, 3),
    ("thewaxmango/2009030914gm-00e1-0000-49b04ffb.txt", 2, 1),
    ("thewaxmango/2022011121gm-00a9-0000-a3dd114f.txt", 11, 3),
]
GO_AROUND = [
    ("houou2023/2023022018gm-00e1-0000-c3aab7d7.html", 0, 1),
    ("houou2023/2023061100gm-00e1-0000-7fb5ad4c.html", 5, 1),
    ("houou2023/2024020910gm-00e1-0000-a736c42f.html", 2, 1),
    ("mjx-project/encdec-tenhou-false-pos.mjlog", 9, 3),
    ("thewaxmango/2022010121gm-00a9-0000-c7dce144.txt", 9, 3),
]
LAST_COPY = [
    ("houou2020/2020010102gm-00a9-0000-a45fe2f5.txt", 9, 0),
    ("houou2020/2020010107gm-00b9-0000-35a2fc7f.txt", 10, 0),
    ("houou2023/2024041517gm-00e1-0000-7b2afdd9.html", 1, 2),
    ("mjx-project/states.mjlog", 7, 0),
    ("thewaxmango/2022010522gm-00a9-0000-6d956d7b.txt", 9, 1),
]
NINE_PIN = [
    ("houou2023/2023032018gm-00e1-0000-3369d050.html", 1, 3),
    ("houou2023/2023060101gm-00e1-0000-07c78307.html", 3, 1),
    ("houou2023/2024060120gm-00e1-0000-40058489.html", 4, 1),
]
FIVE_PIN = [
    ("houou2020/2020010120gm-00b9-0000-6cc7aead.txt", 3, 2),
    ("houou2023/2023030923gm-00e1-0000-713271a6.html", 1, 1),
    ("houou2023/2023061123gm-00e1-0000-94acf099.html", 0, 1),
    ("thewaxmango/2009031108gm-00e1-0000-20efa05c.txt", 8, 1),
    ("thewaxmango/2022010908gm-00a9-0000-e18a99a1.txt", 5, 1),
]
STONE = [("dnovikoff/bug6.xml", 1, 2)]
POUHOI = [("thewaxmango/2022011016gm-00a9-0000-1a5d48dd.txt", 13, 3)]

N_LIVE = {3: 55, 4: 70}
KANS = ("daiminkan", "ankan", "kakan")


class Walk:
    """One round up to a win, as plain events."""

    def __init__(self, game: Game, round_no: int, winner: int):
        self.game, self.round = game, game.rounds[round_no]
        events = self.round.events
        self.win = next(e for e in events if isinstance(e, Agari) and e.who == winner)
        self.events = [e for e in events[: events.index(self.win)] if not isinstance(e, Agari)]
        self.play = [e for e in self.events if isinstance(e, (Draw, Discard, Call, Riichi, Dora))]
        self.moves = [e for e in self.play if isinstance(e, (Draw, Discard, Call))]
        self.winner, self.loser = winner, self.win.from_who

    @property
    def live(self) -> int:
        return N_LIVE[3 if self.game.go_type & 16 else 4] - sum(isinstance(e, Draw) for e in self.moves)

    def calls(self) -> list[Call]:
        return [e for e in self.moves if isinstance(e, Call)]


def is_ron_on(walk: Walk, tile_kind: int | None = None) -> bool:
    last = walk.moves[-1]
    is_last = isinstance(last, Discard) and (last.seat, last.tile) == (walk.loser, walk.win.machi)
    return is_last and walk.winner != walk.loser and (tile_kind is None or last.tile // 4 == tile_kind)


def declared_before_the_discard(walk: Walk) -> bool:
    """The loser says riichi and discards the tile that is won on."""
    steps = [e for e in walk.play if isinstance(e, Riichi) and e.seat == walk.loser]
    at = walk.play.index(steps[-1])
    return steps[-1].step == 1 and is_ron_on(walk) and not any(isinstance(e, Discard) for e in walk.play[at:-1])


def replaces_a_called_declaration(walk: Walk) -> bool:
    """The declaration tile is called, and the loser's next discard is won on."""
    declared = next(i for i, e in enumerate(walk.play) if isinstance(e, Riichi) and (e.seat, e.step) == (walk.loser, 1))
    own = [e for e in walk.play[declared:] if isinstance(e, Discard) and e.seat == walk.loser]
    called = [e.meld.called for e in walk.play[declared:] if isinstance(e, Call)]
    return len(own) >= 2 and own[0].tile in called and all(e.tile in called for e in own[:-1]) and is_ron_on(walk)


def kan_draw_discard(walk: Walk) -> bool:
    """The loser makes a kan, draws its replacement and discards what is won on."""
    kan, draw, _ = walk.moves[-3:]
    is_kan = isinstance(kan, Call) and kan.meld.kind in KANS
    return is_ron_on(walk) and is_kan and isinstance(draw, Draw) and kan.seat == draw.seat == walk.loser


def first_discard_without_a_call(walk: Walk) -> bool:
    """Nobody has called, and the tile is the loser's first discard."""
    own = [e for e in walk.moves if isinstance(e, Discard) and e.seat == walk.loser]
    return is_ron_on(walk) and not walk.calls() and len(own) == 1


def other_copies_in_sight(walk: Walk) -> bool:
    """Three tiles of the winning kind lie in rivers, melds and indicators."""
    seen = {walk.round.dora}
    for e in walk.play:
        if isinstance(e, (Discard, Dora)):
            seen.add(e.tile)
        elif isinstance(e, Call):
            seen |= set(e.meld.tiles)
    return sum(tile // 4 == walk.win.machi // 4 for tile in seen - {walk.win.machi}) == 3


def last_discard_is_nine_pin(walk: Walk) -> bool:
    """The winning tile is a 9p discarded with no live tile left."""
    return is_ron_on(walk, 17) and walk.live == 0


def replacement_is_five_pin(walk: Walk) -> bool:
    """The winner makes a kan, or sets north aside, and draws 5p."""
    call, draw = walk.moves[-2:]
    is_own = isinstance(call, Call) and call.meld.kind in ("ankan", "kakan", "daiminkan", "kita")
    return is_own and isinstance(draw, Draw) and call.seat == draw.seat == walk.winner and draw.tile // 4 == 13


def double_riichi_to_the_last_tile(walk: Walk) -> bool:
    """The winner declares with the first discard, before any call, and no live tile is left."""
    declared = next(i for i, e in enumerate(walk.play) if isinstance(e, Riichi) and e.seat == walk.winner)
    earlier = walk.play[:declared]
    is_first = not any(isinstance(e, Call) or (isinstance(e, Discard) and e.seat == walk.winner) for e in earlier)
    return is_first and walk.live == 0


def dealer_kept_seven_hands(walk: Walk) -> bool:
    """Seven hands of the dealer before this one were won by the dealer or drawn with the dealer tenpai."""
    number = walk.game.rounds.index(walk.round)
    dealer = walk.round.oya
    kept = 0
    while number > 0 and walk.game.rounds[number - 1].oya == dealer:
        number -= 1
        kept += 1
    return kept == 7 and walk.winner != dealer


WALKS = [
    ("tsubame_gaeshi", (), TSUBAME, declared_before_the_discard),
    ("tsubame_gaeshi", ("replacement_sideways_tile=true",), SIDEWAYS, replaces_a_called_declaration),
    ("kanburi", (), KANBURI, kan_draw_discard),
    ("renhou", ("window=first_go_around",), GO_AROUND, first_discard_without_a_call),
    ("ketsupaihou", (), LAST_COPY, other_copies_in_sight),
    ("chuupin_raoyui", (), NINE_PIN, last_discard_is_nine_pin),
    ("uupin_kaihou", (), FIVE_PIN, replacement_is_five_pin),
    ("ishino_uenimo_sannen", (), STONE, double_riichi_to_the_last_tile),
    ("pouhoi_paarenchan", ("definition=def3",), POUHOI, dealer_kept_seven_hands),
]
ROUNDS = [
    pytest.param(id_, options, *place, check, id=f"{id_}-{place[0]}-{place[1]}")
    for id_, options, places, check in WALKS
    for place in places
]


@pytest.mark.parametrize(("id_", "options", "file", "round_no", "winner", "check"), ROUNDS)
def test_a_recorded_round_holds_the_yaku_and_its_actions_show_why(shared, id_, options, file, round_no, winner, check):
    path = shared / "logs" / "mjlog" / file
    walk = Walk(read(path.read_bytes()), round_no, winner)
    assert check(walk), check.__doc__
    value = id_ if id_ == "pouhoi_paarenchan" else f"{id_}=1"  # one han, so that no higher count hides a limit
    rules = amended_rules("recorded", [value], set_=[f"yaku.{id_}.{option}" for option in options])
    frame = score_wins(read_logs([path]), rules)
    [held] = frame[(frame.round_no == round_no) & (frame.winner == winner)].yaku
    assert id_ in held


# How often each occurs in all logs; of those that never do there is no round to walk.
COUNTS = {
    "tsubame_gaeshi": 735,
    "kanburi": 58,
    "ketsupaihou": 19,
    "uupin_kaihou": 11,
    "chuupin_raoyui": 3,
    "ishino_uenimo_sannen": 1,
    "pouhoi_paarenchan": 1,
    **dict.fromkeys(("iipin_mouyue", "ryanzou_chankan", "kinkei_dasshoku", "renhou", "renkaihou", "toukanhou"), 0),
    **dict.fromkeys(("katengecchi", "paarenchan"), 0),
}


@pytest.mark.slow
def test_each_of_them_is_counted_over_all_logs(real_store):
    third = {"yaku.paarenchan.definition": "def3", "yaku.pouhoi_paarenchan.definition": "def3"}
    counted = dict.fromkeys(COUNTS, 0)
    for part in real_store.parts():
        choices = []
        for id_ in COUNTS:
            value = id_ if "paarenchan" in id_ else f"{id_}=1"
            options = [f"{key}={v}" for key, v in third.items() if key.startswith(f"yaku.{id_}.")]
            choices.append(amended_rules("recorded", [value], set_=options))
        for id_, rescored in zip(COUNTS, rescore_each(part, choices), strict=True):
            counted[id_] += int(rescored.holds[:, rescored.yaku.index(id_)].sum())
    assert counted == COUNTS
