"""The trace for people and programs: grouped by step, with sentences, places, and the numbers as sums."""
