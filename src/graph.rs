//! What is counted on: a graph, an order of its vertices and the symmetry that keeps both.
//!
//! The engine knows no knight: here a question about tours becomes one about Hamiltonian cycles. Open tours are the
//! cycles through one more vertex, the *apex*, that is joined to every square where a tour may end; a fixed end is an
//! edge of the apex that has to be used.

use crate::board::{Board, Square};
use crate::question::Question;

/// A graph whose Hamiltonian cycles are to be counted, in the order in which its vertices are taken.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    /// By vertex, those it is joined to. Vertices are numbered in the order in which they are taken from the top; the apex is the last.
    pub neighbours: Vec<Vec<usize>>,
    /// The squares; the apex is not among them.
    pub squares: Vec<Square>,
    /// The vertex that stands for the world beyond both ends of an open tour.
    pub apex: Option<usize>,
    /// The vertex whose edge to the apex has to be used.
    pub fixed: Option<usize>,
    /// By vertex, its mirror image; where there is none that keeps the question, nothing.
    pub mirror: Option<Vec<usize>>,
    /// By vertex, 1 or -1 such that neighbours differ; 0 for the apex.
    pub colours: Vec<i32>,
    /// Vertices before this one make whole rows with it: the width.
    pub width: usize,
}

impl Graph {
    /// The graph of a question, its rows along the short side of the board.
    pub fn new(question: &Question) -> Self {
        let board = question.board;
        Self::along(question, board.rows().min(board.cols()))
    }

    /// The graph of a question, its rows along a side of this length.
    pub fn along(question: &Question, side: u32) -> Self {
        let (board, width) = (question.board, side as usize);
        let height = board.squares() / width;
        Self::laid_out(question, width, &columns(width), height, board.cols() == side)
    }

    /// The graph of a question in rows of so many squares, which are rows or columns of the board, those of each taken in an order.
    fn laid_out(
        question: &Question,
        width: usize,
        columns: &[usize],
        height: usize,
        are_rows: bool,
    ) -> Self {
        let board = question.board;
        let places = (0..height).flat_map(|row| columns.iter().map(move |&column| (row, column)));
        let square_at = |(row, column): (usize, usize)| {
            Square::from_index(match are_rows {
                true => row * width + column,
                false => column * height + row,
            })
        };
        let squares: Vec<Square> = places.clone().map(square_at).collect();
        let mut vertex = vec![0; squares.len()];
        for (number, square) in squares.iter().enumerate() {
            vertex[square.index()] = number;
        }
        let moves =
            |square: &Square| board.knight_moves(*square).map(|to| vertex[to.index()]).collect();
        let mut neighbours: Vec<Vec<usize>> = squares.iter().map(moves).collect();
        let colour = |square: &Square| {
            if board.has_colour_of_a1(*square) { 1 } else { -1 }
        };
        let mut colours: Vec<i32> = squares.iter().map(colour).collect();
        let image =
            |(row, column): (usize, usize)| vertex[square_at((row, width - 1 - column)).index()];
        let mut mirror = question.is_whole().then(|| places.map(image).collect::<Vec<_>>());
        let fixed = question.from().or(question.to()).map(|end| vertex[end.index()]);
        let apex = (!question.is_closed()).then(|| {
            let apex = squares.len();
            let ends = ends(question, &squares, &colours, &vertex);
            ends.iter().for_each(|&end| neighbours[end].push(apex));
            neighbours.push(ends);
            colours.push(0);
            mirror.iter_mut().for_each(|mirror| mirror.push(apex));
            apex
        });
        Self { neighbours, squares, apex, fixed, mirror, colours, width }
    }

    /// The graph of a strip as wide as a board has rows, on which boards of fewer columns are looked for, or of the first
    /// so many squares. Where it is not known how many squares they have, the colours say nothing.
    pub fn endless(board: Board, is_closed: bool, is_partial: bool) -> Self {
        let width = board.rows() as usize;
        let question = if is_closed { Question::closed(board) } else { Question::open(board) };
        let columns = if is_partial { (0..width).collect() } else { columns(width) };
        let mut graph = Self::laid_out(&question, width, &columns, board.cols() as usize, false);
        if is_partial {
            graph.mirror = None;
        }
        if is_partial || width % 2 == 1 {
            graph.colours.fill(0);
            if let Some(apex) = graph.apex {
                graph.neighbours[apex] = (0..graph.len()).collect();
                for vertex in 0..graph.len() {
                    if !graph.neighbours[vertex].contains(&apex) {
                        graph.neighbours[vertex].push(apex);
                    }
                }
            }
        }
        graph
    }

    /// The sum of the colours of the ends of a tour: twice the surplus of the one colour.
    pub fn surplus(&self) -> i32 {
        2 * self.colours.iter().sum::<i32>()
    }

    /// The number of vertices, the apex not among them.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// The mirror image of a vertex, or itself.
    pub fn image(&self, vertex: usize) -> usize {
        self.mirror.as_ref().map_or(vertex, |mirror| mirror[vertex])
    }

    /// The first of some vertices with their mirror images, not too many together.
    pub fn with_images(
        &self,
        vertices: impl IntoIterator<Item = usize>,
        most: usize,
    ) -> Vec<usize> {
        let mut chosen = Vec::new();
        for vertex in vertices {
            let image = self.image(vertex);
            let wanted = 1 + usize::from(image != vertex);
            if !chosen.contains(&vertex) && chosen.len() + wanted <= most {
                chosen.extend([vertex, image].into_iter().take(wanted));
            }
        }
        chosen
    }

    /// How many of some vertices a vertex is joined to.
    pub fn joined(&self, vertex: usize, others: &[usize]) -> usize {
        let neighbours = self.neighbours[vertex].iter();
        neighbours.filter(|other| others.contains(other)).count()
    }
}

/// The vertices where an open tour may end.
fn ends(
    question: &Question,
    squares: &[Square],
    colours: &[i32],
    vertex_at: &[usize],
) -> Vec<usize> {
    let surplus: i32 = colours.iter().sum();
    let fixed = (question.from(), question.to());
    let may_end = |&vertex: &usize| {
        let (square, colour) = (squares[vertex], colours[vertex]);
        match fixed {
            (Some(from), Some(to)) => square == from || square == to,
            (Some(end), None) | (None, Some(end)) => {
                square == end || colours[vertex_at[end.index()]] + colour == 2 * surplus
            }
            (None, None) => surplus == 0 || colour == surplus,
        }
    };
    (0..squares.len()).filter(may_end).collect()
}

/// The order of the columns in a row that was found best: those with an even distance from the nearer edge, in mirrored
/// pairs from outside in, then the others; of eight columns the middle two are among the first.
pub(crate) fn columns(width: usize) -> Vec<usize> {
    let distance = |column: usize| column.min(width - 1 - column);
    let is_late =
        |column: usize| distance(column) % 2 == 1 && !(width == 8 && distance(column) == 3);
    let mut columns: Vec<usize> = (0..width).collect();
    columns.sort_by_key(|&column| (is_late(column), distance(column), column));
    columns
}
