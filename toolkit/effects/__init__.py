"""From typed trees to effect objects: what an effect does, hooked to a step of MODIFY or to an event."""
