"""The CSS that the PDF engine supports, and alternatives to the rest. A test compares it with the engine.

Properties without any effect on paper, such as those of cursors and animations, are not reported.
"""

from __future__ import annotations

from toolkit.render.output_limits import word_set

PROPERTIES = word_set(
    """
    align-content align-items align-self background background-attachment background-clip background-color
    background-image background-origin background-position background-repeat background-size
    baseline-shift block-size border border-block border-block-color border-block-end
    border-block-end-color border-block-end-style border-block-end-width border-block-start
    border-block-start-color border-block-start-style border-block-start-width border-block-style
    border-block-width border-bottom border-bottom-color border-bottom-left-radius
    border-bottom-right-radius border-bottom-style border-bottom-width border-collapse border-color
    border-end-end-radius border-end-start-radius border-inline border-inline-color border-inline-end
    border-inline-end-color border-inline-end-style border-inline-end-width border-inline-start
    border-inline-start-color border-inline-start-style border-inline-start-width border-inline-style
    border-inline-width border-left border-left-color border-left-style border-left-width border-radius
    border-right border-right-color border-right-style border-right-width border-spacing
    border-start-end-radius border-start-start-radius border-style border-top border-top-color
    border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom
    box-sizing break-after break-before break-inside caption-side clear clip clip-rule color column-count
    column-fill column-gap column-rule column-rule-color column-rule-style column-rule-width column-span
    column-width columns content counter-increment counter-reset counter-set cx cy direction display
    dominant-baseline empty-cells fill fill-opacity fill-rule flex flex-basis flex-direction flex-flow
    flex-grow flex-shrink flex-wrap float font font-family font-feature-settings font-kerning font-size
    font-stretch font-style font-variant font-variant-caps font-variant-east-asian font-variant-ligatures
    font-variant-numeric font-variant-position font-variation-settings font-weight gap height hyphens
    inline-size inset inset-block inset-block-end inset-block-start inset-inline inset-inline-end
    inset-inline-start justify-content left letter-spacing line-height list-style list-style-image
    list-style-position list-style-type margin margin-block margin-block-end margin-block-start
    margin-bottom margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top
    marker marker-end marker-mid marker-start mask-type max-block-size max-height max-inline-size
    max-width min-block-size min-height min-inline-size min-width mix-blend-mode object-fit
    object-position opacity order orphans outline outline-color outline-offset outline-style outline-width
    overflow overflow-x overflow-y overflow-wrap padding padding-block padding-block-end
    padding-block-start padding-bottom padding-inline padding-inline-end padding-inline-start padding-left
    padding-right padding-top page page-break-after page-break-before page-break-inside paint-order
    position quotes r right row-gap rx ry size stop-color stop-opacity stroke stroke-dasharray
    stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    tab-size table-layout text-align text-anchor text-decoration text-decoration-color
    text-decoration-line text-decoration-style text-indent text-orientation text-overflow text-transform
    top transform transform-origin unicode-bidi vector-effect vertical-align visibility white-space widows
    width word-break word-spacing word-wrap writing-mode x y z-index
    """
)

NO_EFFECT_PREFIXES = (
    *("animation", "transition", "cursor", "user-select", "pointer-events", "will-change", "scroll", "caret"),
    *("print-color-adjust", "image-rendering", "text-rendering", "font-display", "appearance", "resize"),
    *("-webkit-print-color-adjust", "-webkit-font-smoothing", "-moz-osx-font-smoothing", "color-scheme"),
)
"""Prefixes of properties that have no effect on paper."""

FLEX = "Use `display: flex`, or places in rem."
SHADOW = "`shadow(…)` draws one: `background-image: url({{ shadow(…) }})`."
GRADIENT = "`gradient(…)` draws one: `background-image: url({{ gradient(…) }})`."
DRAWN = "Draw it in an `<svg>`."

