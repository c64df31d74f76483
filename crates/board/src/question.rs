//! A question: the board, open or closed tours, and fixed ends.

use crate::board::{Board, BoardDocument, Layout, Square, Wrap};
use crate::tour::Tour;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A counting question. Equal questions have equal answers, whatever engine counts.
///
/// Questions are serialized as the pair of board and tours, and ends off the board are refused.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::{board::Board, question::Question};
/// let board = Board::new(6, 6)?;
/// let a1 = board.parse_square("a1")?;
/// let question = Question::open_between(board, Some(a1), None);
/// assert_eq!(question.to_string(), "open tours of 6x6 from a1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(Board, Tours)", into = "(Board, Tours)")]
pub struct Question {
    /// The board.
    pub board: Board,
    /// The tours of the board that are counted.
    pub tours: Tours,
}

/// A set of tours of a board, open or closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tours {
    /// Hamiltonian paths of the knight's graph, re-entrant ones included.
    Open {
        /// The square on which they start; any square if `None`.
        from: Option<Square>,
        /// The square on which they end; any square if `None`.
        to: Option<Square>,
    },
    /// Hamiltonian cycles of the knight's graph.
    Closed,
}

/// The fields of a question in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionDocument {
    #[serde(flatten)]
    board: BoardDocument,
    tours: String,
    from: String,
    to: String,
}

impl Question {
    /// The fields of the question in JSON.
    #[doc(hidden)]
    pub fn document(&self) -> QuestionDocument {
        let [tours, from, to] = self.words();
        QuestionDocument { board: self.board.document(), tours, from, to }
    }

    /// The question of the closed tours of a board, or of the open ones with some ends. Closed
    /// tours have no ends.
    ///
    /// # Panics
    /// As [`Question::open_between`].
    pub fn of_kind(board: Board, is_closed: bool, [from, to]: [Option<Square>; 2]) -> Self {
        if is_closed { Self::closed(board) } else { Self::open_between(board, from, to) }
    }

    /// The question of all open tours of a board.
    pub fn open(board: Board) -> Self {
        Self::open_between(board, None, None)
    }

