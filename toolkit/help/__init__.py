"""The help pages: Markdown files in this folder, which ``opforge explain`` shows and tests execute."""
