"""The committee report: its numbers are those of the tables, nothing in it is markup but its own, it needs nothing."""

import re
import shlex
import tomllib
import warnings

import pandas as pd
import pyarrow as pa
import pytest
from conftest import PROJECT
from pages import Page
from test_impact import SIMPLES, TRIPLETS, TRIPLETS_OF_THE_DEALER, played, three_games
from typer.testing import CliRunner

from analytics.cli import app
from analytics.corpus import ingest, opened
from analytics.impact import ImpactError, rule_impact
from analytics.metrics import han_distribution, yaku_frequency
from analytics.reports import ReportError, committee, figures
from analytics.reports import impact as impact_figures
from analytics.reports.names import yaku_of
from analytics.reports.verdict import SAME
from analytics.reports.verdict import sentences as verdict_sentences
from analytics.reports.words import to_the_point
from analytics.rulebook import checked, file_text
from analytics.scoring.ruleset import amended, ruleset
from analytics.sweep import sweep

SAMPLES = PROJECT / "data_samples"
ONE, THREE, OFF = "Sanrenkou 三連刻 at 1", "Sanrenkou 三連刻 at 3", "Tanyao 断么九 off"
HOSTILE = "<script>alert('和')</script>&\"\u202e$x^2$"


@pytest.fixture(scope="module")
def impact():
    return rule_impact(three_games(), base="base", adopt=["sanrenkou=1,3"], drop=["tanyao"])


@pytest.fixture(scope="module")
def text(impact) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a glyph that no font has is a warning
        return committee.page(impact, "koyaku impact store --adopt sanrenkou=1,3 --drop tanyao -o report.html")


@pytest.fixture(scope="module")
def page(text) -> Page:
    return Page(text)


@pytest.fixture(scope="module")
def verdict(page):
    return page.measures("Changes side by side")


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    path = tmp_path_factory.mktemp("committee") / "store"
    ingest(SAMPLES, path)
    return path


# Numbers


def test_the_verdict_states_the_numbers_of_three_scripted_games(verdict):
    """Three of six wins hold the yaku: twice +1,900 and once +0 at one han, +6,000 each at three."""
    expected = {
        "Value": ("1 han, closed or open", "3 han, closed or open", "not played"),
        "Occurrences, n": ("3", "3", "3"),
        "Wins they are counted over, N": ("6", "6", "6"),
        "Enough?": ("too few",) * 3,
        "Per 10,000 wins": ("5,000",) * 3,
        "Per 100 games": ("100",) * 3,
        "Open hands": ("100%",) * 3,
        "Dealers": ("33%", "33%", "0%"),
        "Self-drawn": ("0%",) * 3,
        "Gain per occurrence": ("+1,267", "+6,000", "-1,000"),
        "Gain per win": ("+633", "+3,000", "-500"),
        "Points differ": ("2 (67%)", "3 (100%)", "0 (0%)"),
        "They cross a limit": ("0 (0%)", "3 (100%)", "0 (0%)"),
        "The gain is swallowed by a limit": ("1 (33%)", "0 (0%)", "0 (0%)"),
        "Lost: no win any more": ("0 (0%)", "0 (0%)", "3 (100%)"),
        "of all wins, these are": ("0%", "0%", "50.0%"),
        "Lost because no yaku is left": ("0 (0%)", "0 (0%)", "3 (100%)"),
    }
    for measure, cells in expected.items():
        assert [verdict[measure][name] for name in (ONE, THREE, OFF)] == [[cell] for cell in cells], measure


def test_both_intervals_stand_beside_each_rate_and_gain(impact, verdict):
    row = impact.table().set_index("candidate").loc["sanrenkou=3"]
    simultaneous = verdict["95% interval, all candidates at once"][THREE]
    alone = verdict["95% interval, this one alone"][THREE]
    assert simultaneous[0] == f"{to_the_point(row['low_simultaneous'])} – {to_the_point(row['high_simultaneous'])}"
    assert alone[0] == f"{to_the_point(row['low'])} – {to_the_point(row['high'])}"
    assert alone[1] == f"{row['occurrence_low']:+,.0f} – {row['occurrence_high']:+,.0f}" == "+6,000 – +6,000"
    assert len(simultaneous) == len(alone) == 3


