"""Where results are written: looked at before the work, then written whole or left as it was."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from parsers.errors import system_reason

from .metrics.columns import StatisticsError


class ReportError(StatisticsError):
    """A place that a result cannot be put in."""


def check_file(file: str | os.PathLike, endings: Sequence[str] = (), *, makes_folder: bool = False) -> Path:
    """A file that can be written to; with `makes_folder` its folder need not be there yet.

    Raises
    ------
    ReportError
        Its name has none of the endings, its folder is not there, or nothing can be written there.
    """
    file = Path(file)
    if endings and file.suffix not in endings:
        *others, last = endings
        raise ReportError(f"{file}: expected a name that ends in {', '.join(others)}{' or ' if others else ''}{last}")
    if not (makes_folder or file.parent.exists()):
        raise ReportError(f"{file}: no folder {file.parent}")
    check_folder(file.parent, of=file)
    if file.is_dir():
        raise ReportError(f"{file}: is a folder; expected a file")
    return file


def check_page(file: str | os.PathLike, *, makes_folder: bool = False) -> Path:
    """As `check_file`, of a name that ends in .html."""
    return check_file(file, (".html",), makes_folder=makes_folder)


def check_folder(folder: str | os.PathLike, *, of: str | os.PathLike | None = None) -> Path:
    """A folder that files can be written to, there or not yet; `of` is what the user named, if that is not the folder.

    Raises
    ------
    ReportError
        It, or what it should lie in, is a file, or nothing can be written there.
    """
    folder = Path(folder)
    place = next(place for place in (folder, *folder.parents) if place.exists())
    if not place.is_dir():
        raise ReportError(f"{place}: is a file; expected a folder")
    with naming(folder if of is None else of), tempfile.TemporaryFile(dir=place):  # what may be, only trying tells
        return folder


@contextlib.contextmanager
def naming(target: str | os.PathLike) -> Iterator[None]:
    """What the system refuses is told of the place the user gave, not of files laid aside for it."""
    try:
        yield
    except OSError as error:
        raise ReportError(f"{target}: cannot be written: {system_reason(error)}") from None


def write_whole(file: str | os.PathLike, content: bytes) -> None:
    """The file with this content, or as it was."""
    file = Path(file)
    with naming(file):
        handle, aside = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
        try:
            with os.fdopen(handle, "wb") as held:
                held.write(content)
            os.chmod(aside, 0o666 & ~_umask())
            os.replace(aside, file)
        except BaseException:
            os.unlink(aside)
            raise


def write_all(folder: str | os.PathLike, files: Mapping[str, bytes]) -> list[Path]:
    """Files of a folder, itself made if there is none, with these contents; all of them, or none."""
    folder = check_folder(folder)
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as aside:
            for name, content in files.items():
                (Path(aside) / name).write_bytes(content)
            for name in files:
                os.replace(Path(aside) / name, folder / name)
    return [folder / name for name in files]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
