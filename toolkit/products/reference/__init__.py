"""The rules reference for the table, made from ruleset, mode and cards."""
