//! The field as a padded linear board, for boards of more than 128 squares.
//!
//! The pruning is that of the bitboards, with one cell per square and moves that are undone. A move
//! touches the eight cells around a square, whatever the size of the board.

use super::field::Field;
use super::reduction::Reduction;
use crate::board::{PaddedBoard, Square};
use crate::search::{Counters, Tree};

#[derive(Debug)]
pub(super) struct PaddedField {
    starts: Vec<u16>,
    length: usize,
    padded: PaddedBoard,
    free: Vec<bool>,
    free_count: usize,
    /// The number of free neighbours of every free cell, not counting the head.
    degree: Vec<u8>,
    /// The number of times that a tour counts, by the index of its start and the cell of its end.
    end_weights: Vec<Vec<u8>>,
    start: usize,
    /// The number of free cells at which a tour may end.
    ends_left: usize,
    counters: Counters,
}

/// The head and the free cells with a single free neighbour. More than two of them are a dead end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
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

impl PaddedField {
    fn ends_at(&self, cell: usize) -> bool {
        self.end_weights[self.start][cell] > 0
    }

    fn free_neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let targets = self.padded.targets(cell).into_iter();
        targets.filter(|&target| self.free[target])
    }

    /// True if a move to a cell next to the head can lead to a tour, by the rules of the bitboards.
    fn is_choice(&self, at: &Position, cell: usize) -> bool {
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
        for target in self.padded.targets(cell) {
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

    fn release(&mut self, cell: usize) {
        for target in self.padded.targets(cell) {
            self.degree[target] += u8::from(self.free[target]);
        }
        self.ends_left += usize::from(self.ends_at(cell));
        self.free_count += 1;
        self.free[cell] = true;
    }

    fn cell(&self, square: usize) -> usize {
        self.padded.cell(Square::from_index(square))
    }
}

impl Field for PaddedField {
    fn new(reduction: &Reduction) -> Self {
        let board = reduction.board;
        let padded = PaddedBoard::new(board);
        let mut free = padded.cells_filled(true, false);
        if let Some(removed) = reduction.removed {
            free[padded.cell(removed)] = false;
        }
        let mut end_weights = vec![Vec::new(); board.squares()];
        for &start in &reduction.starts {
            let mut weights = vec![0; padded.cells()];
            for end in board.all_squares() {
                weights[padded.cell(end)] = reduction.end_weight(start, end);
            }
            end_weights[start.index()] = weights;
        }
        Self {
            starts: reduction.start_indices(),
            length: reduction.length,
            degree: vec![0; padded.cells()],
            free,
            free_count: reduction.length,
            end_weights,
            start: 0,
            ends_left: 0,
            padded,
            counters: Counters::default(),
        }
    }

    fn last(&self, _at: &Position, to: usize) -> Option<usize> {
        let mut last = self.free_neighbours(self.cell(to));
        let last = last.find(|&cell| self.ends_at(cell));
        last.map(|cell| self.padded.square(cell).index())
    }
}

impl Tree for PaddedField {
    type Node = Position;
    type Branch = ();
    type Choices = std::vec::IntoIter<usize>;
    type Key = ();

    fn levels(&self) -> usize {
        self.length
    }

    fn roots(&self) -> Vec<u16> {
        self.starts.clone()
    }

    fn enter(&mut self, start: usize) -> Option<Position> {
        self.start = start;
        let cells = 0..self.padded.cells();
        let free: Vec<usize> = cells.filter(|&cell| self.free[cell]).collect();
        self.ends_left = free.iter().filter(|&&cell| self.ends_at(cell)).count();
        for &cell in &free {
            self.degree[cell] = self.free_neighbours(cell).count() as u8;
        }
        let head = self.cell(start);
        self.occupy(head);
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
        Some(Position { head, single })
    }

    fn branch(&self, at: &Position) -> ((), Self::Choices) {
        if at.single.count > 2 {
            return ((), Vec::new().into_iter());
        }
        let cells = self.free_neighbours(at.head);
        let choices = cells.filter(|&cell| self.is_choice(at, cell));
        let mut squares: Vec<usize> =
            choices.map(|cell| self.padded.square(cell).index()).collect();
        squares.sort_unstable();
        ((), squares.into_iter())
    }

    fn step(&mut self, at: &Position, (): &(), to: usize) -> Option<Position> {
        let cell = self.cell(to);
        let (lost, fresh) = self.occupy(cell);
        if lost > 0 {
            if self.free_count == 1 {
                let last = self.free_neighbours(cell).next();
                let weight = last.map_or(0, |last| self.end_weights[self.start][last]);
                self.counters.tours += u128::from(weight);
            }
            self.release(cell);
            return None;
        }
        let mut single = fresh;
        for &earlier in at.single.cells().iter().filter(|&&earlier| earlier != cell) {
            single.add(earlier);
        }
        Some(Position { head: cell, single })
    }

    fn undo(&mut self, to: usize) {
        self.release(self.cell(to));
    }

    fn counters(&mut self) -> &mut Counters {
        &mut self.counters
    }
}
