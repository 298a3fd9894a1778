"""The fast path: Python generated from the effect objects, fused for one match-up, equal to the reference.

The way of an attack: `shapes` says what of it is fixed and what is read from the state each time; `fusing`
plays MODIFY once with expressions in place of numbers; `source` writes those expressions as Python;
`compiled` runs that source once and keeps the functions; `attack` is the interface.

No text of a card reaches `exec`: a card's words decide which expressions are built, and the source is made
of whole numbers and of names that `nodes` and `source` count up themselves.
"""