    /// The question of the open tours with fixed ends. `None` stands for any square.
    ///
    /// # Panics
    /// If an end is not a square of the board.
    pub fn open_between(board: Board, from: Option<Square>, to: Option<Square>) -> Self {
        let question = Self::try_from((board, Tours::Open { from, to }));
        question.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The question of all closed tours of a board.
    pub fn closed(board: Board) -> Self {
        Self { board, tours: Tours::Closed }
    }

    /// True if the question is about closed tours.
    pub fn is_closed(&self) -> bool {
        self.tours == Tours::Closed
    }

    /// The fixed start and the fixed end, each `None` if it is free.
    pub fn ends(&self) -> [Option<Square>; 2] {
        match self.tours {
            Tours::Open { from, to } => [from, to],
            Tours::Closed => [None, None],
        }
    }

    /// The fixed start, or `None`.
    pub fn from(&self) -> Option<Square> {
        self.ends()[0]
    }

    /// The fixed end, or `None`.
    pub fn to(&self) -> Option<Square> {
        self.ends()[1]
    }

    /// True if a path from `start` to `end` has the fixed ends of the question.
    pub fn has_ends(&self, start: Square, end: Square) -> bool {
        self.from().is_none_or(|from| from == start) && self.to().is_none_or(|to| to == end)
    }

    /// Refuses a tour that is none of the question.
    ///
    /// # Errors
    /// [`NotAmong`] with the tour and the question.
    #[doc(hidden)]
    pub fn check(&self, tour: &Tour) -> Result<(), NotAmong> {
        let (given, squares) = (tour.board(), tour.squares());
        let ends = [squares[0], squares[squares.len() - 1]];
        let is_open = given == self.board && self.is_closed() && !tour.is_reentrant();
        if given == self.board && !is_open && self.has_ends(ends[0], ends[1]) {
            return Ok(());
        }
        let ends = ends.map(|end| given.name(end));
        let why = if is_open { ", for it is not closed: no move joins its ends" } else { "" };
        Err(NotAmong { board: given, ends, question: self.clone(), why })
    }

    /// The three words by which units files and scripts know the question.
    ///
    /// The first is `open` or `closed`. The others are the start and the end, each the name of a
    /// square or `all`.
    pub fn words(&self) -> [String; 3] {
        let tours = if self.is_closed() { "closed" } else { "open" };
        let end = |end: Option<Square>| end.map_or("all".to_owned(), |end| self.board.name(end));
        [tours.to_owned(), end(self.from()), end(self.to())]
    }

    /// True if both ends are free, so that the symmetries of the board map answers onto answers.
    pub fn is_whole(&self) -> bool {
        self.ends() == [None, None]
    }

    /// The reason why there is no tour, if it can be told without a search.
    ///
    /// On a full knight's board it can be told from the ends and the colours of squares, which a
    /// tour alternates between. On other boards also from squares with too few moves and from
    /// squares that no moves connect. The cost is a step per square.
    pub fn impossible(&self) -> Option<Impossible> {
        let board = &self.board;
        if self.from().is_some_and(|from| Some(from) == self.to()) && board.squares() > 1 {
            return Some(Impossible::SameEnds);
        }
        if !board.seems_connected() {
            return Some(Impossible::Apart);
        }
        let surplus = board.surplus();
        if surplus.abs() > i32::from(!self.is_closed()) {
            let (squares, surplus) = (board.squares(), surplus.unsigned_abs() as usize);
            let more = (squares + surplus) / 2;
            return Some(Impossible::Colours { more, fewer: squares - more });
        }
        let ends = self.ends().into_iter().flatten();
        let colours: Vec<i32> = ends.map(|end| board.colour(end)).collect();
        let fit = match (colours.as_slice(), surplus) {
            _ if !board.has_colours() => true,
            ([one, other], 0) => one != other,
            (_, 0) => true,
            (colours, surplus) => colours.iter().all(|&colour| colour == surplus),
        };
        if !fit {
            return Some(Impossible::EndColours);
        }
        if board.is_plain() { None } else { self.stuck() }
    }

    /// The reason why squares with fewer than two moves leave no tour, if they do.
    fn stuck(&self) -> Option<Impossible> {
        let board = &self.board;
        let is_single = |square: &Square| board.moves(*square).nth(1).is_none();
        let single: Vec<Square> = board.all_squares().filter(is_single).collect();
        if self.is_closed() {
            return single.first().map(|&square| Impossible::Single(board.name(square)));
        }
        let ends = self.ends();
        let may_end = |&square: &Square| ends.contains(&None) || ends.contains(&Some(square));
        let count = single.len();
        (count > 2 || !single.iter().all(may_end)).then_some(Impossible::Stuck { count })
    }

    /// The words `from` and `to`, each after `before`, and after `between` the end that is fixed.
    #[doc(hidden)]
    pub fn fixed_ends(&self, before: &str, between: &str) -> String {
        let [_, from, to] = self.words();
        let ends = [("from", from), ("to", to)].into_iter().filter(|(_, end)| end != "all");
        ends.map(|(word, end)| format!("{before}{word}{between}{end}")).collect()
    }

    /// True if [`Question::impossible`] gives a reason.
    pub fn is_impossible(&self) -> bool {
        self.impossible().is_some()
    }

    /// The sentence that there are no tours, with the reason if it is known without a search.
    pub fn none(&self) -> String {
        let reason = self.impossible().map(|reason| format!(": {reason}"));
        format!("there are no {self}{}", reason.unwrap_or_default())
    }

    /// The number of directed tours that one undirected tour stands for.
    ///
    /// It is 2, except that it is 1 if a fixed end gives the tour a direction, and 1 for the tour
    /// of a single square, which is its own reverse.
    pub fn directions(&self) -> u32 {
        if self.is_whole() && self.board.squares() > 1 { 2 } else { 1 }
    }
}

/// The reason why a question has no tour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Impossible {
    /// The tours are to end on the square where they start.
    #[error("a tour does not end on the square where it starts")]
    SameEnds,
    /// Some squares cannot be reached from others.
    #[error("no moves lead from some squares to others")]
    Apart,
    /// There are too many squares of one colour.
    #[error(
        "every move changes the colour of the square, and one colour has {more} of the squares \
         and the other {fewer}"
    )]
    Colours {
        /// The number of squares of the colour that has more.
        more: usize,
        /// The number of squares of the other colour.
        fewer: usize,
    },
    /// No tour of this number of squares has ends of these colours.
    #[error("every move changes the colour of the square, so no tour has ends of these colours")]
    EndColours,
    /// A closed tour has no way to this square and another away from it.
    #[error("a closed tour needs two moves at {0}, which has fewer")]
    Single(String),
    /// Squares with a single move are not ends.
    #[error("{count} squares have a single move, and only ends of a tour may be such squares")]
    Stuck {
        /// The number of these squares.
        count: usize,
    },
}

