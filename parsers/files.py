"""From what the user names to the bytes of single logs: files, folders, globs, archives, compression.

What a file is, its content decides. Nothing is ever unpacked under a name of its own, and nothing is inflated
without a bound: memory holds one log, whatever an archive claims to hold.
"""

from __future__ import annotations

import bz2
import glob
import heapq
import io
import itertools
import lzma
import os
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import BinaryIO

from .errors import system_reason
from .store import is_store

MAX_LOG = 32 << 20  # bytes of one log, inflated
MAX_LAYERS = 2  # a log compressed by its site and again on the way
MAX_DEPTH = 2  # an archive, and archives in it
MAX_UNPACKED = 16 << 30  # bytes laid aside on disk for one packed archive
MAX_SKIPPED = 1 << 30  # bytes of no use inflated on the way through a packed tar
MAX_MEMBERS = 2_000_000
MAX_NAMES = 64 << 20  # bytes of the list of members of a zip
_CHUNK = 1 << 16
_LZMA_MEMORY = 128 << 20  # `xz -9` needs 65 MiB


class InputError(ValueError):
    """Paths given that name nothing, or nothing that can hold logs."""


class _Unreadable(Exception):
    """Why a file, an archive or a member is not read."""


def path_order(path: str) -> str:
    """The sort key of paths: a folder's content before its later neighbours, members where their archive is.

    >>> sorted(["a-b/1", "a/2", "a.zip", "a/1", "a.zip!1"], key=path_order)
    ['a/1', 'a/2', 'a-b/1', 'a.zip', 'a.zip!1']
    """
    return path.replace(os.sep, "\0").replace("/", "\0").replace("!", "\1")


def log_files(paths: str | os.PathLike | Iterable[str | os.PathLike]) -> Iterator[tuple[str, bytes | str]]:
    """Every log under the paths, inflated, or the reason why it cannot be had.

    A path is a file, a folder (read with all folders in it) or a glob pattern; files may be compressed
    (gzip, bzip2, xz, twice at most) and may be archives (zip, tar and compressed tar, archives in an archive
    included, no deeper). In folders and archives names that begin with a dot and `__MACOSX` are passed over, as
    `ls` does, and so are Koyaku's own stores; a hidden file that is named itself is read. Links are
    followed in folders, each folder once; in archives they are not.

    Parameters
    ----------
    paths : path or iterable of paths
        Given in any order, also nested in each other.

    Returns
    -------
    iterator of (path, bytes or str)
        In the order of `path_order`, each file once; a str is the reason for a file that is not read. A member of
        an archive is `archive.zip!member`.

    Raises
    ------
    InputError
        At the call: a path does not exist, a pattern matches nothing, a folder is a store, or there is no file under
        paths that are given.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    logs = _walk_all(_roots(given))
    first = next(logs, None)
    if first is not None:
        return itertools.chain([first], logs)
    if given:
        places = ", ".join(_shown(os.fsdecode(path)) for path in given)
        raise InputError(f"{places}: no file found; looked for logs and archives, hidden ones and stores passed over")
    return logs


def _roots(given: list[str | os.PathLike]) -> list[list[str]]:
    """The given files and folders, patterns expanded, sorted, without those that lie in another.

    A hidden one that lies in another stays, in one group with it: the walk through the other passes it over.
    """
    found: list[str] = []
    for path in given:
        text = os.fspath(path)
        if isinstance(text, bytes):
            text = os.fsdecode(text)
        if not text:
            raise InputError("an empty path names no file or folder")
        if not os.path.lexists(text) and text.startswith("~"):
            text = os.path.expanduser(text)
        if os.path.lexists(text):
            if is_store(text):
                raise InputError(f"{text}: is a store, not a folder of logs")
            found.append(os.path.normpath(text))
        elif glob.has_magic(text):
            matches = glob.glob(text, recursive=True)
            if not matches:
                raise InputError(f"{text}: no file or folder matches this pattern")
            found += [os.path.normpath(match) for match in matches if not is_store(match)]
        else:
            raise InputError(f"{text}: no such file or folder")
    real: dict[str, str] = {}
    for path in sorted(set(found), key=path_order):
        real.setdefault(os.path.realpath(path), path)
    groups: dict[str, list[str]] = {}
    for place, path in real.items():
        around = [str(folder) for folder in PurePath(place).parents if str(folder) in real]
        hidden = [_is_hidden(name) for name in PurePath(os.path.relpath(place, around[0])).parts] if around else []
        if not around or any(hidden):
            groups.setdefault(real[around[-1]] if around else path, []).append(path)
    return [groups[root] for root in sorted(groups, key=path_order)]


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def _walk_all(groups: list[list[str]]) -> Iterator[tuple[str, bytes | str]]:
    seen: set[tuple[int, int]] = set()
    for roots in groups:
        walks = [_walk(root, seen) for root in roots]
        yield from heapq.merge(*walks, key=lambda log: path_order(log[0])) if len(walks) > 1 else walks[0]


def _walk(root: str, seen: set[tuple[int, int]]) -> Iterator[tuple[str, bytes | str]]:
    """The logs under one path; folders are told by device and inode."""
    todo: list[Iterator[str]] = [iter([root])]
    while todo:
        path = next(todo[-1], None)
        if path is None:
            todo.pop()
            continue
        try:
            status = os.stat(path)
        except OSError as error:
            yield _shown(path), _os_reason(path, error)
            continue
        if not stat.S_ISDIR(status.st_mode):
            yield from _file_logs(path, status)
            continue
        if (status.st_dev, status.st_ino) in seen or is_store(path):
            continue
        seen.add((status.st_dev, status.st_ino))
        try:
            names = [name for name in os.listdir(path) if not _is_hidden(name)]
        except OSError as error:
            yield _shown(path), _os_reason(path, error)
            continue
        names.sort(key=path_order)
        todo.append(iter([name if path == os.curdir else os.path.join(path, name) for name in names]))


def _shown(path: str) -> str:
    """The path as text that can be stored; a name that is no UTF-8 has its odd bytes escaped."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return path


