"""Card files: from YAML to typed values, with a place in the file for every key and value."""
