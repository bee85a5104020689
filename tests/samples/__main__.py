"""`python -m data_samples.make`: write every sample log and `expected.json` again."""

import argparse
import json
from pathlib import Path

from . import expected, mjlog
from .game import play
from .games import games

HERE = Path(__file__).parents[1]
SEED = "koyaku"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", default=SEED)
    arguments.add_argument("--to", type=Path, default=HERE, help="folder to write to")
    given = arguments.parse_args()
    played = {}
    for old in given.to.glob("*.mjlog"):
        old.unlink()
    for name, spec in games(given.seed):
        played[name] = play(spec)
        (given.to / name).write_bytes(mjlog.write(played[name]))
    text = json.dumps(expected.of_all(given.seed, played), indent=1, ensure_ascii=False)
    (given.to / "expected.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