ALTERNATIVES = {
    "grid": ("grid", FLEX),
    "place-": ("grid", FLEX),
    "justify-items": ("grid", FLEX),
    "justify-self": ("grid", FLEX),
    "aspect-ratio": ("aspect-ratio", "Give width and height."),
    "box-shadow": ("shadow", SHADOW),
    "text-shadow": ("text-shadow", "Print the text twice, one above the other, or remove it."),
    "filter": ("filter", "Change the picture itself."),
    "backdrop-filter": ("filter", "Change the picture itself."),
    "clip-path": ("clip", "Use `border-radius` and `overflow: hidden`, or draw the shape in an `<svg>`."),
    "mask": ("clip", "Use `border-radius` and `overflow: hidden`, or draw the shape in an `<svg>`."),
    "border-image": ("border-image", DRAWN),
    "rotate": ("transform", "Write `transform: rotate(…)`."),
    "scale": ("transform", "Write `transform: scale(…)`."),
    "translate": ("transform", "Write `transform: translate(…)`."),
    "text-wrap": ("text-wrap", "Break the line with `<br>`."),
    "text-align-last": ("text-align-last", "Use `text-align`."),
    "text-decoration-": ("text-decoration", "Use `border-bottom`."),
    "text-underline-": ("text-decoration", "Use `border-bottom`."),
    "background-blend-mode": ("blend", "Use `mix-blend-mode` on a separate element."),
    "line-clamp": ("ellipsis", "Let the text shrink: `fit.begin(…)` and `fit.end()`."),
    "-webkit-line-clamp": ("ellipsis", "Let the text shrink: `fit.begin(…)` and `fit.end()`."),
    "-webkit-text-stroke": ("text-stroke", "Draw the text as `<text>` in an `<svg>` with a stroke."),
    "all": ("all", "Set the properties one by one."),
}
"""By property, or prefix that ends in a hyphen: the key of the cause (one finding each) and the next step."""

UNSUPPORTED_FUNCTIONS = {
    **dict.fromkeys(
        (
            *("linear-gradient", "radial-gradient", "conic-gradient", "repeating-linear-gradient"),
            *("repeating-radial-gradient", "repeating-conic-gradient"),
        ),
        ("gradient", GRADIENT),
    ),
    **dict.fromkeys(
        ("oklch", "oklab", "lch", "lab", "color", "light-dark"), ("colour", "Write it as #rrggbb.")
    ),
    "color-mix": ("colour", "Mix it in the template: `{{ mix(one, other, 0.3) }}`."),
    **dict.fromkeys(
        ("round", "mod", "rem", "abs", "pow", "sqrt"), ("arithmetic", "Compute it in the template.")
    ),
    "env": ("env", "Write the value itself."),
    "image-set": ("image-set", "Name one picture with `url(…)`."),
    "drop-shadow": ("filter", "Change the picture itself."),
}
"""Functions for which the engine ignores the whole declaration: the key of the cause, and the next step."""

VALUES = {
    "display": word_set(
        """
        none block inline inline-block flex inline-flex list-item table inline-table table-row
        table-cell table-row-group table-header-group table-footer-group table-column table-column-group
        table-caption
        """
    ),
    "position": word_set("static relative absolute fixed"),
    "float": word_set("none left right"),
    "visibility": word_set("visible hidden collapse"),
    "flex-direction": word_set("row row-reverse column column-reverse"),
    "flex-wrap": word_set("nowrap wrap wrap-reverse"),
    "text-align": word_set("left right center justify start end"),
    "text-transform": word_set("none uppercase lowercase capitalize"),
    "font-style": word_set("normal italic oblique"),
    "white-space": word_set("normal nowrap pre pre-line pre-wrap"),
    "object-fit": word_set("fill contain cover none scale-down"),
    "box-sizing": word_set("content-box border-box"),
}
"""The keywords that some properties accept."""

GLOBAL_KEYWORDS = word_set("inherit initial unset")
"""Keywords that every property accepts."""

UNITS = word_set(
    "% px pt pc in cm mm q em rem ex ch lh rlh vw vh vmin vmax deg grad rad turn dpi s ms x dppx fr"
)

PSEUDO = word_set(
    """
    active any-link checked disabled empty enabled first-child first-of-type focus focus-visible
    focus-within has hover is lang last-child last-of-type link local-link not nth-child nth-last-child
    nth-last-of-type nth-of-type only-child only-of-type root scope target target-within visited where
    before after first-letter first-line marker selection placeholder
    """
)
"""Supported pseudo-classes and pseudo-elements; any other makes the engine ignore the rule."""

AT_RULES = frozenset(("charset", "counter-style", "font-face", "import", "media", "namespace", "page"))
"""Supported at-rules."""
