//! The grades of puzzles against a second solver, which is written from the description of the
//! techniques and limited to those up to a grade, and hints against the solution.

use kt_enum::board::{Board, Layout, Square};
use kt_enum::job::PuzzleMaker;
use kt_enum::question::Question;
use kt_enum::solve::{
    Clue, Extent, Grade, Hint, Puzzle, Recipe, Verdict, Why, difficulty, hint, verdict,
};
use kt_enum_puzzles::solve::Inference;

/// Sets of squares by their bits: the boards have fewer than 128.
type Squares = u128;

fn members(mut squares: Squares) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (squares != 0).then_some(squares.trailing_zeros() as usize)?;
        squares &= squares - 1;
        Some(first)
    })
}

/// A contradiction.
#[derive(Debug)]
struct Contradiction;

/// What is known: the squares of each step, and the moves that may and must be used.
#[derive(Clone, PartialEq)]
struct Person {
    closed: bool,
    grade: Grade,
    /// The moves of the board, which known numbers do not change.
    moves: Vec<Squares>,
    can: Vec<Squares>,
    is_known: Vec<bool>,
    usable: Vec<Squares>,
    required: Vec<Squares>,
}

impl Person {
    fn new(puzzle: &Puzzle, grade: Grade) -> Self {
        let board = puzzle.board();
        let n = board.squares();
        let moves = board
            .all_squares()
            .map(|square| board.moves(square).fold(0, |all: Squares, to| all | 1 << to.index()));
        let moves: Vec<Squares> = moves.collect();
        let all = (1 << n) - 1;
        let mut person = Self {
            closed: puzzle.is_closed(),
            grade,
            usable: moves.clone(),
            moves,
            can: vec![all; n],
            is_known: vec![false; n],
            required: vec![0; n],
        };
        puzzle.clues().iter().for_each(|clue| person.put(clue.step - 1, clue.square.index()));
        puzzle.links().iter().for_each(|[one, other]| person.require(one.index(), other.index()));
        person
    }

    fn put(&mut self, step: usize, square: usize) {
        self.can.iter_mut().for_each(|can| *can &= !(1 << square));
        self.can[step] = 1 << square;
        self.is_known[step] = true;
    }

    fn near(&self, step: usize, by: usize) -> [Option<usize>; 2] {
        let n = self.can.len();
        match self.closed {
            true => [Some((step + n - by) % n), Some((step + by) % n)],
            false => [step.checked_sub(by), Some(step + by).filter(|&later| later < n)],
        }
    }

    fn free(&self) -> Squares {
        let known = (0..self.can.len()).filter(|&step| self.is_known[step]);
        let all: Squares = (1 << self.can.len()) - 1;
        all & !known.fold(0, |taken, step| taken | self.can[step])
    }

    /// True if all numbers follow.
    fn solves(&mut self) -> Result<bool, Contradiction> {
        loop {
            if self.is_known.iter().all(|&known| known) {
                return Ok(true);
            }
            if self.gentle() {
                continue;
            }
            if self.grade < Grade::Easy {
                return Ok(false);
            }
            while self.distances()? {}
            if self.singles() {
                continue;
            }
            if self.grade < Grade::Medium {
                return Ok(false);
            }
            if !self.exits()? && !self.singles() && !self.regions() {
                return if self.grade < Grade::Hard { Ok(false) } else { self.assumes() };
            }
        }
    }

    /// True if exactly one way to fill in the rest does not lead to a contradiction.
    fn assumes(&mut self) -> Result<bool, Contradiction> {
        let open = (0..self.can.len()).filter(|&step| !self.is_known[step]);
        let step = open.min_by_key(|&step| self.can[step].count_ones()).ok_or(Contradiction)?;
        let ways = members(self.can[step]).filter_map(|square| {
            let mut assumed = self.clone();
            assumed.put(step, square);
            assumed.solves().ok()
        });
        // A case within that has several ways says false.
        let ways: Vec<bool> = ways.collect();
        if ways.is_empty() { Err(Contradiction) } else { Ok(ways == [true]) }
    }

