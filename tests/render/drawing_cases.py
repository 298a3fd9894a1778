"""Drawings for `test_drawing_features`: what engines draw differently, what they draw alike."""

from __future__ import annotations

import base64
import io

from PIL import Image

RED = '<rect x="10" y="10" width="80" height="80" fill="red"{}/>'
LEFT = '<rect x="10" y="10" width="40" height="80" fill="red"/>'
BOX = '<path d="M20 20h60v60h-60z" fill="{}" stroke="{}" stroke-width="{}"{}/>'
BLEND = '<rect width="60" height="60" fill="#28f"/><rect x="30" y="30" width="60" height="60" fill="#f82"{}/>'
INNER = '<rect x="30" y="30" width="30" height="30" fill="{}"/>'
GRADIENT = (
    '<linearGradient id="g"{}><stop stop-color="red"/><stop offset="1" stop-color="#00f"/></linearGradient>'
)
LINE = '<path d="M10 50h80" stroke="red" stroke-width="10"{}/>'
MASK = '<mask id="m"{}><rect width="50" height="100" fill="#fff"/></mask>'


def painted(colour: str) -> str:
    return RED.format("").replace("red", colour)


def png(picture: Image.Image) -> str:
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()


BLACK = [(x, y) for x in range(4) for y in range(4) if (x + y) % 2]
CHECKS = "".join(f'<rect x="{x}" y="{y}" width="1" height="1"/>' for x, y in BLACK)
CHECKED = Image.new("RGB", (4, 4), "white")
for place in BLACK:
    CHECKED.putpixel(place, (0, 0, 0))
PICTURE = Image.new("RGB", (90, 90), "#08f")
PICTURE.paste("#fd0", (20, 20, 60, 80))

