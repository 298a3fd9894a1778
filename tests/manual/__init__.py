"""Tests of the language reference."""
