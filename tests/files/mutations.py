"""Damage to the bytes of a file, the same for the same seed."""

import numpy as np

_WORTH_TRYING = (
    0,
    1,
    2**7,
    2**8 - 1,
    2**15,
    2**16 - 1,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**40,
    2**63 - 1,
    2**64 - 1,
)


def mutated(data: bytes, seed: int) -> bytes:
    """The bytes with one to six changes: bits, bytes, numbers, pieces cut, doubled, moved, an end lost."""
    rng = np.random.default_rng(seed)
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 7))):
        if not changed:
            break
        at = int(rng.integers(len(changed)))
        length = int(rng.integers(1, min(64, len(changed)) + 1))
        match int(rng.integers(8)):
            case 0:
                changed[at] ^= 1 << int(rng.integers(8))
            case 1:
                changed[at] = int(rng.integers(256))
            case 2:
                width = int(rng.choice([1, 2, 4, 8]))
                number = int(_WORTH_TRYING[int(rng.integers(len(_WORTH_TRYING)))]) % (1 << 8 * width)
                changed[at : at + width] = number.to_bytes(width, "little" if rng.random() < 0.7 else "big")
            case 3:
                del changed[at : at + length]
            case 4:
                changed[at:at] = changed[at : at + length]
            case 5:
                changed[at:at] = rng.bytes(length)
            case 6:
                there = int(rng.integers(len(changed)))
                changed[at : at + length] = changed[there : there + length]
            case _:
                del changed[at:]
    return bytes(changed)
