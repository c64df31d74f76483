//! Pieces: sets of leaps, by name, by numbers, or by Betza's letters.
//!
//! A leap `a,b` goes `a` squares along one side of the board and `b` along the other, in all four
//! or eight directions. Every piece here is a union of leaps, so each of its moves can be taken
//! back, and the mirror image of a move is a move.
//!
//! The one exception is `hex`, the step between neighbours of a hexagonal board. In rows that stand
//! half a cell to the right of those above, the neighbours of a cell are the two beside it and two
//! in each row above and below: six squares around a square of a chess board, without one diagonal.
//! So a hexagonal board is a board with this piece, and only what draws or reads it has to know.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Leaps, each with its smaller number first.
type Leaps = &'static [(u32, u32)];

/// The names of pieces, each with the letters that Betza has for it and its leaps. `K`, the king,
/// is `WF`.
const NAMED: [(&str, &str, Leaps); 14] = [
    ("knight", "N", &[(1, 2)]),
    ("king", "K", &[(0, 1), (1, 1)]),
    ("wazir", "W", &[(0, 1)]),
    ("ferz", "F", &[(1, 1)]),
    ("dabbaba", "D", &[(0, 2)]),
    ("alfil", "A", &[(2, 2)]),
    ("threeleaper", "H", &[(0, 3)]),
    ("camel", "CL", &[(1, 3)]),
    ("zebra", "ZJ", &[(2, 3)]),
    ("tripper", "G", &[(3, 3)]),
    ("fourleaper", "", &[(0, 4)]),
    ("giraffe", "", &[(1, 4)]),
    ("antelope", "", &[(3, 4)]),
    ("wizard", "", &[(1, 1), (1, 3)]),
];

/// Pieces that slide any number of squares, by their names and their letters.
const SLIDING: [&str; 6] = ["rook", "bishop", "queen", "r", "b", "q"];

/// A piece that leaps: a knight, a king, a camel, or a union of such pieces.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::board::Piece;
/// let king: Piece = "WF".parse()?;
/// assert_eq!(king.to_string(), "king");
/// assert_eq!(king.steps().len(), 8);
/// assert_eq!("1,2+0,1".parse::<Piece>()?.to_string(), "0,1+1,2");
/// # Ok::<(), kt_enum::board::PieceError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The leaps, each with its smaller number first. Those of [`Piece::hex`] are none.
    leaps: BTreeSet<(u32, u32)>,
}

/// The name of the step between neighbours of a hexagonal board.
const HEX: &str = "hex";

/// The steps between neighbours of a hexagonal board, counter-clockwise.
const HEX_STEPS: [(i32, i32); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

/// A text does not describe a piece.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PieceError {
    /// The text is neither a name, nor a pair of numbers, nor letters.
    #[error(
        "`{0}` is not a piece: give a name such as knight, king, wazir, ferz, camel, zebra or \
         giraffe, a leap such as 1,4, Betza's letters such as WF, or several of them joined by +"
    )]
    Unknown(String),
    /// The piece slides.
    #[error(
        "pieces that slide, such as `{0}`, are not available: a piece leaps, such as knight, king, \
         wazir, ferz, camel or zebra"
    )]
    Slides(String),
    /// A leap stays where it is, or is longer than [`Piece::LONGEST_LEAP`].
    #[error("a leap of {0},{1} is out of range: the larger number goes from 1 to {most}", most = Piece::LONGEST_LEAP)]
    Leap(u32, u32),
    /// There are more leaps than [`Piece::MOST_LEAPS`].
    #[error("a piece of {0} leaps is too much: it may have up to {most}", most = Piece::MOST_LEAPS)]
    TooMany(usize),
}

impl Piece {
    /// The largest number of rows or columns of a leap.
    pub const LONGEST_LEAP: u32 = 100;
    /// The largest number of leaps.
    pub const MOST_LEAPS: usize = 32;

    /// The knight.
    pub fn knight() -> Self {
        Self { leaps: BTreeSet::from([(1, 2)]) }
    }

    /// The step between neighbours of a hexagonal board.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::board::{Layout, Piece};
    /// let board = Layout::hexagon(2).board()?;
    /// assert_eq!(board.to_string(), "3x3 piece=hex without=c1,a3");
    /// assert_eq!(board.moves(board.parse_square("b2")?).count(), 6);
    /// assert_eq!("hex".parse::<Piece>()?, Piece::hex());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hex() -> Self {
        Self { leaps: BTreeSet::new() }
    }

    /// Creates a piece from its leaps, in any order.
    ///
    /// # Errors
    /// [`PieceError::Leap`] if a leap is 0,0 or too long, [`PieceError::TooMany`] for too many, and
    /// [`PieceError::Unknown`] without any.
    pub fn new(leaps: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, PieceError> {
        let leaps: BTreeSet<_> = leaps.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        match leaps.iter().find(|(_, long)| !(1..=Self::LONGEST_LEAP).contains(long)) {
            Some(&(a, b)) => Err(PieceError::Leap(a, b)),
            None if leaps.len() > Self::MOST_LEAPS => Err(PieceError::TooMany(leaps.len())),
            None if leaps.is_empty() => Err(PieceError::Unknown(String::new())),
            None => Ok(Self { leaps }),
        }
    }

    /// The names of pieces.
    #[doc(hidden)]
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, ..)| *name).chain([HEX])
    }

    /// The leaps, ascending, each with its smaller number first.
    pub fn leaps(&self) -> impl Iterator<Item = (u32, u32)> {
        self.leaps.iter().copied()
    }

    /// The moves as (rows up, columns right), counter-clockwise within each leap.
    ///
    /// Those of the knight are [`KNIGHT_MOVES`](super::KNIGHT_MOVES), in the same order.
    pub fn steps(&self) -> Vec<(i32, i32)> {
        if *self == Self::hex() {
            return HEX_STEPS.to_vec();
        }
        self.leaps.iter().flat_map(|&leap| directions(leap)).collect()
    }
}

