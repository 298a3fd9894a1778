"""Spreadsheets: cards out to a table, and back from one."""
