"""The help pages: Markdown in this folder, shown by ``opforge explain`` and tested with their examples."""
