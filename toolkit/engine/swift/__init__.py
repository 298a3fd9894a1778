"""Whole GAMEs of two random players on small mutable state, equal to the reference interpreter.

`games` is the interface: it plays a GAME from a seed. `plan` turns the cards of two squads into code once:
`expressions`, `sentences` and `clauses` write their effects as Python functions, `timing`, `knowing` and
`hindrances` say what need not be asked while a GAME is played and what cannot be played here. `table` is the
state, `changing` says what of it is no longer known when somebody moves or a card is laid. `numbers`,
`verbs`, `events`, `attack`, `dice`, `options`, `support`, `turns` and their like are the rules, each the twin
of what has the same subject in ``toolkit.engine``. Those say what the rules mean; here is only what makes
them quick.

No text of a card reaches `exec`: generated source is made of whole numbers and of names written here.
"""
