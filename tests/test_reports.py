"""The report: one page that needs nothing else, the same bytes every time, and nothing half-written."""

import hashlib
import io
import json
import re
import warnings
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pyarrow as pa
import pytest
from pages import Page

from analytics.corpus import ingest
from analytics.metrics import han_distribution, yaku_frequency
from analytics.metrics.columns import StatisticsError
from analytics.reports import ReportError, figures, report
from analytics.reports import han as han_report
from analytics.reports import sweep as sweep_report
from analytics.reports import yaku as yaku_report
from analytics.reports.words import drawn_groups, group_name, to_the_point
from analytics.rescoring import amended_rules
from analytics.scoring.ruleset import catalog, ruleset
from analytics.sweep import sweep
from parsers.schema import TABLES
from parsers.store import Store

SAMPLES = Path(__file__).parents[1] / "data_samples"
EXPECTED = json.loads((Path(__file__).parent / "samples" / "expected.json").read_text())["total"]
HOSTILE = "<script>alert('和')</script>--&\"\u202e$x^2$"


@pytest.fixture(scope="module")
def folder(store, tmp_path_factory) -> Path:
    """A report of the samples."""
    out = tmp_path_factory.mktemp("out") / "report"
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a glyph that no font has is a warning
        report(store, out, sources=["data_samples"])
    return out


@pytest.fixture(scope="module")
def page(folder) -> str:
    return (folder / "index.html").read_text("utf-8")


@pytest.fixture
def undrawn(monkeypatch):
    """Reports whose figures are empty files, for what is not about them."""
    monkeypatch.setattr(figures, "files", lambda _figure: {"svg": b"", "png": b""})
    for module in (yaku_report, sweep_report):
        monkeypatch.setattr(module, "draw", lambda _result: None)
    for name in ("draw_histograms", "draw_limits"):
        monkeypatch.setattr(han_report, name, lambda _result: None)


def hostile(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """The same games from logs of somebody who means harm, one file of which was not read."""

    def changed(name: str, column: str, values) -> pa.Table:
        table = tables[name]
        position = table.column_names.index(column)
        return table.set_column(position, column, pa.array(values, pa.string()))

    games, wins = tables["games"], tables["wins"]
    reject = {"path": HOSTILE, "source": None, "game": None, "round_no": None, "place": "", "reason": HOSTILE}
    wrong = pa.array([1, *wins["points"].to_pylist()[1:]], pa.int32())
    return {
        **tables,
        "games": changed("games", "room", [HOSTILE] * len(games)).set_column(
            games.column_names.index("path"), "path", pa.array([HOSTILE] * len(games))
        ),
        "seats": changed("seats", "player", [f"{HOSTILE}{i % 5}" for i in range(len(tables["seats"]))]),
        "wins": wins.set_column(wins.column_names.index("points"), "points", wrong),
        "rejects": pa.Table.from_pylist([reject], schema=TABLES["rejects"]),
    }


# What the folder holds


def test_the_folder_holds_the_page_the_figures_the_numbers_and_a_manifest(folder):
    assert {path.name for path in folder.iterdir()} == {
        "index.html",
        "manifest.json",
        "audit.json",
        *(f"{name}.csv" for name in ("yaku", "han", "han_by_group", "local")),
        *(f"{name}.{form}" for name in ("yaku", "han", "limits", "local") for form in ("svg", "png")),
    }


def test_the_report_is_small(folder):
    assert (folder / "index.html").stat().st_size < 1_500_000
    assert sum(path.stat().st_size for path in folder.iterdir()) < 5_000_000


def test_the_manifest_has_the_hash_of_every_other_file(folder):
    manifest = json.loads((folder / "manifest.json").read_bytes())
    hashes = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir() if p.name != "manifest.json"}
    assert manifest["files"] == hashes
    assert manifest["command"] == "koyaku report data_samples -o report"
    assert manifest["audit"]["rate"] == 1.0
    assert {r["id"] for r in manifest["rulesets"]} >= {"tenhou_4p_aka", "tenhou_3p"}


