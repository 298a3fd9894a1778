"""Tests of the help pages."""
