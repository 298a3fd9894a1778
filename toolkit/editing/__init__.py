"""What changes the files of a project: fixes, form, names, tables, new entries, and what an edit would do."""
