"""Which source a log comes from, told by its first bytes; the name of a file is never asked.

A source is one entry of `SIGNS`: its name, which is also the module of `parsers` that reads it, and the
sign by which its logs are known. The signs must exclude each other; the order of the entries is no part of
their meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable

HEAD = 4096  # bytes a sign may look at

# Before the root element: byte order mark, blanks, the XML declaration, a document type, comments.
# Possessive, so that a file of a thousand unfinished comments is looked at once.
_PROLOGUE = rb"(?>\xef\xbb\xbf)?+(?>\s++|<\?(?>.*?\?>)|<!--(?>.*?-->)|<!DOCTYPE(?>[^>]*+>))*+"
_MJLOGGM = re.compile(_PROLOGUE + rb"<mjloggm(?=[\s/>])", re.DOTALL)

SIGNS: dict[str, Callable[[bytes], object]] = {
    "tenhou_xml": _MJLOGGM.match,
}


def source_of(head: bytes) -> str | None:
    """The source of a log from its first bytes, None if no known one.

    >>> source_of(b'<!-- kept since 2010 -->\\n<mjloggm ver="2.3">')
    'tenhou_xml'
    >>> source_of(b'%PDF-1.7') is None
    True
    """
    head = bytes(head[:HEAD])
    return next((source for source, sign in SIGNS.items() if sign(head)), None)


def unknown_format(head: bytes) -> str:
    """Why a log is not read: what it begins with and what could have been.

    >>> unknown_format(b'%PDF-1.7')
    "unknown format: starts with b'%PDF-1.7'; known: tenhou_xml"
    """
    return f"unknown format: starts with {bytes(head[:16])!r}; known: {', '.join(SIGNS)}"
