"""The command line: exit codes, what is printed where, and that a mistake is one line."""

import io
import json
import subprocess
import sys

import pytest
from conftest import PROJECT

from analytics import cli
from analytics.scoring.ruleset import keys, ruleset, shipped
from parsers.schema import TABLES

SAMPLES = {path.name: path.read_bytes() for path in sorted((PROJECT / "data_samples").glob("*.mjlog"))[:20]}
WHOLE = [(name, data) for name, data in SAMPLES.items() if b"owari=" in data][:4]
CASE = {"id": "a", "hand": "234567m345p99p67s", "win": "8s", "by": "ron", "ctx": {"seat": "S", "round": "E"}}


@pytest.fixture
def koyaku(monkeypatch, capsys):
    """Run a command; its exit code, standard output and standard error."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["koyaku", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capsys.readouterr()
        return stop.value.code or 0, out, err

    return run


@pytest.fixture
def logs(tmp_path):
    """A folder with four whole games."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, data in WHOLE:
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def broken(logs):
    (logs / "cut.mjlog").write_bytes(WHOLE[0][1][:2000])
    return logs / "cut.mjlog"


def spoil(folder):
    """Another number of points in one recorded win of the folder."""
    path = folder / WHOLE[0][0]
    text = path.read_text("utf-8")
    at = text.index(' ten="', text.index("<AGARI"))
    fu, _, rest = text[at + 6 :].split(",", 2)
    path.write_text(text[: at + 6] + f"{fu},123400,{rest}", "utf-8")


# Exit codes


def test_what_works_exits_with_0(koyaku, logs, tmp_path):
    code, out, err = koyaku("ingest", logs, "-s", tmp_path / "store")
    assert (code, err) == (0, "")
    assert out.startswith("4 files: 4 games added, 0 stored already, 0 duplicates of other games, ")
    assert out.endswith(" 0 rejects\n")
    code, out, err = koyaku("audit", tmp_path / "store")
    assert (code, err) == (0, "")
    code, out, err = koyaku("compact", tmp_path / "store")
    assert (code, out, err) == (0, "", "")


def test_findings_exit_with_1_also_beside_rejects(koyaku, logs, broken):
    spoil(logs)
    code, out, _ = koyaku("audit", logs)
    assert code == 1
    [line] = [line for line in out.splitlines() if ": points: recorded 123400, computed " in line]
    assert line.startswith(str(logs))
    assert "rejects 1" in out


def test_rejects_alone_exit_with_3(koyaku, logs, broken, tmp_path):
    code, out, _ = koyaku("audit", logs)
    assert code == 3
    assert "rejects 1" in out
    code, out, _ = koyaku("ingest", logs, "-s", tmp_path / "store")
    assert code == 3
    assert out.splitlines()[0].endswith(" 1 rejects")
    assert len(out.splitlines()) == 2


def test_ingesting_again_stores_nothing_twice(koyaku, logs, tmp_path):
    koyaku("ingest", logs, "-s", tmp_path / "store")
    code, out, _ = koyaku("ingest", logs, "-s", tmp_path / "store")
    assert code == 0
    assert out.startswith("4 files: 0 games added, 4 stored already, ")