def test_numbers_on_the_page_are_those_of_the_csv(folder, page, store):
    table = pd.read_csv(folder / "yaku.csv")
    pd.testing.assert_frame_equal(table, pd.read_csv(io.StringIO(yaku_frequency(store).table().to_csv(index=False))))
    riichi = table[table["key"] == "riichi"].iloc[0]
    row = re.search(r"Riichi 立直 \(Ready\).*?</tr>", page, re.DOTALL)[0]
    cells = re.findall(r"<bdi>(.*?)</bdi>", row)
    assert cells[:2] == [f"{riichi['n']}", f"{100 * riichi['rate']:.1f}%"]


def test_every_row_has_a_name_of_its_own_and_an_id_that_commands_take(page):
    tables = Page(page).tables
    yaku = next(rows for caption, rows in tables.items() if caption.startswith("Yaku, the most frequent first"))
    assert {"Riichi 立直 (Ready)riichi", "Suukantsu 四槓子 (Four quads)suukantsu; too few"} <= {row[0] for row in yaku}
    besides = next(rows for caption, rows in tables.items() if caption.startswith("Dora, yakuhai"))
    names = [row[0] for row in besides]
    assert len(set(names)) == len(names) == 14
    told = {name.removesuffix("too few") for name in names}
    assert {"Any Yakuhai 役牌 (Value tiles)", "Ippatsu 一発 (One shot), of riichi wins"} <= told
    assert {"Ura dora 裏ドラ, tiles a win", "Ura dora 裏ドラ, tiles a riichi win"} <= told


def test_numbers_have_three_digits_and_points_no_count(page, store):
    tables = Page(page).tables
    table = yaku_frequency(store).table()
    [row] = table[(table["kind"] == "lines")].to_dict("records")
    heads, *rows = next(rows for caption, rows in tables.items() if caption.startswith("Dora, yakuhai"))
    [shown] = [dict(zip(heads, one, strict=True)) for one in rows if one[0].startswith("Yakuhai 役牌")]
    assert shown["Rate"] == to_the_point(row["rate"]) == "0.386"
    heads, *rows = next(rows for caption, rows in tables.items() if caption.startswith("Shares and mean points"))
    [points] = [dict(zip(heads, one, strict=True)) for one in rows if one[0].startswith("Mean points")]
    assert points["n"] == "-"
    numbers = re.findall(r"<bdi>(\d+\.\d+)</bdi>", page)
    assert all(len(number.replace(".", "").lstrip("0")) == 3 for number in numbers)


def test_tables_have_no_column_for_notes_alone(page):
    """Such a column is what a page of 1,200 pixels has no room for; notes stand below the name."""
    heads = [rows[0] for rows in Page(page).tables.values()]
    assert not [head for row in heads for head in row if head == "Note"]


def test_a_print_shows_its_kanji_or_those_of_another_font(page):
    assert "font-display: swap" in page


def test_the_local_yaku_are_those_of_a_sweep_each_once_with_its_names(folder, page, store):
    table = pd.read_csv(folder / "local.csv")
    local = {id_ for id_, yaku in catalog().items() if not yaku.is_standard and yaku.kind == "hand"}
    assert sorted(table["yaku"]) == sorted(local)
    swept = sweep(store, each_local=True).table()
    swept = swept[swept["option"].isna() & swept["yaku"].isin(local)].set_index("yaku")
    for column in ("n", "N", "low", "high", "mean_gain", "gain_low"):
        found = table.set_index("yaku")[column]
        pd.testing.assert_series_equal(found, swept[column].reindex(found.index).astype(float), check_dtype=False)
    section = page[page.index('id="local"') : page.index('id="definitions"')]
    for one in table.itertuples():
        assert section.count(f"<bdi>{catalog()[one.yaku].full_name}</bdi><small><code>{one.yaku}</code>") == 1, one.yaku
    first = table.iloc[0]
    rows = section[section.index("<tbody") :]
    row = re.search(rf"<code>{first['yaku']}</code>.*?</tr>", rows, re.DOTALL)[0]
    cells = re.findall(r"<bdi>(.*?)</bdi>", row)
    said = [first["value"], str(first["n"]).removesuffix(".0"), to_the_point(first["per_10000"])]
    assert cells[:3] == said
    assert section.count("too few") >= int((table["too_few"] & (table["N"] > 0)).sum())
    assert "not recorded by these sources" in section