def test_games_cut_open_and_turned_round_are_those_of_the_table(impact, page):
    rows = impact.table("games").set_index("candidate").to_dict("index")
    found = page.measures("Games and placements")
    for id_, name in (("sanrenkou=1", ONE), ("sanrenkou=3", THREE), ("drop tanyao", OFF)):
        for measure, column in (
            ("Games weighed", "n_games"),
            ("Two seats finish in another order", "n_flipped"),
        ):
            assert found[measure][name] == [f"{rows[id_][column]:,}"], (name, measure)
        assert found["Points moved per 100 games"][name] == [f"{rows[id_]['points_moved']:,.0f}"]
        for measure, column in (
            ("Cut short by a new end, before → after", "n_cut"),
            ("Left open, before → after: the recorded end would not have come", "n_open"),
        ):
            assert found[measure][name] == [f"{rows[id_][column + '_before']:,} → {rows[id_][column]:,}"]
    assert found["Cut short by a new end, before → after"][THREE] == ["0 → 1"]


def test_the_ladder_and_the_crossings_agree_with_the_hands(page):
    """At three han: 2,000 twice becomes mangan, the dealer's haneman a baiman."""
    found = page.measures("Wins that come to stand at a limit or above it, and that fall below it")
    assert [found[limit][THREE] for limit in ("Mangan", "Haneman", "Baiman")] == [["+2"], ["0"], ["+1"]]
    assert found["Mangan"][ONE] == ["0"]
    assert page.tables["Ladder of limits: from (row) to (column), wins"]


def test_how_often_it_might_be_is_marked_as_an_assumption(page):
    found = page.measures(
        "Assumption, not a finding: players aim for it, and it occurs ×1, ×2, ×5 as often at the same gain"
    )
    assert found["Per 10,000 wins"][ONE] == ["5,000", "10,000", "more than all wins"]
    assert found["Points gained per win"][ONE] == ["+633", "+1,267", "more than all wins"]
    assert OFF not in found["Per 10,000 wins"]


def test_examples_show_the_hand_and_its_score_before_and_after(impact, page, text):
    labels = {svg["aria-label"] for svg in page.all("svg") if "aria-label" in svg}
    assert {"33m55s+3m (111m) (222m) (888p)", "3399m+3m (111m) (222m) (111z)"} <= labels
    assert "Edge: the gain is swallowed by a limit" in text
    said = "".join(page.text)
    assert "2,000 points (2 han 30 fu): Toitoihou 対々和 2" in said
    assert "3,900 points (3 han 30 fu): Toitoihou 対々和 2, Sanrenkou 三連刻 1" in said
    assert "no win" in said
    for found in impact.examples.values():
        for one in found:
            assert f"Game {one['path']}, round {one['round_no']}, winner in seat {one['winner']}" in said


def test_latent_wins_are_told_or_said_not_to_be_scanned(page, verdict):
    assert any(caption.startswith("Latent wins in ") for caption in page.tables)
    without = committee.page(rule_impact(three_games(), base="base", adopt=["sanrenkou"], latent=False), "")
    assert "Not scanned: hands that would only now be wins are in no number of this page." in without
    found = Page(without).measures("Changes side by side")
    assert found["Latent wins besides"] == {"Sanrenkou 三連刻 at 2": ["not scanned"]}
    assert verdict["Latent wins besides"][ONE] == ["0"]


# What is said


def sentences(impact) -> dict[str, str]:
    return dict(verdict_sentences(impact, impact_figures.named(impact), yaku_of(impact)))


@pytest.mark.parametrize(
    ("set_", "head", "asked"),
    [
        (
            "yaku.tanyao.open=false",
            "Tanyao 断么九, open: off",
            "Open hands count (kuitan): on → off (yaku.tanyao.open: true → false).",
        ),
        (
            "limits.counted_yakuman=each_13",
            "Limits, counted yakuman: each 13",
            "What thirteen han or more of ordinary yaku pay: a yakuman, sanbaiman, or one yakuman for each thirteen "
            "han: yakuman → each 13 (limits.counted_yakuman: yakuman → each_13).",
        ),
        (
            "dora.aka=true",
            "Dora, aka: on",
            "Red fives are dora: on before and after (dora.aka = true); nothing changes.",
        ),
        ("game.uma=30,10,-10,-30", "Game, uma: 30, 10, -10, -30", "20, 10, -10, -20 → 30, 10, -10, -30"),
        ("yaku.nagashi_mangan=off", "Nagashi mangan 流し満貫 off", "Do not play Nagashi mangan 流し満貫"),
    ],
)
def test_a_key_is_asked_about_by_what_it_says_before_and_after(set_, head, asked, undrawn):
    impact = rule_impact(three_games(), base="base", set_=[set_], latent=False)
    page = Page(committee.page(impact, ""))
    assert head in page.tables["Changes side by side"][0]
    assert asked in "".join(page.text)


