"""Puzzles: read, solved, proved unique and made."""

import pickle
import xml.etree.ElementTree as xml

import kt_enum
import pytest

UNIQUE = "3 . . 12\n. . . .\n1 . . ."
SEVERAL = ". . . .\n. . . .\n1 . . ."
NONE = "1 2 .\n. . .\n. . ."


def test_published_puzzles_are_judged_in_one_call(golden):
    puzzles, verdicts = [], []
    for name, piece, closed, verdict, _solutions, _source, board in golden("puzzles.tsv"):
        if name == "made-knight-12x12":
            continue  # It takes longer than all others together: the library's own tests judge it.
        tours = "closed" if closed == "yes" else "open"
        puzzles.append(kt_enum.Puzzle(board.replace(" / ", "\n"), piece=piece, tours=tours))
        verdicts.append(verdict == "unique")
    assert len(puzzles) == 111 and {True, False} == set(verdicts)
    assert kt_enum.is_unique(puzzles) == verdicts


def test_a_puzzle_is_made_from_texts_rows_and_steps(tmp_path):
    puzzle = kt_enum.Puzzle(UNIQUE)
    assert puzzle.clues == {1: "a1", 3: "a3", 12: "d3"} and puzzle.board == "3x4"
    rows = [[3, None, None, 12], [None] * 4, [1, ".", ".", "."]]
    file = tmp_path / "puzzle"
    file.write_text(UNIQUE)
    assert kt_enum.Puzzle(rows) == puzzle == kt_enum.Puzzle(file)
    assert kt_enum.Puzzle({12: "d3", 3: (2, 0), 1: "a1"}, "3x4") == puzzle
    assert kt_enum.Puzzle(str(puzzle)) == puzzle == kt_enum.Puzzle(UNIQUE.splitlines())
    assert repr(puzzle) == "<puzzle on 3x4 with 3 steps given>" and not puzzle.closed
    assert repr(kt_enum.Puzzle({1: "a1"}, 6, closed=True)) == "<closed puzzle on 6x6 with 1 step given>"
    assert puzzle.solution is None and puzzle.difficulty is None
    assert kt_enum.Puzzle({}, 6, tours="closed").closed


def test_rows_of_numpy_are_a_puzzle():
    numpy = pytest.importorskip("numpy")
    rows = numpy.array([[3, 0, 0, 12], [0, 0, 0, 0], [1, 0, 0, 0]])
    assert kt_enum.Puzzle(rows) == kt_enum.Puzzle(UNIQUE)


PASTED = "X X 0 X\nX X X X\n1 X X X"


def test_signs_mean_what_the_call_says(tmp_path):
    file = tmp_path / "pasted"
    file.write_text(PASTED)
    king = {"piece": "king"}
    for given in (PASTED, PASTED.splitlines(), [row.split() for row in PASTED.splitlines()], file):
        holed = kt_enum.Puzzle(given, blank="X", hole="0", **king)
        assert (holed.board, holed.clues) == ("3x4 piece=king without=c3", {1: "a1"})
        whole = kt_enum.Puzzle(given, blank="X0")
        assert (whole.board, whole.clues) == ("3x4", {1: "a1"})
        assert kt_enum.solve(given, blank="X0", limit=9) == kt_enum.solve(whole, limit=9)
        assert kt_enum.is_unique(given, blank="X0") is False
        assert kt_enum.hint(given, blank="X", hole="0", **king) == kt_enum.hint(holed)
    for ask in (kt_enum.Puzzle, kt_enum.solve, kt_enum.is_unique, kt_enum.hint):
        with pytest.raises(ValueError, match="`0` cannot be both a square to fill and a hole"):
            ask(PASTED, blank="X0", hole="0")
        with pytest.raises(ValueError, match="`7` is no sign"):
            ask(PASTED, hole="7")
        with pytest.raises(TypeError, match="blank: .*'list' object is not an instance of 'str'"):
            ask(PASTED, blank=["X"])
        with pytest.raises(ValueError, match="a Puzzle has its board .*: leave out .* signs"):
            ask(whole, blank="X")
    with pytest.raises(TypeError, match="unexpected keyword argument 'blank'"):
        kt_enum.count(6, blank="X")


