# What type checkers know of the package: at run time its names are imported when they are first used.
from toolkit.api import *  # noqa: F403 -- all of it is public, and type checkers read it
from toolkit.api import open as open

__version__: str
