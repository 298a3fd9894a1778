"""Tests of the sheet production."""