    fn gentle(&mut self) -> bool {
        let n = self.can.len();
        for step in (0..n).filter(|&step| !self.is_known[step]).collect::<Vec<_>>() {
            let near = self.near(step, 1).into_iter().flatten().filter(|&near| self.is_known[near]);
            let near: Vec<usize> =
                near.map(|near| self.can[near].trailing_zeros() as usize).collect();
            let squares = near.iter().fold(self.free(), |squares, &at| squares & self.moves[at]);
            if !near.is_empty() && squares.count_ones() == 1 {
                self.put(step, squares.trailing_zeros() as usize);
                return true;
            }
        }
        for (first, by) in (0..n).flat_map(|first| (3..=5).map(move |by| (first, by))) {
            let Some(last) = self.near(first, by)[1].filter(|_| by < n) else { continue };
            let steps: Vec<usize> = (1..by).map(|by| (first + by) % n).collect();
            let is_open = steps.iter().any(|&step| !self.is_known[step]);
            if !is_open || !self.is_known[first] || !self.is_known[last] {
                continue;
            }
            let mut ways = vec![vec![self.can[first].trailing_zeros() as usize]];
            for &step in &steps {
                let squares = if self.is_known[step] { self.can[step] } else { self.free() };
                let on = |way: &Vec<usize>| {
                    let at = way[way.len() - 1];
                    let to = members(self.moves[at] & squares).filter(|to| !way.contains(to));
                    to.map(|to| [way.clone(), vec![to]].concat()).collect::<Vec<_>>()
                };
                ways = ways.iter().flat_map(on).collect();
            }
            let end = self.can[last].trailing_zeros() as usize;
            ways.retain(|way| self.moves[way[way.len() - 1]] >> end & 1 == 1);
            if let [way] = &ways[..] {
                let way = way.clone();
                steps.iter().zip(&way[1..]).for_each(|(&step, &square)| self.put(step, square));
                return true;
            }
        }
        false
    }

    /// Takes away squares of steps that no square of the step before or after is next to.
    fn distances(&mut self) -> Result<bool, Contradiction> {
        let before = self.can.clone();
        for step in 0..self.can.len() {
            for square in members(self.can[step]) {
                let near = self
                    .near(step, 1)
                    .map(|near| near.map(|near| self.usable[square] & self.can[near]));
                let mut fits = near.iter().flatten().all(|&near| near != 0);
                if let ([Some(one), Some(other)], true) = (near, self.grade >= Grade::Medium) {
                    fits &= (one | other).count_ones() > 1;
                }
                if !fits {
                    self.can[step] &= !(1 << square);
                }
            }
            if self.can[step] == 0 {
                return Err(Contradiction);
            }
        }
        Ok(self.can != before)
    }

    /// Puts a number that has one square, or is the only one of a square.
    fn singles(&mut self) -> bool {
        let open = |step: &usize| !self.is_known[*step];
        let steps: Vec<usize> = (0..self.can.len()).filter(open).collect();
        if let Some(&step) = steps.iter().find(|&&step| self.can[step].count_ones() == 1) {
            self.put(step, self.can[step].trailing_zeros() as usize);
            return true;
        }
        for square in members(self.free()) {
            let has = |step: &&usize| self.can[**step] >> square & 1 == 1;
            let mut own = steps.iter().filter(has);
            if let (Some(&step), None) = (own.next(), own.next()) {
                self.put(step, square);
                return true;
            }
        }
        false
    }

    /// The steps of a square.
    fn steps(&self, square: usize) -> Vec<usize> {
        (0..self.can.len()).filter(|&step| self.can[step] >> square & 1 == 1).collect()
    }

    /// The squares that steps around a step may have.
    fn around(&self, step: usize) -> Squares {
        self.near(step, 1).into_iter().flatten().fold(0, |all, near| all | self.can[near])
    }

    /// The other end of the path of required moves that ends on a square, and its length.
    fn path(&self, square: usize) -> (usize, usize) {
        let (mut at, mut from, mut length) = (square, square, 0);
        while let Some(to) = members(self.required[at]).find(|&to| to != from) {
            (from, at, length) = (at, to, length + 1);
            if at == square {
                break;
            }
        }
        (at, length)
    }

    fn forbid(&mut self, one: usize, other: usize) {
        self.usable[one] &= !(1 << other);
        self.usable[other] &= !(1 << one);
    }

