"""The package as it is published: its page on PyPI, its metadata and its contents."""
