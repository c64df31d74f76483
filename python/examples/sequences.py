"""Print terms of three sequences of the OEIS."""

from __future__ import annotations

import kt_enum

SEQUENCES: dict[str, list[kt_enum.Count]] = {
    "A001230, closed knight's tours": [kt_enum.count(n, tours="closed") for n in (2, 4, 6)],
    "A140519, closed king's tours": [
        kt_enum.count(n, piece="king", tours="closed") for n in range(4, 8)
    ],
    "A270273, closed wazir's tours of a torus": [
        kt_enum.count(n, piece="wazir", wrap="torus", tours="closed") for n in (4, 7)
    ],
}

for name, counts in SEQUENCES.items():
    print(name, *(count.undirected for count in counts))