    fn require(&mut self, one: usize, other: usize) {
        self.required[one] |= 1 << other;
        self.required[other] |= 1 << one;
    }

    /// Moves that squares cannot or must have. False if there is nothing new.
    fn exits(&mut self) -> Result<bool, Contradiction> {
        let (before, n) = (self.clone(), self.can.len());
        for square in 0..n {
            let steps = self.steps(square);
            let near = steps.iter().fold(0, |all, &step| all | self.around(step));
            members(self.usable[square] & !near).for_each(|to| self.forbid(square, to));
            for &step in &steps {
                let mut fits =
                    members(self.required[square]).all(|to| self.around(step) >> to & 1 == 1);
                let (mate, length) = self.path(square);
                if self.required[square].count_ones() == 1 && length > 1 {
                    let apart = self.near(step, length).into_iter().flatten();
                    fits &= apart.into_iter().any(|step| self.can[step] >> mate & 1 == 1);
                }
                if !fits {
                    self.can[step] &= !(1 << square);
                }
            }
            // A move that every number of the square would need.
            let steps = self.steps(square);
            for to in members(self.usable[square]).collect::<Vec<_>>() {
                let needs = |&step: &usize| {
                    let near = self.near(step, 1).into_iter().flatten();
                    near.into_iter().any(|near| self.usable[square] & self.can[near] == 1 << to)
                };
                if !steps.is_empty() && steps.iter().all(needs) {
                    self.require(square, to);
                }
            }
            let ends = steps.iter().filter(|&&step| step == 0 || step == n - 1).count();
            let (least, most) = match self.closed {
                true => (2, 2),
                false => (if ends > 0 { 1 } else { 2 }, if ends == steps.len() { 1 } else { 2 }),
            };
            let (usable, required) = (self.usable[square], self.required[square]);
            if steps.is_empty() || usable.count_ones() < least || required.count_ones() > most {
                return Err(Contradiction);
            }
            if required.count_ones() == most {
                members(usable & !required).for_each(|to| self.forbid(square, to));
            } else if usable.count_ones() == most && least == most {
                members(usable).for_each(|to| self.require(square, to));
            }
            // A path is not closed before all squares are on it.
            let (mate, length) = self.path(square);
            let is_tour = self.closed && length + 1 >= n;
            if self.required[square].count_ones() == 1 && length > 1 && !is_tour {
                self.forbid(square, mate);
            }
            if mate == square && length > 0 && !(self.closed && length == n) {
                return Err(Contradiction);
            }
        }
        Ok(*self != before)
    }

    /// Takes away a number next to a known one that would cut off a region.
    fn regions(&mut self) -> bool {
        let n = self.can.len();
        for step in 0..n {
            let near = self.near(step, 1).into_iter().flatten().any(|near| self.is_known[near]);
            if self.is_known[step] || !near {
                continue;
            }
            for square in members(self.can[step]) {
                let mut assumed = self.clone();
                assumed.is_known[step] = true;
                assumed.can[step] = 1 << square;
                if assumed.is_cut() {
                    self.can[step] &= !(1 << square);
                    return true;
                }
            }
        }
        false
    }

    /// True if the gaps between known numbers cannot fill the regions of free squares.
    fn is_cut(&self) -> bool {
        let (mut free, mut regions) = (self.free(), Vec::new());
        while free != 0 {
            let (mut region, mut last) = (free & free.wrapping_neg(), 0);
            while region != last {
                last = region;
                region = members(region).fold(region, |all, at| all | self.usable[at] & free);
            }
            free &= !region;
            regions.push(region);
        }
        let n = self.can.len();
        let mut gaps = Vec::new();
        for step in (0..n).filter(|&step| !self.is_known[step]) {
            let is_first = self.near(step, 1)[0].is_none_or(|before| self.is_known[before]);
            if !is_first {
                continue;
            }
            let length = (0..n).take_while(|by| {
                let at = step + by;
                (self.closed || at < n) && !self.is_known[at % n]
            });
            let length = length.count();
            let ends = [self.near(step, 1)[0], self.near(step, length)[1]];
            gaps.push((length, ends.map(|end| end.map(|end| self.can[end]))));
        }
        let left = regions.iter().map(|region| region.count_ones() as usize).collect();
        regions.len() > 1 && !self.fits(&gaps, &regions, left)
    }

