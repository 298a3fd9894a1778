"""Simulated GAMEs: how often SQUADs win, counted over many games between built-in players."""
