"""What was probably meant, called only after something was refused."""
