"""Drawings written anew so that every engine draws them: plain SVG that refers to nothing outside itself.

``switch`` and conditions are decided, CSS becomes attributes where only these have an effect, elements and
attributes of other namespaces are left out, and each address is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from xml.parsers import expat

from msgspec import Struct, field

from toolkit.data.art.drawing_styles import attributes_of, style_without

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK_HREF = "http://www.w3.org/1999/xlink href"

LANGUAGE = "en"
"""The language that ``systemLanguage`` is compared with. A drawing is the same in all editions of a card."""

_SPACE = "http://www.w3.org/XML/1998/namespace space"
_NEVER_CHOSEN = frozenset({"title", "desc", "metadata", "defs", "style", "script", "foreignObject"})
"""Children of ``switch`` that are not chosen. Nobody draws a ``foreignObject``, so what comes after it is."""

_ADDRESS = re.compile(r"""url\((?:\s*(?:"[^"]*"|'[^']*')\s*|[^"'()]*)\)""", re.IGNORECASE)
_IMPORT = re.compile(r"@import\b[^;]*;?", re.IGNORECASE)
_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): "&#13;"}
_ATTRIBUTE_ESCAPES = {**_ESCAPES, ord('"'): "&quot;", ord("\n"): "&#10;", ord("\t"): "&#9;"}
"""Not by ``xml.sax.saxutils``, whose import takes 33 ms of each check."""

_LOCAL = re.compile(r"""url\(\s*["']?#""", re.IGNORECASE)


class _Choice(Struct):
    """An open element: whether it is drawn; if it is a ``switch``, whether one of its children is."""

    drawn: bool = True
    is_switch: bool = False
    chosen: bool = False


class Choices(Struct):
    """Decides which elements are drawn, fed element by element: ``switch`` draws the first that can be."""

    decided: bool = False
    """Whether anything depended on a condition or a ``switch``."""

    _open: list[_Choice] = field(default_factory=lambda: [_Choice()])

    def start(self, namespace: str, name: str, attributes: Mapping[str, str]) -> bool:
        """Begin an element, and return whether it is drawn: it and all around it are SVG and not left out."""
        above = self._open[-1]
        drawn = above.drawn and namespace == NAMESPACE
        if drawn and not _holds(attributes):
            drawn, self.decided = False, True
        if drawn and above.is_switch:
            drawn = not above.chosen and name not in _NEVER_CHOSEN
            above.chosen |= drawn
        is_switch = drawn and name == "switch"
        self.decided |= is_switch
        self._open.append(_Choice(drawn, is_switch))
        return drawn

    def end(self) -> bool:
        """End an element, and return whether it is a ``switch`` none of whose children is drawn."""
        element = self._open.pop()
        return element.is_switch and not element.chosen


def _holds(attributes: Mapping[str, str]) -> bool:
    """Whether the conditions of an element hold. No extension is known; ``requiredFeatures`` is obsolete."""
    languages = attributes.get("systemLanguage")
    if languages is not None:
        codes = [code.strip().lower() for code in languages.split(",")]
        if not any(code.partition("-")[0] == LANGUAGE for code in codes):
            return False
    return "requiredExtensions" not in attributes


Resolve = Callable[[str, str], "str | None"]
"""Returns what replaces an address at an element of that name; None if the attribute is left out."""


def rewritten(content: bytes, resolve: Resolve, size: tuple[float, float] | None = None) -> bytes:
    """Return a well-formed drawing in UTF-8 written anew; addresses in CSS must lead to itself.

    ``size`` is the width and height of a drawing that has none.
    """
    writer = _Writer(resolve, size)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = writer.start
    parser.EndElementHandler = writer.end
    parser.CharacterDataHandler = writer.text
    parser.Parse(content, True)
    return "".join(writer.parts).encode()


class _Writer(Struct):
    """The handlers of expat that write a drawing."""

    resolve: Resolve
    size: tuple[float, float] | None
    parts: list[str] = field(default_factory=list)
    _choices: Choices = field(default_factory=Choices)
    _open: list[str | None] = field(default_factory=list)
    """The names of the open elements as they are written; None for those that are left out."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Write the start of an element, unless it is left out."""
        namespace, _, element = name.rpartition(" ")
        if not self._choices.start(namespace, element, attributes):
            self._open.append(None)
            return
        written = self._attributes(element, attributes)
        if not self._open:  # the outermost element
            written = {"xmlns": NAMESPACE, **written}
            if self.size is not None:
                width, height = self.size
                written |= {"width": f"{width:g}", "height": f"{height:g}"}
        name = "g" if element == "switch" else element
        self._open.append(name)
        pairs = (f' {key}="{value.translate(_ATTRIBUTE_ESCAPES)}"' for key, value in written.items())
        self.parts.append(f"<{name}{''.join(pairs)}>")

    def end(self, _name: str) -> None:
        """Write the end of an element."""
        self._choices.end()
        name = self._open.pop()
        if name is not None:
            self.parts.append(f"</{name}>")

    def text(self, text: str) -> None:
        """Write characters between elements."""
        if self._open and self._open[-1] is not None:
            text = _sealed(text) if self._open[-1] == "style" else text
            self.parts.append(text.translate(_ESCAPES))

    def _attributes(self, element: str, attributes: dict[str, str]) -> dict[str, str]:
        """Return the attributes as they are written.

        Those of other namespaces (expat names them with a space) are left out, as are conditions, which are
        decided, and links that lead nowhere; declarations that need an attribute become one.
        """
        written = {key: _sealed(value) for key, value in attributes.items() if " " not in key}
        for key in ("systemLanguage", "requiredFeatures", "src"):
            written.pop(key, None)
        if _SPACE in attributes:
            written["xml:space"] = attributes[_SPACE]
        address = attributes.get("href", attributes.get(XLINK_HREF))
        if address is not None:
            target = self.resolve(element, address.strip())
            if target is not None:
                written["href"] = target
            else:
                written.pop("href", None)
        if style := written.get("style"):
            styles = attributes_of(element, style)
            moved = {key: value for key, value in styles.items() if value is not None}
            if moved:
                written |= moved | {"style": style_without(style, element)}
        return written


def _sealed(css: str) -> str:
    """Return a style sheet or the value of an attribute without addresses that lead elsewhere."""
    if "url(" not in css.lower() and "@import" not in css.lower():
        return css
    css = _IMPORT.sub("", css)
    return _ADDRESS.sub(lambda address: address[0] if _LOCAL.match(address[0]) else "none", css)
