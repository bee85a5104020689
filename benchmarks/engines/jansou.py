"""`jansou`: one hand and one log at a time, Python."""

from __future__ import annotations

from jansou.core.hand import SOURCE_OF_RELATIVE, CallSource, Hand, Meld, MeldType
from jansou.core.rules import preset
from jansou.core.tiles import Tile, TileKind, Wind
from jansou.io.mjlog import parse_mjlog
from jansou.scoring.context import WinContext
from jansou.scoring.score import ScoringError, score
from jansou.validation.cli import check_file

from analytics.scoring.tiles import IS_RED, KIND_OF_TILE

from ..resident import Engine, Work, over
from ..wins import Win, points_of, read_plain

CHUNK, GAMES = 2000, 100
RULES = preset("tenhou")
TILES = [Tile(TileKind(int(kind)), red=bool(red)) for kind, red in zip(KIND_OF_TILE, IS_RED, strict=True)]
MELDS = {
    "chi": MeldType.CHII,
    "pon": MeldType.PON,
    "daiminkan": MeldType.DAIMINKAN,
    "ankan": MeldType.ANKAN,
    "kakan": MeldType.SHOUMINKAN,
}


def load(work: Work) -> Engine:
    engine = Engine()
    for name in work.hands:
        wins = read_plain(work.folder, name)
        size = work.chunk(CHUNK, len(wins))
        engine.tasks[f"{name}: prebuilt"] = over([inputs(win) for win in wins], size, score_all)
        engine.tasks[f"{name}: built"] = over(wins, size, build_and_score_all)
        engine.points[name] = lambda wins=wins: [points(win) for win in wins]
    if work.has_games:
        logs = work.logs()
        size = work.chunk(GAMES, len(logs))
        engine.tasks["decode"] = over([data for _, data in logs], size, parse_all)
        engine.tasks["audit"] = over([path for path, _ in logs], size, validate_all)
    return engine


def inputs(win: Win) -> tuple[Hand, Tile, WinContext]:
    context = WinContext(
        rules=RULES,
        round_wind=Wind(win.round_wind),
        seat_wind=Wind(win.seat_wind),
        is_tsumo=win.is_tsumo,
        dora_indicators=tuple(TILES[kind] for kind in win.dora),
        ura_indicators=tuple(TILES[kind] for kind in win.ura),
        **dict.fromkeys(win.flags, True),
    )
    hand = Hand(tuple(TILES[tile] for tile in win.concealed), tuple(map(_meld, win.melds)))
    return hand, TILES[win.tile], context


def _meld(meld) -> Meld:
    tiles = tuple(TILES[tile] for tile in meld.tiles)
    if meld.kind == "ankan":
        return Meld(MeldType.ANKAN, tiles)
    # The seats are counted upstream here, so that 1 is whoever plays before the winner.
    source = CallSource.KAMICHA if meld.kind == "chi" else SOURCE_OF_RELATIVE[4 - meld.source]
    added = next(tile for tile in meld.tiles[::-1] if tile != meld.called or meld.tiles.count(tile) > 1)
    return Meld(
        MELDS[meld.kind], tiles, TILES[meld.called], source, added=TILES[added] if meld.kind == "kakan" else None
    )


def score_all(chunk: list) -> None:
    for prebuilt in chunk:
        try:
            score(*prebuilt)
        except ScoringError:
            continue


def build_and_score_all(chunk: list) -> None:
    for win in chunk:
        try:
            score(*inputs(win))
        except ScoringError:
            continue


def points(win: Win) -> int:
    try:
        paid = score(*inputs(win)).payment
    except ScoringError:
        return 0
    return points_of(win.is_tsumo, win.seat_wind == 0, paid.ron, paid.tsumo_dealer, paid.tsumo_non_dealer)


def parse_all(chunk: list[bytes]) -> None:
    for data in chunk:
        parse_mjlog(data)


def validate_all(chunk: list[str]) -> None:
    for path in chunk:
        check_file(path)
