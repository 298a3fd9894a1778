"""Measurements, run by hand."""

import os

# Modules and templates are compiled once, as after an installation, and not in each process that is measured.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
