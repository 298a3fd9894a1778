"""Tests of tables: cards out to a spreadsheet, and back."""
