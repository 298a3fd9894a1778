"""Pages become sheets and plates: layouts, imposition, marks, ink, and what a print shop asks for."""
