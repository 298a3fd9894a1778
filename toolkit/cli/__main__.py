"""``python -m toolkit.cli``."""

from toolkit.cli import main

main()
