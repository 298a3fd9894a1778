"""opforge: from card files to checks, rules text, behaviour and print-and-play sheets."""

__version__ = "0.1.0"
