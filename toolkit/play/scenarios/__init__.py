"""Scenarios as tests: the state they begin with, the steps they play, and what they expect."""
