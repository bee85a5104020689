"""A filter over columns of wins, as users write it, `players == 4 and length == 'east' and not is_open`, and splits.

The text is read with Python's own parser and only comparisons, and, or, not, in, numbers, words and the names in
`COLUMNS` are let through to an Arrow expression; nothing is ever called or executed. A comparison with a value that
is not recorded is not true, and neither is its opposite.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from parsers.errors import nearest

from .columns import COLUMNS, FLAG, NUMBER, WORD, StatisticsError, WinView

_LONGEST = 2000
_FEW = 20  # words that a sentence can list
_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
GRAMMAR = (
    "A condition compares columns with numbers, with 'words' or with each other by == != < <= > >= or in (…, …), and "
    "is joined to others by and, or, not; a flag is a condition by itself. Where a value is not recorded it is neither "
    "true nor false."
)
EXAMPLE = "players == 4 and limit in ('mangan', 'haneman') and not is_open"
_SHAPE = 'expected comparisons of columns, joined by and, or, not: "players == 4 and is_riichi"'


class Where:
    """A filter; `place` is what it is called in messages, an option of the command line.

    Attributes
    ----------
    columns : set of str
        Those it names.
    words : mapping of column to set of str
        Words that a column is asked for.

    Raises
    ------
    StatisticsError
        The text is not a filter, or names a column or a word that does not exist.

    >>> sorted(Where("players == 4 and limit in ('mangan', 'haneman')").columns)
    ['limit', 'players']
    >>> Where("player == 4")
    Traceback (most recent call last):
    analytics.metrics.columns.StatisticsError: where: player is a word, compared with 4
    """

    def __init__(self, text: str, place: str = "where"):
        self.text, self.place = " ".join(text.split()), place
        self.columns: set[str] = set()
        self.words: dict[str, set[str]] = {}
        try:
            self.expression = self._truth(self._parsed(text))
        except RecursionError:
            raise StatisticsError(f"{self.place}: nested too deeply; {_SHAPE}") from None

    def __reduce__(self):
        return Where, (self.text, self.place)

    def rows(self, view: WinView) -> np.ndarray:
        """Whether the filter is true, a value a win."""
        return self._rows(view, self.expression)

    def flags(self, view: WinView) -> pa.Array:
        """The same as true or false, null where what it compares is not recorded."""
        passes, fails = self._rows(view, self.expression), self._rows(view, ~self.expression)
        return pa.array(passes, mask=~(passes | fails))

    def _rows(self, view: WinView, expression: pc.Expression) -> np.ndarray:
        columns = {name: view.column(name) for name in sorted(self.columns)}
        table = pa.table({**columns, "row": np.arange(len(view))})
        found = np.zeros(len(view), bool)
        found[table.filter(expression)["row"].to_numpy()] = True
        return found

    def _truth(self, node: ast.expr) -> pc.Expression:
        """A node that is true or false."""
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                return functools.reduce(operator.and_, map(self._truth, values))
            case ast.BoolOp(op=ast.Or(), values=values):
                return functools.reduce(operator.or_, map(self._truth, values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ~self._truth(operand)
            case ast.Compare():
                return self._comparison(node)
            case ast.Name():
                kind, _, value = self._value(node)
                if kind != FLAG:
                    raise StatisticsError(f"{self.place}: {node.id} is a {kind}; compare it with a value")
                return value
            case ast.Constant(value=bool()):
                return pc.scalar(node.value)
            case ast.BinOp(op=ast.BitAnd() | ast.BitOr()) | ast.UnaryOp(op=ast.Invert()):
                raise StatisticsError(f"{self.place}: write 'and', 'or', 'not' instead of &, |, ~")
        raise StatisticsError(f"{self.place}: {_written(node)} is not understood; {_SHAPE}")

    def _comparison(self, node: ast.Compare) -> pc.Expression:
        terms, left = [], node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            terms.append(self._one(left, op, right))
            left = right
        return functools.reduce(operator.and_, terms)

    def _one(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> pc.Expression:
        if isinstance(op, (ast.In, ast.NotIn)):
            if not isinstance(right, (ast.Tuple, ast.List, ast.Set)) or not right.elts:
                raise StatisticsError(f"{self.place}: {_written(right)} is no list; write ({_written(right)},)")
            each = [self._one(left, ast.Eq(), item) for item in right.elts]
            among = functools.reduce(operator.or_, each)
            return among if isinstance(op, ast.In) else ~among
        if type(op) not in _COMPARISONS:
            raise StatisticsError(f"{self.place}: 'is' is not understood; write ==")
        (kind, name, a), (other, _, b) = self._value(left), self._value(right)
        if kind != other:
            column, value = (left, right) if name or not isinstance(right, ast.Name) else (right, left)
            shown = kind if column is left else other
            raise StatisticsError(f"{self.place}: {_written(column)} is a {shown}, compared with {_written(value)}")
        if kind == FLAG and not isinstance(op, (ast.Eq, ast.NotEq)):
            raise StatisticsError(f"{self.place}: {_written(left)} is true or false; compare it with == or not at all")
        for column, value in ((left, right), (right, left)):
            if isinstance(column, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                self._check_word(column.id, value.value)
                if isinstance(op, (ast.Eq, ast.NotEq)):
                    self.words.setdefault(column.id, set()).add(value.value)
        return _COMPARISONS[type(op)](a, b)

    def _value(self, node: ast.expr) -> tuple[str, str | None, pc.Expression]:
        """Kind, name (of a column) and expression of a column or a constant."""
        match node:
            case ast.Name(id=name):
                if name not in COLUMNS:
                    raise StatisticsError(f"{self.place}: no column {name!r}{nearest(name, COLUMNS, lists=True)}")
                self.columns.add(name)
                return COLUMNS[name].kind, name, pc.field(name)
            case ast.Constant(value=bool(value)):
                return FLAG, None, pc.scalar(value)
            case ast.Constant(value=str(value)):
                return WORD, None, pc.scalar(value)
            case ast.Constant(value=int() | float()):
                return NUMBER, None, self._number(node.value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return NUMBER, None, self._number(-value)
        raise StatisticsError(f"{self.place}: {_written(node)} is not understood; {_SHAPE}")

    def _number(self, value: float) -> pc.Expression:
        if abs(value) >= 2**53:
            raise StatisticsError(f"{self.place}: {value} is too large a number")
        return pc.scalar(value)

    def _check_word(self, column: str, word: str) -> None:
        """A word that the column can never hold is a slip of the pen."""
        words = COLUMNS[column].words
        if words and word not in words:
            raise StatisticsError(f"{self.place}: {column} is never {word!r}{nearest(word, words, lists=True)}")

    def _parsed(self, text: str) -> ast.expr:
        if len(text) > _LONGEST:
            raise StatisticsError(f"{self.place}: longer than {_LONGEST} characters")
        try:
            return ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            place = f" at character {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
            raise StatisticsError(f"{self.place}: {text.strip()!r} is not understood{place}; {_SHAPE}") from None


@dataclass(frozen=True)
class Split:
    """What wins are split by: a column, or a condition, which makes two groups and one of what is not recorded."""

    name: str
    condition: Where | None = None

    @property
    def columns(self) -> set[str]:
        """Those it asks for."""
        return {self.name} if self.condition is None else self.condition.columns

    def values(self, view: WinView) -> pa.Array:
        """A value a win."""
        return view.column(self.name) if self.condition is None else self.condition.flags(view)


def splits(by: str | Iterable[str] | None) -> tuple[Split, ...]:
    """What users split by, checked: columns, and conditions as a filter is one; `dealer` stands for `is_dealer`.

    Raises
    ------
    StatisticsError
        There is no such column, or the condition cannot be read.

    >>> [split.name for split in splits(["dealer", "length", "turn<=6"])]
    ['is_dealer', 'length', 'turn<=6']
    """
    found: list[Split] = []
    for name in () if by is None else (by,) if isinstance(by, str) else by:
        split = _split(name.strip())
        if split.name in [one.name for one in found]:
            raise StatisticsError(f"by: {name!r} is given twice")
        found.append(split)
    return tuple(found)


def _split(name: str) -> Split:
    for column in (name, f"is_{name}"):
        if column in COLUMNS:
            return Split(column)
    if not name or name.isidentifier():
        raise StatisticsError(f"by: no column {name!r}{nearest(name, COLUMNS, lists=True)}")
    condition = Where(name, "by")
    return Split(condition.text, condition)


def unheld(asked: Mapping[str, Iterable[str]], held: Mapping[str, Iterable[str]]) -> list[str]:
    """A sentence for each word asked for, by column, that no win holds: the nearest that one does.

    >>> unheld({"room": {"houou", "tokujo"}}, {"room": ["tokujou", "houou"]})
    ["room: no win has 'tokujo'; nearest: 'tokujou'"]
    """
    return [
        f"{column}: no win has {word!r}{nearest(word, known, lists=len(known) <= _FEW)}"
        for column, words in sorted(asked.items())
        for known in [sorted(held.get(column, ()))]
        for word in sorted(words)
        if known and word not in known
    ]


def _written(node: ast.expr) -> str:
    written = ast.unparse(node)
    return written if len(written) <= 60 else written[:57] + "..."
