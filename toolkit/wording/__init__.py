"""Printed rules text, generated from an effect's tree, in every language.

``card_text.rules_text`` and ``card_text.card_rules`` generate it as the runs of ``text``. On the way an
effect is brought to one form (``normalise``), planned without a language (``plan``, ``plan_nodes``,
``mentions``), and put into words by one of ``languages``.
"""
