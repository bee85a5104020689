"""Content decides what a log is."""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import pytest

from parsers.sniff import HEAD, SIGNS, source_of, unknown_format

SHARED = Path(os.environ.get("KOYAKU_SHARED", Path(__file__).parents[1].parent / "shared"))
MJLOG = b'<mjloggm ver="2.3"><SHUFFLE/>'


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (b"", "nothing before the root"),
        (b"\xef\xbb\xbf", "a byte order mark"),
        (b" \r\n\t", "blanks"),
        (b'<?xml version="1.0" encoding="UTF-8"?>\n', "an XML declaration"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\r\n<!-- seen -->\r\n', "mark, declaration and comment"),
        (b"<!-- one > two -->\n<!-- <other> -->\n", "comments that hold tags"),
        (b"<!DOCTYPE mjloggm>\n", "a document type"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_log_is_tenhou_xml_whatever_stands_before_its_root(before, name):
    assert source_of(before + MJLOG) == "tenhou_xml"


@pytest.mark.parametrize("root", [b"<mjloggm>", b"<mjloggm/>", b"<mjloggm\nver='2.3'>"])
def test_the_root_may_be_written_in_every_way_xml_allows(root):
    assert source_of(root) == "tenhou_xml"


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"   ",
        b"junk",
        b"<html><mjloggm>",
        b'{"note": "<mjloggm ver=2.3>"}',
        b"<mjloggmx>",
        b"<mjlogg",
        b"<!-- <mjloggm> ",
        b"text <mjloggm>",
        gzip.compress(MJLOG, mtime=0),
        b"<!--" + b" " * HEAD + b"-->" + MJLOG,
    ],
)
def test_what_merely_mentions_the_root_is_unknown(head):
    assert source_of(head) is None


def test_unfinished_comments_are_looked_at_once():
    start = time.perf_counter()
    assert source_of(b"<!---->" * 500 + b"<!--") is None
    assert source_of(b"<!--->" * 600) is None
    assert source_of(b"<?" * 2000) is None
    assert time.perf_counter() - start < 5  # else: years


def test_an_unknown_format_is_named_by_what_it_begins_with_and_what_is_known():
    reason = unknown_format(b"%PDF-1.7 and much more")
    assert reason == f"unknown format: starts with b'%PDF-1.7 and muc'; known: {', '.join(SIGNS)}"


def test_every_source_has_a_module_of_its_name():
    root = Path(__file__).parents[1] / "parsers"
    for source in SIGNS:
        assert (root / f"{source}.py").exists() or (root / source / "__init__.py").exists(), source


@pytest.mark.skipif(not (SHARED / "logs" / "mjlog").exists(), reason="no real logs: set KOYAKU_SHARED")
def test_every_real_log_is_known_and_no_file_of_another_format_is_mistaken():
    for folder in sorted((SHARED / "logs").iterdir()):
        if not folder.is_dir():
            continue
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        for path in files if len(files) < 1000 else files[::7]:
            with open(path, "rb") as file:
                head = file.read(HEAD)
            if head.startswith(b"\x1f\x8b"):
                head = gzip.decompress(path.read_bytes())
            assert source_of(head) == ("tenhou_xml" if folder.name == "mjlog" else None), path