/// The four or eight directions of a leap.
fn directions((short, long): (u32, u32)) -> Vec<(i32, i32)> {
    let (a, b) = (short as i32, long as i32);
    let all = [(a, b), (b, a), (b, -a), (a, -b), (-a, -b), (-b, -a), (-b, a), (-a, b)];
    let is_first = |place: &usize| !all[..*place].contains(&all[*place]);
    (0..all.len()).filter(is_first).map(|place| all[place]).collect()
}

impl fmt::Display for Piece {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, ..)) = NAMED.iter().find(|(.., leaps)| self.leaps.iter().eq(*leaps)) {
            return out.write_str(name);
        }
        if *self == Self::hex() {
            return out.write_str(HEX);
        }
        let leaps: Vec<String> = self.leaps.iter().map(|(a, b)| format!("{a},{b}")).collect();
        out.write_str(&leaps.join("+"))
    }
}

impl FromStr for Piece {
    type Err = PieceError;

    fn from_str(text: &str) -> Result<Self, PieceError> {
        if text.trim().eq_ignore_ascii_case(HEX) {
            return Ok(Self::hex());
        }
        let mut leaps = Vec::new();
        for part in text.split('+').map(str::trim) {
            let slides = SLIDING.iter().any(|name| name.eq_ignore_ascii_case(part));
            let unknown =
                if slides || is_doubled(part) { PieceError::Slides } else { PieceError::Unknown };
            leaps.extend(leaps_of(part).ok_or_else(|| unknown(text.to_owned()))?);
        }
        Self::new(leaps)
    }
}

/// True for two equal letters together, by which Betza means leaps one after the other: `NN`.
fn is_doubled(letters: &str) -> bool {
    let are_capitals = letters.bytes().all(|letter| letter.is_ascii_uppercase());
    are_capitals && letters.as_bytes().windows(2).any(|two| two[0] == two[1])
}

/// The leaps of a name, of a pair of numbers, or of letters.
fn leaps_of(part: &str) -> Option<Vec<(u32, u32)>> {
    if let Some((a, b)) = part.split_once(',') {
        return Some(vec![(a.trim().parse().ok()?, b.trim().parse().ok()?)]);
    }
    if let Some((.., leaps)) = NAMED.iter().find(|(name, ..)| name.eq_ignore_ascii_case(part)) {
        return Some(leaps.to_vec());
    }
    if is_doubled(part) {
        return None;
    }
    let of_letter = |letter| NAMED.iter().find(|(_, letters, _)| letters.contains(letter));
    let named: Option<Vec<_>> = part.chars().map(of_letter).collect();
    let leaps = named?.iter().flat_map(|(.., leaps)| leaps.to_vec()).collect::<Vec<_>>();
    Some(leaps).filter(|leaps| !leaps.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::KNIGHT_MOVES;
    use super::*;

    #[test]
    fn every_name_reads_back_and_the_moves_of_the_knight_keep_their_order() {
        for (name, _, leaps) in NAMED {
            let piece: Piece = name.parse().expect("a name");
            assert_eq!(piece.to_string(), name);
            assert!(piece.leaps().eq(leaps.iter().copied()));
            let steps = piece.steps();
            assert!(steps.iter().all(|&(up, right)| steps.contains(&(-up, -right))), "{name}");
        }
        assert_eq!(Piece::knight().steps(), KNIGHT_MOVES);
    }

    #[test]
    fn pairs_letters_and_unions_are_read_in_any_order() {
        let read = |text: &str| text.parse::<Piece>().map(|piece| piece.to_string());
        for (text, name) in [
            ("2,1", "knight"),
            ("N", "knight"),
            ("K", "king"),
            ("FW", "king"),
            ("0,1+1,1", "king"),
            ("ferz + wazir", "king"),
            ("4,1", "giraffe"),
            ("1,3+N", "1,2+1,3"),
            ("King", "king"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(name), "{text}");
        }
    }

    #[test]
    fn texts_that_are_not_a_piece_are_refused() {
        let many: Vec<String> = (1..=33).map(|leap| format!("0,{leap}")).collect();
        assert_eq!(many.join("+").parse::<Piece>(), Err(PieceError::TooMany(33)));
        for text in [
            "", "+", "queen", "0,0", "1", "1,", "1,2,3", "-1,2", "0,101", "n", "N+", "Q", "knnight",
        ] {
            assert!(text.parse::<Piece>().is_err(), "{text:?} was taken");
        }
        for text in ["rook", "Q", "knight+bishop", "NN", "WWF", "W+FF"] {
            assert!(matches!(text.parse::<Piece>(), Err(PieceError::Slides(_))), "{text:?}");
        }
    }
}
