"""From paths to the bytes of single logs."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from parsers import files
from parsers.files import MAX_LOG, InputError, log_files, path_order
from parsers.store import Store

MIB = 1 << 20


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, data: bytes = b"log") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def found(*paths) -> dict[str, bytes | str]:
    pairs = list(log_files(paths))
    assert len({path for path, _ in pairs}) == len(pairs), "a path came twice"
    assert [path for path, _ in pairs] == sorted((path for path, _ in pairs), key=path_order)
    return dict(pairs)


def zipped(members: dict[str, bytes], method=zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def tarred(members: dict[str, bytes | tarfile.TarInfo], format_=tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format_) as archive:
        for name, data in members.items():
            info = data if isinstance(data, tarfile.TarInfo) else tarfile.TarInfo(name)
            if isinstance(data, bytes):
                info.size = len(data)
            archive.addfile(info, io.BytesIO(data) if isinstance(data, bytes) else None)
    return out.getvalue()


def of_type(name: str, type_: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = type_, target
    return info


# -- finding files -----------------------------------------------------------------------------------------------


def test_folders_are_read_with_all_folders_in_them_in_one_order(here):
    for name in ("b/2", "b/1", "b-c/1", "b/10/x", "a.xml", "b.xml"):
        put(name)
    assert list(found(".")) == ["a.xml", "b/1", "b/10/x", "b/2", "b-c/1", "b.xml"]


def test_the_order_of_the_given_paths_and_their_overlap_do_not_matter(here):
    for name in ("a/1", "a/sub/2", "b/1"):
        put(name)
    expected = ["a/1", "a/sub/2", "b/1"]
    for paths in (["b", "a"], ["a", "b/1", "a/sub", "a/1", "b"], ["./a", "a/", "b"], [Path("b"), "a"], ["*"]):
        assert list(found(*paths)) == expected, paths


def test_the_same_file_under_a_second_spelling_comes_once(here):
    put("a/1")
    put("a/2")
    assert [Path(path).name for path in found("a/1", str(here / "a"), here / "a" / "2")] == ["1", "2"]


def test_a_single_path_needs_no_list(here):
    put("a")
    assert list(log_files("a")) == list(log_files(Path("a"))) == [("a", b"log")]


def test_a_pattern_is_expanded_and_a_file_whose_name_looks_like_one_is_itself(here):
    for name in ("x1.xml", "x2.xml", "deep/er/x3.xml", "y[1].xml"):
        put(name)
    assert list(found("x*.xml")) == ["x1.xml", "x2.xml"]
    assert list(found("**/*.xml")) == ["deep/er/x3.xml", "x1.xml", "x2.xml", "y[1].xml"]
    assert list(found("y[1].xml")) == ["y[1].xml"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("nowhere", "nowhere: no such file or folder"),
        ("*.none", "*.none: no file or folder matches this pattern"),
        ("", "an empty path names no file or folder"),
    ],
)
def test_a_path_that_names_nothing_is_the_users_mistake_told_before_anything_is_read(here, path, reason):
    put("a")
    with pytest.raises(InputError) as raised:
        log_files(["a", path])
    assert str(raised.value) == reason


def test_hidden_files_are_passed_over_unless_named(here):
    for name in ("d/.DS_Store", "d/._1", "d/.git/1", "d/__MACOSX/1", "d/1"):
        put(name)
    assert list(found("d")) == ["d/1"]
    assert list(found("d", "d/.git")) == ["d/.git/1", "d/1"]
    assert list(found("d/._1")) == ["d/._1"]


@pytest.mark.parametrize("path", ["empty", "hidden", "d", "d/*", "nested"])
def test_paths_without_any_file_are_the_users_mistake(here, path):
    Path("empty").mkdir()
    Path("nested/deep/er").mkdir(parents=True)
    put("hidden/.DS_Store")
    put("hidden/__MACOSX/1")
    Store.create("d/store")
    with pytest.raises(InputError) as raised:
        log_files(["empty", path])
    looked = "no file found; looked for logs and archives, hidden ones and stores passed over"
    assert str(raised.value) == f"empty, {path}: {looked}"
    put("d/1")
    assert list(found(path, "d")) == ["d/1"]
    assert list(log_files([])) == []  # no place was named in which there could be one


def test_a_store_is_no_folder_of_logs(here):
    put("d/1")
    Store.create("d/store")
    assert list(found("d")) == list(found("d/*")) == ["d/1"]
    with pytest.raises(InputError, match="d/store: is a store, not a folder of logs"):
        log_files("d/store")


def test_links_are_followed_each_folder_once_and_a_circle_ends(here):
    put("real/1")
    put("d/2")
    os.symlink("../real", "d/link")
    os.symlink("../d", "d/circle")
    os.symlink("2", "d/same")
    assert found("d") == {"d/2": b"log", "d/link/1": b"log", "d/same": b"log"}
    assert list(found("d", "real")) == ["d/2", "d/link/1", "d/same"]


def test_a_file_that_cannot_be_read_costs_no_other(here):
    put("d/empty", b"")
    put("d/good")
    os.symlink("nothing", "d/dangling")
    os.symlink("self", "d/self")
    os.mkfifo("d/pipe")
    result = found("d")
    assert result.pop("d/self").startswith("cannot be read: ")
    assert result == {
        "d/empty": "the file is empty",
        "d/good": b"log",
        "d/dangling": "a link to a file that does not exist",
        "d/pipe": "not a regular file",
    }
    assert found("d/dangling") == {"d/dangling": "a link to a file that does not exist"}


def test_a_forbidden_file_or_folder_is_named_as_such(here, monkeypatch):
    put("d/1")
    put("d/2")
    put("d/f/3")
    open_, listdir = open, os.listdir

    def forbid(function, name):
        def guarded(path, *rest, **options):
            if str(path) == name:
                raise PermissionError(13, "Permission denied", path)
            return function(path, *rest, **options)

        return guarded

    monkeypatch.setattr("builtins.open", forbid(open_, "d/1"))
    monkeypatch.setattr(os, "listdir", forbid(listdir, "d/f"))
    assert found("d") == {"d/1": "no permission to read it", "d/2": b"log", "d/f": "no permission to read it"}


def test_a_name_that_is_no_text_is_shown_with_its_odd_bytes_escaped(here):
    Path(os.fsdecode(b"a\xff")).write_bytes(b"log")
    assert found(".") == {"a\\xff": b"log"}


def test_a_file_may_be_as_large_as_the_bound_and_no_larger(here, monkeypatch):
    monkeypatch.setattr(files, "MAX_LOG", 2 * MIB)
    put("fits", b"x" * 2 * MIB)
    put("larger", b"x" * (2 * MIB + 1))
    result = found(".")
    assert len(result["fits"]) == 2 * MIB
    assert result["larger"] == "larger than 2 MiB"


# -- compression -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"])
@pytest.mark.parametrize("size", [3, 70_000, 300_000])
def test_a_compressed_log_is_known_by_content_and_comes_inflated(here, pack, size):
    data = os.urandom(size)
    put("log.txt", pack(data))
    put("twice", pack(pack(data)))
    assert found(".") == {"log.txt": data, "twice": data}


def test_compressed_three_times_is_refused(here):
    put("x", gzip.compress(gzip.compress(gzip.compress(b"log"))))
    assert found("x") == {"x": "compressed more than 2 times"}


def test_a_gzip_of_several_members_comes_whole_and_what_follows_the_last_is_left_out(here):
    put("members", gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two"))
    put("zeros", gzip.compress(b"log") + b"\0" * 100_000)
    put("junk", gzip.compress(b"log") + b"junk")
    put("bz", bz2.compress(b"one ") + bz2.compress(b"two"))
    assert found(".") == {"members": b"one two", "zeros": b"log", "junk": b"log", "bz": b"one two"}


@pytest.mark.parametrize(("kind", "pack"), [("gzip", gzip.compress), ("bzip2", bz2.compress), ("xz", lzma.compress)])
def test_damaged_or_cut_off_compression_is_a_reason_wherever_it_is_damaged(here, kind, pack):
    whole = pack(bytes(range(256)) * 8)
    for cut in range(len(whole) - 1, 8, -7):
        put("x", whole[:cut])
        assert isinstance(found("x")["x"], str), cut
    put("x", whole[:-1])
    assert found("x") == {"x": f"{kind} data is cut off"}
    for at in range(10, len(whole), 11):
        put("x", whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        result = found("x")["x"]
        assert isinstance(result, str) or result == bytes(range(256)) * 8, at
    put("empty", pack(b""))
    assert found("empty") == {"empty": "the file is empty"}


# -- archives ----------------------------------------------------------------------------------------------------

MEMBERS = {"b/2.xml": b"two", "b-c.xml": b"three", "a.xml": b"one" * 50_000, "b/1.xml": b""}
UNPACKED = {
    "x!a.xml": b"one" * 50_000,
    "x!b/1.xml": "the file is empty",
    "x!b/2.xml": b"two",
    "x!b-c.xml": b"three",
}


@pytest.mark.parametrize(
    "archive",
    [
        zipped(MEMBERS),
        zipped(MEMBERS, zipfile.ZIP_STORED),
        zipped(MEMBERS, zipfile.ZIP_BZIP2),
        tarred(MEMBERS),
        tarred(MEMBERS, tarfile.GNU_FORMAT),
        tarred(MEMBERS, tarfile.USTAR_FORMAT),
        gzip.compress(tarred(MEMBERS)),
        bz2.compress(tarred(MEMBERS)),
        lzma.compress(tarred(MEMBERS)),
        gzip.compress(zipped(MEMBERS)),
    ],
    ids=["zip", "stored", "bzip2", "pax", "gnu", "ustar", "tar.gz", "tar.bz2", "tar.xz", "zip.gz"],
)
def test_the_members_of_an_archive_come_sorted_by_name(here, archive):
    put("x", archive)
    assert found("x") == UNPACKED


@pytest.mark.parametrize("pack", [zipped, tarred, lambda m: gzip.compress(tarred(m))], ids=["zip", "tar", "tar.gz"])
def test_logs_in_an_archive_may_be_compressed_and_archives_may_hold_archives_but_no_deeper(here, pack):
    inner = {"1": b"log", "2": gzip.compress(b"gz"), "3": pack({"deep": b"log"})}
    put("x", pack({"in": pack(inner), "gz": gzip.compress(b"log"), "tgz": gzip.compress(tarred({"t": b"log"}))}))
    assert found("x") == {
        "x!gz": b"log",
        "x!in!1": b"log",
        "x!in!2": b"gz",
        "x!in!3": "an archive in an archive in an archive is not opened",
        "x!tgz!t": b"log",
    }


@pytest.mark.parametrize("pack", [zipped, tarred, lambda m: gzip.compress(tarred(m))], ids=["zip", "tar", "tar.gz"])
def test_names_that_lead_out_of_the_archive_are_refused_and_hidden_ones_passed_over(here, pack):
    out = "the name leads out of the archive"
    put("x", pack({"../up": b"log", "/root": b"log", "C:/win": b"log", "a/../../b": b"log", "a\\b": b"log"}))
    result = found("x")
    assert set(result.values()) == {out}
    assert len(result) == 5
    put("y", pack({".DS_Store": b"x", "__MACOSX/._a": b"x", "./a": b"log", "d/.x": b"x"}))
    assert found("y") == {"y!a": b"log"}
    assert sorted(path.name for path in here.iterdir()) == ["x", "y"]


def test_links_and_devices_in_a_tar_are_refused(here):
    members = {
        "a": b"log",
        "link": of_type("link", tarfile.SYMTYPE, "/etc/passwd"),
        "hard": of_type("hard", tarfile.LNKTYPE, "a"),
        "null": of_type("null", tarfile.CHRTYPE),
        "pipe": of_type("pipe", tarfile.FIFOTYPE),
        "folder": of_type("folder", tarfile.DIRTYPE),
        "z": b"last",
    }
    link = "a link in an archive is not followed"
    expected = {"a": b"log", "hard": link, "link": link, "null": "not a regular file", "pipe": "not a regular file"}
    for name, data in (("x", tarred(members)), ("y", gzip.compress(tarred(members)))):
        put(name, data)
        assert found(name) == {f"{name}!{key}": value for key, value in (expected | {"z": b"last"}).items()}


def test_a_zip_member_compressed_in_another_way_says_which(here):
    put("x", zipped({"a": b"log"}, zipfile.ZIP_LZMA))
    assert found("x") == {"x!a": "compression method 14 of a zip archive is not read"}


def test_links_and_encrypted_members_of_a_zip_are_refused(here):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("secret", b"?")
        archive.writestr("z", b"log")
    raw = bytearray(data.getvalue())
    for sign, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):  # the flag of encryption in both headers
        at = raw.find(b"secret", 0 if sign == b"PK\3\4" else raw.find(b"PK\1\2"))
        raw[raw.rfind(sign, 0, at) + flags] |= 1
    put("x", bytes(raw))
    assert found("x") == {"x!link": "a link in an archive is not followed", "x!secret": "encrypted", "x!z": b"log"}


def test_a_damaged_member_of_a_zip_costs_no_other(here):
    data = bytearray(zipped({"1": b"one", "2": b"two" * 1000, "3": b"three"}))
    at = data.find(b"2", data.find(b"PK\3\4", 10)) + 4
    data[at] ^= 0xFF
    put("x", bytes(data))
    result = found("x")
    assert result.pop("x!2").startswith("cannot be unpacked: ")
    assert result == {"x!1": b"one", "x!3": b"three"}


def test_an_archive_that_is_damaged_or_cut_off_gives_what_it_can_and_says_so(here):
    data = zipped({"1": b"one"})
    put("cut.zip", data[:-10])
    assert found("cut.zip")["cut.zip"].startswith("damaged or cut off zip archive: ")
    whole = tarred({"1": b"one", "2": b"two" * 1000, "3": b"three"})
    for pack in (bytes, gzip.compress):
        put("x", pack(whole[: 512 * 5]))  # in the middle of the second member
        result = found("x")
        assert result.pop("x!1") == b"one"
        assert all(isinstance(value, str) for value in result.values())
        assert "x" in result or "x!2" in result
        put("x", pack(whole[: 512 * 2] + b"junk" * 128 + whole[512 * 3 :]))
        assert found("x") == {"x!1": b"one", "x": "damaged tar archive: what follows is no member"}


def test_an_archive_without_logs_says_so(here):
    put("x", zipped({}))
    put("y", tarred({"d": of_type("d", tarfile.DIRTYPE)}))
    put("z", zipped({".DS_Store": b"x"}))
    assert set(found(".").values()) == {"the archive holds no files"}


def test_two_members_of_one_name_both_come(here):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a", b"one")
        archive.writestr("b", b"two")
    put("x", data.getvalue().replace(b"b", b"a"))
    assert found("x") == {"x!a": b"one", "x!a#2": b"two"}


def test_no_flipped_or_missing_byte_of_an_archive_raises_anything(here):
    for whole in (zipped(MEMBERS), tarred(MEMBERS | {"a.xml": b"one"}), gzip.compress(tarred(MEMBERS))):
        step = max(1, len(whole) // 60)
        for at in range(0, len(whole), step):
            for broken in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
                put("x", broken)
                list(log_files("x"))


# -- bounds ------------------------------------------------------------------------------------------------------


SMALL, HUGE = 8 * MIB, 40 * MIB


def zip_of(packed: bytes, method: int, size: int) -> bytes:
    """A zip of a good log and of a member `bomb` whose packed bytes are given."""
    data = bytearray(zipped({"bomb": packed, "log": b"log"}, zipfile.ZIP_STORED))
    for sign, at_method, at_size in ((b"PK\3\4", 8, 22), (b"PK\1\2", 10, 24)):
        start = data.find(sign)
        data[start + at_method : start + at_method + 2] = method.to_bytes(2, "little")
        data[start + at_size : start + at_size + 4] = size.to_bytes(4, "little")
    return bytes(data)


def bombs() -> dict[str, bytes]:
    """Small files that hold, or say they hold, far more than a log."""
    zeros = b"\0" * HUGE
    gz, bz = gzip.compress(zeros, compresslevel=1), bz2.compress(zeros, compresslevel=1)
    bomb, long_name = tarfile.TarInfo("bomb"), tarfile.TarInfo("././@LongLink")
    bomb.size = long_name.size = HUGE
    long_name.type = tarfile.GNUTYPE_LONGNAME
    log = tarred({"z": b"log"})
    return {
        "plain.gz": gz,
        "twice.gz": gzip.compress(gz),
        "plain.bz2": bz,
        "plain.xz": lzma.compress(zeros, preset=0),
        "deflate.zip": zip_of(gz[10:-8], zipfile.ZIP_DEFLATED, HUGE),
        "bzip2.zip": zip_of(bz, zipfile.ZIP_BZIP2, HUGE),
        "lies.zip": zip_of(gz[10:-8], zipfile.ZIP_DEFLATED, 100),
        "bomb.tar.gz": gzip.compress(bomb.tobuf() + zeros + log, compresslevel=1),
        "name.tar.gz": gzip.compress(long_name.tobuf() + zeros + log, compresslevel=1),
    }


MEASURED = """
import json, sys
from parsers import files
files.MAX_LOG = int(sys.argv[2])
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1024
before = peak()
found = {path: data if isinstance(data, str) else data.decode() for path, data in files.log_files(sys.argv[1])}
print(json.dumps([found, peak() - before]))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc")
def test_a_bomb_is_a_reason_and_memory_stays_bounded(here):
    """Measured in a process of its own: a peak does not go down again."""
    for name, data in bombs().items():
        put(f"d/{name}", data)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", MEASURED, "d", str(SMALL)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    result, grown = json.loads(done.stdout)
    assert result.pop("d/lies.zip!bomb").startswith("cannot be unpacked: ")
    large = "larger than 8 MiB"
    assert {path.removeprefix("d/"): value for path, value in result.items()} == {
        "bomb.tar.gz!bomb": large,
        "bomb.tar.gz!z": "log",
        "bzip2.zip!bomb": large,
        "bzip2.zip!log": "log",
        "deflate.zip!bomb": large,
        "deflate.zip!log": "log",
        "lies.zip!log": "log",
        "name.tar.gz": f"damaged: a table of {HUGE:,} bytes",
        "plain.bz2": large,
        "plain.gz": large,
        "plain.xz": large,
        "twice.gz": large,
    }
    assert grown < 36, f"{grown:.0f} MiB more than at the start"


def test_a_packed_tar_full_of_what_is_no_log_is_left(here, monkeypatch):
    monkeypatch.setattr(files, "MAX_LOG", MIB)
    monkeypatch.setattr(files, "MAX_SKIPPED", 4 * MIB)
    put("x", gzip.compress(tarred({"a": b"log", "big": b"\0" * 6 * MIB, "z": b"log"})))
    assert found("x") == {"x!a": b"log", "x!big": "larger than 1 MiB", "x": "holds more than 0 GiB that are no logs"}


def test_an_archive_of_more_than_the_bounds_gives_what_came_before(here, monkeypatch):
    monkeypatch.setattr(files, "MAX_MEMBERS", 2)
    put("x", gzip.compress(tarred({"c": b"3", "a": b"1", "b": b"2"})))
    assert found("x") == {"x!a": b"1", "x!c": b"3", "x": "more than 2 members"}
    monkeypatch.undo()
    os.chdir(here)
    monkeypatch.setattr(files, "MAX_NAMES", 50)
    put("y", zipped({"a" * 100: b"1"}))
    assert found("y")["y"].startswith("damaged: a table of ")


def test_a_bound_is_what_the_documentation_says():
    assert MAX_LOG == 32 * MIB