def test_wrong_puzzles_are_refused():
    for given, size, why in [
        ("", None, "there is no board with steps given"),
        ("1 . .\n. .", None, "line 2"),
        ("1 1 .\n. . .", None, "1 stands on b2 and on a2"),
        ({1: "a1"}, None, "need a board"),
        ({-1: "a1"}, 5, "-1 is not a step"),
        ([UNIQUE, UNIQUE], None, "make a list of Puzzle"),
        ({99: "a1"}, 5, "the steps go from 1 to 25"),
        ({1: "k9"}, 5, "square k9 is not on the 5x5 board"),
        (f"{UNIQUE}\n\n{UNIQUE}", None, "these are 2 puzzles"),
    ]:
        with pytest.raises(ValueError, match=why):
            kt_enum.Puzzle(given, size)
        with pytest.raises(ValueError, match=why):
            kt_enum.solve(given, size)
    with pytest.raises(TypeError):
        kt_enum.Puzzle(3)


@pytest.mark.parametrize("options", [{"size": 8}, {"board": "8x8"}, {"tours": "closed"}, {"piece": "king"}])
def test_a_puzzle_keeps_its_board_and_its_kind(options):
    puzzle = kt_enum.Puzzle(UNIQUE)
    for ask in (kt_enum.is_unique, kt_enum.solve, kt_enum.hint, kt_enum.Puzzle):
        with pytest.raises(ValueError, match="a Puzzle has its board and its kind of tours"):
            ask(puzzle, **options)
    with pytest.raises(ValueError, match="a Puzzle has its board and its kind of tours"):
        kt_enum.is_unique([puzzle], **options)


def test_a_solution_solves_its_puzzle():
    tour = kt_enum.nth(1, "3x4")
    assert kt_enum.Puzzle({1: tour.names[0]}, "3x4", solution=tour).solution == tour
    for clues, size, tours in [({1: tour.names[1]}, "3x4", "open"), ({}, "3x4", "closed"), ({}, 5, "open")]:
        with pytest.raises(ValueError, match="solution: the tour does not solve this puzzle"):
            kt_enum.Puzzle(clues, size, solution=tour, tours=tours)


def test_puzzles_have_no_one_or_several_solutions():
    solved = kt_enum.solve(UNIQUE)
    assert (solved.verdict, solved.reason, solved.complete) == ("unique", None, True)
    [tour] = solved.solutions
    assert all(tour.names[step - 1] == name for step, name in kt_enum.Puzzle(UNIQUE).clues.items())
    solved = kt_enum.solve(SEVERAL)
    assert solved.verdict == "several" and len(set(solved.solutions)) == 2
    everything = kt_enum.solve(SEVERAL, limit=100)
    assert everything.complete and len(everything.solutions) == kt_enum.count("3x4", from_="a1").directed
    solved = kt_enum.solve(kt_enum.Puzzle(NONE))
    assert (solved.verdict, solved.solutions) == ("none", []) and solved.reason
    assert kt_enum.solve(SEVERAL, limit=1).verdict == "undecided"
    with pytest.raises(ValueError, match="limit: give 1 or more"):
        kt_enum.solve(SEVERAL, limit=0)
    with pytest.raises(TypeError, match="a puzzle is a Puzzle, a text, .* is none"):
        kt_enum.solve([kt_enum.Puzzle(SEVERAL)] * 2)
    assert len(kt_enum.solve({}, 6, tours="closed", limit=10, threads=2).solutions) == 10
    assert pickle.loads(pickle.dumps(everything)) == everything


