"""The rules interpreter: state, MODIFY with its trace, ACTIONs. Decisions and dice come from outside."""
