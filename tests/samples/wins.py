"""What a win is worth, asked of the plain oracle of the tests, in Tenhou's numbers.

The scores in the samples so come from a witness that shares no code with the engine. The oracle is read from its
file: neither it nor this table is part of the installed package.
"""

import importlib.util
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

ORACLE = Path(__file__).parents[1] / "oracle.py"

# Tenhou's number of each yaku, in the order Tenhou lists them; yakuhai of winds are numbered by wind.
NUMBERS = {
    "riichi": 1,
    "double_riichi": 21,
    "ippatsu": 2,
    "chankan": 3,
    "rinshan_kaihou": 4,
    "haitei_raoyue": 5,
    "houtei_raoyui": 6,
    "menzen_tsumo": 0,
    "pinfu": 7,
    "chiitoitsu": 22,
    "iipeikou": 9,
    "ryanpeikou": 32,
    "sanankou": 29,
    "ittsuu": 24,
    "sanshoku_doujun": 25,
    "sanshoku_doukou": 26,
    "sankantsu": 27,
    "toitoi": 28,
    "shousangen": 30,
    "junchan": 33,
    "tanyao": 8,
    "yakuhai_round": 14,
    "yakuhai_seat": 10,
    "yakuhai_haku": 18,
    "yakuhai_hatsu": 19,
    "yakuhai_chun": 20,
    "chanta": 23,
    "honroutou": 31,
    "honitsu": 34,
    "chinitsu": 35,
    "tenhou": 37,
    "chiihou": 38,
    "daisangen": 39,
    "suuankou": 40,
    "suuankou_tanki": 41,
    "tsuuiisou": 42,
    "ryuuiisou": 43,
    "chinroutou": 44,
    "chuuren_poutou": 45,
    "junsei_chuuren_poutou": 46,
    "kokushi_musou": 47,
    "kokushi_juusanmen": 48,
    "daisuushii": 49,
    "shousuushii": 50,
    "suukantsu": 51,
}
DORA, URA, RED = 52, 53, 54
ORDER = list(NUMBERS)
LIMITS = {"mangan": 1, "haneman": 2, "baiman": 3, "sanbaiman": 4, "counted_yakuman": 5, "yakuman": 5}


@dataclass(frozen=True)
class Score:
    """A scored win; `yaku` holds (Tenhou number, han), or (number, 0) of each yakuman."""

    yaku: tuple[tuple[int, int], ...]
    is_yakuman: bool
    fu: int
    han: int
    points: int
    limit: int
    deltas: dict[str, int]  # by seat wind, honba and sticks in
    liable: str | None  # seat wind


@cache
def oracle() -> ModuleType:
    spec = importlib.util.spec_from_file_location("koyaku_sample_oracle", ORACLE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def number(name: str, case: dict) -> int:
    wind = {"yakuhai_seat": case["seat"], "yakuhai_round": case["round"]}.get(name)
    return NUMBERS[name] + ("ESWN".index(wind) if wind else 0)


def score_win(case: dict) -> Score | None:
    """The score of a complete hand as Tenhou would record it; None without a yaku."""
    found = oracle().score(case)
    if "error" in found:
        return None
    han = dict(found["yaku"])
    if found["yakuman"]:
        return Score(
            yaku=tuple((number(name, case), 0) for name in ORDER if name in han),
            is_yakuman=True,
            fu=yakuman_fu(case),
            han=13 * found["yakuman"],
            points=found["points"],
            limit=5,
            deltas=found["payments"],
            liable=oracle().liability(case, found["yaku"])[0],
        )
    lines = [(number(name, case), han[name]) for name in ORDER if name in han]
    dora = han.get("dora", 0) + han.get("nuki_dora", 0)
    lines += [(DORA, dora)] if dora else []
    lines += [(RED, han["aka_dora"])] if "aka_dora" in han else []
    if {"riichi", "double_riichi"} & set(case["flags"]):
        lines.append((URA, han.get("ura_dora", 0)))
    return Score(
        yaku=tuple(lines),
        is_yakuman=False,
        fu=found["fu"],
        han=found["han"],
        points=found["points"],
        limit=LIMITS.get(found["limit"], 0),
        deltas=found["payments"],
        liable=None,
    )


def yakuman_fu(case: dict) -> int:
    """The fu that Tenhou notes beside a yakuman; none for thirteen orphans."""
    plain = oracle()
    readings = [reading for reading, value in plain.every_score(case) if value and value["yakuman"]]
    return max((sum(fu for _, fu in plain.fu_parts(r)) for r in readings if r.form != "orphans"), default=0)
