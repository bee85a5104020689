"""`python -m tests.samples`: write every sample log, and what must come out of them, again."""

import argparse
import json
from pathlib import Path

from . import expected, mjlog
from .game import play
from .games import games

SAMPLES = Path(__file__).parents[2] / "data_samples"
EXPECTED = Path(__file__).parent / "expected.json"
SEED = "koyaku"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", default=SEED)
    where = "folder to write to, expected.json too; by default their places in the project"
    arguments.add_argument("--to", type=Path, help=where)
    given = arguments.parse_args()
    played = {}
    logs, numbers = (given.to, given.to / "expected.json") if given.to else (SAMPLES, EXPECTED)
    for old in logs.glob("*.mjlog"):
        old.unlink()
    for name, spec in games(given.seed):
        played[name] = play(spec)
        (logs / name).write_bytes(mjlog.write(played[name]))
    text = json.dumps(expected.of_all(given.seed, played), indent=1, ensure_ascii=False)
    numbers.write_text(text + "\n")


if __name__ == "__main__":
    main()