def test_where_games_differ_in_a_key_all_its_values_before_are_named(samples, undrawn):
    impact = rule_impact(samples, set_=["yaku.tanyao.open=false"], latent=False)
    said = "".join(Page(committee.page(impact, "")).text)
    assert "Open hands count (kuitan): on or off → off (yaku.tanyao.open: true or false → false)." in said


def test_the_verdict_is_a_sentence_of_its_numbers(impact, page):
    """Three of six wins hold sanrenkou; the three others are won by tanyao alone."""
    assert sentences(impact) == {
        ONE: "occurs in 5,000 of 10,000 wins (<0.0001 – 10,000), +1,267 points each; seen 3 times, too few to say "
        "more; about as rare as Tanyao 断么九 (1 han).",
        THREE: "occurs in 5,000 of 10,000 wins (<0.0001 – 10,000), +6,000 points each; seen 3 times, too few to say "
        "more; about as rare as Tanyao 断么九 (1 han).",
        OFF: "3 of 6 wins (50.0%) would be none.",
        "together 1": "3 of 6 wins (50.0%) would be none, 2 (33.3%) would pay other points, and 1 of 2 games (50.0%) "
        "would end in another order.",
        "together 2": "3 of 6 wins (50.0%) would be none, 3 (50.0%) would pay other points, and 1 of 2 games (50.0%) "
        "would end in another order.",
    }
    assert "".join(page.text).count("about as rare as Tanyao 断么九 (1 han).") == 2


def test_a_change_of_nothing_is_said_to_change_nothing(undrawn):
    impact = rule_impact(three_games(), base="base", set_=["dora.aka=true"], latent=False)
    assert sentences(impact) == {"Dora, aka: on": SAME}
    assert "1change weighed" in "".join(Page(committee.page(impact, "")).text)


def test_the_annex_names_a_yaku_as_the_rest_of_the_page_does(page):
    row = ["yaku.tanyao", "1", "off", "Tanyao 断么九 (All simples)"]
    assert row in page.tables["From base to the candidate"]


def test_a_change_that_no_win_shows_has_an_upper_bound_and_no_other_number(samples):
    """Nothing is known of its gain, so that no interval stands there, and no figure is blank."""
    impact = rule_impact(samples, adopt=["sanrenkou=1,2"], latent=False)
    two = "Sanrenkou 三連刻 at 2"
    assert sentences(impact)[two] == "0 in 383 wins: at most 110 per 10,000 wins."
    text = committee.page(impact, "")
    page = Page(text)
    verdict = page.measures("Changes side by side")
    assert verdict["Gain per win"][two] == verdict["Gain per occurrence"][two] == ["-"]
    assert verdict["95% interval, this one alone"][two] == ["0 – 110", "-", "-"]
    assert len(page.all("img")) == 1  # the rarity alone
    assert impact_figures.NO_CROSSING in text
    assert ["Sanrenkou 三連刻", "1, 2", "0", "at most 110", "candidate"] in page.tables["Beside the standard yaku"]
    drawn = impact.plot("rarity").axes[0]
    bounds = [line.get_xdata()[0] for line in drawn.lines if line.get_marker() == "<"]
    assert bounds == [pytest.approx(impact.table()["high"][0])]
    assert drawn.get_yticklabels()[-1].get_text() == "Sanrenkou 三連刻"
    for name in ("gains", "together"):
        said = [text.get_text() for text in impact.plot(name).texts]
        assert said == [f"Sanrenkou 三連刻 at {n}: 0 in 383 wins: at most 110 per 10,000 wins" for n in (1, 2)]
    assert [text.get_text() for text in impact.plot("limits").texts] == [impact_figures.NO_CROSSING]


