"""Make three puzzles, prove that each has one solution, and print them with their solutions."""

from __future__ import annotations

import kt_enum

puzzles = [
    kt_enum.puzzle(6, tours="closed", seed=1),
    kt_enum.puzzle(5, piece="king", clues=10, seed=2),
    kt_enum.puzzle(board="#...#\n.....\n.....\n#...#", piece="king", seed=3),
]
assert kt_enum.is_unique(puzzles) == [True, True, True]
for puzzle in puzzles:
    print(puzzle.difficulty, puzzle, sep="\n")
    solution = puzzle.solution
    if solution is not None:
        print(solution.grid())
