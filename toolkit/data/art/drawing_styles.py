"""CSS declarations in the ``style`` attributes of drawings, and those for which there is an attribute.

Neither the PDF engine nor resvg obeys ``transform``, ``x``, ``r``, ``d`` and their kind as CSS (PlutoBook
0.23, resvg 0.48), but both obey the attributes of these names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache

_GEOMETRY = {
    "rect": frozenset({"x", "y", "width", "height", "rx", "ry"}),
    "image": frozenset({"x", "y", "width", "height"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry"}),
    "path": frozenset({"d"}),
}
"""The CSS properties that give an element its shape."""

_TRANSFORMS = {
    "linearGradient": "gradientTransform",
    "radialGradient": "gradientTransform",
    "pattern": "patternTransform",
}
"""The attribute for CSS ``transform`` where it is not ``transform``."""

SHAPING = frozenset().union(*_GEOMETRY.values(), {"transform"})
"""Properties that have an effect as an attribute only."""

_LENGTH = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(px|%)?", re.IGNORECASE)
_PATH = re.compile(r"""path\(\s*(?P<quote>["'])(?P<data>[^"']*)(?P=quote)\s*\)""", re.IGNORECASE)
_FUNCTION = re.compile(r"(?<![a-z])(?P<name>[a-z]+)\((?P<arguments>[^()]*)\)[\s,]*", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?P<value>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?P<unit>px|deg|rad|grad|turn)?", re.IGNORECASE
)
_DEGREES = {"deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}
_AXES = {"translatex": "translate({} 0)", "translatey": "translate(0 {})"}
_AXES |= {"scalex": "scale({} 1)", "scaley": "scale(1 {})"}
_ANGLES = {"rotate": "rotate({})", "skewx": "skewX({})", "skewy": "skewY({})"}
_ARGUMENTS = {"translate": (1, 2), "scale": (1, 2), "matrix": (6, 6)}


@lru_cache(maxsize=4096)
def declarations(style: str) -> Mapping[str, str]:
    """Return the declarations of a rule or a ``style`` attribute by property, without ``!important``."""
    pairs = (declaration.partition(":") for declaration in style.split(";"))
    return {name.strip().lower(): value for name, colon, value in pairs if colon}


def plain_value(value: str) -> str:
    """Return a value without spaces around it and without ``!important``."""
    return value.partition("!")[0].strip()


@lru_cache(maxsize=4096)
def attributes_of(element: str, style: str) -> Mapping[str, str | None]:
    """Return the attributes for the declarations that need one.

    The value is None where the declaration has no plain attribute, such as a percentage in ``transform``.
    """
    moved: dict[str, str | None] = {}
    for name, value in declarations(style).items():
        value = plain_value(value)
        if name == "transform":
            moved[_TRANSFORMS.get(element, name)] = _transform(value)
        elif name in _GEOMETRY.get(element, ()) and value != "auto":
            path = _PATH.fullmatch(value) if name == "d" else None
            if path is not None:
                moved[name] = path["data"]
            else:
                moved[name] = value if _LENGTH.fullmatch(value) else None
    return moved


def style_without(style: str, element: str) -> str:
    """Return a ``style`` attribute without the declarations that ``attributes_of`` replaces."""
    removed = {"transform", *_GEOMETRY.get(element, ())}
    kept_declarations = (
        f"{name}:{value}" for name, value in declarations(style).items() if name not in removed
    )
    return ";".join(kept_declarations)


def _transform(value: str) -> str | None:
    """Return CSS functions as the attribute has them: in user units and degrees, two dimensions only."""
    if value.lower() in ("none", "initial", "unset"):
        return ""
    functions, end = [], 0
    for function in _FUNCTION.finditer(value):
        if function.start() != end:
            return None
        end = function.end()
        functions.append(_function(function["name"].lower(), function["arguments"]))
    if end != len(value) or not functions or None in functions:
        return None
    return " ".join(map(str, functions))


_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


@lru_cache(maxsize=4096)
def is_singular(transform: str) -> bool:
    """Whether a ``transform`` attribute makes everything flat, such as ``scale(0)``."""
    for function in _FUNCTION.finditer(transform):
        name = function["name"].lower()
        numbers = [float(number) for number in _FLOAT.findall(function["arguments"])]
        if name == "scale" and 0 in numbers:
            return True
        if name == "matrix" and len(numbers) == 6:
            a, b, c, d = numbers[:4]
            # the determinant is 0 as far as PlutoBook can tell, which computes with 24 bits
            if abs(a * d - b * c) <= 1e-6 * (abs(a * d) + abs(b * c)):
                return True
    return False


def _function(name: str, arguments: str) -> str | None:
    """Return one function of a transformation as the attribute has it; None if the attribute has it not."""
    numbers: list[str] = []
    is_angle = name in _ANGLES
    for argument in re.split(r"[\s,]+", arguments.strip()):
        number = _NUMBER.fullmatch(argument)
        if number is None:
            return None
        unit = (number["unit"] or "").lower()
        if is_angle and unit in _DEGREES:
            numbers.append(f"{float(number['value']) * _DEGREES[unit]:.9g}")
        elif unit == ("px" if name.startswith("translate") else "") or float(number["value"]) == 0:
            numbers.append(number["value"])
        else:
            return None
    template = _ANGLES.get(name) or _AXES.get(name)
    if template is not None:
        return template.format(*numbers) if len(numbers) == 1 else None
    if name not in _ARGUMENTS:
        return None
    least, most = _ARGUMENTS[name]
    return f"{name}({' '.join(numbers)})" if least <= len(numbers) <= most else None
