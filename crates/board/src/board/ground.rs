//! The tables of a board that is not a full knight's board: its squares, the moves between them,
//! its symmetries and its colours.
//!
//! A full knight's board needs no tables: arithmetic with rows and columns gives everything, on
//! boards of any size. Any other board is a graph. Its squares are numbered without gaps, so that
//! an index below the number of squares is a square, as on a full board; holes have no number.
//!
//! The symmetries are found by trial: the turns and mirror images of the rectangle, combined with
//! the shifts along joined edges, are a group of maps of the rectangle. Those that map squares onto
//! squares and moves onto moves are a subgroup. A hexagonal board has sixths of a turn too. Trying
//! one map costs a step per move. Those of an explicit graph come from a search (`automorphism`).
//!
//! Two squares have different colours if a move joins them. A search through the board finds the
//! colours or an odd cycle, which has none.

use super::layout::{Layout, MOST_PLACES, Wrap};
use super::network::Network;
use super::symmetry::Symmetry;
use super::{BoardError, Square, automorphism};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// A board as a graph. A file may describe many boards that are never looked at, so the tables are
/// built when they are first needed.
pub(super) struct Ground {
    /// The canonical text of the description, which says all.
    pub text: String,
    pub description: Description,
    /// The row and the column of each square, ascending.
    pub places: Vec<(u32, u32)>,
    moves: OnceLock<Moves>,
    symmetries: OnceLock<Symmetries>,
}

/// The moves of a board, and what follows from them at once.
pub(super) struct Moves {
    /// The squares that a move leads to, each once, in the order of the steps.
    pub neighbours: Vec<Vec<Square>>,
    /// The colour of each square, 1 or -1, or 0 for all.
    pub colours: Vec<i32>,
    pub is_connected: bool,
}

/// The symmetries of a board.
pub(super) struct Symmetries {
    /// All of them, the identity first.
    pub all: Vec<Symmetry>,
    /// False if the search for them gave up, and only the identity is listed.
    pub are_known: bool,
    /// The images of all squares under each symmetry that is a shift or an automorphism, by its
    /// number.
    pub images: Vec<Vec<Square>>,
}

impl PartialEq for Ground {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Ground {}

impl PartialOrd for Ground {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ground {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for Ground {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The description that a ground was made of.
pub(super) enum Description {
    Layout(Layout),
    Network(Network),
}

impl fmt::Debug for Ground {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// The largest number of moves, from all squares, for which shifts are looked for: 16x16 with a
/// knight or a king.
const MOST_SHIFTED: usize = 2_048;

impl Ground {
    /// The ground of a rectangle with holes, a piece and joined edges.
    pub fn of_layout(layout: &Layout) -> Result<Self, BoardError> {
        let (rows, cols) = (layout.rows, layout.cols);
        if u64::from(rows) * u64::from(cols) > MOST_PLACES {
            return Err(BoardError::TooLarge { rows, cols });
        }
        if layout.is_hexagonal() && layout.wrap != Wrap::None {
            return Err(BoardError::Joined);
        }
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let places: Vec<(u32, u32)> = all.filter(|place| !layout.without.contains(place)).collect();
        if places.is_empty() {
            return Err(BoardError::Empty);
        }
        Ok(Self::new(layout.to_string(), Description::Layout(layout.clone()), places))
    }

    /// The ground of an explicit graph. Its vertices are in one row.
    pub fn of_network(network: &Network) -> Self {
        let places = (0..network.names().len() as u32).map(|col| (0, col)).collect();
        Self::new(network.to_string(), Description::Network(network.clone()), places)
    }

    fn new(text: String, description: Description, places: Vec<(u32, u32)>) -> Self {
        let (moves, symmetries) = (OnceLock::new(), OnceLock::new());
        Self { text, description, places, moves, symmetries }
    }

    pub fn moves(&self) -> &Moves {
        self.moves.get_or_init(|| {
            let neighbours = match &self.description {
                Description::Layout(layout) => self.moves_on(layout),
                Description::Network(network) => network.neighbours(),
            };
            let (colours, is_connected) = colours(&neighbours);
            Moves { neighbours, colours, is_connected }
        })
    }

    pub fn symmetries(&self) -> &Symmetries {
        self.symmetries.get_or_init(|| match &self.description {
            Description::Layout(layout) => self.symmetries_on(layout),
            Description::Network(_) => {
                let found = automorphism::of(&self.moves().neighbours);
                let (are_known, images) = (found.is_some(), found.unwrap_or_default());
                let numbers = (0..images.len() as u16).map(Symmetry::Automorphism);
                let all = [Symmetry::Identity].into_iter().chain(numbers).collect();
                Symmetries { all, are_known, images }
            }
        })
    }

    fn moves_on(&self, layout: &Layout) -> Vec<Vec<Square>> {
        let (sides, steps) = ((layout.rows, layout.cols), layout.piece.steps());
        let moves = |&from: &(u32, u32)| {
            let mut to = Vec::new();
            for &step in &steps {
                let place = layout.wrap.lead(sides, from, step).filter(|&to| to != from);
                let square = place.and_then(|place| self.at(place));
                to.extend(square.filter(|square| !to.contains(square)));
            }
            to
        };
        self.places.iter().map(moves).collect()
    }

