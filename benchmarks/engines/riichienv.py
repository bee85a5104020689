"""`riichienv`: one hand at a time, Rust; its four rare yakuman are always double."""

from __future__ import annotations

from riichienv._riichienv import Conditions, HandEvaluator, Meld, MeldType, Wind

from ..resident import Engine, Work, over
from ..wins import Win, numbered, points_of, read_plain

CHUNK = 40_000
WINDS = (Wind.East, Wind.South, Wind.West, Wind.North)
MELDS = {
    "chi": MeldType.Chi,
    "pon": MeldType.Pon,
    "daiminkan": MeldType.Daiminkan,
    "ankan": MeldType.Ankan,
    "kakan": MeldType.Kakan,
}


def load(work: Work) -> Engine:
    engine = Engine()
    for name in work.hands:
        wins = read_plain(work.folder, name)
        size = work.chunk(CHUNK, len(wins))
        engine.tasks[f"{name}: prebuilt"] = over([inputs(win) for win in wins], size, score_all)
        engine.tasks[f"{name}: built"] = over(wins, size, build_and_score_all)
        engine.points[f"{name}, double"] = lambda wins=wins: [points(win) for win in wins]
    return engine


def inputs(win: Win) -> tuple:
    tiles, tile, melds = numbered(win)
    called = [
        Meld(MELDS[meld.kind], numbers, meld.kind != "ankan", meld.source or -1)
        for meld, numbers in zip(win.melds, melds, strict=True)
    ]
    conditions = Conditions(
        tsumo=win.is_tsumo,
        tsumo_first_turn=not win.flags.isdisjoint(("tenhou", "chiihou")),
        player_wind=WINDS[win.seat_wind],
        round_wind=WINDS[win.round_wind],
        **{flag: True for flag in win.flags if flag not in ("tenhou", "chiihou")},
    )
    dora, ura = [4 * kind + 1 for kind in win.dora], [4 * kind + 1 for kind in win.ura]
    return HandEvaluator(tiles, called), tile, dora, ura, conditions


def score_all(chunk: list) -> None:
    for evaluator, tile, dora, ura, conditions in chunk:
        evaluator.calc(tile, dora, ura, conditions)


def build_and_score_all(chunk: list) -> None:
    for win in chunk:
        evaluator, tile, dora, ura, conditions = inputs(win)
        evaluator.calc(tile, dora, ura, conditions)


def points(win: Win) -> int:
    evaluator, *rest = inputs(win)
    answer = evaluator.calc(*rest)
    if not answer.is_win:
        return 0
    paid = answer.ron_agari, answer.tsumo_agari_oya, answer.tsumo_agari_ko
    return points_of(win.is_tsumo, win.seat_wind == 0, *paid)