def _os_reason(path: str, error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and os.path.islink(path):
        return "a link to a file that does not exist"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    return f"cannot be read: {system_reason(error)}"


def _file_logs(path: str, status: os.stat_result) -> Iterator[tuple[str, bytes | str]]:
    name = _shown(path)
    if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
        yield name, "not a regular file"
        return
    try:
        with open(path, "rb", buffering=0) as file:  # most logs are one read
            head = file.read(_CHUNK)
            if _is_packed(head):
                file.seek(0)
                yield from _unpacked(name, io.BufferedReader(file), depth=0)
            elif len(head) == status.st_size:
                yield name, head or "the file is empty"
            else:
                yield name, _whole(head, io.BufferedReader(file))
    except OSError as error:
        yield name, _os_reason(path, error)
    except _Unreadable as error:
        yield name, str(error)


def _whole(head: bytes, stream: BinaryIO) -> bytes:
    data = head + stream.read(MAX_LOG + 1 - len(head))
    if len(data) > MAX_LOG:
        raise _Unreadable(f"larger than {MAX_LOG >> 20} MiB")
    if not data:
        raise _Unreadable("the file is empty")
    return data


# -- what a file is ----------------------------------------------------------------------------------------------

_MAGIC = {b"\x1f\x8b\x08": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz"}
_ZIP_MAGIC = (b"PK\3\4", b"PK\5\6")
_PACKED_MAGIC = (*_MAGIC, *_ZIP_MAGIC)


def _compression(head: bytes) -> str | None:
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def _is_zip(head: bytes) -> bool:
    return head.startswith(_ZIP_MAGIC)


def _is_tar(head: bytes) -> bool:
    """A tar begins with a header block whose checksum is right; the oldest have no other sign."""
    if len(head) < 512 or not head[0]:
        return False
    try:
        recorded = int(head[148:156].strip(b" \0"), 8)
    except ValueError:
        return False
    return recorded == sum(head[:148]) + 8 * 32 + sum(head[156:512])


def _is_packed(head: bytes) -> bool:
    return head.startswith(_PACKED_MAGIC) or _is_tar(head)


# -- compression -------------------------------------------------------------------------------------------------


class _Inflated(io.RawIOBase):
    """The content of a compressed stream, inflated only as far as it is read.

    Zeros or other bytes after the compressed data are left out, as gzip does.
    """

    def __init__(self, raw: BinaryIO, kind: str):
        self._raw, self._kind = raw, kind
        self._magic = next(magic for magic, name in _MAGIC.items() if name == kind)
        self._input = b""
        self._engine = self._begin()

    def _begin(self):
        match self._kind:
            case "gzip":
                return zlib.decompressobj(wbits=31)
            case "bzip2":
                return bz2.BZ2Decompressor()
            case _:
                return lzma.LZMADecompressor(memlimit=_LZMA_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        view = memoryview(buffer).cast("B")
        filled = 0
        while filled < len(view) and (piece := self._piece(len(view) - filled)):
            view[filled : filled + len(piece)] = piece
            filled += len(piece)
        return filled

    def _piece(self, size: int) -> bytes:
        while self._engine is not None:
            try:
                if self._kind == "gzip":
                    piece = self._engine.decompress(self._input, size)
                    self._input = self._engine.unused_data or self._engine.unconsumed_tail
                else:
                    piece = self._engine.decompress(self._input, size)
                    self._input = self._engine.unused_data
            except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError) as error:
                raise _Unreadable(f"damaged {self._kind} data: {system_reason(error)}") from None
            if self._engine.eof:
                self._next_member()
            elif not piece and not self._input:
                self._input = self._raw.read(_CHUNK)
                if not self._input:
                    raise _Unreadable(f"{self._kind} data is cut off")
            if piece:
                return piece
        return b""

    def _next_member(self) -> None:
        while len(self._input) < len(self._magic) and (more := self._raw.read(_CHUNK)):
            self._input += more
        self._engine = self._begin() if self._input.startswith(self._magic) else None


def _inflated(base: BinaryIO) -> tuple[io.BufferedReader, int]:
    """The stream under all layers of compression, and their number."""
    stream = io.BufferedReader(base, _CHUNK)
    layers = 0
    while kind := _compression(stream.peek(512)):
        layers += 1
        if layers > MAX_LAYERS:
            raise _Unreadable(f"compressed more than {MAX_LAYERS} times")
        stream = io.BufferedReader(_Inflated(stream, kind), _CHUNK)
    return stream, layers


def _laid_aside(stream: BinaryIO) -> BinaryIO:
    """A copy of the stream to move about in: in memory while small, then on disk without a name."""
    copy = tempfile.SpooledTemporaryFile(max_size=MAX_LOG)  # noqa: SIM115 closed with its last reference
    while chunk := stream.read(1 << 20):
        if copy.tell() + len(chunk) > MAX_UNPACKED:
            raise _Unreadable(f"inflates to more than {MAX_UNPACKED >> 30} GiB")
        copy.write(chunk)
    copy.seek(0)
    return copy


# -- archives ----------------------------------------------------------------------------------------------------


def _unpacked(path: str, base: BinaryIO, *, depth: int) -> Iterator[tuple[str, bytes | str]]:
    """The logs in one compressed file or archive; `depth` archives are around it."""
    try:
        stream, layers = _inflated(base)
        head = stream.peek(512)
        if not _is_zip(head) and not _is_tar(head):
            yield path, _whole(b"", stream)
            return
        if depth >= MAX_DEPTH:
            raise _Unreadable("an archive in an archive in an archive is not opened")
        if _is_zip(head):
            members = _zip_members(_laid_aside(stream) if layers else base)
        else:
            members = _tar_members(stream if layers else base, is_seekable=not layers)
        yield from _members(path, members, depth)
    except _Unreadable as error:
        yield path, str(error)


def _members(path: str, members, depth: int) -> Iterator[tuple[str, bytes | str]]:
    """Each member (name, reason or (size, open)) as logs; without a name it is the archive's own reason."""
    is_empty = True
    last, times = None, 1
    for name, member in members:
        if name is None:
            is_empty = False
            yield path, member
            continue
        name = _shown(name)
        if not _leads_out(name) and any(map(_is_hidden, name.split("/"))):
            continue
        is_empty = False
        last, times = name, times + 1 if name == last else 1
        place = f"{path}!{name}" if times == 1 else f"{path}!{name}#{times}"
        try:
            if isinstance(member, str):
                raise _Unreadable(member)
            if _leads_out(name):
                raise _Unreadable("the name leads out of the archive")
            size, opened = member
            with opened() as stream:
                head = stream.read(512)
                if _is_packed(head):
                    yield from _unpacked(place, _laid_aside(_Chained(head, stream)), depth=depth + 1)
                elif size > MAX_LOG:
                    raise _Unreadable(f"larger than {MAX_LOG >> 20} MiB")
                else:
                    yield place, _whole(head, stream)
        except _Unreadable as error:
            yield place, str(error)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError) as error:
            yield place, f"cannot be unpacked: {system_reason(error)}"
    if is_empty:
        yield path, "the archive holds no files"


def _member_name(recorded: str) -> str:
    """The name without `./`, as `tar` writes it when it packs a folder from inside."""
    start = "/" if recorded.startswith("/") else ""
    return start + "/".join(part for part in recorded.split("/") if part not in ("", "."))


def _leads_out(name: str) -> bool:
    return not name or name[0] == "/" or name[1:2] == ":" or "\\" in name or ".." in name.split("/")


class _Chained:
    """Bytes already read, then the rest of the stream."""

    def __init__(self, head: bytes, stream: BinaryIO):
        self._head, self._stream = head, stream

    def read(self, size: int) -> bytes:
        head, self._head = self._head, b""
        return head or self._stream.read(size)


class _Guarded:
    """A stream that refuses to hand out more than `limit` bytes at once.

    The modules for archives read names and tables at the length the archive claims.
    """

    def __init__(self, stream: BinaryIO, limit: int, *, is_seekable: bool = True):
        self._stream, self._limit, self._is_seekable = stream, limit, is_seekable
        self._at = 0
        self._skipped = 0
        self.last = b""

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._stream.tell() if self._is_seekable else self._at

    def seek(self, place: int, whence: int = 0) -> int:
        if self._is_seekable:
            return self._stream.seek(place, whence)
        if whence or place < self._at:
            raise _Unreadable("damaged: members overlap")
        while self._at < place and (chunk := self.read(min(1 << 20, place - self._at))):
            self._skipped += len(chunk)
            if self._skipped > MAX_SKIPPED:
                raise _Unreadable(f"holds more than {MAX_SKIPPED >> 30} GiB that are no logs")
        return self._at

    def read(self, size: int = -1) -> bytes:
        if size > self._limit:
            raise _Unreadable(f"damaged: a table of {size:,} bytes")
        data = self._stream.read(self._limit + 1 if size < 0 else size)
        if len(data) > self._limit:
            raise _Unreadable(f"damaged: a table of more than {self._limit:,} bytes")
        self._at += len(data)
        self.last = data
        return data


def _zip_members(base: BinaryIO):
    base.seek(0)
    try:
        archive = zipfile.ZipFile(_Guarded(base, MAX_NAMES))
        members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, OSError) as error:
        raise _Unreadable(f"damaged or cut off zip archive: {system_reason(error)}") from None
    members.sort(key=lambda member: path_order(_member_name(member.filename)))
    for member in members:
        name = _member_name(member.filename)
        if member.is_dir():
            continue
        if member.flag_bits & 0x1:
            yield name, "encrypted"
        elif stat.S_ISLNK(member.external_attr >> 16):
            yield name, "a link in an archive is not followed"
        else:
            yield name, (member.file_size, lambda member=member: _zip_stream(archive, member, base))