def test_the_local_yaku_are_weighed_under_the_rules_and_the_filter_of_the_report(tables, tmp_path, undrawn):
    rules = amended_rules("recorded", drop=["riichi"])
    report([tables], tmp_path / "report", rules=rules, where="is_tsumo")
    table = pd.read_csv(tmp_path / "report" / "local.csv").set_index("yaku")
    manifest = json.loads((tmp_path / "report" / "manifest.json").read_bytes())
    assert table["N"].max() == manifest["card"]["counted"]


def test_the_page_names_what_it_stands_on(page):
    n = EXPECTED["wins"]
    assert f"{n} of {n} wins agree (100%)" in page
    for said in ("Data card", "tenhou_4p_aka", "Clopper", "koyaku report data_samples"):
        assert said in page


# The page


def test_the_page_loads_nothing_and_runs_nothing(page):
    elements = Page(page)
    assert not {"script", "link", "iframe", "object", "base", "form"} & {tag for tag, _ in elements.found}
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in elements.all("img"))
    assert all(re.fullmatch(r"[a-z_]+\.(svg|png|csv|json)", link["href"]) for link in elements.all("a"))
    assert set(re.findall(r"url\((.{15})", page)) == {"data:font/woff;"}
    assert "@import" not in page
    policy = next(m["content"] for m in elements.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")


def test_the_page_can_be_read_without_seeing_it(page):
    elements = Page(page)
    assert elements.all("html") == [{"lang": "en"}]
    assert all(len(image["alt"]) > 80 for image in elements.all("img"))
    assert all(cell.get("scope") in ("row", "col") for cell in elements.all("th"))
    assert len(elements.all("caption")) == len(elements.all("table")) >= 8
    assert [tag for tag, _ in elements.found if tag in ("h1", "h2")].count("h1") == 1


def test_what_logs_say_is_text_and_never_markup(tables, tmp_path, undrawn):
    out = tmp_path / "report"
    written = report([hostile(tables)], out, sources=[HOSTILE], where=f"player != {HOSTILE[:20]!r}")
    assert written.n_rejects == 1
    page = (out / "index.html").read_text("utf-8")
    elements = Page(page)
    assert "script" not in {tag for tag, _ in elements.found}
    assert "".join(elements.text).count(HOSTILE) >= 3
    assert "&lt;script&gt;" in page


def test_figures_take_names_from_logs_as_plain_text(tables):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = han_distribution([hostile(tables)], by="player")
        drawn = ElementTree.fromstring(figures.files(result.plot())["svg"])
    assert not [element for element in drawn.iter() if str(element.tag).endswith("script")]


# The same again


def test_the_same_games_give_the_same_bytes_however_they_are_spread(folder, tmp_path):
    ingest(SAMPLES, tmp_path / "split", batch=31)
    out = tmp_path / "report"
    report(Store(tmp_path / "split"), out, sources=["data_samples"])
    for path in folder.iterdir():
        assert path.read_bytes() == (out / path.name).read_bytes(), path.name


@pytest.mark.slow
def test_the_number_of_workers_changes_no_byte(tmp_path, undrawn):
    ingest(SAMPLES, tmp_path / "split", batch=31)
    for workers in (1, 2):
        report(Store(tmp_path / "split"), tmp_path / str(workers) / "report", workers=workers)
    for path in (tmp_path / "1" / "report").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / "report" / path.name).read_bytes(), path.name


# Where it is written


