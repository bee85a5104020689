"""A game as Tenhou XML, tag by tag as Tenhou writes them.

There is no SHUFFLE tag: the walls do not come from a seed of Tenhou's.
"""

import gzip
from collections.abc import Iterable, Sequence

from .game import Game
from .round import Drawn, Meld, Round, Win

DRAWS, DISCARDS = "TUVW", "DEFG"
ABORTED = {
    "nagashi_mangan": "nm",
    "kyuushu_kyuuhai": "yao9",
    "suufon_renda": "kaze4",
    "suucha_riichi": "reach4",
    "sanchahou": "ron3",
    "suukaikan": "kan4",
}


def write(game: Game) -> bytes:
    """The log, compressed if the game wants it so."""
    tags = ['<mjloggm ver="2.3">', f'<GO type="{game.spec.type}" lobby="0"/>', names(game.spec.people)]
    tags.append('<TAIKYOKU oya="0"/>')
    for i, table in enumerate(game.rounds):
        tags.append(init(table, game.dice[i]))
        tags += [tag(table, event) for event in table.events]
        owari = final(game) if i == len(game.rounds) - 1 else ""
        tags += end(table, owari)
    tags.append("</mjloggm>")
    log = "".join(tags).encode()
    return gzip.compress(log, mtime=0) if game.spec.gzip else log


def names(people: Sequence) -> str:
    seats = [(p.name, p.dan, p.rate, p.sex) for p in people]
    name, dan, rate, sex = zip(*[*seats, ("", 0, 1500.0, "C")][:4], strict=True)
    given = " ".join(f'n{i}="{percent(n)}"' for i, n in enumerate(name))
    return f'<UN {given} dan="{listed(dan)}" rate="{listed(rate)}" sx="{listed(sex)}"/>'


def percent(name: str) -> str:
    """Every byte of the name, letters and digits too."""
    return "".join(f"%{byte:02X}" for byte in name.encode())


def listed(values: Iterable) -> str:
    return ",".join(f"{v:.2f}" if isinstance(v, float) else str(v) for v in values)


def four(values: Sequence[int]) -> list[int]:
    """The absent fourth seat has nothing."""
    return [*values, 0][:4]


def init(table: Round, dice: tuple[int, int]) -> str:
    place = table.place
    seed = listed((place.number, place.honba, place.sticks, *dice, table.indicators[0]))
    points = listed(four([p // 100 for p in place.points]))
    hands = " ".join(f'hai{i}="{listed(h)}"' for i, h in enumerate([*table.dealt, ()][:4]))
    return f'<INIT seed="{seed}" ten="{points}" oya="{table.dealer}" {hands}/>'


def tag(table: Round, event: tuple) -> str:
    match event:
        case ("draw", seat, tile):
            return f"<{DRAWS[seat]}{tile}/>"
        case ("discard", seat, tile):
            return f"<{DISCARDS[seat]}{tile}/>"
        case ("call", seat, meld):
            return f'<N who="{seat}" m="{code(meld, seat)}" />'
        case ("riichi", seat):
            return f'<REACH who="{seat}" step="1"/>'
        case ("accepted", seat, points):
            ten = listed(four([p // 100 for p in points]))
            return f'<REACH who="{seat}" ten="{ten}" step="2"/>'
        case ("dora", tile):
            return f'<DORA hai="{tile}" />'
    raise ValueError(f"unknown event {event}")


def code(meld: Meld, seat: int) -> int:
    """The bits of a call: who fed it, what kind, which copies, which of them was called."""
    low = meld.tiles[0] // 4
    feeder = 0 if meld.feeder is None else (meld.feeder - seat) % 4
    match meld.kind:
        case "chi":
            copies = [t % 4 << 3 + 2 * i for i, t in enumerate(meld.tiles)]
            return feeder | 4 | sum(copies) | (low // 9 * 7 + low % 9) * 3 + meld.tiles.index(meld.called) << 10
        case "pon" | "kakan":
            triplet = [t for t in meld.tiles if t != meld.added]
            (other,) = {0, 1, 2, 3} - {t % 4 for t in triplet}
            kind = 8 if meld.kind == "pon" else 16
            return feeder | kind | other << 5 | low * 3 + triplet.index(meld.called) << 9
        case "daiminkan":
            return feeder | meld.called << 8
        case "ankan":
            return meld.tiles[0] << 8
        case "kita":
            return 32 | meld.tiles[0] << 8
    raise ValueError(f"unknown meld {meld.kind}")


def changes(before: Sequence[int], deltas: Sequence[int]) -> str:
    pairs = zip(four([p // 100 for p in before]), four([d // 100 for d in deltas]), strict=True)
    return listed(n for pair in pairs for n in pair)


def end(table: Round, owari: str) -> list[str]:
    if isinstance(table.result, Drawn):
        return [f"<{ryuukyoku(table, table.result)}{owari} />"]
    wins = [agari(win) for win in table.result]
    return [f"<{w} />" for w in wins[:-1]] + [f"<{wins[-1]}{owari} />"]


def agari(win: Win) -> str:
    score = win.score
    parts = [f'AGARI ba="{win.honba},{win.sticks}" hai="{listed(win.hand)}"']
    if win.melds:
        parts.append(f'm="{listed(code(m, win.winner) for m in reversed(win.melds))}"')
    parts.append(f'machi="{win.tile}" ten="{score.fu},{score.points},{score.limit}"')
    if score.is_yakuman:
        parts.append(f'yakuman="{listed(n for n, _ in score.yaku)}"')
    else:
        parts.append(f'yaku="{listed(x for line in score.yaku for x in line)}"')
    parts.append(f'doraHai="{listed(win.dora)}"')
    if win.ura:
        parts.append(f'doraHaiUra="{listed(win.ura)}"')
    parts.append(f'who="{win.winner}" fromWho="{win.winner if win.loser is None else win.loser}"')
    if win.liable is not None:
        parts.append(f'paoWho="{win.liable}"')
    parts.append(f'sc="{changes(win.before, win.deltas)}"')
    return " ".join(parts)


def ryuukyoku(table: Round, drawn: Drawn) -> str:
    kind = f'type="{ABORTED[drawn.kind]}" ' if drawn.kind in ABORTED else ""
    hands = "".join(f' hai{seat}="{listed(hand)}"' for seat, hand in drawn.shown.items())
    sticks = table.sticks
    return f'RYUUKYOKU {kind}ba="{table.place.honba},{sticks}" sc="{changes(drawn.before, drawn.deltas)}"{hands}'


def final(game: Game) -> str:
    points = four([p // 100 for p in game.points])
    results = [*game.results, 0.0][:4]
    return ' owari="' + ",".join(f"{p},{r:.1f}" for p, r in zip(points, results, strict=True)) + '"'