def _zip_stream(archive: zipfile.ZipFile, member: zipfile.ZipInfo, base: BinaryIO) -> BinaryIO:
    if member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return archive.open(member)
    if member.compress_type != zipfile.ZIP_BZIP2:
        raise _Unreadable(f"compression method {member.compress_type} of a zip archive is not read")
    # The module inflates bzip2 without a bound: 4 KiB of it can be 4 GiB.
    base.seek(member.header_offset)
    header = base.read(30)
    if len(header) < 30 or not header.startswith(b"PK\3\4"):
        raise _Unreadable("damaged: no member where the archive says")
    start = member.header_offset + 30 + sum(struct.unpack("<HH", header[26:]))
    return io.BufferedReader(_Inflated(_Slice(base, start, member.compress_size), "bzip2"), _CHUNK)


def _tar_members(stream: BinaryIO, *, is_seekable: bool):
    """The members sorted by name; those of a packed tar, which cannot be moved about in, are laid aside first."""
    aside = None if is_seekable else tempfile.SpooledTemporaryFile(max_size=MAX_LOG)  # noqa: SIM115
    if is_seekable:
        stream.seek(0)
    guarded = _Guarded(stream, 1 << 20, is_seekable=is_seekable)
    found: list[tuple[str, str | tuple[int, int]]] = []
    trouble = None
    try:
        archive = tarfile.open(fileobj=guarded, mode="r:")  # noqa: SIM115 the file is not ours to close
        while (member := archive.next()) is not None:
            archive.members.clear()
            if member.isdir():
                continue
            if len(found) >= MAX_MEMBERS:
                raise _Unreadable(f"more than {MAX_MEMBERS:,} members")
            found.append((_member_name(member.name), _tar_place(member, guarded, aside)))
        if guarded.last.strip(b"\0"):  # neither the end mark nor the end of the file
            raise _Unreadable("damaged tar archive: what follows is no member")
    except (tarfile.TarError, OSError, ValueError, EOFError) as error:
        trouble = f"damaged or cut off tar archive: {system_reason(error)}"
    except _Unreadable as error:
        trouble = str(error)
    if trouble:
        yield None, trouble
    found.sort(key=lambda entry: path_order(entry[0]))
    for name, place in found:
        if isinstance(place, str):
            yield name, place
        else:
            yield name, (place[1], lambda place=place: _Slice(stream if is_seekable else aside, *place))


