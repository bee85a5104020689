"""What must come out of the samples, as the table knows it.

Written from the rounds themselves, not read back from the logs.
"""

from collections import Counter
from collections.abc import Mapping

from .game import Game
from .round import Drawn
from .wins import DORA, NUMBERS, RED, URA

BY_WIND = ("yakuhai_seat", "yakuhai_round")
NAMES = {n + wind: name for name, n in NUMBERS.items() for wind in range(4 if name in BY_WIND else 1)}
LIMITS = ("none", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")


def of_game(game: Game) -> dict:
    wins = [w for r in game.rounds if not isinstance(r.result, Drawn) for w in r.result]
    draws = Counter(r.result.kind for r in game.rounds if isinstance(r.result, Drawn))
    return {
        "type": game.spec.type,
        "players": game.spec.rules.players,
        "rounds": len(game.rounds),
        "wins": len(wins),
        "draws": dict(sorted(draws.items())),
        "points": list(game.points),
        "results": list(game.results),
    }


def of_all(seed: str, games: Mapping[str, Game]) -> dict:
    """Each file, then the whole; dora are sums of han, han leave yakuman out, points leave honba and sticks out."""
    rounds = [r for g in games.values() for r in g.rounds]
    wins = [w for r in rounds if not isinstance(r.result, Drawn) for w in r.result]
    draws = Counter(r.result.kind for r in rounds if isinstance(r.result, Drawn))
    yaku: Counter[str] = Counter()
    dora: Counter[str] = Counter()
    for win in wins:
        for number, han in win.score.yaku:
            if number in (DORA, URA, RED):
                dora[{DORA: "dora", URA: "ura_dora", RED: "aka_dora"}[number]] += han
            else:
                yaku[NAMES[number]] += 1
    han = Counter(w.score.han for w in wins if not w.score.is_yakuman)
    total = {
        "games": len(games),
        "rounds": len(rounds),
        "won_rounds": sum(not isinstance(r.result, Drawn) for r in rounds),
        "wins": len(wins),
        "self_draws": sum(w.loser is None for w in wins),
        "double_rons": sum(not isinstance(r.result, Drawn) and len(r.result) == 2 for r in rounds),
        "riichi": sum(h.riichi is not None for r in rounds for h in r.hands),
        "draws": dict(sorted(draws.items())),
        "yaku": dict(sorted(yaku.items())),
        "dora_han": dict(sorted(dora.items())),
        "han": {str(n): han[n] for n in sorted(han)},
        "yakuman": sum(w.score.is_yakuman for w in wins),
        "limits": {LIMITS[n]: sum(w.score.limit == n for w in wins) for n in range(6)},
        "points": sum(w.score.points for w in wins),
    }
    return {"seed": seed, "total": total, "files": {name: of_game(g) for name, g in games.items()}}
