"""What can be wrong with a log or a store, and how it is said."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_SIMILAR = 0.6  # of 1; below it, what is near in letters is not what was meant


def nearest(name: object, known: Iterable[str], *, lists: bool = False) -> str:
    """The end of a message about a name that does not exist: the nearest that does; with `lists`, else all of them.

    >>> nearest("tanyo", ["tanyao", "toitoi"]), nearest("xyzzy", ["tanyao", "ryuuiisou"])
    ("; nearest: 'tanyao'", '')
    >>> nearest("tsubame", ["tsumosen", "tsubame_gaeshi"])
    "; nearest: 'tsubame_gaeshi'"
    >>> nearest("xyzzy", ["games", "wins"], lists=True)
    '; known: games, wins'
    """
    known, said = list(known), str(name)[:100]
    longer = sorted((one for one in known if len(said) > 2 and one.startswith(said)), key=len)
    if near := longer or get_close_matches(said, known, n=1, cutoff=_SIMILAR):
        return f"; nearest: {near[0]!r}"
    return f"; known: {', '.join(known)}" if lists else ""


class LogError(ValueError):
    """A log, or a part of one, that cannot be read.

    Collected in the table `rejects`, never guessed around. The message names the place first:
    `2024.mjlog, round 3, event 41: tile 136 out of range`.

    Parameters
    ----------
    reason : str
        What is wrong, with the expected or nearest known value.
    path : str, optional
        The file, as the user named it; inside an archive `archive.zip!member`.
    round_no, event : int, optional
        Place inside the log, counted from 0.
    """

    def __init__(self, reason: str, *, path: str = "", round_no: int | None = None, event: int | None = None):
        self.reason, self.path, self.round_no, self.event = reason, path, round_no, event
        place = ", ".join(
            part
            for part in (
                path,
                "" if round_no is None else f"round {round_no}",
                "" if event is None else f"event {event}",
            )
            if part
        )
        super().__init__(f"{place}: {reason}" if place else reason)


def system_reason(error: Exception) -> str:
    """What the system says of a file, to stand beside its path: without the number, and without the path again.

    >>> system_reason(FileNotFoundError(2, "No such file or directory", "a.toml"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error)


class StoreError(ValueError):
    """A folder that is not a store, or a store that lacks what was asked of it."""
