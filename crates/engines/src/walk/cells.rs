//! The field as a vector with one cell per square, for boards that bitboards do not hold.
//!
//! The pruning is that of the bitboards, with moves that are undone. A move touches the cells that
//! it leads to, whatever the size of the board. On full knight's boards these cells are computed
//! from the padded linear board, which suits more than 128 squares. Other boards of that size, and
//! boards with more than eight moves from a square, have lists of moves.

use super::field::{Field, is_searched_whole};
use super::reduction::Reduction;
use crate::board::{PaddedBoard, Square};
use crate::search::{Counters, Tree};
use std::fmt::Debug;

/// The cells of a board and the moves between them. Some cells may lie off the board.
pub(super) trait Cells: Debug + Send {
    /// The cells of the board of a reduction.
    fn of(reduction: &Reduction) -> Self;
    /// The number of cells.
    fn count(&self) -> usize;
    /// The cell of a square.
    fn cell(&self, square: Square) -> usize;
    /// The square of a cell, which has to be on the board.
    fn square(&self, cell: usize) -> Square;
    /// The cells to which a move leads from the cell of a square, on the board or off it.
    fn targets(&self, cell: usize) -> impl Iterator<Item = usize> + use<'_, Self>;
}

impl Cells for PaddedBoard {
    fn of(reduction: &Reduction) -> Self {
        Self::new(&reduction.board)
    }
    fn count(&self) -> usize {
        self.cells()
    }
    fn cell(&self, square: Square) -> usize {
        self.cell(square)
    }
    fn square(&self, cell: usize) -> Square {
        self.square(cell)
    }
    #[inline]
    fn targets(&self, cell: usize) -> impl Iterator<Item = usize> + use<'_> {
        self.targets(cell).into_iter()
    }
}

/// The moves from each square that the paths may use, as a list. The cell of a square is its index.
#[derive(Debug)]
pub(super) struct MoveLists(Vec<Vec<usize>>);

impl Cells for MoveLists {
    fn of(reduction: &Reduction) -> Self {
        let indices = |to: &Vec<Square>| to.iter().map(|square| square.index()).collect();
        Self(reduction.onward.iter().map(indices).collect())
    }
    fn count(&self) -> usize {
        self.0.len()
    }
    fn cell(&self, square: Square) -> usize {
        square.index()
    }
    fn square(&self, cell: usize) -> Square {
        Square::from_index(cell)
    }
    #[inline]
    fn targets(&self, cell: usize) -> impl Iterator<Item = usize> + use<'_> {
        self.0[cell].iter().copied()
    }
}

#[derive(Debug)]
pub(super) struct CellField<C> {
    starts: Vec<u16>,
    length: usize,
    cells: C,
    free: Vec<bool>,
    free_count: usize,
    /// The number of free neighbours of every free cell, not counting the head.
    degree: Vec<u16>,
    /// The number of times that a tour counts, by the index of its start and the cell of its end.
    end_weights: Vec<Vec<u8>>,
    start: usize,
    /// The number of free cells at which a tour may end.
    ends_left: usize,
    counters: Counters,
}

/// The head and the free cells with a single free neighbour. More than two of them are a dead end.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellPosition {
    head: usize,
    single: FewCells,
}

#[derive(Debug, Clone, Copy, Default)]
struct FewCells {
    cells: [usize; 2],
    count: usize,
}

impl FewCells {
    fn cells(&self) -> &[usize] {
        &self.cells[..self.count.min(2)]
    }

    fn add(&mut self, cell: usize) {
        if let Some(place) = self.cells.get_mut(self.count) {
            *place = cell;
        }
        self.count += 1;
    }
}

impl<C: Cells> CellField<C> {
    fn ends_at(&self, cell: usize) -> bool {
        self.end_weights[self.start][cell] > 0
    }

    fn free_neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        self.cells.targets(cell).filter(|&target| self.free[target])
    }

    /// True if a move to a cell next to the head can lead to a tour, by the rules of the bitboards.
    fn is_choice(&self, at: &CellPosition, cell: usize) -> bool {
        if self.ends_at(cell) && self.ends_left == 1 {
            return false;
        }
        match *at.single.cells() {
            [] => true,
            [single] => cell == single || self.ends_at(single),
            [one, other] => {
                (cell == one && self.ends_at(other)) || (cell == other && self.ends_at(one))
            }
            _ => false,
        }
    }

    /// Takes a cell. Returns the number of its free neighbours that now have no free neighbour, and
    /// those that have one.
    fn occupy(&mut self, cell: usize) -> (usize, FewCells) {
        self.free[cell] = false;
        self.free_count -= 1;
        self.ends_left -= usize::from(self.ends_at(cell));
        let (mut lost, mut single) = (0, FewCells::default());
        for target in self.cells.targets(cell) {
            if self.free[target] {
                self.degree[target] -= 1;
                match self.degree[target] {
                    0 => lost += 1,
                    1 => single.add(target),
                    _ => {}
                }
            }
        }
        (lost, single)
    }

    /// Counts the tour whose last move leads from a cell to the only free one.
    fn count_end(&mut self, cell: usize) {
        let last = self.free_neighbours(cell).next();
        let weight = last.map_or(0, |last| self.end_weights[self.start][last]);
        self.counters.tours += u128::from(weight);
    }

    fn release(&mut self, cell: usize) {
        for target in self.cells.targets(cell) {
            self.degree[target] += u16::from(self.free[target]);
        }
        self.ends_left += usize::from(self.ends_at(cell));
        self.free_count += 1;
        self.free[cell] = true;
    }

    fn cell(&self, square: usize) -> usize {
        self.cells.cell(Square::from_index(square))
    }
}

