"""Small logs in Tenhou XML for the tests: every seat is dealt thirteen tiles in a row, 0-12, 13-25, 26-38, 39-51;
the draws begin with 52. Nobody cares here whether a winning hand is one.
"""

from __future__ import annotations

NAMES = ("east", "south", "west", "north")


def init(number: int = 0, *, ten: str = "250,250,250,250", oya: int = 0, dora: int = 135, three: bool = False) -> str:
    hands = [",".join(map(str, range(13 * seat, 13 * seat + 13))) for seat in range(4)]
    if three:  # without 2m-8m
        hands = [",".join(map(str, range(32 + 13 * seat, 45 + 13 * seat))) for seat in range(3)] + [""]
    dealt = " ".join(f'hai{seat}="{hand}"' for seat, hand in enumerate(hands))
    return f'<INIT seed="{number},0,0,1,2,{dora}" ten="{ten}" oya="{oya}" {dealt}/>'


def agari(hai: str, machi: int, who: int, from_who: int, *, before: str = "250,250,250,250", **more: str | None) -> str:
    """A win of 30 fu, 1 han, by `who`; `more` are further attributes or other values, None leaves one out."""
    is_tsumo = who == from_who
    change = [-5 if is_tsumo else -10 if seat == from_who else 0 for seat in range(4)]
    change[who] = 15 if is_tsumo else 10
    attributes = {
        "ba": "0,0",
        "hai": hai,
        "machi": str(machi),
        "ten": "30,1500,0" if is_tsumo else "30,1000,0",
        "yaku": "0,1",
        "doraHai": "135",
        "who": str(who),
        "fromWho": str(from_who),
        "sc": ",".join(f"{points},{change[seat]}" for seat, points in enumerate(before.split(","))),
        **more,
    }
    return "<AGARI " + " ".join(f'{k}="{v}"' for k, v in attributes.items() if v is not None) + "/>"


def tsumo(tile: int = 52, **more: str | None) -> str:
    """The first dealer draws a tile and wins with it."""
    return f"<T{tile}/>" + agari(f"0,1,2,3,4,5,6,7,8,9,10,11,12,{tile}", tile, 0, 0, **more)


OWARI = "265,6.5,245,-0.5,245,-1.5,245,-4.5"
AFTER = "265,245,245,245"  # the points after one such win
RON = "<T52/><D52/>" + agari("13,14,15,16,17,18,19,20,21,22,23,24,25,52", 52, 1, 0)
EXHAUSTED = '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,250,0"/>'


def log(*rounds: str, go: str = 'type="9" lobby="0"', before: str = "", end: str = "</mjloggm>") -> bytes:
    """A log of rounds, each from INIT on."""
    names = " ".join(f'n{seat}="{name}"' for seat, name in enumerate(NAMES))
    if int(go.split('"')[1]) & 16:
        names = names.replace("north", "")
    head = f'<mjloggm ver="2.3"><GO {go}/><UN {names} dan="1,2,3,4" rate="1500.00,1600.50,1700,1800" sx="M,F,M,C"/>'
    return (head + before + '<TAIKYOKU oya="0"/>' + "".join(rounds) + end).encode()
