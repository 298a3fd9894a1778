"""JSON Schemas (draft 2020-12), one for each kind of entry, built from ``parts``."""
