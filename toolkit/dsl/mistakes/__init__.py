"""What was probably meant by a sentence, called only after it was refused."""
