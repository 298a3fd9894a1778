"""The language server: what an editor shows while cards are written (`opforge lsp`)."""
