"""Card files: from YAML to the values they mean, with a place for every key and value."""
