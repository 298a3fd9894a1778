"""opforge: from card files to checks, rules text, behaviour and print-and-play sheets.

A script begins with ``toolkit.open("cards")``. The names of ``toolkit.api`` are names of this package too;
they are imported when they are first used.
"""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Return a name of the public interface."""
    from importlib import import_module

    api = import_module("toolkit.api")
    if name == "__all__":
        return api.__all__
    if name in dir(api):
        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    from importlib import import_module

    return sorted(("__version__", *dir(import_module("toolkit.api"))))
