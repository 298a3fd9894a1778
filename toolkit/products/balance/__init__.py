"""The report of ``opforge balance``: what a set of cards is like, in one page."""
