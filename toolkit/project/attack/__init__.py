"""One attack played and explained: what ``opforge attack`` does."""
