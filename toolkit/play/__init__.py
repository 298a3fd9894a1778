"""What the engine is asked: attacks, scenarios, games and the bench."""