PAIRS: dict[str, tuple[str, str]] = {
    "`<foreignObject>`": (
        '<foreignObject width="90" height="90"><p xmlns="http://www.w3.org/1999/xhtml" '
        'style="background:red;height:50px">x</p></foreignObject>',
        '<rect width="90" height="50" fill="red"/>',
    ),
    "`<flowRoot>`": (
        '<flowRoot font-size="40"><flowRegion><rect width="90" height="90"/></flowRegion>'
        "<flowPara>HH</flowPara></flowRoot>",
        '<rect width="60" height="30"/>',
    ),
    **{
        f"`<{name}>`": (
            f'<defs><{name} id="m" x="10" y="10"><meshrow><meshpatch><stop path="l80,0" stop-color="red"/>'
            '<stop path="l0,80" stop-color="red"/><stop path="l-80,0" stop-color="red"/>'
            f'<stop path="l0,-80" stop-color="red"/></meshpatch></meshrow></{name}></defs>{painted("url(#m)")}',
            painted("red"),
        )
        for name in ("meshgradient", "meshGradient", "mesh")
    },
    "`<hatch>`": (
        '<defs><hatch id="m" pitch="4"><hatchpath stroke="red" stroke-width="4"/></hatch></defs>'
        + painted("url(#m)"),
        painted("red"),
    ),
    **{
        f"`<{name}>`": (
            f'<defs><{name} id="m" solid-color="red"/></defs>{painted("url(#m)")}',
            painted("red"),
        )
        for name in ("solidColor", "solidcolor")
    },
    **{
        f"`<{name}>`": (
            RED.format("").replace(
                "/>", f'><{name} attributeName="fill" from="lime" to="lime" dur="9s"/></rect>'
            ),
            painted("lime"),
        )
        for name in ("animate", "animateColor", "set")
    },
    "`<animateTransform>`": (
        RED.format("").replace(
            "/>",
            '><animateTransform attributeName="transform" type="translate" from="40" to="40" dur="9s"/></rect>',
        ),
        f'<g transform="translate(40)">{RED.format("")}</g>',
    ),
    "`<animateMotion>`": (
        RED.format("").replace("/>", '><animateMotion path="M40 0h1" dur="9s"/></rect>'),
        f'<g transform="translate(40)">{RED.format("")}</g>',
    ),
    "`filter`": (
        '<filter id="f"><feFlood flood-color="lime"/></filter>' + RED.format(' filter="url(#f)"'),
        '<rect x="2" y="2" width="96" height="96" fill="lime"/>',
    ),
    "`paint-order`": (
        BOX.format("#ff0", "red", 20, ' paint-order="stroke"'),
        BOX.format("none", "red", 20, "") + '<path d="M20 20h60v60h-60z" fill="#ff0"/>',
    ),
    "`mix-blend-mode`": (
        BLEND.format(' style="mix-blend-mode:screen"'),
        BLEND.format("") + INNER.format("#faf"),
    ),
    "`mix-blend-mode: plus-lighter`": (
        BLEND.format(' style="mix-blend-mode:plus-lighter"'),
        BLEND.format("") + INNER.format("#fff"),
    ),
    "`isolation`": (
        '<rect width="60" height="60" fill="#28f"/><g style="isolation:isolate">'
        '<rect x="30" y="30" width="60" height="60" fill="#f82" style="mix-blend-mode:multiply"/></g>',
        BLEND.format(""),
    ),
    "`transform-origin`": (
        RED.format(' transform="scale(.5)" transform-origin="50 50"'),
        '<rect x="30" y="30" width="40" height="40" fill="red"/>',
    ),
    "`transform-box`": (
        RED.format(' style="transform:scale(.5);transform-box:fill-box;transform-origin:100% 100%"'),
        '<rect x="50" y="50" width="40" height="40" fill="red"/>',
    ),
    "`image-rendering`": (
        f'<image width="100" height="100" style="image-rendering:pixelated" href="{png(CHECKED)}"/>',
        f'<g transform="scale(25)">{CHECKS}</g>',
    ),
    "`vector-effect`": (
        '<path d="M2 5h8" stroke="red" stroke-width="10" transform="scale(10)" vector-effect="non-scaling-stroke"/>',
        '<path d="M20 50h80" stroke="red" stroke-width="10"/>',
    ),
    "`color-interpolation: linearRGB`": (
        MASK.format(' color-interpolation="linearRGB"').replace("#fff", "#bcbcbc")
        + RED.format(' mask="url(#m)"'),
        LEFT.replace('"red"', '"red" opacity=".502"'),
    ),
    "`mask-image`": (MASK.format("") + RED.format(' style="mask-image:url(#m)"'), LEFT),
    "a gradient as `mask`": (
        RED.format(' style="mask:linear-gradient(90deg,#000 50%,transparent 50%)"'),
        LEFT,
    ),
    "a shape as `clip-path`": (RED.format(' style="clip-path:inset(0 40px 0 0)"'), LEFT),
    "`offset-path`": (
        RED.format(" style=\"offset-path:path('M50 0h1')\""),
        f'<g transform="translate(50)">{RED.format("")}</g>',
    ),
    "`rotate`, `scale` or `translate` as a style": (
        RED.format(' style="translate:30px"'),
        f'<g transform="translate(30)">{RED.format("")}</g>',
    ),
    "`animation`": (
        "<style>@keyframes a{from{fill:lime}to{fill:lime}}rect{animation:a 9s infinite}</style>"
        + RED.format(""),
        painted("lime"),
    ),
    "`context-fill` or `context-stroke`": (
        '<marker id="m" markerWidth="4" markerHeight="4" refX="2" refY="2">'
        '<path d="M0 0h4v4h-4z" fill="context-stroke"/></marker>' + LINE.format(' marker-end="url(#m)"'),
        LINE.format("") + '<path d="M70 30h40v40h-40z" fill="red"/>',
    ),
    "a colour like `oklch()`": (painted("oklch(0.628 0.2577 29.23)"), painted("red")),
    "a colour like `color()`": (painted("color(srgb 1 0 0)"), painted("red")),
    "a colour like `rgb(0 0 0 / 50%)`": (painted("rgb(255 0 0 / 50%)"), RED.format(' opacity=".5"')),
    "`var()`": (f'<g style="--c:red">{painted("var(--c)")}</g>', painted("red")),
    "`stroke-dasharray` of zeros": (LINE.format(' stroke-dasharray="0 0"'), LINE.format("")),
    "`fr` of a gradient": (
        '<radialGradient id="g" fr=".3"><stop stop-color="red"/><stop offset="1" stop-color="#00f"/>'
        "</radialGradient>" + painted("url(#g)"),
        '<radialGradient id="g"><stop offset=".6" stop-color="red"/><stop offset="1" stop-color="#00f"/>'
        "</radialGradient>" + painted("url(#g)"),
    ),
    "an `<ellipse>` with one radius": (
        '<ellipse cx="50" cy="50" rx="40"/>',
        '<circle cx="50" cy="50" r="40"/>',
    ),
    "a transformation by zero": (LEFT + f'<g transform="scale(1 0)">{RED.format("")}</g>', LEFT),
    "a transformation or measure as a style": (
        "<style>rect{transform:translate(30px)}</style>" + RED.format(""),
        f'<g transform="translate(30)">{RED.format("")}</g>',
    ),
    "rules inside `@supports` or `@layer`": (
        "<style>@supports (fill:lime){rect{fill:lime}}</style>" + RED.format(""),
        painted("lime"),
    ),
    "`@media`": ("<style>@media print{rect{fill:lime}}</style>" + RED.format(""), painted("lime")),
    "a selector like `:not()`": ("<style>rect:not(.a){fill:lime}</style>" + RED.format(""), painted("lime")),
    "nested rules": ("<style>g{rect{fill:lime}}</style><g>" + RED.format("") + "</g>", painted("lime")),
    "`<use>` of another file": ('<use href="other.svg#a"/>', painted("red")),
}
"""By the name of a feature: a drawing that uses it, and one that looks the same and uses no feature."""

