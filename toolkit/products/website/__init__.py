"""The pages of ``opforge site``: pictures for screens, templates, and the help as HTML."""
