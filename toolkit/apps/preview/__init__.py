"""The preview: a local web page with the cards of a project, kept up to date while its files are edited."""
