"""Proofs about conditions and effects over the finite ranges of the game."""
