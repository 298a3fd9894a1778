"""Learn to play: two pages for people who have never seen the game."""
