"""Who imports whom, read from the source: the floors of the packages stay apart."""

import ast
import os
import subprocess
import sys
from functools import cache
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import PROJECT

PACKAGES = ("parsers", "analytics")
MODULES = sorted(path for package in PACKAGES for path in (PROJECT / package).rglob("*.py"))
ENGINE_MAY = {"numpy", "pyarrow", "orjson", "parsers"} | set(sys.stdlib_module_names)
HEAVY = {"numpy", "pandas", "pyarrow", "matplotlib", "scipy", "orjson", "jinja2", "rich.progress"}


def module_of(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path, *, outside: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    """Each import of a file, but those in functions of these names: the module as an absolute name, and its dots."""
    package = module_of(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    tree = ast.parse(path.read_text("utf-8"))
    left_out = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in outside
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *(node.module or "").split(".")]).rstrip(".")
            found.append((module, node.level))
            # `from . import runs` names modules too
            if (PROJECT / Path(*module.split("."))).is_dir():
                found += [(f"{module}.{alias.name}", node.level) for alias in node.names]
    return found


def top(name: str) -> str:
    return name.split(".")[0]


def of(prefix: str):
    return [path for path in MODULES if f"{module_of(path)}.".startswith(f"{prefix}.")]


def test_the_packages_are_found():
    assert len(of("parsers")) > 8
    assert len(of("analytics.scoring.yaku")) > 5
    assert set(imports(PROJECT / "analytics/scoring/yaku/__init__.py")) >= {("analytics.scoring.yaku.runs", 1)}


@pytest.mark.parametrize("path", of("parsers"), ids=module_of)
def test_parsers_are_the_ground(path):
    assert "analytics" not in {top(name) for name, _ in imports(path)}
    assert "koyaku" not in {top(name) for name, _ in imports(path)}


@pytest.mark.parametrize("path", of("analytics.scoring"), ids=module_of)
def test_the_engine_stands_on_arrays_and_the_schemas_of_parsers(path):
    names = {name for name, _ in imports(path)}
    own = {name for name in names if top(name) == "analytics"}
    assert all(name.startswith("analytics.scoring") for name in own), own
    assert {top(name) for name in names - own} <= ENGINE_MAY


@pytest.mark.parametrize("path", of("analytics.scoring.yaku"), ids=module_of)
def test_a_yaku_sees_hands_and_readings_and_never_a_ruleset(path):
    names = {name.removeprefix("analytics.scoring.") for name, _ in imports(path) if top(name) == "analytics"}
    may = ("tiles", "facts", "hands", "readings", "yaku", "analytics.scoring")
    assert {name for name in names if top(name) not in may and name not in may} == set()


@pytest.mark.parametrize("path", MODULES, ids=module_of)
def test_imports_are_relative_inside_a_package_and_absolute_across(path):
    own = top(module_of(path))
    for name, level in imports(path):
        if top(name) in (*PACKAGES, "koyaku"):
            assert (level > 0) == (top(name) == own), f"{name}, written with {level} dots"


FLOORS = [
    ("analytics.scoring", "analytics", "analytics.scoring"),
    *((f"analytics.{low}", "analytics.metrics", None) for low in ("settle", "rescoring", "scores", "account")),
    *((f"analytics.{low}", "analytics.rescoring", None) for low in ("rulebook", "cases", "maneman")),
    *((f"analytics.{low}", "analytics.reports", None) for low in ("metrics", "impact", "sweep")),
    ("analytics.metrics", "analytics.cli", None),
    ("analytics.reports", "analytics.cli", None),
]


@pytest.mark.parametrize(("low", "high", "but"), FLOORS)
def test_a_lower_floor_imports_no_higher_one(low, high, but):
    """But for `plot` and `report` of a result, which a notebook calls: they fetch the drawing when they are asked."""
    for path in of(low):
        for name, _ in imports(path, outside=("plot", "report")):
            above = f"{name}.".startswith(f"{high}.") and not (but and f"{name}.".startswith(f"{but}."))
            assert not above, f"{module_of(path)} imports {name}"


def test_nothing_imports_the_command_line():
    for path in MODULES:
        if module_of(path) != "analytics.cli":
            assert "analytics.cli" not in {name for name, _ in imports(path)}, path


def test_the_names_of_the_packages_are_those_of_this_distribution():
    """`parsers` and `analytics` are names that others could take."""
    for package in PACKAGES:
        assert Path(find_spec(package).origin) == PROJECT / package / "__init__.py"
    assert Path(find_spec("koyaku").origin) == PROJECT / "koyaku.py"
    scripts = {point.name: point.value for point in distribution("koyaku").entry_points}
    assert scripts["koyaku"] == "analytics.cli:main"


@pytest.mark.parametrize("module", ["analytics.cli", "koyaku"])
def test_the_command_line_and_the_face_load_nothing_heavy(module):
    code = f"import sys, {module}; print(*sorted(set({sorted(HEAVY)!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, env=os.environ, check=True
    )
    assert done.stdout.split() == []


def test_every_name_of_the_public_face_is_there():
    import koyaku

    for name in koyaku.__all__:
        assert getattr(koyaku, name) is not None
    assert set(dir(koyaku)) == set(koyaku.__all__)
    with pytest.raises(AttributeError, match="no attribute 'yaku_freqency'"):
        _ = koyaku.yaku_freqency
