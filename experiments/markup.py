"""Small pieces of HTML: escaped text, elements and tables."""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Raw:
    """Text that is HTML already."""

    content: str


Content = str | Raw


def text(content: Content) -> str:
    """HTML of a piece of content: plain words are escaped.

    Examples
    --------
    >>> text("a < b"), text(Raw("<b>c</b>"))
    ('a &lt; b', '<b>c</b>')
    """
    return content.content if isinstance(content, Raw) else html.escape(content, quote=True)


def element(name: str, *content: Content, **attributes: str) -> Raw:
    """One element; ``class_`` stands for the attribute ``class``.

    Examples
    --------
    >>> element("p", "1 < 2", class_="note").content
    '<p class="note">1 &lt; 2</p>'
    """
    given = "".join(
        f' {key.rstrip("_")}="{html.escape(value, quote=True)}"' for key, value in attributes.items()
    )
    return Raw(f"<{name}{given}>{''.join(text(piece) for piece in content)}</{name}>")


def joined(pieces: Iterable[Content], separator: str = "\n") -> Raw:
    """Pieces one after another; empty ones are left out."""
    return Raw(separator.join(written for written in map(text, pieces) if written))


def table(head: Sequence[str], rows: Iterable[Sequence[Content]], numeric: Sequence[str] = ()) -> Raw:
    """A table that scrolls sideways where it is too wide; columns named in ``numeric`` are aligned right."""
    cells = []
    for row in rows:
        styled = [
            element("td", cell, class_="number") if name in numeric else element("td", cell)
            for name, cell in zip(head, row, strict=True)
        ]
        cells.append(element("tr", *styled))
    heading = element("tr", *(element("th", name) for name in head)) if any(head) else Raw("")
    return element("div", element("table", heading, joined(cells)), class_="scroll")
