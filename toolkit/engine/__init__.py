"""The engine: the rules of the game played on a state, for attacks, scenarios, GAMEs and replays."""
