"""Whole GAMEs of two random players on small mutable state, equal to the reference interpreter.

`plan` turns the cards of two squads into code once; `games` is the interface: it plays a GAME from a seed.
`table` is the state, lists of whole numbers; `expressions`, `sentences` and `clauses` write the effects of
cards as Python functions on it; `numbers`, `verbs`, `events`, `attack`, `dice`, `options`, `support` and
`turns` are the rules, each the twin of what has the same subject in ``toolkit.engine``. Those say what the
rules mean; here is only what makes them quick: nothing is asked that cannot matter for these cards.

No text of a card reaches `exec`: generated source is made of whole numbers and of names written here.
"""