MISTAKES = [
    ("nonsense",),
    ("audit",),
    ("audit", "{logs}", "--jsn"),
    ("audit", "{logs}", "--workers", "0"),
    ("audit", "{logs}/none"),
    ("ingest", "{logs}/none", "-s", "{logs}/store"),
    ("ingest", "{logs}", "-s", "{log}"),
    ("compact", "{logs}"),
    ("compact", "{logs}/none"),
    ("schema", "wnis"),
    ("hands", "{logs}/none.jsonl"),
    ("hands", "{case}", "--rules", "tenhou"),
    ("hands", "{case}", "--rules", "{logs}/none.toml"),
    ("hands", "{case}", "--rules", "{log}.toml"),
    ("hands", "{case}", "--adopt", "tanyo"),
    ("hands", "{case}", "--drop", "tanyo"),
    ("hands", "{case}", "--set", "dora.aka"),
    ("hands", "{case}", "--set", "dora.aka=perhaps"),
    ("yaku", "{logs}", "--adopt", "tanyo"),
    ("yaku", "{logs}", "--adopt", "tanron"),
    ("yaku", "{logs}", "--rules", "m_league"),
    ("yaku", "{logs}", "--set", "round.kuikae=true"),
    ("yaku", "{logs}", "--where", "nothing == 4"),
    ("han", "{logs}", "--by", "nothing"),
    ("rules", "show", "tenhou"),
    ("rules", "show"),
]


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_a_users_mistake_is_one_line_and_exits_with_2(koyaku, logs, tmp_path, words):
    case = tmp_path / "case.jsonl"
    case.write_text(json.dumps(CASE), "utf-8")
    named = {"logs": str(logs), "log": str(next(logs.iterdir())), "case": str(case)}
    (logs / (next(logs.iterdir()).name + ".toml")).write_text("dora.aka = [", "utf-8")
    code, out, err = koyaku(*(word.format(**named) for word in words))
    assert (code, out) == (2, "")
    assert err.startswith("koyaku: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_mistake_names_what_was_meant(koyaku, logs):
    assert "nearest: 'tenhou_4p_aka'" in koyaku("rules", "show", "tenhou_4p_akka")[2]
    assert "known: games, seats" in koyaku("schema", "wnis")[2]
    assert "Try 'koyaku audit -h'" in koyaku("audit")[2]
    assert str(logs / "none") in koyaku("audit", logs / "none")[2]


def test_no_arguments_print_the_help_and_exit_with_2(koyaku):
    for words in ((), ("rules",)):
        code, out, err = koyaku(*words)
        assert (code, err) == (2, "")
        assert "Usage: koyaku" in out


def test_a_fault_of_ours_keeps_its_traceback(koyaku, monkeypatch):
    def broken(*_):
        raise ValueError("ours")

    monkeypatch.setattr("analytics.scoring.ruleset.ruleset", broken)
    monkeypatch.setattr(sys, "argv", ["koyaku", "rules", "show", "base"])
    with pytest.raises(ValueError, match="ours"):
        cli.main()


def test_a_stop_by_the_keyboard_exits_with_130(koyaku, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("analytics.scoring.ruleset.ruleset", stop)
    assert koyaku("rules", "show", "base")[0] == 130


# What is printed


def test_the_version_is_that_of_the_package(koyaku):
    import koyaku as face

    assert koyaku("--version") == (0, face.__version__ + "\n", "")


def test_help_names_every_command(koyaku):
    code, out, _ = koyaku("--help")
    assert code == 0
    for command in ("ingest", "compact", "schema", "audit", "hands", "yaku", "han", "report", "rules"):
        assert f" {command} " in out
        assert koyaku(command, "--help")[0] == 0


def test_schema_prints_every_column_of_every_table_with_its_meaning(koyaku):
    code, out, err = koyaku("schema")
    assert (code, err) == (0, "")
    for name, schema in TABLES.items():
        assert f"{name}\n" in out
        for column in schema:
            assert column.metadata[b"description"].decode() in out
    code, one, _ = koyaku("schema", "wins")
    assert code == 0
    assert one in out
    assert len(one.splitlines()) == 2 * len(TABLES["wins"]) + 2


def test_rules_list_prints_every_ruleset_with_its_hash_and_name(koyaku):
    code, out, err = koyaku("rules", "list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped())
    for line in lines:
        rules = ruleset(line.split()[0])
        assert rules.hash in line
        gaps = f"  incomplete: {len(rules.unknown)} keys unknown" if rules.unknown else ""
        assert line.endswith(f"{rules.name}{gaps}")


def test_rules_show_prints_every_key_with_its_value_and_origin(koyaku):
    code, out, err = koyaku("rules", "show", "tenhou_3p")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 1 + len(keys())
    assert lines[0] == f"# tenhou_3p: Tenhou, three players ({ruleset('tenhou_3p').hash})"
    for key, value, origin in (
        ("payment.noten", "2000", "tenhou_3p"),
        ("payment.honba", "100", "base"),
        ("yaku.chanta", "2/1", "base"),
    ):
        [line] = [line for line in lines if line.startswith(f"{key} = ")]
        assert line.startswith(f"{key} = {value}    # {origin}; {keys()[key].stage}; ")


def test_hands_prints_one_result_a_line_and_skips_blank_ones(koyaku, tmp_path, monkeypatch):
    text = f"{json.dumps(CASE)}\n\n{json.dumps(CASE | {'id': 'b', 'by': 'tsumo'})}\nnot json\n"
    (tmp_path / "cases.jsonl").write_text(text, "utf-8")
    code, out, err = koyaku("hands", tmp_path / "cases.jsonl")
    assert (code, err) == (0, "")
    results = [json.loads(line) for line in out.splitlines()]
    assert [r["id"] for r in results] == ["a", "b", 4]
    assert [r.get("points") for r in results] == [1000, 1500, None]
    assert results[2]["error"] == "bad_line"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert koyaku("hands", "-") == (0, out, "")


def test_hands_are_scored_under_the_rules_of_the_options(koyaku, tmp_path):
    path = tmp_path / "case.jsonl"
    path.write_text(json.dumps(CASE), "utf-8")
    for options, points in [
        (("--rules", "tenhou_4p_aka"), 1000),
        (("--adopt", "pinfu=3/off"), 3900),
        (("--set", "yaku.pinfu=mangan/off"), 8000),
        (("--drop", "pinfu"), None),
    ]:
        code, out, _ = koyaku("hands", path, *options)
        assert code == 0
        assert json.loads(out).get("points") == points
    mine = tmp_path / "mine.toml"
    mine.write_text('yaku.pinfu = "2/off"\n', "utf-8")
    assert json.loads(koyaku("hands", path, "--rules", mine)[1])["points"] == 2000


# JSON


def test_ingest_prints_its_counts_as_json(koyaku, logs, broken, tmp_path):
    code, out, err = koyaku("ingest", logs, "-s", tmp_path / "store", "--json")
    assert (code, err) == (3, "")
    counts = json.loads(out)
    assert (counts["files"], counts["games"], counts["stored"], counts["duplicates"]) == (5, counts["games"], 0, 0)
    assert counts["games"] >= 4
    assert counts["rounds"] > counts["games"]
    assert sum(counts["rejects"].values()) == 1


def test_audit_prints_its_counts_and_mismatches_as_json(koyaku, logs, broken):
    spoil(logs)
    code, out, err = koyaku("audit", logs, "--json")
    assert (code, err) == (1, "")
    found = json.loads(out)
    assert found["wins"] > found["agree"] > 0
    assert found["rate"] == found["agree"] / found["wins"]
    assert found["rejects"] == 1
    of_games = [one for by_rules in found["by_source"].values() for one in by_rules.values()]
    assert sum(one["wins"] for one in of_games) == found["wins"]
    assert {"source", "round", "winner", "field", "recorded", "computed", "cause"} == set(found["mismatches"][0])
    assert "points" in {one["field"] for one in found["mismatches"]}


@pytest.mark.parametrize("command", ["yaku", "han"])
def test_statistics_print_json_csv_or_text(koyaku, logs, command):
    code, out, err = koyaku(command, logs, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)
    code, out, err = koyaku(command, logs, "--csv", "--rules", "base")
    assert (code, err) == (0, "")
    header, *rows = out.splitlines()
    assert {row.count(",") >= header.count(",") for row in rows} == {True}
    code, out, err = koyaku(command, logs)
    assert (code, err) == (0, "")
    assert out


# Other processes


def shell(line, **more):
    koyaku = f"{sys.executable} -m analytics.cli"
    return subprocess.run(
        ["bash", "-c", line.replace("koyaku", koyaku)], cwd=PROJECT, capture_output=True, text=True, timeout=60, **more
    )


@pytest.mark.parametrize("command", ["koyaku schema", "koyaku rules show base", "koyaku hands {case}"])
def test_a_reader_that_has_enough_ends_a_command_quietly(tmp_path, command):
    case = tmp_path / "case.jsonl"
    case.write_text(f"{json.dumps(CASE)}\n" * 600, "utf-8")
    done = shell(command.format(case=case) + " | head -1; exit ${PIPESTATUS[0]}")
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1


def test_nothing_but_the_result_is_printed_where_no_terminal_is(logs, tmp_path):
    done = shell(f"koyaku ingest {logs} -s {tmp_path}/store --json")
    assert done.stderr == ""
    assert json.loads(done.stdout)["games"] == 4


def test_exit_codes_reach_the_shell():
    assert shell("koyaku rules show nothing").returncode == 2
    assert shell("koyaku rules show base").returncode == 0
