"""Tests of reports, suppressions and baselines."""
