"""The command line: exit codes, what is printed where, and that a mistake is one line."""

import io
import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import PROJECT

from analytics import cli
from analytics.corpus import ingest, read
from analytics.described import RESULTS
from analytics.impact import rule_impact
from analytics.metrics import COLUMNS, han_distribution, yaku_frequency
from analytics.metrics.where import GRAMMAR, Where
from analytics.scoring.facts import names
from analytics.scoring.ruleset import catalog, keys, ruleset, shipped
from analytics.sweep import sweep
from parsers.schema import TABLES
from parsers.store import Store

SAMPLES = {path.name: path.read_bytes() for path in sorted((PROJECT / "data_samples").glob("*.mjlog"))[:20]}
WHOLE = [(name, data) for name, data in SAMPLES.items() if b"owari=" in data][:4]
CASE = {"id": "a", "hand": "234567m345p99p67s", "win": "8s", "by": "ron", "ctx": {"seat": "S", "round": "E"}}


@pytest.fixture
def logs(tmp_path):
    """A folder with four whole games."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, data in WHOLE:
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of the four games, to read only."""
    folder = tmp_path_factory.mktemp("cli")
    for name, data in WHOLE:
        (folder / name).write_bytes(data)
    ingest(folder, folder / "store")
    return folder / "store"


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


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("yaku", ()),
        ("yaku", ("--json",)),
        ("han", ("--csv",)),
        ("impact", ("--adopt", "sanrenkou")),
        ("impact", ("--adopt", "sanrenkou", "--json")),
        ("impact", ("--adopt", "sanrenkou", "--csv", "tables")),
        ("sweep", ("--each-local", "--no-latent")),
        ("sweep", ("--each-local", "--no-latent", "-o", "sweep.json")),
        ("audit", ()),
        ("report", ("-o", "report")),
    ],
    ids=str,
)
def test_every_command_that_read_logs_of_which_some_were_rejected_exits_with_3_and_says_so(
    koyaku, logs, broken, tmp_path, monkeypatch, command, options
):
    monkeypatch.chdir(tmp_path)
    code, out, err = koyaku(command, logs, *options)
    assert (code, out != "") == (3, True)
    if command == "audit":
        assert "rejects 1" in out
    else:
        assert re.fullmatch(r"1 files, or the rest of them, were not read: .+\n", err.splitlines(keepends=True)[-1])
    shutil.rmtree("report", ignore_errors=True)
    broken.unlink()
    assert koyaku(command, logs, *options)[0] == 0


def test_what_was_rejected_of_a_store_is_for_its_ingest_to_say(koyaku, logs, broken, tmp_path):
    store = tmp_path / "store"
    assert koyaku("ingest", logs, "-s", store)[0] == 3
    impact = ("--adopt", "sanrenkou")
    for command, options in (("yaku", ()), ("han", ()), ("impact", impact), ("sweep", ("--each-local", "--no-latent"))):
        code, _, err = koyaku(command, store, *options)
        assert (code, err) == (0, "")
    assert koyaku("audit", store)[0] == 3


def test_a_cut_off_log_is_explained_as_far_as_it_goes_with_3(koyaku, logs):
    name, data = WHOLE[0]
    log = logs / name
    log.write_bytes(data[: data.rindex(b"<AGARI")])
    [win] = [part["wins"].slice(0, 1).to_pylist()[0] for part in [read(log)]]
    code, out, err = koyaku("explain", log, win["round_no"], win["winner"])
    assert (code, out != "") == (3, True)
    assert err == "1 files, or the rest of them, were not read: 'koyaku ingest' tells why\n"