    /// The square at a row and a column, if there is one. The vertices of a graph have no places.
    pub fn at(&self, place: (u32, u32)) -> Option<Square> {
        match self.description {
            Description::Layout(_) => {
                self.places.binary_search(&place).ok().map(Square::from_index)
            }
            Description::Network(_) => None,
        }
    }

    fn symmetries_on(&self, layout: &Layout) -> Symmetries {
        let sides = (layout.rows, layout.cols);
        // Rows and columns of a strip with joined ends cannot be exchanged.
        let turns = match layout.wrap {
            Wrap::None | Wrap::Torus => Symmetry::of_rectangle(sides),
            Wrap::Cylinder | Wrap::Moebius => &Symmetry::of_rectangle(sides)[..4],
        };
        let (up, right) = match layout.wrap {
            _ if self.moves().neighbours.iter().map(Vec::len).sum::<usize>() > MOST_SHIFTED => {
                (1, 1)
            }
            Wrap::None => (1, 1),
            Wrap::Cylinder | Wrap::Moebius => (1, sides.1),
            Wrap::Torus => sides,
        };
        // On narrow boards, several of these maps are the same.
        let (mut known, mut all, mut images) = (HashSet::new(), Vec::new(), Vec::new());
        for shift in (0..up as i32).flat_map(|up| (0..right as i32).map(move |right| (up, right))) {
            for &turn in turns {
                let lead = |place| layout.wrap.lead(sides, turn.lead(sides, place), shift);
                let Some(image) = self.image(lead).filter(|image| known.insert(image.clone()))
                else {
                    continue;
                };
                if shift == (0, 0) {
                    all.push(turn);
                } else {
                    all.push(Symmetry::Shift(images.len() as u16));
                    images.push(image);
                }
            }
        }
        let mirrors = if layout.is_hexagonal() { &[false, true][..] } else { &[] };
        // With no turn too: a reflection may keep the cells but not the rectangle around them.
        for (turns, is_mirrored) in (0..6).flat_map(|n| mirrors.iter().map(move |m| (n, *m))) {
            let image = self.turned(turns, is_mirrored).filter(|image| known.insert(image.clone()));
            all.extend(image.as_ref().map(|_| Symmetry::Automorphism(images.len() as u16)));
            images.extend(image);
        }
        Symmetries { all, are_known: true, images }
    }

    /// The images of all squares of a hexagonal board under some sixths of a turn, perhaps after a
    /// reflection, moved back to where the board is; `None` if it is not a symmetry.
    fn turned(&self, turns: u32, is_mirrored: bool) -> Option<Vec<Square>> {
        // The step (0, 1) becomes (1, 1), which becomes (1, 0), the third of the six steps.
        let turn = |(row, col): (u32, u32)| {
            let at = (i64::from(row), i64::from(col));
            let at = if is_mirrored { (at.1, at.0) } else { at };
            (0..turns).fold(at, |(row, col), _| (col, col - row))
        };
        let least = |turn: &dyn Fn((u32, u32)) -> (i64, i64)| {
            let places = || self.places.iter().map(|place| turn(*place));
            Some((places().map(|at| at.0).min()?, places().map(|at| at.1).min()?))
        };
        let from = least(&|(row, col)| (row.into(), col.into()))?;
        let to = least(&turn)?;
        self.image(|place| {
            let at = turn(place);
            let side = |at: i64| u32::try_from(at).ok();
            Some((side(at.0 - to.0 + from.0)?, side(at.1 - to.1 + from.1)?))
        })
    }

    /// The images of all squares under a map of places; `None` if it is not a symmetry.
    fn image(&self, lead: impl Fn((u32, u32)) -> Option<(u32, u32)>) -> Option<Vec<Square>> {
        let places = self.places.iter();
        let image = places.map(|&place| self.at(lead(place)?)).collect::<Option<Vec<_>>>()?;
        let neighbours = &self.moves().neighbours;
        let keeps = |(from, to): (usize, &Vec<Square>)| {
            let around = &neighbours[image[from].index()];
            to.len() == around.len() && to.iter().all(|to| around.contains(&image[to.index()]))
        };
        neighbours.iter().enumerate().all(keeps).then_some(image)
    }
}

/// The colours of all squares, and whether moves connect them all.
///
/// The first square has colour 1. All colours are 0 if no two colours will do.
pub fn colours(neighbours: &[Vec<Square>]) -> (Vec<i32>, bool) {
    let mut colours = vec![0; neighbours.len()];
    let (mut parts, mut are_two) = (0, true);
    for first in 0..neighbours.len() {
        if colours[first] != 0 {
            continue;
        }
        parts += 1;
        colours[first] = 1;
        let mut next = vec![first];
        while let Some(square) = next.pop() {
            for to in neighbours[square].iter().map(|to| to.index()) {
                if colours[to] == 0 {
                    colours[to] = -colours[square];
                    next.push(to);
                }
                are_two &= colours[to] == -colours[square];
            }
        }
    }
    if !are_two {
        colours.fill(0);
    }
    (colours, parts == 1)
}
