"""Style sheets and style attributes of templates: what in them print would ignore."""

from toolkit.render.css.checking import ignored_css

__all__ = ["ignored_css"]
