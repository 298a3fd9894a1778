"""From an effect's tree to the rules text that is printed, in every language."""
