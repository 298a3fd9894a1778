"""The faces of opforge: command line, language server, preview. They never import each other."""
