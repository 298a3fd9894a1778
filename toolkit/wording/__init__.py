"""From an effect's tree to the rules text that is printed, in every language.

``rules.rules_text`` and ``rules.card_rules`` make it; ``text`` is what they give; ``languages`` has them all.
"""
