"""The notebooks run on the samples, say what the library says, and make pages that load nothing."""

import json
import re

import pytest
from conftest import PROJECT
from typer.testing import CliRunner

import koyaku
import notebooks
from analytics.cli import app
from analytics.reports import ReportError
from parsers.store import Store

SAMPLES = PROJECT / "data_samples"


def outputs(path) -> list[dict]:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


@pytest.mark.parametrize("name", notebooks.names())
def test_a_notebook_is_stored_without_outputs(name):
    path = PROJECT / "notebooks" / f"{name}.ipynb"
    assert outputs(path) == []
    assert path.read_text("utf-8").isascii()


@pytest.mark.parametrize("name", notebooks.names())
def test_a_notebook_runs_on_the_samples_and_its_page_works_offline(name, tmp_path):
    page = tmp_path / "out" / f"{name}.html"
    ran = CliRunner().invoke(app, ["notebook", name, str(SAMPLES), "-o", str(page)])
    assert ran.exit_code == 0, ran.output
    text = page.read_text("utf-8")
    assert not re.search(r"""<(?:script|link|img)[^>]+(?:src|href)=["']?(?:https?:)?//""", text)
    shown = outputs(page.with_suffix(".ipynb"))
    assert not [output for output in shown if output["output_type"] == "error"]
    assert any("image/png" in output.get("data", {}) for output in shown)


def test_a_notebook_of_logs_of_which_some_were_rejected_is_made_and_ends_with_3(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "junk").write_text("junk")
    log = sorted(SAMPLES.glob("*.mjlog"))[0]
    (tmp_path / "logs" / log.name).write_bytes(log.read_bytes())
    page = tmp_path / "han.html"
    ran = CliRunner().invoke(app, ["notebook", "han_distribution", str(tmp_path / "logs"), "-o", str(page)])
    assert (ran.exit_code, page.exists()) == (3, True)
    assert ran.stderr == "1 files, or the rest of them, were not read: 'koyaku ingest' tells why\n"


def test_its_parameters_reach_the_library(tmp_path):
    page = tmp_path / "three.html"
    parameters = {"store": str(SAMPLES), "adopt": ["uumensai=5"], "drop": ["pinfu"], "where": "players == 3"}
    notebooks.run("han_distribution", page, parameters)
    data = [output.get("data", {}) for output in outputs(page.with_suffix(".ipynb"))]
    shown = next(one["text/html"] for one in data if "text/html" in one)
    with koyaku.opened(SAMPLES) as games:
        rules = koyaku.amended_rules("recorded", ["uumensai=5"], ["pinfu"])
        expected = koyaku.han_distribution(games, rules=rules, where="players == 3").table()
    assert "".join(shown) == expected._repr_html_()


def test_the_command_line_asks_the_notebook_of_rule_impact(tmp_path):
    page = tmp_path / "impact.html"
    asked = ["--drop", "tanyao", "--set", "limits.kiriage_mangan=true", "--base", "tenhou_4p_aka"]
    ran = CliRunner().invoke(app, ["notebook", "rule_impact", str(SAMPLES), "-o", str(page), *asked])
    assert ran.exit_code == 0, ran.output
    text = page.read_text("utf-8")
    assert "drop tanyao" in text
    assert "sanrenkou=" not in text.partition("# Parameters")[2]
    assert "font-family: \"Koyaku Japanese\"; src: url(data:font/woff" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no_such", str(SAMPLES), "-o", "page.html"], "no notebook 'no_such'; known: han_distribution"),
        (["han_distribution", str(SAMPLES), "-o", "page.pdf"], "expected a name that ends in .html"),
    ],
)
def test_a_mistake_is_one_line(arguments, said):
    ran = CliRunner().invoke(app, ["notebook", *arguments])
    assert isinstance(ran.exception, (notebooks.NotebookError, ReportError))
    assert said in str(ran.exception)


def test_an_unknown_parameter_and_a_failing_cell_are_said(tmp_path):
    with pytest.raises(notebooks.NotebookError, match="no parameter 'rule'; known: store, rules, adopt, "):
        notebooks.run("han_distribution", tmp_path / "page.html", {"rule": "base"})
    with pytest.raises(notebooks.NotebookError, match="no ruleset 'basse'; nearest: 'base'"):
        notebooks.run("han_distribution", tmp_path / "page.html", {"store": str(SAMPLES), "rules": "basse"})
    assert list(tmp_path.iterdir()) == []


def test_a_cell_that_fails_is_told_without_words_of_the_kernel(tmp_path, capfd):
    with pytest.raises(notebooks.NotebookError, match="no games"):
        notebooks.run("rule_impact", tmp_path / "page.html", {"store": str(Store.create(tmp_path / "store").path)})
    assert capfd.readouterr().err == ""
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
