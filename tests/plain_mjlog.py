"""A plain reader of Tenhou XML: slow, obvious, one object per tag.

The second witness of `parsers.tenhou_xml`. It shares no code with it and trusts its input: it is for real
logs and for logs the tests write. Tiles are physical, 0-135, as recorded; seats are absolute. A log that is cut
off is read as far as it goes; a RYUUKYOKU without scores, which editors write at a cut, is no event.

>>> game = read(b'<mjloggm ver="2.3"><GO type="9"/><UN n0="a" n1="b" n2="c" n3="d" dan="1,2,3,4" '
...             b'rate="1500,1500,1500,1500" sx="M,M,M,M"/><INIT seed="0,0,0,1,2,3" ten="250,250,250,250" '
...             b'oya="0" hai0="0" hai1="1" hai2="2" hai3="3"/><T57/><D57/></mjloggm>')
>>> game.rounds[0].events
[Draw(seat=0, tile=57), Discard(seat=0, tile=57)]
"""

from __future__ import annotations

import gzip
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from urllib.parse import unquote


@dataclass(frozen=True)
class Meld:
    """An open or concealed set; kind is chi, pon, daiminkan, ankan, kakan or kita."""

    kind: str
    tiles: tuple[int, ...]  # physical, ascending; one tile for kita
    called: int | None  # the tile taken from another seat; None for ankan and kita
    from_seat: int | None  # who fed it (kakan: who fed the triplet)
    added: int | None  # the fourth tile of a kakan
    code: int


@dataclass(frozen=True)
class Draw:
    seat: int
    tile: int


@dataclass(frozen=True)
class Discard:
    seat: int
    tile: int


@dataclass(frozen=True)
class Call:
    seat: int
    meld: Meld


@dataclass(frozen=True)
class Riichi:
    seat: int
    step: int  # 1 declared, 2 accepted (the stick is on the table)


@dataclass(frozen=True)
class Dora:
    tile: int  # the indicator turned after a kan


@dataclass(frozen=True)
class Agari:
    who: int
    from_who: int  # equal to who on a self-draw
    pao: int | None
    honba: int
    sticks: int
    hai: tuple[int, ...]  # concealed tiles; the winning tile included, but for a few edited logs
    melds: tuple[Meld, ...]  # in the order of the attribute m, the latest first; kita among them
    machi: int
    fu: int
    points: int
    limit: int
    yaku: tuple[tuple[int, int], ...] | None  # (number, han)
    yakuman: tuple[int, ...] | None
    dora: tuple[int, ...]
    ura: tuple[int, ...] | None
    sc: tuple[int, ...]  # hundreds: before and change of seat 0, of seat 1, ...; chips after them
    owari: tuple[float, ...] | None  # hundreds and result of seat 0, of seat 1, ...; chips after them


@dataclass(frozen=True)
class Ryuukyoku:
    type: str | None
    honba: int
    sticks: int
    hands: tuple[tuple[int, ...] | None, ...]  # shown hands by seat
    sc: tuple[int, ...]
    owari: tuple[float, ...] | None


@dataclass(frozen=True)
class Bye:
    seat: int


@dataclass(frozen=True)
class Un:
    seat: int  # came back


@dataclass
class Round:
    seed: tuple[int, ...]  # round number, honba, sticks, two dice (-1 if not recorded), dora indicator
    ten: tuple[int, ...]  # hundreds
    oya: int
    hands: list[list[int]]  # as recorded, empty for an absent seat
    events: list = field(default_factory=list)

    number = property(lambda self: self.seed[0])
    honba = property(lambda self: self.seed[1])
    sticks = property(lambda self: self.seed[2])
    dora = property(lambda self: self.seed[5])

    @property
    def is_over(self) -> bool:
        return any(isinstance(event, Agari | Ryuukyoku) for event in self.events)


@dataclass
class Game:
    go_type: int
    lobby: int | None
    names: list[str]
    dan: list[int] | None
    rate: list[float] | None
    seed: str | None  # of the walls
    rounds: list[Round] = field(default_factory=list)

    @property
    def owari(self) -> tuple[float, ...] | None:
        ends = [e for r in self.rounds for e in r.events if isinstance(e, Agari | Ryuukyoku)]
        return ends[-1].owari if ends else None


