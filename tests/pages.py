"""Pages as tests read them: elements that are closed where they are open, tables as rows of text."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "img", "br", "link", "input", "path", "rect", "circle", "use"}


class Page(HTMLParser):
    """The elements of a page, its text, and its tables by caption; refuses an element closed where it is not open."""

    def __init__(self, text: str):
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.marks: dict[tuple[str, int, int], str] = {}
        self._caption, self._rows = "", []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self._caption, self._rows = "", []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")
            self._mark = dict(attrs).get("class", "")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open.pop() == tag
        if tag == "table" and self._caption:
            self.tables[self._caption] = self._rows
        elif tag == "td":
            self.marks[self._caption, len(self._rows) - 1, len(self._rows[-1]) - 1] = self._mark

    def handle_data(self, data):
        self.text.append(data)
        if "caption" in self.open:
            self._caption += data
        elif {"td", "th"} & set(self.open):
            self._rows[-1][-1] += data

    def all(self, tag: str) -> list[dict]:
        return [attrs for name, attrs in self.found if name == tag]

    def measures(self, caption: str) -> dict[str, dict[str, list[str]]]:
        """Of a table with candidates side by side: by measure and candidate its cells, several if it says so twice."""
        heads, *rows = self.tables[caption]
        found: dict[str, dict[str, list[str]]] = {}
        for row in rows:
            if len(row) == len(heads):
                for head, cell in zip(heads[1:], row[1:], strict=True):
                    found.setdefault(row[0], {}).setdefault(head.replace("\u200b", ""), []).append(cell)
        return found