impl<C: Cells> Field for CellField<C> {
    fn new(reduction: &Reduction) -> Self {
        let board = &reduction.board;
        let cells = C::of(reduction);
        let mut free = vec![false; cells.count()];
        for square in board.all_squares().filter(|&square| reduction.removed != Some(square)) {
            free[cells.cell(square)] = true;
        }
        let mut end_weights = vec![Vec::new(); board.squares()];
        for &start in &reduction.starts {
            let mut weights = vec![0; cells.count()];
            for end in board.all_squares() {
                weights[cells.cell(end)] = reduction.end_weight(start, end);
            }
            end_weights[start.index()] = weights;
        }
        Self {
            starts: reduction.start_indices(),
            length: reduction.length,
            degree: vec![0; cells.count()],
            free,
            free_count: reduction.length,
            end_weights,
            start: 0,
            ends_left: 0,
            cells,
            counters: Counters::default(),
        }
    }

    fn last(&self, _at: &CellPosition, to: usize) -> Option<usize> {
        let mut last = self.free_neighbours(self.cell(to));
        let last = last.find(|&cell| self.ends_at(cell));
        last.map(|cell| self.cells.square(cell).index())
    }
}

impl<C: Cells> Tree for CellField<C> {
    type Node = CellPosition;
    type Choices = std::vec::IntoIter<usize>;
    type Key = ();

    fn levels(&self) -> usize {
        self.length
    }

    fn roots(&self) -> Vec<u16> {
        self.starts.clone()
    }

    fn enter(&mut self, start: usize) -> Option<CellPosition> {
        self.start = start;
        let cells = 0..self.cells.count();
        let free: Vec<usize> = cells.filter(|&cell| self.free[cell]).collect();
        self.ends_left = free.iter().filter(|&&cell| self.ends_at(cell)).count();
        for &cell in &free {
            self.degree[cell] = self.free_neighbours(cell).count() as u16;
        }
        let head = self.cell(start);
        let (lost, _) = self.occupy(head);
        if lost == 1 && self.free_count == 1 {
            self.count_end(head);
            self.release(head);
            return None;
        }
        let mut single = FewCells::default();
        let mut alive = self.ends_left > 0;
        for cell in free {
            if self.free[cell] {
                alive &= self.degree[cell] > 0;
                if self.degree[cell] == 1 {
                    single.add(cell);
                }
            }
        }
        if !alive {
            self.release(head);
            return None;
        }
        Some(CellPosition { head, single })
    }

    fn choices(&self, at: &CellPosition) -> Self::Choices {
        if at.single.count > 2 {
            return Vec::new().into_iter();
        }
        let cells = self.free_neighbours(at.head);
        let choices = cells.filter(|&cell| self.is_choice(at, cell));
        let mut squares: Vec<usize> = choices.map(|cell| self.cells.square(cell).index()).collect();
        squares.sort_unstable();
        squares.into_iter()
    }

    fn step(&mut self, at: &CellPosition, to: usize) -> Option<CellPosition> {
        let cell = self.cell(to);
        let (lost, fresh) = self.occupy(cell);
        if lost > 0 {
            if self.free_count == 1 {
                self.count_end(cell);
            }
            self.release(cell);
            return None;
        }
        let mut single = fresh;
        for &earlier in at.single.cells().iter().filter(|&&earlier| earlier != cell) {
            single.add(earlier);
        }
        Some(CellPosition { head: cell, single })
    }

    fn undo(&mut self, to: usize) {
        self.release(self.cell(to));
    }

    fn is_small(&self, at: Option<&CellPosition>, levels: usize) -> bool {
        let free = (0..self.cells.count()).filter(|&cell| self.free[cell]);
        let degree = |cell: usize| match at {
            Some(_) => self.degree[cell].into(),
            None => self.free_neighbours(cell).count(),
        };
        is_searched_whole(levels, || free.map(|cell| degree(cell).saturating_sub(1)).sum())
    }

    fn counters(&mut self) -> &mut Counters {
        &mut self.counters
    }
}