def _tar_place(member: tarfile.TarInfo, guarded: _Guarded, aside: BinaryIO | None) -> str | tuple[int, int]:
    """Where a member's bytes are, (offset, size), or why they are not read."""
    if member.issym() or member.islnk():
        return "a link in an archive is not followed"
    if not member.isreg():
        return "not a regular file"
    if member.issparse():
        return "a sparse member is not read"
    if aside is None:
        return member.offset_data, member.size
    guarded.seek(member.offset_data)
    head = guarded.read(min(512, member.size))
    if member.size > MAX_LOG and not _is_packed(head):
        return f"larger than {MAX_LOG >> 20} MiB"
    offset, left = aside.tell(), member.size - len(head)
    if offset + member.size > MAX_UNPACKED:
        raise _Unreadable(f"inflates to more than {MAX_UNPACKED >> 30} GiB")
    aside.write(head)
    while left and (chunk := guarded.read(min(1 << 20, left))):
        aside.write(chunk)
        left -= len(chunk)
    return (offset, member.size) if not left else "cut off"


class _Slice(io.RawIOBase):
    """A stretch of a file as a stream."""

    def __init__(self, file: BinaryIO, offset: int, size: int):
        self._file, self._at, self._end = file, offset, offset + size

    def read(self, size: int) -> bytes:
        self._file.seek(self._at)
        pieces = []
        size = min(size, self._end - self._at)
        while size > 0:
            piece = self._file.read(size)
            if not piece:
                raise _Unreadable("cut off")
            pieces.append(piece)
            size -= len(piece)
            self._at += len(piece)
        return b"".join(pieces)
