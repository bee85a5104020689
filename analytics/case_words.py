"""The words of a hand case, read one by one: what is not as expected is told by name, never guessed around."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import orjson

from parsers.errors import nearest

WINDS = "ESWN"


class CaseError(ValueError):
    """A case that cannot be scored, as `kind` and `detail` of its result."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


def shown(value: object) -> str:
    """A value of the line, shortened."""
    try:
        text = orjson.dumps(value).decode()
    except TypeError:  # no JSON: a mapping was given
        text = type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def check_known(what: str, names: Iterable[object], known: Iterable[str]) -> None:
    """Refuse a name that does not exist, with the nearest that does."""
    known = tuple(known)
    for name in names:
        if name not in known:
            near = nearest(name, known) if isinstance(name, str) else ""
            raise CaseError("unknown_key", f"no {what} {shown(name)}{near}")


def expected(name: str, value: object, what: str) -> CaseError:
    """The error of a value that cannot be."""
    return CaseError("bad_value", f"{name} is {shown(value)}, expected {what}")


def object_of(name: str, value: object) -> Mapping:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise expected(name, value, "an object")
    return value


def list_of(name: str, value: object) -> list:
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise expected(name, value, "a list")
    return list(value)


def one_of(name: str, value: object, words: Iterable[str]) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in (words := tuple(words)):
        raise expected(name, value, f"one of {', '.join(words)}")
    return value


def whole(name: str, value: object, *, low: int = 0, high: int = 999, missing: int | None = None) -> int | None:
    """A whole number, `missing` where none is stated."""
    if value is None:
        return missing
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise expected(name, value, f"a whole number from {low} to {high}")
    return value


def truth(name: str, value: object) -> bool | None:
    if value is None:
        return None
    if not isinstance(value, bool | int) or value not in (0, 1):
        raise expected(name, value, "true or false")
    return bool(value)


def agreed(name: str, *values: object) -> object:
    """What is said in several places, if it is the same."""
    said = {value for value in values if value is not None}
    if len(said) > 1:
        raise CaseError("contradiction", f"{name} is stated twice and differs")
    return said.pop() if said else None


def wind(name: str, *words: object) -> int | None:
    word = agreed(name, *(one_of(name, value, WINDS) for value in words))
    return None if word is None else WINDS.index(word)