/// A tour is none of a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a tour of {board} from {} to {} is not among the {question}{why}", ends[0], ends[1])]
#[doc(hidden)]
pub struct NotAmong {
    board: Board,
    ends: [String; 2],
    question: Question,
    why: &'static str,
}

/// An end of the tours of a question lies off its board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an end of the tours lies off the {0} board")]
pub struct EndOffBoard(Board);

impl TryFrom<(Board, Tours)> for Question {
    type Error = EndOffBoard;

    fn try_from((board, tours): (Board, Tours)) -> Result<Self, EndOffBoard> {
        let question = Self { board, tours };
        let mut ends = question.ends().into_iter().flatten();
        if ends.all(|end| end.index() < question.board.squares()) {
            Ok(question)
        } else {
            Err(EndOffBoard(question.board))
        }
    }
}

impl From<Question> for (Board, Tours) {
    fn from(question: Question) -> Self {
        (question.board, question.tours)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [tours, ..] = self.words();
        write!(out, "{tours} {}{}", toured(&self.board), self.fixed_ends(" ", " "))
    }
}

/// The words for the tours of a board: `tours of 8x8`, `giraffe's tours of a 10x10 torus`.
fn toured(board: &Board) -> String {
    let layout = match board.layout() {
        Some(layout) if !layout.is_plain() => layout,
        _ if board.is_graph() => return format!("tours of a {board}"),
        _ => return format!("tours of {board}"),
    };
    let side = layout.rows.div_ceil(2);
    if layout.is_hexagonal() && layout == Layout::hexagon(side) {
        return format!("tours of a hexagon of side {side}");
    }
    let sides = format!("{}x{}", layout.rows, layout.cols);
    // Eight, eleven, eighteen and eighty begin with a vowel.
    let digits = layout.rows.to_string();
    let is_vowel = digits.starts_with('8') || matches!(layout.rows, 11 | 18);
    let article = if is_vowel { "an" } else { "a" };
    let place = match layout.wrap {
        Wrap::None => sides,
        Wrap::Moebius => format!("{article} {sides} Moebius strip"),
        wrap => format!("{article} {sides} {}", wrap.name()),
    };
    let holes: Vec<String> = layout.holes().collect();
    let holes = match holes.len() {
        0 => String::new(),
        1..=8 => format!(" without {}", holes.join(" ")),
        count => format!(" without {count} squares"),
    };
    let piece = layout.piece.to_string();
    match layout.is_hexagonal() {
        true => format!("tours of {place} hexagons{holes}"),
        false if piece.contains(',') => format!("tours of {place}{holes} by steps {piece}"),
        false => format!("{piece}'s tours of {place}{holes}"),
    }
}
