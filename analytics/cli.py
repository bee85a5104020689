"""The command line: each command calls one library function and prints what it returns.

Exit codes: 0 fine, 1 findings, 2 usage or a user's mistake, 3 done but some files were rejected.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, NoReturn

import typer

FINE, FINDINGS, MISTAKE, REJECTED = range(4)

app = typer.Typer(
    name="koyaku",
    help="Riichi mahjong replay logs as tables, every win re-scored under any ruleset, the difference as reports.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
rules_app = typer.Typer(help="The rulesets that come with Koyaku, and your own.", no_args_is_help=True)
app.add_typer(rules_app, name="rules")

Sources = Annotated[list[str], typer.Argument(help="A store, or log files, folders, globs and archives.")]
StorePath = Annotated[Path, typer.Argument(help="Folder of the store.")]
Rules = Annotated[str, typer.Option("--rules", help="Ruleset: an id, a .toml file, or 'recorded'.")]
Adopt = Annotated[list[str], typer.Option("--adopt", help="YAKU or YAKU=VALUE to play besides.")]
Drop = Annotated[list[str], typer.Option("--drop", help="YAKU not to play.")]
Set = Annotated[list[str], typer.Option("--set", help="KEY=VALUE of the ruleset.")]
Assume = Annotated[str | None, typer.Option("--assume", help="base: take its values for keys no source tells.")]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Processes to work with; the result is the same.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Where = Annotated[
    str | None,
    typer.Option("--where", help="Keep only wins of which this is true: 'players == 4 and not is_tsumo'; see "
                 "'koyaku schema where'."),
]
By = Annotated[
    list[str] | None,
    typer.Option("--by", help="Split by a column or a condition, again for more: room, is_dealer, 'turn <= 6', "
                 "\"player == 'NAME'\"; see 'koyaku schema where'."),
]


def main() -> None:
    """Run the command line; a user's mistake is one line on standard error and exit code 2."""
    _leave_out_unused()
    try:
        code = app(prog_name="koyaku", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except SystemExit as stop:  # commands end by return: 1 is typer's end of a closed pipe, whose reader has enough
        sys.exit(FINE if stop.code == 1 else stop.code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FINE)
    except _UsageError as error:
        message = error.format_message()
        if not message:  # no arguments: the help is printed
            sys.exit(MISTAKE)
        _exit_mistaken(f"{message.rstrip('.')}. Try '{error.ctx.command_path if error.ctx else 'koyaku'} -h'.")
    except OSError as error:
        from parsers.errors import system_reason

        _exit_mistaken(f"{error.filename}: {system_reason(error)}" if error.filename else system_reason(error))
    except ValueError as error:
        if not _is_users_mistake(error):
            raise
        _exit_mistaken(str(error))
    sys.exit(code)


def _leave_out_unused() -> None:
    """What typer's help imports for Markdown and tracebacks, neither shown here: a quarter of the time help takes."""
    for module, name in (("rich.markdown", "Markdown"), ("rich.traceback", "Traceback")):
        sys.modules.setdefault(module, SimpleNamespace(**{name: object}))


_UsageError = typer.BadParameter.__base__  # typer does not export it


def _exit_mistaken(message: str) -> NoReturn:
    print("koyaku: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(MISTAKE)


def _is_users_mistake(error: ValueError) -> bool:
    """Errors that name what the user gave; any other is a fault of ours and keeps its traceback."""
    from parsers.errors import StoreError
    from parsers.files import InputError

    from .scoring.ruleset import RulesetError

    return isinstance(error, (StoreError, InputError, RulesetError)) or getattr(error, "is_users", False)


def _print_json(value: object) -> None:
    import orjson

    sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n")


class _Progress:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self, what: str):
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        self.bar = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
        self.what = what

    def __enter__(self) -> _Progress:
        self.bar.start()
        self.task = self.bar.add_task(self.what)
        return self

    def __exit__(self, *_exc) -> None:
        self.bar.stop()

    def parts(self, done: int) -> None:
        self.bar.update(self.task, description=f"{self.what}, {done:,} parts done")

    def read(self, summary) -> None:
        self.bar.update(self.task, description=f"read {summary.files:,} files, {summary.games:,} games")


def _rules(rules: str, adopt, drop, set_, assume, *, games: bool = False):
    """The rules of the options, complete; what is assumed of them is told."""
    from .rescoring import amended_rules

    chosen = amended_rules(rules, adopt, drop, set_, assume=assume, games=games)
    _tell_assumed(chosen)
    return chosen


def _tell_assumed(rules) -> None:
    if assumed := getattr(rules, "assumed", ()):  # the recorded rules have no gaps
        print(f"{rules.id}: assumed from base: {', '.join(assumed)}", file=sys.stderr)


def _tell_notes(notes) -> None:
    """What tables alone do not say."""
    for note in notes:
        print(f"note: {note}", file=sys.stderr)


def _tell_behind(store) -> None:
    """Which tables of a store lack games that came later, and what adds them."""
    from parsers.store import completion

    _tell_notes(f"the table {one} lacks some of the games; {completion(one, store.path)}" for one in store.behind())


def _end_of_reading(sources, n_rejects: int) -> None:
    """End with 3 where some of the logs that were read for this were rejected; of a store its ingest has said so."""
    from .corpus import is_of_store

    if n_rejects and not is_of_store(sources):
        said = f"{n_rejects:,} files, or the rest of them, were not read: 'koyaku ingest' tells why"
        print(said, file=sys.stderr)
        raise typer.Exit(REJECTED)


@app.command()
def ingest(
    paths: Annotated[list[str], typer.Argument(help="Log files, folders, globs, .zip and .tar archives.")],
    store: Annotated[Path, typer.Option("--store", "-s", help="Folder of the store; made if there is none.")],
    workers: Workers = 1,
    walls: Annotated[bool, typer.Option("--walls", help="Keep the walls that follow from recorded seeds.")] = False,
    json: AsJson = False,
) -> None:
    """Read logs into a store. Content decides the format; running it again stores nothing twice.

    Example: koyaku ingest logs/ more.zip -s store
    """
    from parsers.store import Store

    from .corpus import ingest as run

    with _Progress("reading") as progress:
        summary = run(paths, store, workers=workers, walls=walls, progress=progress.read)
    n_rejects = sum(summary.rejects.values())
    if json:
        _print_json({**vars(summary), "rejects": dict(summary.rejects)})
    else:
        print(
            f"{summary.files:,} files: {summary.games:,} games added, {summary.stored:,} stored already, "
            f"{summary.duplicates:,} duplicates of other games, {summary.rounds:,} rounds, {summary.wins:,} wins, "
            f"{n_rejects:,} rejects"
        )
        for reason, count in summary.rejects.most_common():
            print(f"{count:8,} {reason}")
    _tell_behind(Store(store))
    raise typer.Exit(REJECTED if n_rejects else FINE)


@app.command()
def compact(store: StorePath) -> None:
    """Bring a store that grew in steps into the order of its sorted inputs.

    Example: koyaku compact store
    """
    from parsers.ingest import compact as run
    from parsers.store import Store

    _tell_behind(opened := Store(store))
    run(opened)


@app.command()
def chances(
    store: StorePath,
    workers: Workers = 1,
    again: Annotated[bool, typer.Option("--again", help="Scan what was scanned already too.")] = False,
    json: AsJson = False,
) -> None:
    """Scan a store once for every tile that completed a hand: its table `chances`, which latent wins are asked of.

    What is scanned is not scanned again, and a scan that was stopped goes on. Printed is what the chances were under
    the rules the games were played by.
    """
    from parsers.store import Store

    from .chances import chances_of_store
    from .impact.counting import parts_of
    from .latent import chance_counts
    from .notes import counted

    with _Progress("scanning") as progress, parts_of(Store(store)) as opened:
        n_parts = chances_of_store(opened, workers=workers, again=again, progress=progress.parts)
        found = chance_counts(opened, workers=workers)
    if json:
        _print_json({"parts_scanned": n_parts, **found.as_dict()})
        return
    done = f"{counted(n_parts, 'part')} scanned" if n_parts else "nothing new to scan"
    where = f"{counted(found.rounds, 'round')} of {counted(found.games, 'game')}"
    print(f"{done}: {counted(found.chances, 'chance')} in {where}")
    if found.unplayed:
        print(f"left out: {counted(found.unplayed, 'round')} of which the record holds no play")
    if found.duplicates:
        print(f"left out: {counted(found.duplicates, 'game')} whose play is in the store already")
    rate = f", {found.passed_rate:.2%} of what could have been won" if found.taken or found.untaken["passed"] else ""
    for n, said in (
        (found.taken, "taken: recorded wins"),
        (found.untaken["other_ron"], "wins not taken: another won on the tile"),
        (found.untaken["aborted"], "wins not taken: three claimed the tile, and the round was aborted"),
        (found.untaken["disconnected"], "wins not taken: the seat was not connected"),
        (found.untaken["passed"], f"wins not taken: passed up by choice{rate}"),
        (found.others["no_yaku"], "no wins: worth nothing"),
        (found.others["furiten"], "no wins: furiten"),
        (found.others["no_shape"], "no wins: no shape that was played"),
        (found.others["not_robbed"], "no wins: no kan that may be robbed"),
    ):
        print(f"{n:10,} {said}")


@app.command()
def schema(
    table: Annotated[
        str | None,
        typer.Argument(help="One table only; where: for --where and --by; yaku, han, sweep, impact: of CSV and JSON."),
    ] = None,
) -> None:
    """Print the tables of a store, what --where and --by take, and the columns of results: each with its meaning.

    Example: koyaku schema wins
    """
    from parsers.errors import StoreError
    from parsers.schema import TABLES

    from .described import RESULTS

    known = (*TABLES, "where", *RESULTS)
    if table is not None and table not in known:
        raise StoreError(f"no table {table!r}; known: {', '.join(known)}")
    for name in [table] if table else known:
        if name == "where":
            _print_where()
        elif name in RESULTS:
            _print_result(name, RESULTS[name])
        else:
            print(name)
            for column in TABLES[name]:
                null = "  or null" if column.nullable else ""
                _print_column(column.name, f"{column.type!s}{null}", column.metadata[b"description"].decode())
            print()


def _print_column(name: str, *lines: str, wide: int = 20) -> None:
    first, *rest = lines
    print(f"  {name:{wide}} {first}", *(f"  {'':{wide}} {line}" for line in rest), sep="\n")


def _print_result(command: str, tables) -> None:
    """The columns of what a command prints as CSV and as JSON."""
    for table, columns in tables.items():
        print(f"koyaku {command} --csv{', --json' if not table else f' FOLDER: {table}.csv; --json: {table}'}")
        wide = max(map(len, columns))
        for name, sentence in columns.items():
            _print_column(name, sentence, wide=wide)
        print()


def _print_where() -> None:
    """The columns that wins are filtered and split by, and how a condition is written."""
    from .metrics.where import COLUMNS, EXAMPLE, GRAMMAR

    print(f"--where CONDITION, --by COLUMN, --by CONDITION\n  {GRAMMAR}\n  Example: {EXAMPLE}\n")
    for column in COLUMNS.values():
        words = f": {', '.join(column.words)}" if column.words else ""
        _print_column(column.name, f"{column.kind}{words}", column.description)
    print()


@app.command()
def audit(
    sources: Sources,
    rules: Rules = "recorded",
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
    workers: Workers = 1,
    json: AsJson = False,
) -> None:
    """Score every recorded win again under the rules it was played by, and compare; under others, what would differ.

    Exit code 1 if anything differs, 3 if nothing does but some files were rejected.

    Example: koyaku audit store --rules wrc_2022 --assume base
    """
    from .audit import audit as run
    from .corpus import opened

    chosen = _rules(rules, adopt, drop, set_, assume, games=True)
    with _Progress("reading") as progress, opened(sources, workers=workers, progress=progress.read) as store:
        result = run(store, rules=chosen, workers=workers)
    if json:
        _print_json(result.as_dict())
    else:
        _print_audit(result)
    raise typer.Exit(FINDINGS if result.mismatches else REJECTED if result.rejects else FINE)


def _print_audit(result) -> None:
    def line(name: str, counts: dict) -> None:
        print(
            f"{name:44} wins {counts['agree']:>9,} / {counts['wins']:>9,}   "
            f"rounds {counts['rounds_agree']:>9,} / {counts['rounds']:>9,}"
        )

    shown = result.as_dict()
    if result.rules != "recorded":
        print(f"scored under {result.rules}; below, what the games were played under")
    for source, by_rules in shown["by_source"].items():
        for rules, counts in by_rules.items():
            line(f"{source} {rules}", counts)
    line("all", shown)
    print(f"{'games, final points':44}      {result.games_agree:>9,} / {result.games:>9,}   rejects {result.rejects:,}")
    for note in result.notes:
        print(f"note: {note}")
    for m in result.mismatches:
        place = m.source + ("" if m.round is None else f", round {m.round}")
        who = "" if m.winner is None else f", winner {m.winner}"
        cause = f"  ({m.cause})" if m.cause else ""
        recorded, computed = (_listed(value, m.field) for value in (m.recorded, m.computed))
        print(f"{place}{who}: {m.field}: recorded {recorded}, computed {computed}{cause}")


def _listed(value: object, field: str) -> str:
    """Yaku with their worth, and points by seat, as a line of text holds them; a number or a word as it is.

    >>> _listed([["chankan", 1], ["riichi", 1]], "yaku"), _listed([], "yaku"), _listed(3900, "points")
    ('chankan 1, riichi 1', 'none', '3900')
    >>> _listed([-1000, 3000, 0, 0], "deltas"), _listed([31000, 21800, 47200, 0], "final_points")
    ('-1,000 +3,000 +0 +0', '31,000 21,800 47,200 0')
    """
    if not isinstance(value, list):
        return "none" if value is None else str(value)
    if field == "yaku":
        return ", ".join(f"{name} {worth}" for name, worth in value) or "none"
    return " ".join(format(points, "+,d" if field == "deltas" else ",d") for points in value)


@app.command()
def hands(
    file: Annotated[Path, typer.Argument(help="One hand case a line, as JSON; - for standard input.")],
    rules: Annotated[str, typer.Option("--rules", help="Ruleset: an id or a .toml file.")] = "base",
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
) -> None:
    """Score hand cases, one JSON result a line.

    Example: koyaku hands cases.jsonl --adopt sanrenkou
    """
    import orjson

    from .cases import score_cases
    from .scoring.ruleset import amended

    chosen = amended(rules, adopt, drop, set_, assume=assume)
    _tell_assumed(chosen)
    lines = sys.stdin.buffer if str(file) == "-" else file.open("rb")
    with lines:
        for result in score_cases(lines, chosen):
            sys.stdout.buffer.write(orjson.dumps(result) + b"\n")


def _statistic(command: str, name: str, sentence: str, example: str) -> None:
    """Make the command that computes one of the metrics over a store or logs."""
    columns = f"'koyaku schema {command}' describes the columns of CSV and JSON."

    @app.command(command, help=f"{sentence} {columns}\n\nExample: koyaku {example}")
    def run(
        sources: Sources,
        rules: Rules = "recorded",
        adopt: Adopt = (),
        drop: Drop = (),
        set_: Set = (),
        assume: Assume = None,
        where: Where = None,
        by: By = None,
        workers: Workers = 1,
        json: AsJson = False,
        csv: AsCsv = False,
    ) -> None:
        from . import metrics
        from .corpus import opened

        chosen = _rules(rules, adopt, drop, set_, assume)
        with _Progress("reading") as progress, opened(sources, workers=workers, progress=progress.read) as store:
            result = getattr(metrics, name)(store, rules=chosen, where=where, by=by, workers=workers)
        if json:
            _print_json(result.as_dict())
        elif csv:
            result.table().to_csv(sys.stdout, index=False)
            _tell_notes(result.notes)
        else:
            print(result.text())
        _end_of_reading(sources, result.card.rejects.total())


_SHARES = "Shares are of wins, not of rounds."
_PUBLISHED = (
    "Where games are of one kind of table that somebody published figures of, these stand beside ours as 'published', "
    "with their source in the JSON and in the report."
)
_statistic(
    "yaku",
    "yaku_frequency",
    f"How often each yaku occurs among wins, with intervals. {_SHARES} {_PUBLISHED}",
    "yaku store --by dealer",
)
_statistic("han", "han_distribution", f"How wins spread over han, fu and limits. {_SHARES}", "han store --csv")


Latent = Annotated[
    bool, typer.Option("--latent/--no-latent", help="Look for hands that would only now be wins; scans a store once.")
]
Base = Annotated[str, typer.Option("--base", help="Rules to compare with: an id, a .toml file, or 'recorded'.")]


@app.command()
def impact(
    sources: Sources,
    base: Base = "recorded",
    adopt: Annotated[list[str], typer.Option("--adopt", help="YAKU, YAKU=VALUE or YAKU=VALUE,VALUE.")] = (),
    drop: Drop = (),
    set_: Set = (),
    rules: Annotated[list[str] | None, typer.Option("--rules", help="Another ruleset; may be given again.")] = None,
    assume: Assume = None,
    where: Where = None,
    latent: Latent = True,
    latent_in_games: Annotated[
        bool, typer.Option("--latent-in-games", help="Settle games with all latent wins taken too: an upper bound.")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Chooses the example wins.")] = None,
    workers: Workers = 1,
    json: AsJson = False,
    csv: Annotated[Path | None, typer.Option("--csv", help="Folder for the tables, one CSV file each.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="FILE.html for the committee report.")] = None,
) -> None:
    """What a change of the rules does: to recorded wins, to hands that would only now be wins, and to games.

    Each change stands alone, then all of them together.

    Example: koyaku impact store --adopt sanrenkou=1,2,3 --drop riichi -o report.html
    """
    from .impact import rule_impact as run
    from .targets import check_folder, check_page

    if out is not None:
        check_page(out)
    if csv is not None:
        check_folder(csv)
    chosen = {} if seed is None else {"seed": seed}
    with _Progress("weighing"):
        result = run(
            sources,
            base=base,
            adopt=adopt,
            drop=drop,
            set_=set_,
            rules=rules or (),
            assume=assume,
            where=where,
            latent=latent,
            latent_in_games=latent_in_games,
            workers=workers,
            **chosen,
        )
    if out is not None:
        result.report(out, command=shlex.join(["koyaku", *sys.argv[1:]]))
    written = result.write_csv(csv) if csv is not None else []
    files = [*written, *([out] if out is not None else [])]
    if json:
        _print_json(result.as_dict())
    else:
        print("\n".join(map(str, files)) or result.text())
        _tell_notes(result.notes if csv is not None else ())
    _end_of_reading(sources, result.card.rejects.total())


@app.command()
def sweep(
    sources: Sources,
    base: Base = "recorded",
    rules_dir: Annotated[Path | None, typer.Option("--rules-dir", help="Folder of ruleset files.")] = None,
    each_local: Annotated[bool, typer.Option("--each-local", help="Every local yaku and option value.")] = False,
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
    where: Where = None,
    latent: Latent = True,
    workers: Workers = 1,
    json: AsJson = False,
    csv: AsCsv = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write instead: .html, .json, .csv.")] = None,
) -> None:
    """How often each local yaku would occur and what it would be worth, each alone against the base, one row each.

    Example: koyaku sweep store --each-local --json -o sweep.json
    """
    from .rescoring import amended_rules
    from .sweep import sweep as run
    from .targets import check_file

    if out is not None:
        check_file(out, (".html", ".json", ".csv"))
    with _Progress("sweeping"):
        result = run(
            sources,
            base=amended_rules(base, adopt, drop, set_, assume=assume),
            each_local=each_local,
            rules_dir=rules_dir,
            assume=assume,
            where=where,
            latent=latent,
            workers=workers,
        )
    if out is not None and out.suffix == ".html":
        print(result.report(out, command=shlex.join(["koyaku", *sys.argv[1:]])))
    elif out is not None:
        result.write(out, "json" if json else "csv" if csv else None)
        print(out)
    elif json:
        _print_json(result.as_dict())
    elif csv:
        result.table().to_csv(sys.stdout, index=False)
    else:
        print(result.text())
    if csv or (out is not None and out.suffix == ".csv"):  # which has no room for them
        _tell_notes(result.notes)
    _end_of_reading(sources, result.card.rejects.total())


@app.command()
def report(
    sources: Sources,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the report.")],
    rules: Rules = "recorded",
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
    where: Where = None,
    workers: Workers = 1,
) -> None:
    """Audit, yaku, han, local yaku on one page that works offline, figures and numbers beside it.

    Example: koyaku report store -o report
    """
    from .corpus import opened
    from .reports import check_report
    from .reports import report as run

    check_report(out)
    chosen = _rules(rules, adopt, drop, set_, assume)
    command = shlex.join(["koyaku", *sys.argv[1:]])
    with _Progress("reading") as progress, opened(sources, workers=workers, progress=progress.read) as store:
        page, n_rejects = run(store, out, rules=chosen, where=where, workers=workers, sources=sources, command=command)
    print(page)
    if n_rejects:
        print(f"{n_rejects:,} files, or the rest of them, were not read: see the report's data card", file=sys.stderr)
    raise typer.Exit(REJECTED if n_rejects else FINE)


@app.command()
def notebook(
    name: Annotated[str, typer.Argument(help="yaku_frequency, han_distribution or rule_impact.")],
    source: Annotated[Path, typer.Argument(help="A store, or a log file or folder.", exists=True)],
    out: Annotated[Path, typer.Option("--out", "-o", help="FILE.html; the executed notebook lies beside it.")],
    rules: Annotated[str | None, typer.Option("--rules", help="Ruleset to score under; recorded by default.")] = None,
    base: Annotated[str | None, typer.Option("--base", help="Of rule_impact: the rules to compare with.")] = None,
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
    where: Where = None,
) -> None:
    """Run one of the notebooks on a store and make it a page that works offline.

    Example: koyaku notebook rule_impact store --adopt sanrenkou=1,2,3 -o impact.html
    """
    from notebooks import run

    from .corpus import opened

    parameters = {"store": str(source.resolve()), "rules": rules, "base": base, "assume": assume, "where": where}
    if adopt or drop or set_:  # one of them takes the place of all that the notebook asks by itself
        parameters |= {"adopt": list(adopt), "drop": list(drop), "set_": list(set_)}
    print(run(name, out, {key: value for key, value in parameters.items() if value is not None}))
    with opened([source]) as store:  # once more: what the notebook read stayed in its own process
        _end_of_reading([source], store.n_rows("rejects"))


def _named(rules: str) -> list[str]:
    """The rulesets between commas."""
    return [one.strip() for one in rules.split(",") if one.strip()]


@app.command()
def score(
    store: StorePath,
    rules: Annotated[str, typer.Option("--rules", help="Rulesets to score under: A,B,…")] = "recorded",
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
    workers: Workers = 1,
    again: Annotated[bool, typer.Option("--again", help="Score what is scored under these already too.")] = False,
) -> None:
    """Score every win of a store under several rulesets: the tables `scores` and `yaku_sets` of the store.

    Games that are scored under these rulesets already are left as they are, scores under others give way.

    Example: koyaku score store --rules recorded,wrc_2022,my-league.toml --assume base
    """
    from parsers.store import Store

    from .notes import counted
    from .scores import notes_of, score_store

    chosen = [_rules(one, adopt, drop, set_, assume) for one in _named(rules)]
    n_parts = score_store(opened := Store(store), chosen, workers=workers, again=again)
    n_before = len(opened.part_numbers()) - n_parts
    already = f"; {n_before:,} were already" if n_before else ""
    print(f"{counted(n_parts, 'part')} scored under {', '.join(one.id for one in chosen)}{already}")
    _tell_notes(notes_of(opened, chosen))


@app.command()
def explain(
    hand: Annotated[str, typer.Argument(help="A hand as in '45p234s99m (123m) (789s)', or a store or log file.")],
    win: Annotated[str, typer.Argument(help="The winning tile; of a recorded win, the round.")],
    by: Annotated[str, typer.Argument(help="ron or tsumo; of a recorded win, the seat of the winner.")],
    rules: Annotated[str, typer.Option("--rules", help="One ruleset, or two to compare: A,B.")] = "",
    ctx: Annotated[list[str] | None, typer.Option("--ctx", help="KEY=VALUE of how it was won: riichi=double.")] = None,
    seat: Annotated[str | None, typer.Option("--seat", help="Seat wind: E, S, W or N.")] = None,
    round_: Annotated[str | None, typer.Option("--round", help="Round wind.")] = None,
    win_from: Annotated[str | None, typer.Option("--from", help="kamicha, toimen or shimocha.")] = None,
    dora: Annotated[str, typer.Option("--dora", help="Dora indicators, as in 4m3p.")] = "",
    ura: Annotated[str, typer.Option("--ura", help="Ura indicators.")] = "",
    game: Annotated[str, typer.Option("--game", help="Part of the path of the game, or its id.")] = "",
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
    with_glyphs: Annotated[bool | None, typer.Option("--glyphs/--no-glyphs", help="Tiles as characters.")] = None,
) -> None:
    """One hand line by line: its readings, yaku, fu, limit, payments, and where in the ruleset each came from.

    Example: koyaku explain "111222333m45p99s" 6p ron --seat E --rules base --adopt sanrenkou
    """
    from . import account
    from .corpus import opened
    from .rescoring import amended_rules

    is_recorded, n_rejects = Path(hand).exists(), 0
    if not is_recorded and win.isdigit() and by.isdigit():
        raise account.AccountError(f"{hand}: no such store or log, to have a round and a winner's seat after it")
    of_hands = {"ctx": ctx, "seat": seat, "round": round_, "from": win_from, "dora": dora, "ura": ura}
    account.check_options(hand, is_recorded=is_recorded, **of_hands, game=game)
    named = _named(rules) or ["recorded" if is_recorded else "base"]
    chosen = [amended_rules(one, adopt, drop, set_, assume=assume) for one in named]
    if is_recorded:
        round_no, winner = account.place_of(hand, win, by)
        with opened([hand]) as store:
            place, accounts = account.of_win(store, round_no, winner, chosen, game=game)
            n_rejects = store.n_rows("rejects")
        print(place)
    else:
        line = account.case_line(hand, win, by, ctx or (), seat, round_, win_from, dora, ura)
        accounts = account.of_case(line, chosen)
    is_shown = sys.stdout.isatty() if with_glyphs is None else with_glyphs
    for one in accounts:
        print(account.text(one, as_glyphs=is_shown) + "\n")
    if len(accounts) == 2:
        print(f"from {accounts[0].rules.id} to {accounts[1].rules.id}\n{account.difference(*accounts)}")
    _end_of_reading([hand], n_rejects)


@rules_app.command("list")
def rules_list() -> None:
    """The rulesets that come with Koyaku.

    Example: koyaku rules list
    """
    from .rulebook import knows_nothing, listing

    for rules in listing():
        nothing = ", nothing known beyond base" if knows_nothing(rules) else ""
        incomplete = f"  incomplete: {len(rules.unknown)} keys unknown{nothing}" if rules.unknown else ""
        print(f"{rules.id:28} {rules.hash}  {rules.name}{incomplete}")


@rules_app.command("show")
def rules_show(
    rules: Annotated[str, typer.Argument(help="An id or a .toml file.")],
    stated: Annotated[bool, typer.Option("--stated", help="Only what base does not say.")] = False,
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
) -> None:
    """A ruleset as a file of one's own could hold it: every key, its value, where that came from, what it means.

    Example: koyaku rules show m_league --adopt sanrenkou > mine.toml
    """
    from .rulebook import as_toml
    from .scoring.ruleset import amended

    print(as_toml(amended(rules, adopt, drop, set_, assume=assume), only_stated=stated), end="")


@rules_app.command("diff")
def rules_diff(
    one: Annotated[str, typer.Argument(help="An id or a .toml file.")],
    other: Annotated[str, typer.Argument(help="Another one.")],
    adopt: Adopt = (),
    drop: Drop = (),
    set_: Set = (),
    assume: Assume = None,
) -> None:
    """The keys in which two rulesets, both with the changes, differ. A play key's effect no scoring can show.

    Example: koyaku rules diff wrc_2022 m_league
    """
    from .rulebook import difference
    from .scoring.ruleset import amended

    for row in difference(*(amended(rules, adopt, drop, set_, assume=assume) for rules in (one, other))):
        print(f"{row.key}: {row.value} -> {row.other}    # {row.stage}; {row.doc}")


@rules_app.command("check")
def rules_check(file: Annotated[str, typer.Argument(help="A .toml file of your own.")]) -> None:
    """Read a ruleset file and say what it changes; an error names the key and the nearest that exists.

    Example: koyaku rules check league.toml
    """
    from .notes import counted
    from .rulebook import checked, difference, parent_of, rows

    rules = checked(file)
    parent, stated = parent_of(file), rows(rules, only_stated=True)
    n_changed = len(stated) if parent.id == "base" else len(difference(rules, parent))
    differ = f"{counted(n_changed, 'key')} {'differs' if n_changed == 1 else 'differ'} from {parent.id}"
    besides = "" if parent.id == "base" else f", {len(stated):,} from base"
    print(f"{rules.id}: {rules.name} ({rules.hash}), {differ}{besides}")
    if rules.unknown:
        print(f"incomplete: {', '.join(rules.unknown)} not known; it scores with --assume base")
    for row in stated:
        print(f"  {row.key} = {row.value}    # {row.origin}")


@rules_app.command("yaku")
def rules_yaku(
    rules: Annotated[str, typer.Argument(help="An id or a .toml file.")] = "base",
    local: Annotated[bool, typer.Option("--local", help="Only those that the common rules lack.")] = False,
    options: Annotated[bool, typer.Option("--options/--no-options", help="With the options of each.")] = True,
) -> None:
    """Every yaku: its id, what it is worth under the ruleset, or once adopted where it is off, its names and options.

    Example: koyaku rules yaku --local --no-options
    """
    from .metrics.result import aligned
    from .rulebook import yaku_rows
    from .scoring.ruleset import ruleset

    found = yaku_rows(rules, only_local=local)
    shown = [("id", f"in {ruleset(rules).id}", "adopted", "name")]
    for row in found:
        adopt = "" if row.value != "off" else row.usual or "no agreed value"
        shown.append((row.yaku.id, row.value, adopt, row.yaku.full_name))
    head, *lines = aligned(shown, left={0, 1, 2, 3})
    print(head)
    for row, line in zip(found, lines, strict=True):
        print(line)
        for one in row.options if options else ():
            print(f"    --set {one.key}={one.value}    # {one.possible}{'; ' * bool(one.possible)}{one.doc}")


@rules_app.command("facts")
def rules_facts() -> None:
    """Every fact that a yaku of one's own can need or forbid.

    Example: koyaku rules facts
    """
    from .rulebook import facts

    for name, of, sentence in facts():
        print(f"{name:34} {of:8} {sentence}")


def version(value: bool) -> None:
    """Print the version and stop."""
    if value:
        from koyaku import __version__

        print(__version__)
        raise typer.Exit()


ShowVersion = Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")]


@app.callback()
def _options(show_version: ShowVersion = False) -> None:
    """Riichi mahjong replay logs as tables, every win re-scored under any ruleset, the difference as reports."""


if __name__ == "__main__":
    main()