def test_rows_of_too_few_do_not_set_the_axis_of_the_gains(impact):
    """Three occurrences leave bounds of tens of thousands; the axis ends at what is seen."""
    drawn = impact.plot("gains").axes[0]
    means = impact.table()["gain_per_occurrence"]
    left, right = drawn.get_xlim()
    assert (left, right) == pytest.approx((1.08 * means.min() - 0.08 * 6000, 6000 + 0.08 * (6000 - means.min())))
    row = impact.table().iloc[0]
    assert row["occurrence_high_simultaneous"] > right
    assert {line.get_xdata()[0] for line in drawn.lines if line.get_marker() == ">"} == {right}
    assert "cut at the edge of the axis" in committee.page(impact, "")


def test_figures_are_lettered_alike_however_many_candidates_there_are():
    one, several = (
        rule_impact(three_games(), base="base", adopt=[f"sanrenkou={n}"], latent=False) for n in ("1", "1,2,3,4")
    )
    widths = [int(re.search(r"width: (\d+)%", page_part(one_, "together"))[1]) for one_ in (one, several)]
    assert widths[0] < 45 < widths[1]


def page_part(impact, id_: str) -> str:
    text = committee.page(impact, "")
    return text[text.index(f'<section id="{id_}">') :].partition("</section>")[0]


# What is coloured


def coloured(impact) -> dict[str, str]:
    page = Page(committee.page(impact, ""))
    heads, *rows = page.tables["Changes side by side"]
    at = next(index for index, row in enumerate(rows, start=1) if row[0] == "Gain per occurrence")
    return {head: page.marks["Changes side by side", at, place] for place, head in enumerate(heads) if place}


def many(n: int, *hands: str) -> dict[str, pa.Table]:
    won = [{"wins": [{"winner": 1, "loser": 2, "hand": hand, "win": win}]} for hand, win in hands]
    return played(*({"rounds": won} for _ in range(n)))


def test_a_gain_is_coloured_only_where_its_interval_leaves_zero_out(undrawn):
    """Thirty games with the same gain leave no doubt; where one in thirty gains all, there is doubt."""
    sure = rule_impact(many(30, (TRIPLETS, "3m"), (SIMPLES, "6s")), base="base", adopt=["sanrenkou=1"], latent=False)
    assert coloured(sure) == {ONE: "up"}
    lost = rule_impact(many(30, (SIMPLES, "6s")), base="base", drop=["tanyao"], latent=False)
    assert coloured(lost) == {OFF: "down"}
    few = rule_impact(many(29, (TRIPLETS, "3m")), base="base", adopt=["sanrenkou=1"], latent=False)
    assert coloured(few) == {ONE: "few"}
    swallowed = [{"dealer": 1, "wins": [{"winner": 1, "loser": 3, "hand": TRIPLETS_OF_THE_DEALER, "win": "3m"}]}]
    gains = [{"wins": [{"winner": 1, "loser": 2, "hand": TRIPLETS, "win": "3m"}]}]
    tables = played(*({"rounds": swallowed} for _ in range(39)), {"rounds": gains})
    doubtful = rule_impact(tables, base="base", adopt=["sanrenkou=1"], latent=False)
    assert coloured(doubtful) == {ONE: ""}


@pytest.fixture
def undrawn(monkeypatch):
    """Pages whose figures are empty, for what is not about them."""
    monkeypatch.setattr(figures, "svg", lambda _figure: b"")
    for name in impact_figures.FIGURES:
        monkeypatch.setattr(impact_figures, f"draw_{name}", lambda _result: None)


# The rules as a file