ALIKE = {
    "shapes": RED.format(' rx="20" ry="9"')
    + '<circle cx="80" cy="20" r="15"/><ellipse cx="50" cy="50" rx="40" ry="9"/>'
    '<polygon points="10,10 90,20 50,90"/><polyline points="10,90 50,50 90,90" fill="none" stroke="#0f0" stroke-width="8"/>',
    "path": '<path d="M10 50a30 20 20 1 1 50 30q10 10 20-30t-10-20c10 10 0 40 0 0s20-40-10-20z" fill-rule="evenodd"/>',
    "transform": f'<g transform="rotate(30 50 50) scale(.5) skewX(10) translate(20)">{RED.format("")}</g>',
    "use and symbol": '<symbol id="s" viewBox="0 0 10 10" refX="2"><path d="M0 0h15v5h-15z"/></symbol>'
    '<use href="#s" x="30" width="50" height="50" fill="red"/>',
    "nested svg": '<svg x="20" y="20" width="70" height="30" viewBox="0 0 10 10" preserveAspectRatio="xMaxYMid slice">'
    '<circle cx="5" cy="5" r="5" fill="red"/></svg>',
    "picture": f'<image x="5" y="5" width="90" height="40" preserveAspectRatio="xMidYMid slice" href="{png(PICTURE)}"/>',
    "colours": painted("#f80a")
    + LEFT.replace("red", "rgb(0%,50%,100%)")
    + INNER.format("hsla(120,100%,25%,.5)"),
    "strokes": '<path d="M20 80 50 20 80 80" fill="none" stroke="red" stroke-width="15" stroke-linejoin="bevel" '
    'stroke-linecap="square" stroke-dasharray="40 9 5" stroke-dashoffset="3" stroke-opacity=".5"/>',
    "linear gradient": GRADIENT.format(' x2=".3" spreadMethod="reflect" gradientTransform="rotate(30)"')
    + painted("url(#g)"),
    "radial gradient": GRADIENT.format(' fx=".3" fy=".3"').replace("linear", "radial") + painted("url(#g)"),
    "inherited gradient": GRADIENT.format("")
    + '<linearGradient id="h" href="#g" x2="0" y2="1"/>'
    + painted("url(#h)"),
    "pattern": '<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(30)">'
    '<rect width="10" height="20" fill="#00f"/></pattern>' + painted("url(#p)"),
    "clip": '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".3"/></clipPath>'
    + RED.format(' clip-path="url(#c)"'),
    "mask": MASK.format("").replace("#fff", "#0f0") + RED.format(' mask="url(#m)" opacity=".6"'),
    "mask by alpha": MASK.format(' mask-type="alpha"').replace("#fff", "#000")
    + RED.format(' mask="url(#m)"'),
    "marker": '<marker id="m" viewBox="0 0 10 10" markerWidth="4" markerHeight="4" refX="5" refY="5" orient="auto">'
    '<path d="M0 0 10 5 0 10z"/></marker><path d="M10 50 50 20 90 60" fill="none" stroke="red" stroke-width="5" '
    'marker-mid="url(#m)" marker-end="url(#m)"/>',
    "multiply": BLEND.format(' style="mix-blend-mode:multiply"'),
    "visibility": f'<g visibility="hidden">{RED.format("")}<circle r="30" visibility="visible"/></g>',
    "style sheet": "<style>g>.a,#b{fill:lime}rect:first-child+.c{fill:#00f}[r='5']{fill:red !important}</style><g>"
    + LEFT.replace("<rect", '<rect class="a"')
    + RED.format("").replace("<rect", '<rect class="c" x="60"').replace('x="10" ', "", 1)
    + '</g><circle id="b" r="9"/><circle r="5"/>',
    "units": '<rect width="10mm" height="20pt"/><rect x="50%" y=".5in" width="2pc" height="1cm"/>',
}
"""Drawings without any feature of the table."""

