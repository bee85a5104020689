"""Tenhou's XML logs (mjlog), 2009 to today, four and three players.

Ignored on purpose:

- UN and BYE before the first INIT: they belong to no round; later ones are the actions reconnect, disconnect;
- UN sx, rc, gold: sex, and the balances of rooms that have them;
- GO title, ranking: names of an event; GO rule, csrule: rules of a custom table, not read, a defect of the game
  if there are any;
- TAIKYOKU: the first dealer, always seat 0; INIT oya says it for every round;
- SHUFFLE ref: always empty; INIT shuffle, of 2009: another scheme of walls;
- the dice in INIT seed: they follow from the wall; some converters leave them empty;
- AGARI m: the winner's melds; the calls tell them, with whom they were fed by;
- INIT chip, AGARI chip: chips held and won for what, the changes of owari have the total;
- REACH ten: the points after the stick, which is 1,000;
- RYUUKYOKU, AGARI ratio: what a point of an event is worth;
- comments.

Kept though it looks like nothing: ura dora (53) with 0 han.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from ..errors import LogError
from ..events import Reject
from ..tables import rejects, tables
from .columns import decode
from .walls import walls as rebuilt_walls

SOURCE = "tenhou_xml"
BATCH_BYTES = 8_000_000  # decoded together: small enough for the caches, large enough to spread fixed costs

__all__ = ["read"]


def read(logs: Sequence[tuple[str, bytes]], *, walls: bool = False) -> dict[str, pa.Table]:
    """The tables of some logs, rows in order of the logs.

    Parameters
    ----------
    logs : sequence of (path, bytes)
        Decompressed.
    walls : bool
        Whether to rebuild the walls, too.

    Returns
    -------
    dict of str to pyarrow.Table
        games, seats, rounds, actions, wins, win_yaku, draws, rejects, and walls if asked for. A file that
        cannot be read gives one row in rejects and disturbs no other.
    """
    parts = [_read_batch(batch, walls=walls) for batch in _batches(logs)] or [_read_batch([], walls=walls)]
    return {name: pa.concat_tables([part[name] for part in parts]) for name in parts[0]}


def _batches(logs: Sequence[tuple[str, bytes]]) -> Iterator[Sequence[tuple[str, bytes]]]:
    start = size = 0
    for stop, (_, data) in enumerate(logs):
        if size and size + len(data) > BATCH_BYTES:
            yield logs[start:stop]
            start, size = stop, 0
        size += len(data)
    if start < len(logs):
        yield logs[start:]


def _read_batch(logs: Sequence[tuple[str, bytes]], *, walls: bool) -> dict[str, pa.Table]:
    """The tables of some logs decoded together; what fails as a whole is read one log at a time."""
    try:
        decoded = decode(logs, seeds=walls)
        made = tables(decoded.batch)
        return {**made, "walls": rebuilt_walls(decoded)} if walls else made
    except Exception as error:  # a log must never stop the others, whatever it holds
        if len(logs) > 1:
            parts = [_read_batch([log], walls=walls) for log in logs]
            return {name: pa.concat_tables([part[name] for part in parts]) for name in parts[0]}
        if not logs:
            raise
        rest = _read_batch([], walls=walls)
        reason = f"cannot be read: {type(error).__name__}: {error}"
        return {**rest, "rejects": rejects([Reject(LogError(reason, path=logs[0][0]))], SOURCE)}