def test_equal_puzzles_have_equal_hashes():
    one, same = kt_enum.Puzzle(UNIQUE), kt_enum.Puzzle({3: "a3", 1: "a1", 12: "d3"}, "3x4")
    assert one == same and hash(one) == hash(same) and len({one, same, kt_enum.Puzzle(SEVERAL)}) == 2
    assert one != kt_enum.Puzzle(SEVERAL) and one != UNIQUE


def test_every_form_of_a_puzzle_is_asked_about(tmp_path):
    file = tmp_path / "puzzle"
    file.write_text(UNIQUE)
    rows = [[3, None, None, 12], [None] * 4, [1, ".", ".", "."]]
    for form, size in [(UNIQUE, None), (rows, None), (file, None), ({1: "a1", 3: "a3", 12: "d3"}, "3x4")]:
        assert kt_enum.is_unique(form, size) is True
        assert kt_enum.hint(form, size).startswith("2 goes on c2")
    told = []
    assert kt_enum.puzzle(5, closed=False, threads=1, progress=told.append, seed=1).closed is False


def test_uniqueness_is_said_of_one_puzzle_and_of_many():
    puzzles = [kt_enum.Puzzle(text) for text in (UNIQUE, SEVERAL, NONE)]
    assert kt_enum.is_unique(puzzles) == [True, False, False]
    assert kt_enum.is_unique(UNIQUE) is True and kt_enum.is_unique(puzzles[1]) is False
    assert kt_enum.is_unique([]) == []
    with pytest.raises(kt_enum.Undecided, match="not decided in time"):
        kt_enum.is_unique({}, 8, tours="closed", max_time=0)


def test_a_hint_is_the_next_step():
    assert kt_enum.hint(UNIQUE) == "2 goes on c2: no other square fits between 1 on a1 and 3 on a3"
    assert kt_enum.hint(NONE) is None
    with pytest.raises(kt_enum.Undecided, match="no hint was found in time"):
        kt_enum.hint({}, 8, max_time=0)


def test_puzzles_are_made_with_one_solution():
    for options in [
        {"size": 6, "tours": "closed"},
        {"size": 5, "clues": 9, "ends": "shown"},
        {"size": 6, "symmetric": True, "piece": "king"},
        {"board": "#...#\n.....\n.....\n#...#", "piece": "king", "ends": "hidden"},
    ]:
        puzzle = kt_enum.puzzle(**options, seed=2)
        assert kt_enum.is_unique(puzzle) and puzzle.difficulty
        [solution] = kt_enum.solve(puzzle).solutions
        assert solution == puzzle.solution
        assert len(puzzle.clues) == options.get("clues", len(puzzle.clues))
        assert kt_enum.puzzle(**options, seed=2) == puzzle
        again = pickle.loads(pickle.dumps(puzzle))
        assert (again, again.solution, again.difficulty) == (puzzle, puzzle.solution, puzzle.difficulty)
        if "ends" in options:
            ends = {1, len(puzzle.solution)}
            assert ends <= set(puzzle.clues) if options["ends"] == "shown" else not ends & set(puzzle.clues)


KINDS = {
    True: lambda row, col: (5 - row, 5 - col),
    "half-turn": lambda row, col: (5 - row, 5 - col),
    "quarter-turn": lambda row, col: (col, 5 - row),
    "left-right": lambda row, col: (row, 5 - col),
    "top-bottom": lambda row, col: (5 - row, col),
    "diagonal": lambda row, col: (col, row),
    "anti-diagonal": lambda row, col: (5 - col, 5 - row),
}


@pytest.mark.parametrize("kind", KINDS)
def test_puzzles_are_made_with_steps_on_squares_that_a_symmetry_keeps(kind):
    puzzle = kt_enum.puzzle(6, symmetric=kind, seed=1)
    given = {puzzle.solution.squares[step - 1] for step in puzzle.clues}
    assert given == {KINDS[kind](*square) for square in given} and kt_enum.is_unique(puzzle)


