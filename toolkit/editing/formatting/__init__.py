"""Card files in canonical form: sentences, order of keys, indentation; comments and meaning stay."""

from toolkit.editing.formatting.formatter import (
    Formatted,
    Refused,
    format_below,
    format_file,
    means_the_same,
)

__all__ = ["Formatted", "Refused", "format_below", "format_file", "means_the_same"]