def test_the_rules_of_an_annex_are_a_file_that_can_be_checked(page, text, tmp_path, impact):
    files = [re.sub("</?bdi>", "", one) for one in re.findall(r'<pre class="file">(.*?)</pre>', text, re.DOTALL)]
    assert len(files) == len(impact.candidates)
    for one, content in zip(impact.candidates, files, strict=True):
        file = tmp_path / "changed.toml"
        file.write_text(content.replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&"), "utf-8")
        assert checked(file).hash == one.rules.hash, one.id
    assert tomllib.loads(file.read_text("utf-8"))["extends"] == "base"


def test_games_under_several_rulesets_have_the_file_of_the_most_usual(samples, tmp_path):
    impact = rule_impact(samples, adopt=["sanrenkou"], set_=["limits.kiriage_mangan=true"], latent=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        impact.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    first = re.search(r'<pre class="file"><bdi>(.*?)</bdi></pre>', text, re.DOTALL)[1].replace("&#34;", '"')
    (tmp_path / "league.toml").write_text(first, "utf-8")
    usual = impact.card.rulesets.most_common(1)[0][0]
    assert checked(tmp_path / "league.toml").hash == amended(usual, ["sanrenkou"]).hash
    assert "for others, the same lines below their own extends" in text


# The page


def test_the_page_needs_nothing_and_runs_nothing(text, page):
    assert not {"script", "link", "iframe", "object", "base", "form"} & {tag for tag, _ in page.found}
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in page.all("img"))
    assert all(link["href"].startswith("#annex-") for link in page.all("a"))
    assert all(use["href"].startswith("#tile-") for use in page.all("use"))
    assert set(re.findall(r"url\((.{15})", text)) == {"data:font/woff;"}
    assert not re.search(r"https?:", text)
    assert len(text) < 5_000_000


def test_the_page_can_be_read_without_seeing_it(page):
    assert page.all("html") == [{"lang": "en"}]
    assert all(len(image["alt"]) > 60 for image in page.all("img"))
    assert all(svg.get("aria-label") or svg.get("aria-hidden") for svg in page.all("svg"))
    ids = {attrs["id"] for _, attrs in page.found if "id" in attrs}
    assert {link["href"][1:] for link in page.all("a")} <= ids
    assert {use["href"][1:] for use in page.all("use")} <= ids


def test_the_page_names_what_it_stands_on_and_what_it_cannot_know(page):
    said = "".join(page.text)
    for words in (
        "of 6 wins agree (0.00%)",  # told games are recorded without points
        "Players would have played otherwise",
        "Clopper",
        "Bonferroni",
        "koyaku impact store --adopt sanrenkou=1,3 --drop tanyao -o report.html",
        "about as rare as",
    ):
        assert words in said
    assert re.search(r"Koyaku [\d.]+, tables of schema \d+", said)


def test_the_same_impact_gives_the_same_bytes(text, impact):
    again = rule_impact(three_games(), base="base", adopt=["sanrenkou=1,3"], drop=["tanyao"])
    command = "koyaku impact store --adopt sanrenkou=1,3 --drop tanyao -o report.html"
    assert committee.page(again, command) == text


def test_names_of_files_rules_and_filters_are_text_and_never_markup(tmp_path):
    file = tmp_path / "own.toml"
    name = HOSTILE.replace('"', "").replace("\u202e", "")
    file.write_text(
        f"name = '''{name}'''\n[yaku.mine]\nvalue = '1'\nneeds = ['toitoi']\n"
        f"english = '''{name}'''\nkanji = '''{name}'''\n"
    )
    tables = three_games()
    games = tables["games"]
    tables["games"] = games.set_column(games.column_names.index("path"), "path", pa.array([HOSTILE] * len(games)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        impact = rule_impact(tables, base=file, rules=["seed_local"], set_=["yaku.mine=2"], where=f"player != {name!r}")
        page = Page(committee.page(impact, HOSTILE))
    assert "script" not in {tag for tag, _ in page.found}
    assert "".join(page.text).count(name[:25]) > 5


def test_the_command_that_makes_it_again_asks_the_same(tmp_path):
    asked = rule_impact(
        three_games(), base="base", adopt=["sanrenkou=1,3"], drop=["tanyao"], where="players == 4", seed=9, latent=False
    ).asked
    assert asked == (
        *("--base", "base", "--adopt", "sanrenkou=1,3", "--drop", "tanyao", "--where", "players == 4"),
        *("--no-latent", "--seed", "9"),
    )
    assert rule_impact(three_games(), adopt=["sanrenkou"]).asked == ("--adopt", "sanrenkou")


# Errors


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("report.pdf", "expected a name that ends in .html"),
        ("nowhere/report.html", "no folder"),
        ("folder.html", "is a folder"),
    ],
)
def test_a_place_it_cannot_be_written_to_is_said_before_anything_is_read(tmp_path, name, said):
    (tmp_path / "folder.html").mkdir()
    for command in (["impact", "no such store", "--adopt", "sanrenkou"], ["sweep", "no such store", "--each-local"]):
        ran = CliRunner().invoke(app, [*command, "-o", str(tmp_path / name)])
        assert isinstance(ran.exception, ReportError)
        assert said in str(ran.exception)


def test_an_error_leaves_the_file_as_it_was(tmp_path, impact, monkeypatch, undrawn):
    file = tmp_path / "report.html"
    file.write_text("before")
    with monkeypatch.context() as failing:
        failing.setattr(impact_figures, "draw_limits", lambda _result: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            impact.report(file)
    monkeypatch.setattr("os.replace", lambda *_paths: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        impact.report(file)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("report.html", "before")]


def test_an_unknown_figure_is_named(impact):
    with pytest.raises(ImpactError, match="no figure 'gain'; known: gains, rarity, limits, together"):
        impact.plot("gain")


# From the command line


def commands() -> list[str]:
    """Those of the README that write a page about a change of the rules."""
    lines = (PROJECT / "README.md").read_text("utf-8").splitlines()
    return [line.strip() for line in lines if re.match(r"    koyaku (impact|sweep) .*-o \S+\.html$", line)]


@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=[pytest.mark.slow] if " sweep " in one else []) for one in commands()]
)
def test_the_commands_of_the_readme_write_their_page(command, samples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, *words = shlex.split(command)
    ran = CliRunner().invoke(app, [str(samples) if word == "store" else word for word in words])
    assert (ran.exit_code, ran.output.split()) == (0, [words[-1]])
    page = Page((tmp_path / words[-1]).read_text("utf-8"))
    assert any("三連刻" in cell for rows in page.tables.values() for row in rows for cell in row)


def test_the_readme_has_both_commands():
    assert [shlex.split(command)[1] for command in commands()] == ["impact", "sweep"]


def test_more_candidates_than_fit_side_by_side_stand_in_several_tables(samples, undrawn):
    impact = rule_impact(samples, adopt=["sanrenkou=1,2,3"], drop=["riichi"], latent=False)
    page = Page(committee.page(impact, ""))
    assert len(page.measures("Changes side by side, 1 to 5 of 7")["Occurrences, n"]) == 5
    assert list(page.measures("Changes side by side, 6 to 7 of 7")["Occurrences, n"]) == ["together 2", "together 3"]


def test_a_sweep_is_a_page_too(tmp_path, monkeypatch):
    result = sweep(three_games(), base="base", each_local=True, latent=False)
    result.report(tmp_path / "sweep.html", command="koyaku sweep store --each-local -o sweep.html")
    page = Page((tmp_path / "sweep.html").read_text("utf-8"))
    heads, *rows = page.tables["Each alone against the base"]
    frame = result.table()
    assert len(rows) == len(frame)
    shown = {(row[0], row[1]): row for row in rows}
    name = "Sanrenkou 三連刻 (Three consecutive triplets)sanrenkou; too few"
    row = frame[(frame["yaku"] == "sanrenkou") & frame["option"].isna()].iloc[0]
    assert row["n"] == 3
    assert shown[name, row["value"]][2:4] == ["3", "5,000"]
    assert shown[name, row["value"]][6] == f"{row['mean_gain']:+,.0f}"
    assert all(link not in page.text for link in ("http:", "https:"))
    assert heads[0] == "Yaku"


def test_statistics_take_a_path_as_well_as_a_store(tmp_path):
    with opened(SAMPLES) as store:
        for statistic in (yaku_frequency, han_distribution):
            pd.testing.assert_frame_equal(statistic(SAMPLES).frame, statistic(store).frame)


def test_a_ruleset_of_ones_own_comes_back_from_its_file(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('extends = "tenhou_4p_aka"\n[yaku.mine]\nclosed = 2\nneeds = ["toitoi"]\nforbids = ["kan"]\n')
    own = ruleset(file).amend({"yaku.sanrenkou": "2"})
    (tmp_path / "own.toml").write_text(file_text(own, "again"))
    assert checked(tmp_path / "own.toml").hash == own.hash
