"""The streaming side of the house: NumPy and numba only; nothing below this name may import JAX."""
