"""`mahjax`: batches of hands, JAX; compiled once per size of batch, inputs on the device."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from mahjax.red_mahjong.action import Action
from mahjax.red_mahjong.meld import EMPTY_MELD, Meld
from mahjax.red_mahjong.yaku import Yaku

from analytics.scoring.tiles import KIND_OF_TILE, dora_of

from ..resident import Engine, Task, Work
from ..wins import Win, read_plain

BATCH, BATCHES = 3000, 40
FLAGS = {
    "is_riichi": "riichi",
    "is_ippatsu": "ippatsu",
    "is_robbing_kan": "chankan",
    "is_after_kan": "rinshan",
    "is_bottom_of_the_sea": "haitei",
    "is_bottom_of_the_river": "houtei",
    "is_double_riichi": "double_riichi",
    "is_blessing_of_heaven": "tenhou",
    "is_blessing_of_earth": "chiihou",
}
CHI = ((Action.CHI_L, Action.CHI_L_RED), (Action.CHI_M, Action.CHI_M_RED), (Action.CHI_R, Action.CHI_R_RED))


def load(work: Work) -> Engine:
    engine = Engine()
    for name in work.hands:
        wins = read_plain(work.folder, name)
        columns = inputs(wins)
        rows = np.resize(np.arange(len(wins)), max(work.n_hands, BATCH))
        small = work.chunk(BATCH, len(wins))
        pieces = [rows[start : start + small] for start in range(0, len(rows) - small + 1, small)]
        for label, chosen in (
            ("", pieces[: work.chunk(BATCHES, len(pieces))]),
            (", one batch", [rows[: work.n_hands]]),
        ):
            engine.tasks[f"{name}: prebuilt{label}"] = _batches(columns, chosen)
        engine.points[name] = lambda columns=columns: np.asarray(points(columns)).tolist()
    return engine


def _batches(columns: dict[str, np.ndarray], chosen: list[np.ndarray]) -> Task:
    batches = [jax.device_put({key: column[rows] for key, column in columns.items()}) for rows in chosen]

    def run() -> int:
        for batch in batches:
            np.asarray(points(batch))
        return sum(map(len, chosen))

    return Task(run)


def inputs(wins: list[Win]) -> dict[str, np.ndarray]:
    """Columns of all wins; the dora of the indicators are counted beforehand."""
    n = len(wins)
    columns = {
        "hand": np.zeros((n, 37), np.int8),
        "tile": np.array([win.tile for win in wins], np.int32),
        "melds": np.full((n, 4), int(EMPTY_MELD), np.uint16),
        "n_melds": np.array([len(win.melds) for win in wins], np.int8),
        "is_ron": np.array([not win.is_tsumo for win in wins]),
        "seat_wind": np.array([win.seat_wind for win in wins], np.int32),
        "round_wind": np.array([win.round_wind for win in wins], np.int32),
        "dora": np.zeros((n, 2, 34), np.int8),
        **{theirs: np.array([ours in win.flags for win in wins]) for theirs, ours in FLAGS.items()},
    }
    following = dora_of(4)
    words: dict[tuple, int] = {}
    for row, win in enumerate(wins):
        for tile in win.concealed:
            columns["hand"][row, tile] += 1
        columns["hand"][row, win.tile] -= 1
        for slot, meld in enumerate(win.melds):
            key = (meld.kind, meld.low, tuple(meld.tiles), meld.called, meld.source)
            if key not in words:
                words[key] = int(_meld(meld))
            columns["melds"][row, slot] = words[key]
        for line, indicators in enumerate((win.dora, win.ura)):
            for kind in indicators:
                columns["dora"][row, line, following[kind]] += 1
    return columns


def _meld(meld) -> int:
    has_red = any(tile >= 34 for tile in meld.tiles)
    called = meld.low if meld.called is None else meld.called
    if meld.kind == "chi":
        position = int(KIND_OF_TILE[called]) - meld.low
        action = CHI[position][has_red and called < 34]
    elif meld.kind == "pon":
        action = Action.PON_RED if has_red and called < 34 else Action.PON
    else:
        action = Action.OPEN_KAN if meld.kind == "daiminkan" else 37 + meld.low
    return Meld.init(jnp.int32(action), jnp.int32(called), jnp.int32(meld.source))


def _hundreds(points):
    return (points + 99) // 100 * 100


def _points(win: dict):
    lines, fan, fu = Yaku.judge_hand_related(
        hand=win["hand"],
        melds=win["melds"],
        n_meld=win["n_melds"],
        last_tile=win["tile"],
        riichi=win["is_riichi"],
        is_ron=win["is_ron"],
        prevalent_wind=win["round_wind"],
        seat_wind=win["seat_wind"],
        dora=win["dora"],
    )
    circumstances = {name: win[name] for name in FLAGS}
    _, _, more_fan, more_units = Yaku.judge_other(is_ron=win["is_ron"], **circumstances)
    units = jnp.where(fu == 0, fan, 0) + more_units
    has_yaku = jnp.any(lines) | (more_fan > 0)
    base = jnp.where(units > 0, 8000 * units, jnp.where(has_yaku, Yaku.score(fan + more_fan, jnp.maximum(fu, 1)), 0))
    is_dealer = win["seat_wind"] == 0
    ron = _hundreds(base * jnp.where(is_dealer, 6, 4))
    drawn = jnp.where(is_dealer, 3 * _hundreds(2 * base), _hundreds(2 * base) + 2 * _hundreds(base))
    return jnp.where(win["is_ron"], ron, drawn)


points = jax.jit(jax.vmap(_points))