def test_an_error_leaves_neither_a_report_nor_a_trace(store, tmp_path, undrawn, monkeypatch):
    def fail(_made):
        raise OSError("disk full")

    monkeypatch.setattr(figures, "files", fail)
    with pytest.raises(OSError, match="disk full"):
        report(store, tmp_path / "report")
    assert list(tmp_path.iterdir()) == []


def test_an_error_leaves_the_report_that_was_there(store, tmp_path, monkeypatch, undrawn):
    out = tmp_path / "report"
    report(store, out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    monkeypatch.setattr("analytics.reports.page.os.rename", lambda *_: (_ for _ in ()).throw(OSError("no")))
    with pytest.raises(ReportError, match=f"^{out}: cannot be written: no$"):
        report(store, out, where="is_riichi")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert list(tmp_path.iterdir()) == [out]


def test_a_report_is_replaced_by_the_next(store, tmp_path, undrawn):
    out = tmp_path / "deep" / "report"
    first = report(store, out).page.read_bytes()
    assert report(store, out, where="is_riichi").page.read_bytes() != first
    assert list(out.parent.iterdir()) == [out]


def test_a_report_is_made_of_logs_or_of_a_store_by_its_folder(store, tmp_path, undrawn):
    made = [report(source, tmp_path / "report").page.read_text("utf-8") for source in (SAMPLES, store.path, store)]
    for text, named in zip(made, (SAMPLES, store.path, "STORE"), strict=True):
        assert f"koyaku report {named} -o report" in text
    assert made[0].replace(str(SAMPLES), "STORE") == made[1].replace(str(store.path), "STORE") == made[2]


def test_a_folder_of_other_things_is_left_alone(store, tmp_path, undrawn):
    out = tmp_path / "report"
    report(store, out)
    (out / "notes.txt").write_text("mine")
    with pytest.raises(ReportError, match=r"holds other things \(notes.txt\)"):
        report(store, out)
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match="is a file"):
        report(store, tmp_path / "file")
    assert (out / "notes.txt").read_text() == "mine"


def test_a_wrong_filter_is_told_before_anything_is_read(tmp_path):
    def parts():
        raise AssertionError("read")
        yield

    with pytest.raises(StatisticsError, match="nearest: 'is_riichi'"):
        report(parts(), tmp_path / "report", where="is_richi")


# What it is about


def test_duplicates_are_left_out_of_statistics_and_kept_in_the_audit(tables, tmp_path, undrawn):
    games = tables["games"]
    double = pa.array([1] + [None] * (len(games) - 1), pa.int64())
    position = games.column_names.index("duplicate_of")
    marked = {**tables, "games": games.set_column(position, games.schema.field("duplicate_of"), double)}
    report([marked], tmp_path / "report")
    manifest = json.loads((tmp_path / "report" / "manifest.json").read_bytes())
    assert manifest["audit"]["wins"] == EXPECTED["wins"]
    assert manifest["card"]["duplicates"] == 1
    assert manifest["card"]["counted"] == EXPECTED["wins"] - manifest["card"]["duplicate_wins"] < EXPECTED["wins"]


def test_a_report_under_other_rules_says_that_players_would_have_played_otherwise(store, tmp_path, undrawn):
    page = report(store, tmp_path / "report", rules="base").page.read_text("utf-8")
    assert "players would have played otherwise" in page
    assert "--rules base" in page


def test_a_report_under_rules_for_another_table_says_so(store, tmp_path, undrawn):
    made = report(store, tmp_path / "report", rules=ruleset("mahjong_soul_4p").assume_base()).page.read_text("utf-8")
    assert "wins of three-player games are scored under mahjong_soul_4p, a ruleset for four." in made


def test_a_report_under_rules_with_gaps_names_what_is_assumed(page, store, tmp_path, undrawn):
    rules = ruleset("wrc_2025").assume_base()
    said = report(store, tmp_path / "report", rules=rules).page.read_text("utf-8")
    assert ", ".join(rules.assumed) in said
    assert "Assumed from base" not in page
    [one] = json.loads((tmp_path / "report" / "manifest.json").read_bytes())["rulesets"]
    assert one["assumed"] == list(ruleset("wrc_2025").unknown)