def test_puzzles_are_made_with_steps_on_the_squares_of_a_drawing(tmp_path):
    rows = ["X....X", "......", "..XX..", "..XX..", "......", "X....X"]
    (tmp_path / "pattern").write_text("\n".join(rows))
    puzzles = [kt_enum.puzzle(6, pattern=form, seed=1) for form in (rows, "\n".join(rows), tmp_path / "pattern")]
    assert puzzles[0] == puzzles[1] == puzzles[2] and kt_enum.is_unique(puzzles[0])
    assert set(puzzles[0].clues.values()) == {"a1", "f1", "a6", "f6", "c3", "d3", "c4", "d4"}
    with pytest.raises(ValueError, match="pattern: does not mark squares of 6x6: give a line per row"):
        kt_enum.puzzle(6, pattern="X")
    with pytest.raises(ValueError, match="leave out clues, symmetric and ends"):
        kt_enum.puzzle(6, pattern=rows, clues=8)
    with pytest.raises(ValueError, match="determine none of 10,000 random tours: mark more squares, or try another seed"):
        kt_enum.puzzle(3, piece="king", pattern=["...", "...", "X.."], seed=1)
    with pytest.raises(ValueError, match="symmetric: `twice` is none of half-turn, quarter-turn"):
        kt_enum.puzzle(6, symmetric="twice")


@pytest.mark.parametrize("grade", ["gentle", "easy", "medium", "hard"])
def test_puzzles_are_made_of_a_grade(grade):
    for options in [{"size": 6, "piece": "king"}, {"size": 6, "tours": "closed"}]:
        puzzle = kt_enum.puzzle(**options, difficulty=grade, seed=1)
        assert puzzle.difficulty.startswith(f"{grade}: ") and kt_enum.is_unique(puzzle)
        assert kt_enum.puzzle(**options, difficulty=grade, seed=1) == puzzle


def test_a_puzzle_is_drawn_and_so_is_its_answer():
    puzzle = kt_enum.puzzle(6, tours="closed", seed=1)
    numbers = {
        answer: {text for text in xml.fromstring(puzzle.svg(answer=answer)).itertext() if text.isdigit()}
        for answer in (False, True)
    }
    rows = {str(number) for number in range(1, 7)}
    assert numbers[False] - rows == {str(step) for step in puzzle.clues} - rows
    assert numbers[True] == {str(number) for number in range(1, 37)}
    assert "<one>" in "".join(xml.fromstring(puzzle.svg(title="<one>")).itertext())
    again = kt_enum.Puzzle(puzzle.clues, 6, tours="closed")
    assert again.solution is None and again._repr_svg_() == puzzle._repr_svg_()
    assert kt_enum.Puzzle(NONE)._repr_svg_() is None
    with pytest.raises(ValueError, match="without a solution"):
        kt_enum.Puzzle(NONE).svg()


def test_puzzles_that_cannot_be_made_are_refused():
    with pytest.raises(ValueError, match="there are no closed tours of 3x3"):
        kt_enum.puzzle(3, tours="closed")
    with pytest.raises(ValueError, match="try another seed, or more clues"):
        kt_enum.puzzle(6, clues=1, seed=1)
    with pytest.raises(ValueError, match="leave out symmetric"):
        kt_enum.puzzle(graph=[(1, 2), (2, 3)], symmetric=True)
    with pytest.raises(ValueError, match="no hard puzzle comes .*: try another seed, or an easier grade"):
        kt_enum.puzzle("1x5", piece="wazir", difficulty="hard", seed=1)
    with pytest.raises(ValueError, match="difficulty: `harder` is none of gentle, easy, medium, hard"):
        kt_enum.puzzle(6, difficulty="harder")
    with pytest.raises(TypeError, match="'grade': did you mean 'difficulty'"):
        kt_enum.puzzle(6, grade="easy")
    with pytest.raises(ValueError, match="ends: `some` is none of any, shown, hidden"):
        kt_enum.puzzle(6, ends="some")
    with pytest.raises(kt_enum.Undecided):
        kt_enum.puzzle(6, max_time=0)
