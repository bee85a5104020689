"""The package `mahjong`: one hand at a time, Python."""

from __future__ import annotations

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

from ..resident import Engine, Work, over
from ..wins import Win, numbered, points_of, read_plain

CHUNK = 4000
OPTIONS = OptionalRules(
    has_open_tanyao=True,
    has_aka_dora=True,
    has_double_yakuman=False,
    kiriage=False,
    limit_to_sextuple_yakuman=False,
)
MELDS = {"chi": Meld.CHI, "pon": Meld.PON, "daiminkan": Meld.KAN, "ankan": Meld.KAN, "kakan": Meld.SHOUMINKAN}


def load(work: Work) -> Engine:
    engine = Engine()
    for name in work.hands:
        wins = read_plain(work.folder, name)
        size = work.chunk(CHUNK, len(wins))
        engine.tasks[f"{name}: prebuilt"] = over([inputs(win) for win in wins], size, score_all)
        engine.tasks[f"{name}: built"] = over(wins, size, build_and_score_all)
        engine.points[name] = lambda wins=wins: [points(win) for win in wins]
    return engine


def inputs(win: Win) -> tuple:
    tiles, tile, melds = numbered(win)
    flags = {f"is_{flag}": True for flag in win.flags if flag not in ("riichi", "double_riichi")}
    config = HandConfig(
        is_tsumo=win.is_tsumo,
        is_riichi="riichi" in win.flags and "double_riichi" not in win.flags,
        is_daburu_riichi="double_riichi" in win.flags,
        player_wind=27 + win.seat_wind,
        round_wind=27 + win.round_wind,
        options=OPTIONS,
        **flags,
    )
    called = [
        Meld(MELDS[meld.kind], numbers, opened=meld.kind != "ankan")
        for meld, numbers in zip(win.melds, melds, strict=True)
    ]
    tiles = tiles + [number for numbers in melds for number in numbers]
    return tiles, tile, called, [4 * kind + 1 for kind in win.dora], config, [4 * kind + 1 for kind in win.ura]


def score(prebuilt: tuple):
    tiles, tile, melds, dora, config, ura = prebuilt
    return HandCalculator.estimate_hand_value(tiles, tile, melds, dora, config, ura_dora_indicators=ura)


def score_all(chunk: list) -> None:
    for prebuilt in chunk:
        score(prebuilt)


def build_and_score_all(chunk: list) -> None:
    for win in chunk:
        score(inputs(win))


def points(win: Win) -> int | None:
    answer = score(inputs(win))
    if answer.error:
        return 0 if answer.error == HandCalculator.ERR_NO_YAKU else None
    main, additional = answer.cost["main"], answer.cost["additional"]
    if win.is_tsumo and win.seat_wind == 0:
        main, additional = 0, main
    return points_of(win.is_tsumo, win.seat_wind == 0, main, main, additional)
