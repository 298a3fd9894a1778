"""What is made from the grammar and the words: two pages of the reference, and colours for editors.

``python -m tests.help_pages`` writes them; tests compare.
"""
