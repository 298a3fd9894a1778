"""From card faces to printed sheets: templates, type that fits, pages, imposition."""
