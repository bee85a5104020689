"""The notebooks, and what runs one on a store: a page that works offline, the executed notebook beside it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from analytics.reports.html import JAPANESE, japanese_face
from analytics.targets import check_page, write_all


class NotebookError(ValueError):
    """A notebook that does not exist, a parameter it does not have, or a cell that failed."""

    is_users = True


def names() -> list[str]:
    """The notebooks that come with Koyaku."""
    return sorted(one.name.removesuffix(".ipynb") for one in files(__name__).iterdir() if one.name.endswith(".ipynb"))


def run(name: str, out: str | Path, parameters: Mapping[str, object]) -> Path:
    """Execute a notebook with parameters and write it as a page.

    Parameters
    ----------
    name : str
        One of `names`.
    out : path of the HTML page; the executed notebook is kept beside it, ending in .ipynb
    parameters : mapping
        Values for the names in the notebook's cell of parameters.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    NotebookError
        There is no such notebook or parameter, a cell failed, or the extra `notebook` is not installed. Nothing is
        written then.
    analytics.reports.ReportError
        The page has another ending than .html, or its folder cannot be written to.
    """
    if name not in names():
        raise NotebookError(f"no notebook {name!r}; known: {', '.join(names())}")
    try:
        import nbformat
        import papermill
        from nbconvert import HTMLExporter
    except ImportError as error:
        raise NotebookError(f"{error.name} is not installed; pip install 'koyaku[notebook]' brings it") from None

    source, page = files(__name__) / f"{name}.ipynb", check_page(out, makes_folder=True)
    known = papermill.inspect_notebook(str(source))
    if unknown := [one for one in parameters if one not in known]:
        raise NotebookError(f"{name}: no parameter {unknown[0]!r}; known: {', '.join(known)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about cells without ids, and of the kernel's own
        try:
            executed = papermill.execute_notebook(
                str(source),
                None,
                dict(parameters),
                kernel_name="python3",
                progress_bar=False,
                extra_arguments=["--log-level=CRITICAL"],  # the kernel's own words would stand beside our one line
            )
        except papermill.PapermillExecutionError as error:
            raise NotebookError(f"{name}: {error.ename}: {error.evalue}") from None
    # The page loads nothing from outside: no mathematics, no widgets, no fonts by address.
    nothing = dict.fromkeys(("mathjax_url", "require_js_url", "jquery_url", "mermaid_js_url"), "")
    exporter = HTMLExporter(**nothing, exclude_input_prompt=True)
    text, _ = exporter.from_notebook_node(executed)
    kept = {
        page.name: text.replace("</head>", f"<style>{_kanji(text)}</style></head>", 1),
        page.with_suffix(".ipynb").name: nbformat.writes(executed),
    }
    write_all(page.parent, {name: content.encode() for name, content in kept.items()})
    return page


def _kanji(text: str) -> str:
    """Styles by which the page has the kanji it shows, whatever fonts its reader has."""
    fonts = {"content": "system-ui, sans-serif", "ui": "system-ui, sans-serif", "code": "monospace"}
    families = "".join(f'--jp-{use}-font-family: "{JAPANESE}", {listed}; ' for use, listed in fonts.items())
    return f"{japanese_face(text)} body {{ {families}}}"
