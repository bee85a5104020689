"""What can be wrong with a log."""


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