CHOSEN = {
    "switch": (
        f'<switch><foreignObject requiredExtensions="http://ns.adobe.com/x"/><g>{LEFT}</g>{painted("lime")}</switch>',
        LEFT,
    ),
    "languages": (
        f'<switch><g systemLanguage="de">{painted("lime")}</g><g systemLanguage="fr, en-GB">{LEFT}</g></switch>',
        LEFT,
    ),
    "fallback of HTML": (f'<switch><foreignObject width="9" height="9"/>{LEFT}</switch>', LEFT),
    "condition": (LEFT + '<g requiredExtensions="x"><rect width="90" height="90"/></g>', LEFT),
    "transform": (
        RED.format(' style="transform: translate(20px, 10px) rotate(0.25turn) scale(.5)"'),
        f'<g transform="translate(20 10) rotate(90) scale(.5)">{RED.format("")}</g>',
    ),
    "transform off": (
        '<rect width="40" height="40" transform="scale(2)" style="transform:none"/>',
        '<rect width="40" height="40"/>',
    ),
    "gradient": (
        GRADIENT.format(' style="transform:rotate(90deg)"') + painted("url(#g)"),
        GRADIENT.format(' gradientTransform="rotate(90)"') + painted("url(#g)"),
    ),
    "measures": ('<rect fill="red" style="x:10px;y:10px;width:40px;height:80px;rx:auto"/>', LEFT),
    "circle": (
        '<circle style="cx:50px;cy:50%;r:30px;fill:red"/>',
        '<circle cx="50" cy="50" r="30" fill="red"/>',
    ),
    "path": ("<path style=\"d:path('M10 10h40v80h-40z');fill:red\"/>", LEFT),
}
"""Drawings that are rewritten, and what they then look like."""


def svg(inside: str) -> bytes:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100">{inside}</svg>'
    ).encode()
