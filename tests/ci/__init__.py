"""Tests of what runs opforge for others: pre-commit, and the GitHub Action."""
