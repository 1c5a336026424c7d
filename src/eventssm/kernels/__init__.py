"""Compiled kernels: the recurrence over a table's rows, pooled sums of them, and their adjoints.

They are numba's, loops over groups of sixteen states that stay in the machine's vector registers. XLA calls
them as a foreign function (`handler`). Importing this package does not import JAX.
"""

from eventssm.kernels._jobs import handler as handler
