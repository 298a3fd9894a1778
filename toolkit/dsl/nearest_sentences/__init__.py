"""From what somebody wrote, in whatever words, to the sentences of the language that are nearest to it."""