    fn fits(
        &self,
        gaps: &[(usize, [Option<Squares>; 2])],
        regions: &[Squares],
        left: Vec<usize>,
    ) -> bool {
        let Some(((length, ends), others)) = gaps.split_first() else { return true };
        (0..regions.len()).any(|region| {
            let is_near =
                |end: &Squares| self.usable[end.trailing_zeros() as usize] & regions[region] != 0;
            let fits = *length <= left[region] && ends.iter().flatten().all(is_near);
            let mut left = left.clone();
            left[region] = left[region].saturating_sub(*length);
            fits && self.fits(others, regions, left)
        })
    }
}

fn solves(puzzle: &Puzzle, grade: Grade) -> bool {
    Person::new(puzzle, grade).solves().unwrap()
}

const BOARDS: [(&str, bool); 4] =
    [("6x6 piece=king", false), ("7x7 piece=wazir", false), ("6x6", false), ("8x8", true)];

/// Puzzles of a grade, or of any.
fn made(board: &str, closed: bool, grade: Option<Grade>, count: u64) -> Vec<Puzzle> {
    let board: Board = board.parse().unwrap();
    let question = if closed { Question::closed(board) } else { Question::open(board) };
    let recipe = Recipe { grade, seed: 60, ..Recipe::default() };
    let puzzles = PuzzleMaker::new(question, recipe, count, &Default::default()).unwrap();
    puzzles.map(|made| made.unwrap().puzzle).collect()
}

/// Makes puzzles of a grade and compares them with the second solver.
fn compare(grade: Grade) {
    for (board, closed) in BOARDS {
        for (number, puzzle) in made(board, closed, Some(grade), 100).into_iter().enumerate() {
            let text = format!("{board} {grade:?}\n{}", puzzle.grid());
            // Assumptions on the largest board take this solver seconds.
            let is_long = grade == Grade::Hard && closed;
            assert!(is_long && number >= 5 || solves(&puzzle, grade), "{text}");
            assert!(grade.easier().is_none_or(|easier| !solves(&puzzle, easier)), "{text}");
            // Some hard ones are harder than any hint.
            let graded = difficulty(&puzzle, &|| false);
            assert!(graded.map_or(grade == Grade::Hard, |own| own.grade == grade), "{text}");
            let verdict = verdict(&puzzle, Extent::default(), &|| false);
            assert!(matches!(verdict, Verdict::Unique(_)), "{text}");
        }
    }
}

#[test]
fn gentle_puzzles_are_solved_by_the_gentle_techniques() {
    compare(Grade::Gentle);
}

#[test]
fn easy_puzzles_need_the_easy_techniques_and_no_harder_ones() {
    compare(Grade::Easy);
}

#[test]
fn medium_puzzles_need_the_medium_techniques_and_no_harder_ones() {
    compare(Grade::Medium);
}

#[test]
fn hard_puzzles_need_an_assumption() {
    compare(Grade::Hard);
}

#[test]
fn puzzles_of_hexagons_and_of_links_have_one_solution_by_both_solvers() {
    let is_unique = |puzzle: &Puzzle| {
        let verdict = verdict(puzzle, Extent::default(), &|| false);
        solves(puzzle, Grade::Medium) && matches!(verdict, Verdict::Unique(_))
    };
    for side in 3..=6 {
        let hexagon = Layout::hexagon(side);
        for puzzle in made(&hexagon.to_string(), false, Some(Grade::Medium), 25) {
            assert!(is_unique(&puzzle), "{}", puzzle.grid());
        }
        let board = hexagon.board().unwrap();
        let link = ["b2", "b3"].map(|name| board.parse_square(name).unwrap());
        let recipe = Recipe { grade: Some(Grade::Medium), seed: 60, ..Recipe::default() };
        let question = Question::open(board.clone());
        let puzzles = PuzzleMaker::new(question, recipe, 5, &Default::default()).unwrap();
        for made in puzzles.of_links(vec![link]).unwrap() {
            let puzzle = made.unwrap().puzzle;
            assert_eq!(puzzle.links(), [link]);
            assert!(is_unique(&puzzle), "{}", puzzle.grid());
        }
        let far = ["a1", "b3"].map(|name| board.parse_square(name).unwrap());
        let refused = Puzzle::new(board, false, []).unwrap().linked(vec![far]).unwrap_err();
        assert_eq!(refused.to_string(), "no move joins a1 and b3, so no tour has this link");
    }
}

