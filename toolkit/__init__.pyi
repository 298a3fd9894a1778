# What type checkers know of the package: at run time its names are imported when they are first used.
from toolkit.api import *
from toolkit.api import open as open

__version__: str
