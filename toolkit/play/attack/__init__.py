"""Playing and explaining one attack, for ``opforge attack``."""