def test_a_report_of_several_kinds_of_games_says_so(page, store, tmp_path, undrawn):
    assert "The wins come from 4 kinds of games" in page
    one = report(store, tmp_path / "report", where="players == 4 and length == 'south'").page.read_text("utf-8")
    assert "kinds of games" not in one


def test_groups_of_few_wins_are_not_drawn_unless_all_are():
    frames = [(name, pd.DataFrame({"N": [n]})) for name, n in (("a", 5), ("b", 900), ("c", 40), ("d", 60))]
    assert [name for name, _ in drawn_groups(frames, 2)] == ["b", "d"]
    assert [name for name, _ in drawn_groups(frames[:1], 2)] == ["a"]


def test_a_report_of_nothing_is_a_report(tables, tmp_path):
    nothing = {name: table.slice(0, 0) for name, table in tables.items()}
    page = report([nothing], tmp_path / "report").page.read_text("utf-8")
    Page(page)
    assert "There are no wins to audit." in page
    assert 'id="local"' not in page
    assert not (tmp_path / "report" / "local.csv").exists()


# Figures


def test_figures_of_a_split_have_every_glyph_and_say_nothing_of_when_they_were_made(store):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = figures.files(yaku_frequency(store, by=["length", "dealer"]).plot())["svg"]
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert b"date>" not in svg


def test_without_a_japanese_font_labels_are_latin(store, monkeypatch):
    monkeypatch.setattr(figures, "has_japanese", lambda: False)
    figures._characters.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = yaku_report.draw(yaku_frequency(store))
    figures._characters.cache_clear()
    labels = [text.get_text() for text in drawn.axes[0].get_yticklabels()]
    assert "Tanyao" in labels
    assert all(label.isascii() for label in labels)


def test_yaku_are_drawn_the_most_frequent_first_and_unseen_ones_last(store):
    few = yaku_frequency(store, where="is_tsumo")
    table = yaku_report.build(few)["yaku"]
    assert table["rate"].is_monotonic_decreasing
    assert table["n"].iloc[-1] == 0


def test_alt_texts_tell_the_numbers(store):
    frequency, distribution = yaku_frequency(store), han_distribution(store)
    assert f"Riichi 立直 {100 * EXPECTED['yaku']['riichi'] / EXPECTED['wins']:.1f}%" in yaku_report.alt(frequency)
    common = max(EXPECTED["han"], key=EXPECTED["han"].get)
    assert f"all wins: most wins have {common} han" in han_report.alt_histograms(distribution)
    assert han_report.alt_limits(distribution).count("points on average") == 9
    local = sweep(store, each_local=True)
    first = local.table().iloc[0]
    assert f"{first['romaji']} {first['kanji']} {to_the_point(first['per_10000'])}" in sweep_report.alt(local)


@pytest.mark.parametrize(
    ("by", "group", "name"),
    [
        ((), (), "all wins"),
        (("is_dealer",), (False,), "non-dealer"),
        (("year", "round_wind"), (2024, "south"), "2024, south round"),
        (("room",), (None,), "room not recorded"),
        (("players",), (3,), "3 players"),
    ],
)
def test_groups_are_named_in_words(by, group, name):
    assert group_name(by, group) == name


def test_labels_are_one_short_line_of_known_characters():
    assert figures.label("a\nb\t" + "c" * 99) == "a b " + "c" * 27 + "…"
    assert figures.label("\U0001f600") in ("\ufffd", "\U0001f600")
    assert figures.label("$1") == r"\$1"


# Lightness


def test_importing_the_statistics_loads_no_heavy_library():
    import subprocess
    import sys

    code = (
        "import sys, analytics.metrics, analytics.reports; "
        "print([m for m in ('pandas', 'scipy', 'matplotlib', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SAMPLES.parent)
    assert done.stdout.strip() == "[]"
