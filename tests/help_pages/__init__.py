"""The language reference: a page made from the grammar, the registry of words, and executed examples.

``python -m tests.help_pages`` writes it to ``toolkit/help/reference/language.md``; a test compares.
"""
