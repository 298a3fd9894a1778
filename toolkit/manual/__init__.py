"""The language reference: a page made from the grammar, the registry of words, and executed examples.

``python -m toolkit.manual`` writes it to ``toolkit/help/reference/language.md``; a test compares.
"""
