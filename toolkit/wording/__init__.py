"""Printed rules text, generated from an effect's tree, in every language.

``rules.rules_text`` and ``rules.card_rules`` generate it as the runs of ``text``. On the way an effect is
brought to one form (``canonical``), planned without a language (``plan``, ``phrases``, ``mentions``), and put
into words by one of ``languages``.
"""