#[test]
fn no_number_of_a_graded_puzzle_can_go_without_a_harder_technique() {
    for grade in [Grade::Gentle, Grade::Easy, Grade::Medium] {
        for puzzle in made("6x6 piece=king", false, Some(grade), 10) {
            for clue in puzzle.clues() {
                let rest = puzzle.clues().iter().filter(|other| *other != clue).copied();
                let fewer = Puzzle::new(puzzle.board().clone(), false, rest).unwrap();
                assert!(!solves(&fewer, grade), "{}", puzzle.grid());
            }
        }
    }
}

/// True if a conclusion holds in a solution.
fn holds(inference: &Inference, solution: &[Square], closed: bool) -> bool {
    let step = |square: &Square| solution.iter().position(|other| other == square).unwrap();
    let n = solution.len();
    let is_next = |one: &Square, other: &Square| {
        let apart = step(one).abs_diff(step(other));
        apart == 1 || closed && apart == n - 1
    };
    match inference {
        Inference::Between(square, around) => {
            around.len() == 2 && around.iter().all(|other| is_next(square, other))
        }
        Inference::Needs(square, to) => to.iter().all(|to| is_next(square, to)),
        Inference::Without(square, to) => to.iter().all(|to| !is_next(square, to)),
        Inference::Numbers(square, numbers) => numbers.contains(&(step(square) + 1)),
        Inference::Known(clue) => solution[clue.step - 1] == clue.square,
        Inference::Cuts(clue, region) => {
            solution[clue.step - 1] != clue.square && !region.is_empty()
        }
        _ => false,
    }
}

/// True if the reason of a hint is right.
fn is_right(Hint { clue, why }: &Hint, puzzle: &Puzzle, solution: &[Square]) -> bool {
    let followed = |grade| {
        let mut person = Person::new(puzzle, grade);
        person.solves().unwrap();
        person.is_known[clue.step - 1]
    };
    let holds = |inference| holds(inference, solution, puzzle.is_closed());
    match why {
        Why::Next(..) | Why::Gap(..) => followed(Grade::Gentle),
        Why::OneSquare(..) | Why::OneStep => followed(Grade::Easy),
        Why::Exits(chain) | Why::Region(chain) => {
            !chain.is_empty() && chain.iter().all(holds) && followed(Grade::Medium)
        }
        Why::Guess(1, refuted) => refuted.iter().all(|(assumed, chain)| {
            // Each alternative is wrong, and the last conclusion from it says so.
            let ends = matches!(
                chain[..],
                [.., Inference::NoNumber(_) | Inference::NoSquare(_) | Inference::NoMoves(_)]
            );
            solution[assumed.step - 1] != assumed.square && ends
        }),
        Why::Guess(_, told) => told.is_empty(),
    }
}

#[test]
fn every_hint_is_a_number_of_the_solution_with_a_reason_that_holds() {
    let (mut hints, mut chains) = (0, 0);
    for (board, closed) in BOARDS {
        for mut puzzle in made(board, closed, None, 8) {
            let Verdict::Unique(solution) = verdict(&puzzle, Extent::default(), &|| false) else {
                panic!("{}", puzzle.grid())
            };
            while let Some(next) = hint(&puzzle, &|| false) {
                assert_eq!(solution[next.clue.step - 1], next.clue.square);
                let words = next.words(puzzle.board());
                assert!(is_right(&next, &puzzle, &solution), "{words}\n{}", puzzle.grid());
                hints += 1;
                chains += usize::from(next.why.chain() > 1);
                let clues: Vec<Clue> = [puzzle.clues(), &[next.clue]].concat();
                puzzle = Puzzle::new(puzzle.board().clone(), closed, clues).unwrap();
            }
            assert_eq!(puzzle.clues().len(), solution.len());
        }
    }
    assert!(hints >= 988 && chains > 50, "{hints} {chains}");
}