def meld(code: int, seat: int) -> Meld:
    """The meld a code of the tag N or of the attribute m stands for, made by `seat`."""
    from_seat = (seat + (code & 3)) % 4
    if code & 4:
        t = code >> 10
        position, t = t % 3, t // 3
        first = t // 7 * 9 + t % 7
        tiles = tuple((first + i) * 4 + (code >> 3 + 2 * i & 3) for i in range(3))
        return Meld("chi", tiles, tiles[position], from_seat, None, code)
    if code & 0x18:
        t = code >> 9
        position, kind = t % 3, t // 3
        unused = kind * 4 + (code >> 5 & 3)
        three = tuple(tile for tile in range(kind * 4, kind * 4 + 4) if tile != unused)
        if code & 0x10:
            four = tuple(range(kind * 4, kind * 4 + 4))
            return Meld("kakan", four, three[position], from_seat, unused, code)
        return Meld("pon", three, three[position], from_seat, None, code)
    tile = code >> 8
    if code & 0x20:
        return Meld("kita", (tile,), None, None, None, code)
    four = tuple(range(tile // 4 * 4, tile // 4 * 4 + 4))
    if code & 3:
        return Meld("daiminkan", four, tile, from_seat, None, code)
    return Meld("ankan", four, None, None, None, code)


def _ints(text: str | None) -> tuple[int, ...]:
    return tuple(int(x) for x in text.split(",")) if text else ()


def _agari(a: dict[str, str]) -> Agari:
    who = int(a["who"])
    honba, sticks = _ints(a["ba"])
    fu, points, limit = _ints(a["ten"])
    flat = _ints(a.get("yaku"))
    return Agari(
        who=who,
        from_who=int(a["fromWho"]),
        pao=int(a["paoWho"]) if "paoWho" in a else None,
        honba=honba,
        sticks=sticks,
        hai=_ints(a["hai"]),
        melds=tuple(meld(code, who) for code in _ints(a.get("m"))),
        machi=int(a["machi"]),
        fu=fu,
        points=points,
        limit=limit,
        yaku=tuple(zip(flat[::2], flat[1::2], strict=True)) if "yaku" in a else None,
        yakuman=_ints(a["yakuman"]) if "yakuman" in a else None,
        dora=_ints(a["doraHai"]),
        ura=_ints(a["doraHaiUra"]) if a.get("doraHaiUra") else None,
        sc=_ints(a["sc"]),
        owari=_owari(a),
    )


def _owari(a: dict[str, str]) -> tuple[float, ...] | None:
    return tuple(float(x) for x in a["owari"].split(",")) if a.get("owari") else None


def _ryuukyoku(a: dict[str, str]) -> Ryuukyoku:
    honba, sticks = _ints(a["ba"])
    hands = tuple(_ints(a[f"hai{seat}"]) if f"hai{seat}" in a else None for seat in range(4))
    return Ryuukyoku(a.get("type"), honba, sticks, hands, _ints(a["sc"]), _owari(a))


def read(data: bytes) -> Game:
    """The game of a log, gzip or plain."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    game = Game(-1, None, [], None, None, None)
    tags = ET.XMLPullParser(["start"])
    tags.feed(data)
    for _, element in tags.read_events():
        tag, a = element.tag, element.attrib
        events = game.rounds[-1].events if game.rounds else []
        if tag == "SHUFFLE":
            game.seed = a.get("seed")
        elif tag == "GO":
            game.go_type = int(a["type"])
            game.lobby = int(a["lobby"]) if "lobby" in a else None
        elif tag == "UN" and not game.names:
            game.names = [unquote(a[f"n{seat}"]) for seat in range(4)]
            game.dan = list(_ints(a["dan"])) if "dan" in a else None
            game.rate = [float(x) for x in a["rate"].split(",")] if "rate" in a else None
        elif tag == "UN":
            events += [Un(seat) for seat in range(4) if f"n{seat}" in a]
        elif tag == "BYE":
            events.append(Bye(int(a["who"])))
        elif tag == "INIT":
            hands = [list(_ints(a.get(f"hai{seat}"))) for seat in range(4)]
            seed = tuple(int(x or -1) for x in a["seed"].split(","))
            game.rounds.append(Round(seed, _ints(a["ten"]), int(a["oya"]), hands))
        elif tag == "REACH":
            events.append(Riichi(int(a["who"]), int(a["step"])))
        elif tag == "DORA":
            events.append(Dora(int(a["hai"])))
        elif tag == "N":
            events.append(Call(int(a["who"]), meld(int(a["m"]), int(a["who"]))))
        elif tag == "AGARI":
            events.append(_agari(a))
        elif tag == "RYUUKYOKU" and not a.get("sc"):
            pass
        elif tag == "RYUUKYOKU":
            events.append(_ryuukyoku(a))
        elif tag in ("mjloggm", "TAIKYOKU"):
            pass
        elif tag[0] in "TUVW":
            events.append(Draw("TUVW".index(tag[0]), int(tag[1:])))
        elif tag[0] in "DEFG":
            events.append(Discard("DEFG".index(tag[0]), int(tag[1:])))
    return game