def test_a_store_that_lost_its_marker_is_told_as_one(koyaku, logs, tmp_path):
    store = tmp_path / "store"
    koyaku("ingest", logs, "-s", store)
    (store / "koyaku.json").unlink()
    said = f"koyaku: {store}: a store without its koyaku.json; remove {store} and ingest the logs again\n"
    asked = [(command, store) for command in ("audit", "yaku", "score", "compact")]
    for words in (*asked, ("ingest", logs, "-s", store)):
        assert koyaku(*words) == (2, "", said)
    for words in (("ingest", store, "-s", tmp_path / "other"), ("audit", logs, store)):
        assert koyaku(*words) == (2, "", f"koyaku: {store}: is a store, not a folder of logs\n")


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
    ("hands", "{case}", "--adopt", "tanron"),
    ("hands", "{case}", "--set", "round.kuikae=true"),
    ("hands", "{case}", "--rules", "ema_2016"),
    ("hands", "{case}", "--assume", "yes"),
    ("rules", "show", "tenhou"),
    ("rules", "show"),
    ("rules", "diff", "base"),
    ("rules", "diff", "base", "tenhou"),
    ("rules", "diff", "base", "tenhou_3p", "--adopt", "tanyo"),
    ("audit", "{logs}", "--rules", "wrc_2025"),
    ("audit", "{logs}", "--rules", "mahjong_soul_4p"),
    ("impact", "{logs}", "--rules", "mahjong_soul_4p"),
    ("audit", "{logs}", "--adopt", "tanyo"),
    ("rules", "check", "{log}.toml"),
    ("rules", "check", "{logs}/none.toml"),
    ("score", "{logs}"),
    ("score", "{logs}/none"),
    ("score", "{store}", "--rules", "base,tenhou"),
    ("score", "{store}", "--rules", ","),
    ("score", "{store}", "--rules", "base,,base"),
    ("impact", "{store}", "--rules", "seed_local", "--rules", "seed_local"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--rules", "base,base"),
    ("score", "{store}", "--rules", "base,wrc_2025"),
    ("explain", "234m567p34678s99p", "5s"),
    ("explain", "234m567p34678s99p", "5s", "rob"),
    ("explain", "234m567p34678s99p", "5x", "ron"),
    ("explain", "234m567p34678s9p", "5s", "ron"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--ctx", "riichi"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--ctx", "richi=double"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--seat", "X"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--dora", "9x"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--rules", "base,tenhou"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--rules", "wrc_2025"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--rules", "recorded"),
    ("explain", "234m567p34678s99p", "5s", "ron", "--set", "round.kuikae=on"),
    ("explain", "{logs}", "0", "1"),
    ("sweep", "{logs}", "--each-local", "-o", "{logs}/sweep.xlsx"),
    ("explain", "{logs}/none", "0", "1"),
    ("explain", "{store}", "0", "1"),
    ("explain", "{store}", "zero", "1", "--game", "{name}"),
    ("explain", "{store}", "0", "1", "--game", "nothing"),
    ("explain", "{store}", "99", "1", "--game", "{name}"),
]


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_a_users_mistake_is_one_line_and_exits_with_2(koyaku, logs, store, tmp_path, words):
    case = tmp_path / "case.jsonl"
    case.write_text(json.dumps(CASE), "utf-8")
    named = {"logs": str(logs), "log": str(next(logs.iterdir())), "case": str(case)}
    named |= {"store": str(store), "name": WHOLE[0][0]}
    (logs / (next(logs.iterdir()).name + ".toml")).write_text("dora.aka = [", "utf-8")
    code, out, err = koyaku(*(word.format(**named) for word in words))
    assert (code, out) == (2, "")
    assert err.startswith("koyaku: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["audit", "yaku", "han", "sweep", "report", "impact", "score", "explain"])
def test_a_store_that_lacks_what_is_derived_of_wins_is_one_line_and_exits_with_2(koyaku, store, tmp_path, command):
    maimed = shutil.copytree(store, tmp_path / "store")
    shutil.rmtree(maimed / "circumstances")
    options = {
        "report": ("-o", tmp_path / "out"),
        "impact": ("--adopt", "sanrenkou"),
        "sweep": ("--each-local",),
        "explain": (0, 0),
    }
    code, out, err = koyaku(command, maimed, *options.get(command, ()))
    assert (code, out) == (2, "")
    file = maimed / "circumstances/part-00000000.parquet"
    assert err == f"koyaku: {file}: no such file; remove {maimed} and ingest the logs again\n"
    assert not (tmp_path / "out").exists()


LOGS_OF = {
    "ingest": ("-s", "{out}"),
    "audit": (),
    "yaku": (),
    "han": (),
    "impact": ("--adopt", "sanrenkou"),
    "sweep": ("--each-local",),
    "report": ("-o", "{out}"),
    "explain": ("0", "1"),
}


@pytest.mark.parametrize("command", LOGS_OF)
def test_a_folder_without_any_file_is_one_line_that_names_it_and_exits_with_2(koyaku, tmp_path, command):
    (tmp_path / "none" / "deep").mkdir(parents=True)
    out = tmp_path / "out"
    code, printed, err = koyaku(command, tmp_path / "none", *(word.format(out=out) for word in LOGS_OF[command]))
    assert (code, printed) == (2, "")
    assert re.fullmatch(rf"koyaku: {tmp_path}/none: no file found; looked for .*\n", err)
    assert not out.exists()


def test_a_folder_of_files_that_are_no_logs_is_done_and_exits_with_3(koyaku, tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "junk").write_text("junk")
    assert koyaku("ingest", tmp_path / "none", "-s", tmp_path / "store")[0] == 3
    assert koyaku("audit", tmp_path / "none")[0] == 3


WRITES = [
    ("impact", "--adopt", "sanrenkou", "-o", "{to}.html"),
    ("impact", "--adopt", "sanrenkou", "--csv", "{to}"),
    ("sweep", "--each-local", "-o", "{to}.html"),
    ("sweep", "--each-local", "-o", "{to}.csv"),
    ("sweep", "--each-local", "-o", "{to}.json"),
    ("report", "-o", "{to}"),
    ("notebook", "-o", "{to}.html"),
]


@pytest.fixture(params=WRITES, ids=" ".join)
def writes(koyaku, logs, request, monkeypatch):
    """Run a command that writes to a place, of logs that nothing may read yet."""
    monkeypatch.setattr("parsers.ingest.log_files", lambda _paths: pytest.fail("logs were read"))
    command, *words = request.param
    source = ("han_distribution", logs) if command == "notebook" else (logs,)

    def run(to):
        code, out, err = koyaku(command, *source, *(word.format(to=to) for word in words))
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err, words[-1].format(to=to)

    return run


def test_a_place_that_cannot_be_written_to_is_told_before_the_work(writes, tmp_path, monkeypatch):
    def refuse(**_options):
        raise PermissionError(13, "Permission denied", "/aside/tmp123")

    monkeypatch.setattr("analytics.targets.tempfile.TemporaryFile", refuse)
    before = sorted(tmp_path.rglob("*"))
    err, target = writes(tmp_path / "out")
    assert err == f"koyaku: {target}: cannot be written: Permission denied\n"
    assert sorted(tmp_path.rglob("*")) == before


def test_a_place_in_a_file_is_told_before_the_work(writes, tmp_path):
    (tmp_path / "file").write_text("")
    assert writes(tmp_path / "file" / "out")[0] == f"koyaku: {tmp_path / 'file'}: is a file; expected a folder\n"


@pytest.mark.parametrize("ending", ["html", "csv", "json"])
def test_a_page_or_a_table_needs_its_folder(koyaku, logs, tmp_path, ending):
    out = tmp_path / "none" / f"x.{ending}"
    said = f"koyaku: {out}: no folder {tmp_path / 'none'}\n"
    assert koyaku("sweep", logs, "--each-local", "-o", out) == (2, "", said)
    if ending == "html":
        assert koyaku("impact", logs, "--adopt", "sanrenkou", "-o", out) == (2, "", said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rules", "show", "{none}.toml"), "{none}.toml: cannot be read: No such file or directory"),
        (("impact", "{store}", "--rules", "{none}.toml"), "{none}.toml: cannot be read: No such file or directory"),
        (("hands", "{none}.jsonl"), "{none}.jsonl: No such file or directory"),
        (("hands", "{store}"), "{store}: Is a directory"),
        (("sweep", "{store}", "--rules-dir", "{none}"), "{none}: no ruleset, there is no such folder"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_once(koyaku, store, tmp_path, words, said):
    named = {"none": tmp_path / "none", "store": store}
    assert koyaku(*(word.format(**named) for word in words)) == (2, "", f"koyaku: {said.format(**named)}\n")


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
    def broken(*_, **__):
        raise ValueError("ours")

    monkeypatch.setattr("analytics.scoring.ruleset.amended", broken)
    monkeypatch.setattr(sys, "argv", ["koyaku", "rules", "show", "base"])
    with pytest.raises(ValueError, match="ours"):
        cli.main()


def test_a_stop_by_the_keyboard_exits_with_130(koyaku, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("analytics.scoring.ruleset.amended", stop)
    assert koyaku("rules", "show", "base")[0] == 130


# What is printed


def test_the_version_is_that_of_the_package(koyaku):
    import koyaku as face

    assert koyaku("--version") == (0, face.__version__ + "\n", "")


NEW = ("score", "explain")


def test_help_names_every_command(koyaku):
    code, out, _ = koyaku("--help")
    assert code == 0
    for command in (*("ingest", "compact", "schema", "audit", "hands", "yaku", "han", "report", "rules"), *NEW):
        assert f" {command} " in out
        assert koyaku(command, "--help")[0] == 0


def test_schema_prints_every_column_of_every_table_with_its_meaning(koyaku):
    code, out, err = koyaku("schema")
    assert (code, err) == (0, "")
    assert [line for line in out.splitlines() if line in TABLES] == list(TABLES)
    for name, schema in TABLES.items():
        assert f"{name}\n" in out
        for column in schema:
            assert column.metadata[b"description"].decode() in out
    code, one, _ = koyaku("schema", "wins")
    assert code == 0
    assert one in out
    assert len(one.splitlines()) == 2 * len(TABLES["wins"]) + 2


def test_schema_prints_what_a_filter_and_a_split_may_name_and_how_they_are_written(koyaku):
    code, out, err = koyaku("schema", "where")
    assert (code, err) == (0, "")
    for column in COLUMNS.values():
        assert f"  {column.name:20} {column.kind}" in out
        assert column.description in out
    assert "limit                word: none, mangan, haneman" in out
    assert GRAMMAR in out
    [example] = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("  Example: ")]
    assert Where(example).columns == {"players", "limit", "is_open"}
    assert out in koyaku("schema")[1]
    for command in ("yaku", "han", "impact", "sweep", "report", "notebook"):
        shown = " ".join(koyaku(command, "-h")[1].replace("│", " ").split())
        assert "'koyaku schema where'" in shown, command


def test_schema_describes_every_column_of_every_result(koyaku, store):
    results = {
        "yaku": {"": yaku_frequency(store).table()},
        "han": {"": han_distribution(store).table()},
        "sweep": {"": sweep(store, each_local=True).table()},
        "impact": rule_impact(store, adopt=["sanrenkou"], latent_in_games=True).tables,
    }
    for command, tables in results.items():
        code, out, err = koyaku("schema", command)
        assert (code, err) == (0, "")
        heads = [f" FOLDER: {name}.csv; --json: {name}" if name else ", --json" for name in tables]
        assert [line for line in out.splitlines() if line.startswith("koyaku ")] == [
            f"koyaku {command} --csv{head}" for head in heads
        ]
        printed = [line.split(maxsplit=1) for line in out.splitlines() if line.startswith("  ")]
        assert [name for name, _ in printed] == [name for table in tables.values() for name in table.columns]
        assert all(sentence.endswith(".") for _, sentence in printed)
        for name, table in tables.items():
            assert list(RESULTS[command][name]) == list(table.columns), (command, name)


def test_rules_list_prints_every_ruleset_with_its_hash_and_name(koyaku):
    code, out, err = koyaku("rules", "list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == ["base", *(id_ for id_ in shipped() if id_ != "base")]
    for line in lines:
        rules = ruleset(line.split()[0])
        gaps = f"  incomplete: {len(rules.unknown)} keys unknown" if rules.unknown else ""
        gaps += ", nothing known beyond base" if rules.id in ("jpml_b", "yakuza_series") else ""
        assert rules.hash in line
        assert line.endswith(rules.name + gaps)


def test_rules_show_prints_a_file_with_every_key_its_value_origin_stage_and_meaning(koyaku):
    code, out, err = koyaku("rules", "show", "tenhou_3p")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 2 + len(keys())
    assert lines[:2] == [f"# tenhou_3p ({ruleset('tenhou_3p').hash})", 'name = "Tenhou, three players"']
    doc = keys()["payment.noten"].doc
    assert f"payment.noten = 2000    # tenhou_3p; settle; {doc}" in lines
    assert 'yaku.chanta.value = "2/1"    # base; score; Common ends, 混全帯么九' in lines
    assert 'yaku.sanrenkou.value = "off"    # base; score; Three consecutive triplets, 三連刻' in lines
    code, out, _ = koyaku("rules", "show", "tenhou_3p", "--stated")
    assert code == 0
    keys_of = [line.split(" = ")[0] for line in out.splitlines()[2:]]
    assert keys_of == [key for key in keys() if ruleset("tenhou_3p")[key] != ruleset("base")[key]]
    unknown = koyaku("rules", "show", "wrc_2025")[1]
    assert 'unknown = ["limits.counted_yakuman", ' in unknown
    assert "# limits.counted_yakuman = unknown    # base; score; " in unknown


def test_what_rules_show_prints_with_changes_is_a_file_that_rules_check_takes(koyaku, tmp_path):
    changes = ("--adopt", "shoutate", "--set", "payment.honba=200", "--drop", "ippatsu")
    code, out, _ = koyaku("rules", "show", "tenhou_3p", "--stated", *changes)
    assert code == 0
    assert out.startswith("# tenhou_3p + shoutate=2, ippatsu=off, payment.honba=200 (")
    assert "payment.honba = 200    # amended; " in out
    assert 'yaku.shoutate.value = "2"    # adopted; ' in out
    assert 'yaku.sanshoku_doukou.value = "3"    # yaku.shoutate.upgrade_sanshoku_doukou_to_3; ' in out
    for options in ((), ("--stated",)):
        (tmp_path / "mine.toml").write_text(koyaku("rules", "show", "tenhou_3p", *options, *changes)[1], "utf-8")
        code, checked, err = koyaku("rules", "check", tmp_path / "mine.toml")
        assert (code, err) == (0, "")
        assert out.splitlines()[0].split(" (")[1].rstrip(")") in checked
        assert koyaku("rules", "diff", tmp_path / "mine.toml", "tenhou_3p", *changes)[1] == ""


def test_rules_diff_prints_the_keys_that_differ(koyaku):
    code, out, err = koyaku("rules", "diff", "tenhou_4p_aka", "tenhou_4p_noaka_nokuitan")
    assert (code, err) == (0, "")
    assert [line.split("    #")[0] for line in out.splitlines()] == [
        "dora.aka: true -> false",
        "yaku.tanyao.open: true -> false",
    ]
    assert koyaku("rules", "diff", "base", "base") == (0, "", "")


def test_rules_check_says_what_a_file_changes(koyaku, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "Mine"\nyaku.tanyao = 2\n[yaku.odd]\nneeds = ["toitoi"]\nvalue = 3\n', "utf-8")
    code, out, err = koyaku("rules", "check", mine)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"mine: Mine ({ruleset(mine).hash}), 2 keys differ from base",
        "  yaku.tanyao = 2    # mine",
        "  yaku.odd = 3    # mine",
    ]
    mine.write_text('unknown = ["dora.aka", "dora.ura"]\n', "utf-8")
    code, out, _ = koyaku("rules", "check", mine)
    assert code == 0
    assert out.splitlines()[1] == "incomplete: dora.aka, dora.ura not known; it scores with --assume base"
    mine.write_text('extends = "tenhou_4p_aka"\nyaku.sanrenkou.value = "2"\n', "utf-8")
    assert koyaku("rules", "check", mine)[1].splitlines() == [
        f"mine: mine ({ruleset(mine).hash}), 1 key differs from tenhou_4p_aka, 3 from base",
        "  payment.liable_for = hand    # tenhou_4p_aka",
        "  payment.liable_honba_on_ron = liable    # tenhou_4p_aka",
        "  yaku.sanrenkou = 2    # mine",
    ]


def test_rules_yaku_prints_every_yaku_with_its_names_value_and_options(koyaku, tmp_path):
    code, out, err = koyaku("rules", "yaku")
    assert (code, err) == (0, "")
    head, *lines = out.splitlines()
    assert head.split() == ["id", "in", "base", "adopted", "name"]
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == list(catalog())
    found = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines if not line.startswith(" ")}
    assert found["pinfu"].split() == ["1/off", "Pinfu", "平和", "(No-points", "hand)"]
    assert found["sanrenkou"].split() == ["off", "2", "Sanrenkou", "三連刻", "(Three", "consecutive", "triplets)"]
    assert found["tanron"].startswith("off      no agreed value  ")
    options = [line.split()[1].partition("=")[0] for line in lines if line.startswith("    --set ")]
    assert options == [f"yaku.{one.id}.{name}" for one in catalog().values() for name in one.options]
    assert "    --set yaku.tanyao.open=true    # false, true; Open hands count (kuitan)." in lines
    local = koyaku("rules", "yaku", "--local", "--no-options")[1].splitlines()[1:]
    assert [line.split()[0] for line in local] == [one.id for one in catalog().values() if not one.is_standard]
    assert len(local) == 125
    own = 'yaku.sanrenkou.value = 3\n[yaku.odd]\nneeds = ["toitoi"]\nvalue = 3\n'
    (tmp_path / "mine.toml").write_text(own, "utf-8")
    mine = koyaku("rules", "yaku", tmp_path / "mine.toml", "--local", "--no-options")[1].splitlines()
    assert mine[0].split()[:3] == ["id", "in", "mine"]
    assert [line.split()[1] for line in mine if line.split()[0] in ("sanrenkou", "odd")] == ["3", "3"]


def test_rules_facts_prints_every_fact_with_its_sentence(koyaku):
    code, out, err = koyaku("rules", "facts")
    assert (code, err) == (0, "")
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert list(lines) == sorted(names())
    assert lines["tsumo"].split(maxsplit=2)[1:] == ["hand", "Won by self-draw."]
    assert lines["toitoi"].split(maxsplit=2)[1] == "reading"


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


def test_hands_are_scored_under_an_incomplete_ruleset_where_the_user_assumes_base(koyaku, tmp_path):
    (tmp_path / "case.jsonl").write_text(json.dumps(CASE), "utf-8")
    code, out, err = koyaku("hands", tmp_path / "case.jsonl", "--rules", "wrc_2025")
    assert (code, out) == (2, "")
    assert err == (
        "koyaku: wrc_2025: incomplete, no source tells limits.counted_yakuman, payment.liable_for; "
        "to take base's values for them say --assume base\n"
    )
    code, out, err = koyaku("hands", tmp_path / "case.jsonl", "--rules", "wrc_2025", "--assume", "base")
    assert (code, err) == (0, f"wrc_2025: assumed from base: {', '.join(ruleset('wrc_2025').unknown)}\n")
    assert json.loads(out)["points"] == 1000


BROKEN = [
    ("dora.akka = true", "mine.toml: no key 'dora.akka'; nearest: 'dora.aka'"),
    ("dora.aka = 1", "mine.toml: dora.aka is 1, expected true or false"),
    ("fu.double_wind_pair = 3", "mine.toml: fu.double_wind_pair is 3, expected one of 2, 4"),
    ("yaku.tanyo = 2", "mine.toml: no key 'yaku.tanyo'; nearest: 'yaku.tanyao'"),
    ('yaku.tanron = "on"', "mine.toml: yaku.tanron: 'on' is no value of a yaku; expected han"),
    ('[yaku.mine]\nneeds = ["tanyo"]\nvalue = 1', "mine.toml: yaku.mine: no fact 'tanyo'; nearest: 'tanyao'"),
    ("yaku = 3", "mine.toml: no key 'yaku'"),
    ("dora.aka = ", "mine.toml: not TOML: "),
]


@pytest.mark.parametrize(("text", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_a_ruleset_file_that_cannot_be_is_one_line_with_exit_code_2_and_nothing_is_scored(
    koyaku, store, tmp_path, text, message
):
    mine, case = tmp_path / "mine.toml", tmp_path / "case.jsonl"
    mine.write_text(text + "\n", "utf-8")
    case.write_text(json.dumps(CASE), "utf-8")
    before = sorted(store.rglob("*"))
    for words in (
        ("hands", case, "--rules", mine),
        ("rules", "check", mine),
        ("score", store, "--rules", f"base,{mine}"),
        ("explain", CASE["hand"], CASE["win"], "ron", "--rules", f"base,{mine}"),
    ):
        code, out, err = koyaku(*words)
        assert (code, out) == (2, ""), words
        assert err.startswith(f"koyaku: {message}"), words
        assert err.count("\n") == 1
    assert sorted(store.rglob("*")) == before


def test_a_play_key_asked_about_is_one_line_and_in_a_file_it_is_taken(koyaku, tmp_path):
    case = tmp_path / "case.jsonl"
    case.write_text(json.dumps(CASE), "utf-8")
    code, out, err = koyaku("hands", case, "--set", "round.kuikae=true")
    assert (code, out) == (2, "")
    assert err.startswith("koyaku: base: round.kuikae is a play key: it changes what players may do")
    (tmp_path / "mine.toml").write_text("round.kuikae = true\n", "utf-8")
    assert koyaku("hands", case, "--rules", tmp_path / "mine.toml")[0] == 0
    shown = koyaku("rules", "diff", "base", tmp_path / "mine.toml")[1]
    assert shown.startswith("round.kuikae: false -> true    # play; ")


def test_the_rules_of_recorded_games_can_be_changed(koyaku, logs):
    code, out, err = koyaku("yaku", logs, "--adopt", "tsubame_gaeshi", "--drop", "pinfu", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert {one["id"] for one in found["rulesets"]} == {
        f"{ruleset_['id'].split(' + ')[0]} + tsubame_gaeshi=1, pinfu=off" for ruleset_ in found["rulesets"]
    }


def test_every_command_that_takes_a_ruleset_takes_every_change_to_it():
    import typer

    commands = typer.main.get_command(cli.app).commands
    found = {**commands, **{f"rules {name}": one for name, one in commands["rules"].commands.items()}}
    options = {name: {option for each in one.params for option in each.opts} for name, one in found.items()}
    takes = {name for name, its in options.items() if {"--rules", "--base"} & its}
    assert {"audit", "hands", "yaku", "han", "impact", "sweep", "report", "notebook", "score", "explain"} <= takes
    for name in (*takes, "rules show", "rules diff"):
        assert {"--adopt", "--drop", "--set", "--assume"} <= options[name], name


def test_an_audit_under_changed_rules_says_what_would_differ(koyaku, store):
    code, out, err = koyaku("audit", store, "--json")
    assert (code, err, json.loads(out)["rules"]) == (0, "", "recorded")
    code, out, err = koyaku("audit", store, "--drop", "riichi")
    assert (code, err) == (1, "")
    assert out.startswith("scored under recorded + riichi=off")
    assert not re.search(r"[][']", out)
    lines = [line for line in out.splitlines() if ": yaku: recorded " in line]
    assert all(re.fullmatch(r".*: recorded (\w+ \w+, )*\w+ \w+, computed .*", line) for line in lines)
    assert any(re.search(r": yaku: recorded .*riichi 1, .*, computed (?!.*riichi)", line) for line in lines)
    assert re.search(r": deltas: recorded ([+-][\d,]+ ){3}[+-][\d,]+, computed ([+-][\d,]+ ){3}[+-][\d,]+\n", out)
    code, out, _ = koyaku("audit", store, "--rules", "base", "--drop", "riichi", "--set", "dora.aka=false", "--json")
    found = json.loads(out)
    assert code == 1
    assert 0 < found["agree"] < found["wins"]
    assert {m["cause"] for m in found["mismatches"] if m["computed"] == "no_yaku"} == {
        f"the recorded hand is no yaku under {found['rules']}"
    }


def test_two_rulesets_are_compared_with_the_changes_made_to_both(koyaku):
    changes = ("--adopt", "sanrenkou", "--set", "dora.aka=true")
    code, out, err = koyaku("rules", "diff", "tenhou_4p_aka", "tenhou_4p_noaka_nokuitan", *changes)
    assert (code, err) == (0, "")
    assert [line.split("    #")[0] for line in out.splitlines()] == ["yaku.tanyao.open: true -> false"]
    assert "unknown" not in koyaku("rules", "diff", "base", "wrc_2025", "--assume", "base")[1]


# Scores


def test_score_writes_every_win_under_every_ruleset_into_the_store(koyaku, logs, tmp_path):
    koyaku("ingest", logs, "-s", tmp_path / "store")
    words = ("score", tmp_path / "store", "--rules", "recorded, seed_local,wrc_2025", "--assume", "base")
    code, out, err = koyaku(*words)
    assert (code, out) == (0, "1 part scored under recorded, seed_local, wrc_2025\n")
    assert err == f"wrc_2025: assumed from base: {', '.join(ruleset('wrc_2025').unknown)}\n"
    [part] = Store(tmp_path / "store").parts()
    assert part["scores"].num_rows == 3 * part["wins"].num_rows
    assert set(part["yaku_sets"]["yaku_set"].to_pylist()) <= set(part["scores"]["yaku_set"].to_pylist())
    already = "0 parts scored under recorded, seed_local, wrc_2025; 1 were already\n"
    assert koyaku(*words)[:2] == (0, already)
    assert koyaku(*words, "--again")[:2] == (code, out)
    code, out, _ = koyaku("score", tmp_path / "store", "--adopt", "sanrenkou")
    assert (code, out) == (0, "1 part scored under recorded + sanrenkou\n")
    [part] = Store(tmp_path / "store").parts()
    assert part["scores"].num_rows == part["wins"].num_rows


def test_what_was_scored_says_in_a_line_that_later_games_are_missing_from_it(koyaku, logs, tmp_path):
    first, store = sorted(logs.glob("*.mjlog"))[0], tmp_path / "store"
    assert koyaku("ingest", first, "-s", store)[2] == ""
    koyaku("score", store)
    koyaku("chances", store)
    note = "note: the table {} lacks some of the games; 'koyaku {} {}'{} adds the others\n"
    notes = note.format("chances", "chances", store, "") + note.format(
        "scores", "score", store, ", with the rules as before,"
    )
    assert koyaku("ingest", logs, "-s", store)[2] == notes
    assert koyaku("ingest", logs, "-s", store, "--json")[2] == notes
    koyaku("chances", store)
    assert koyaku("compact", store) == (0, "", notes.splitlines(keepends=True)[1])
    assert "scores" not in Store(store).table_names()
    koyaku("score", store)
    assert koyaku("ingest", logs, "-s", store)[2] == ""


# Explain


def test_explain_prints_a_hand_under_one_ruleset(koyaku):
    code, out, err = koyaku("explain", "234m567p34678s99p", "5s", "ron", "--seat", "S", "--from", "kamicha")
    assert (code, err) == (0, "")
    assert out == (
        f"base ({ruleset('base').hash})\n"
        "* 234m 567p 34s+5s 678s 99p   1 han 30 fu\n"
        "    Pinfu 平和 (No-points hand)              1   yaku.pinfu = 1/off (base)\n"
        "    fu base 20, closed_ron 10\n"
        "= 1 han 30 fu: 1,000 points\n"
        "  E -1,000  S +1,000  W +0  N +0\n\n"
    )


def test_explain_prints_two_rulesets_and_what_changes(koyaku):
    words = ("explain", "111222333m45p99s", "6p", "ron", "--rules", "base,seed_local")
    code, out, _ = koyaku(*words)
    assert code == 0
    one, other, change = out.split("\n\n")
    assert one.startswith("base (")
    assert other.startswith("seed_local (")
    assert change.startswith("from base to seed_local\n")
    assert change.splitlines()[1:] == ["+ Sanrenkou 三連刻 2", "points 3,200 -> 8,000 (+4,800)"]
    adopted = koyaku("explain", *words[1:4], "--adopt", "sanrenkou=4")[1]
    assert "yaku.sanrenkou = 4 (adopted)" in adopted


def test_explain_shows_what_was_assumed(koyaku):
    words = ("explain", "234m567p34678s99p", "5s", "ron", "--rules", "wrc_2025", "--assume", "base")
    assumed = ", ".join(ruleset("wrc_2025").unknown)
    assert koyaku(*words)[1].splitlines()[1] == f"assumed from base: {assumed}"


def test_explain_prints_tiles_as_characters_where_asked(koyaku):
    words = ("explain", "234m567p34678s99p", "5s", "ron")
    assert "🀈🀉🀊 🀝🀞🀟 🀒🀓+🀔 🀕🀖🀗 🀡🀡" in koyaku(*words, "--glyphs")[1]
    assert koyaku(*words)[1] == koyaku(*words, "--no-glyphs")[1]  # a pipe is no terminal


def test_explain_prints_a_recorded_win_from_a_log_or_a_store(koyaku, store):
    [part] = Store(store).parts()
    win = part["wins"].slice(3, 1).to_pylist()[0]
    [game] = [game for game in part["games"].to_pylist() if game["game"] == win["game"]]
    code, out, err = koyaku("explain", game["path"], win["round_no"], win["winner"])
    assert (code, err) == (0, "")
    place, rules, *_ = out.splitlines()
    assert place == f"{game['path']}, round {win['round_no']}, winner {win['winner']}"
    assert rules.startswith(f"{game['ruleset']} (")
    assert f": {win['points']:,} points\n" in out
    named = game["source_id"]
    assert koyaku("explain", store, win["round_no"], win["winner"], "--game", named) == (code, out, err)
    with_two = ("--rules", "recorded,seed_local", "--adopt", "mondeikou")
    out = koyaku("explain", game["path"], win["round_no"], win["winner"], *with_two)[1]
    assert f"\nfrom {game['ruleset']} + mondeikou=2/1 to seed_local\n" in out


HAND = ("234m567p34678s99p", "5s", "ron")
OF_RECORD = "{store} is a file or a store, whose wins have their circumstances:"
EXPECTED = "{store} is a file or a store: after it come the round and the winner's seat, not"
NO_STORE = "{store}/none: no such store or log, to have a round and a winner's seat after it"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("{store}", "0", "1", "--seat", "E"), f"{OF_RECORD} --seat cannot apply"),
        (("{store}", "0", "1", "--ctx", "riichi=double", "--dora", "1m"), f"{OF_RECORD} --ctx, --dora cannot apply"),
        (("{store}", "0", "1", "--from", "toimen", "--round", "S"), f"{OF_RECORD} --round, --from cannot apply"),
        (("{store}", "0", "1", "--ura", "1m", "--game", "x"), f"{OF_RECORD} --ura cannot apply"),
        ((*HAND, "--game", "x"), f"{HAND[0]} is a hand, of no game: --game cannot apply"),
        ((*HAND, "--ura", "1m"), "ura indicators are turned for a hand in riichi only, as with --ctx riichi=riichi"),
        ((*HAND, "--ctx", "riichi=double", "--ctx", "riichi=riichi"), "'riichi' is stated twice, expected one value"),
        (("{store}", "9" * 5000, "1"), f"{EXPECTED} '{'9' * 75}...' and '1'"),
        (("{store}", "0", "²"), f"{EXPECTED} '0' and '²'"),
        (("{store}/none", "0", "1", "--game", "x"), NO_STORE),
    ],
    ids=["seat", "ctx dora", "round from", "ura", "game", "no riichi", "twice", "digits", "no digit", "no store"],
)
def test_explain_refuses_what_cannot_apply(koyaku, store, words, said):
    told = said.format(store=store)
    assert koyaku("explain", *(word.format(store=store) for word in words)) == (2, "", f"koyaku: {told}\n")


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
    assert (done.stderr, done.returncode) == ("", 0)
    assert json.loads(done.stdout)["games"] == 4


def test_exit_codes_reach_the_shell():
    assert shell("koyaku rules show nothing").returncode == 2


def test_every_command_that_applies_a_ruleset_to_games_of_other_tables_notes_it(koyaku, tmp_path):
    """Four games of four players under a ruleset for three."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, data in WHOLE:
        (folder / name).write_bytes(data)
    ingest(folder, tmp_path / "store")
    store = Store(tmp_path / "store")
    assert set(store.table("games")["players"].to_pylist()) == {4}
    n = store.n_rows("wins")
    note = f"note: {n} wins of four-player games are scored under tenhou_3p, a ruleset for three"
    for command in (
        ("yaku", store.path, "--rules", "tenhou_3p"),
        ("han", store.path, "--rules", "tenhou_3p", "--csv"),
        ("audit", store.path, "--rules", "tenhou_3p"),
        ("impact", store.path, "--rules", "tenhou_3p", "--no-latent"),
        ("sweep", store.path, "--base", "tenhou_3p", "--each-local", "--no-latent"),
        ("score", store.path, "--rules", "recorded,tenhou_3p"),
    ):
        _, out, err = koyaku(*command)
        assert note in [*out.splitlines(), *err.splitlines()], command
    win = store.table("wins").slice(0, 1).to_pylist()[0]
    [game] = [one["path"] for one in store.table("games").to_pylist() if one["game"] == win["game"]]
    words = ("explain", store.path, win["round_no"], win["winner"], "--game", game, "--rules", "recorded,tenhou_3p")
    assert koyaku(*words)[1].count("note: 1 win of four-player games is scored under tenhou_3p") == 1
