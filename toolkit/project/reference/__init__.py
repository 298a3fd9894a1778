"""The rules reference: what players want on the table, made from ruleset, mode and cards."""
