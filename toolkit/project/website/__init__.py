"""The folder that ``opforge site`` writes: what is on its pages, and which of its files are ours."""
