//! The graph that the frontier counts on: vertices in an order, their edges, and the mirror image
//! that keeps both.
//!
//! The engine knows no knight. Here a question about tours becomes a question about Hamiltonian
//! cycles. An open tour becomes a cycle through one more vertex, the *apex*, which is joined to
//! every square where a tour may end. A fixed end becomes an edge of the apex that every cycle has
//! to use. So open and closed tours, with or without fixed ends, are counted by the same code.

mod order;
mod sweep;

use crate::board::{Board, Square, Symmetry};
use crate::question::Question;
use order::Order;
pub use sweep::{combinations, states};

/// A graph whose Hamiltonian cycles are to be counted. Its vertices are numbered in the order in
/// which they are processed from the top; the apex has the last number.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The neighbours of each vertex.
    pub neighbours: Vec<Vec<usize>>,
    /// The square of each vertex; the apex has none.
    pub squares: Vec<Square>,
    /// The extra vertex of open tours, joined to every square where a tour may end.
    pub apex: Option<usize>,
    /// The vertex whose edge to the apex every cycle has to use.
    pub fixed: Option<usize>,
    /// The mirror image of each vertex. It is `None` if an end is fixed: a mirror image would then
    /// be a tour of another question.
    pub mirror: Option<Vec<usize>>,
    /// The colour of each vertex: 1 or -1, different for squares a knight's move apart, and 0 for
    /// the apex. It is 0 for all if the colours say nothing about the ends of tours.
    pub colours: Vec<i32>,
    /// The number of vertices in a row.
    pub width: usize,
    /// The line of each vertex and its place within the line, of the board, if the order goes line
    /// by line: row by row, or column by column.
    pub lines: Option<Vec<[usize; 2]>>,
}

impl Graph {
    /// Returns the graphs of a question that are worth trying, the best first.
    ///
    /// A full knight's board has one, with its rows along the short side. A short row keeps the
    /// frontier small.
    pub fn of(question: &Question) -> Vec<Self> {
        let board = &question.board;
        if board.is_plain() {
            vec![Self::along(question, board.rows().min(board.cols()))]
        } else {
            order::orders(board).into_iter().map(|o| Self::ordered(question, o)).collect()
        }
    }

    /// Returns the graph of a question on a full knight's board, with its rows along a side of the
    /// given length.
    pub fn along(question: &Question, side: u32) -> Self {
        Self::laid_out(question, &columns(side as usize), question.board.cols() == side)
    }

    /// Returns the graph of a question on a full knight's board, in the rows of the board if
    /// `are_rows`, else in its columns. Each lists its squares in the order of `columns`.
    fn laid_out(question: &Question, columns: &[usize], are_rows: bool) -> Self {
        let squares = order::by_lines(&question.board, columns, are_rows);
        let mirror = Some(if are_rows { Symmetry::FlipCols } else { Symmetry::FlipRows });
        let (width, are_rows) = (columns.len(), Some(are_rows));
        Self::ordered(question, Order { squares, width, mirror, are_rows })
    }

    /// Returns the graph of a question with its vertices in an order.
    fn ordered(question: &Question, order: Order) -> Self {
        let board = &question.board;
        let Order { squares, width, mirror, are_rows } = order;
        let mut vertex = vec![0; squares.len()];
        for (number, square) in squares.iter().enumerate() {
            vertex[square.index()] = number;
        }
        let moves = |square: &Square| board.moves(*square).map(|to| vertex[to.index()]).collect();
        let mut neighbours: Vec<Vec<usize>> = squares.iter().map(moves).collect();
        let mut colours: Vec<i32> = squares.iter().map(|square| board.colour(*square)).collect();
        let image =
            |symmetry: Symmetry| squares.iter().map(move |&s| symmetry.apply(board, s).index());
        let mirror = mirror.filter(|_| question.is_whole());
        let mut mirror: Option<Vec<usize>> =
            mirror.map(|symmetry| image(symmetry).map(|square| vertex[square]).collect());
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
        let line = |&square: &Square, are_rows: bool| {
            let [row, col] = [board.row(square), board.col(square)].map(|place| place as usize);
            if are_rows { [row, col] } else { [col, row] }
        };
        let lines = are_rows.map(|rows| squares.iter().map(|square| line(square, rows)).collect());
        Self { neighbours, squares, apex, fixed, mirror, colours, width, lines }
    }

    /// Returns the symmetries of the board that exchange vertices in pairs, commute with the mirror
    /// image and do not equal it, as maps of the vertices; those that exchange the ends of the
    /// order come first. They keep the edges between squares, perhaps not those of the apex.
    pub fn exchanges(&self, board: &Board) -> Vec<Vec<usize>> {
        /// Explicit graphs may have thousands of symmetries.
        const MOST: usize = 64;
        let mut vertex = vec![0; self.len()];
        for (number, square) in self.squares.iter().enumerate() {
            vertex[square.index()] = number;
        }
        let image = |symmetry: &Symmetry| -> Vec<usize> {
            let images = self.squares.iter().map(|&square| symmetry.apply(board, square));
            images.map(|square| vertex[square.index()]).chain(self.apex).collect()
        };
        let is_exchange = |image: &Vec<usize>| {
            let moves_some = (0..image.len()).any(|vertex| image[vertex] != vertex);
            let is_mirror = (0..image.len()).all(|vertex| image[vertex] == self.image(vertex));
            let commutes = |vertex: usize| self.image(image[vertex]) == image[self.image(vertex)];
            let is_own_inverse = (0..image.len()).all(|vertex| image[image[vertex]] == vertex);
            moves_some && !is_mirror && is_own_inverse && (0..image.len()).all(commutes)
        };
        let images = Symmetry::of(board).iter().map(image).filter(is_exchange);
        let mut exchanges: Vec<Vec<usize>> = images.take(MOST).collect();
        let distance = |image: &Vec<usize>| -> usize {
            (0..image.len()).map(|vertex| image[vertex].abs_diff(vertex)).sum()
        };
        exchanges.sort_by_key(|image| std::cmp::Reverse(distance(image)));
        exchanges
    }

    /// Returns the graph of a strip as wide as the board has rows, on which shorter boards are
    /// counted on the way: those of fewer columns, or, if `is_partial`, those of the first squares,
    /// for each number of squares. Where these boards have different surpluses of one colour, the
    /// colours are left out, and every square may be an end.
    pub fn endless(board: &Board, is_closed: bool, is_partial: bool) -> Self {
        let width = board.rows() as usize;
        let question = Question::of_kind(board.clone(), is_closed, [None, None]);
        let columns = if is_partial { (0..width).collect() } else { columns(width) };
        let mut graph = Self::laid_out(&question, &columns, false);
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

    /// Returns the sum of the colours of both ends of an open tour: twice the surplus of one colour
    /// on the board.
    pub fn surplus(&self) -> i32 {
        2 * self.colours.iter().sum::<i32>()
    }

    /// Returns the number of vertices without the apex.
    #[expect(clippy::len_without_is_empty, reason = "a graph of a board has vertices")]
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Returns the mirror image of a vertex, or the vertex itself if the graph has no mirror image.
    pub fn image(&self, vertex: usize) -> usize {
        self.mirror.as_ref().map_or(vertex, |mirror| mirror[vertex])
    }

    /// Returns the first of some vertices with their mirror images, at most `most` in all. A vertex
    /// and its image are taken together or not at all.
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

    /// Returns the number of neighbours of a vertex that belong to a set of vertices.
    pub fn joined(&self, vertex: usize, is_in_set: impl Fn(usize) -> bool) -> usize {
        self.neighbours[vertex].iter().filter(|&&other| is_in_set(other)).count()
    }
}

/// Returns the vertices where an open tour may end, by the fixed ends and the colours.
fn ends(
    question: &Question,
    squares: &[Square],
    colours: &[i32],
    vertex_at: &[usize],
) -> Vec<usize> {
    let surplus: i32 = colours.iter().sum();
    let may_end = |&vertex: &usize| {
        let (square, colour) = (squares[vertex], colours[vertex]);
        match question.ends() {
            [Some(from), Some(to)] => square == from || square == to,
            [Some(end), None] | [None, Some(end)] => {
                square == end || colours[vertex_at[end.index()]] + colour == 2 * surplus
            }
            [None, None] => surplus == 0 || colour == surplus,
        }
    };
    (0..squares.len()).filter(may_end).collect()
}

/// Returns the best order found of the columns within a row: those with an even distance from the
/// nearer edge, in mirrored pairs from outside in, then the others. With eight columns, the middle
/// two also belong to the first group; from nine columns on, the others come from inside out. On
/// 7x8 closed this order needs a third of the states of the natural order.
pub fn columns(width: usize) -> Vec<usize> {
    let distance = |column: usize| column.min(width - 1 - column);
    let is_late =
        |column: usize| distance(column) % 2 == 1 && !(width == 8 && distance(column) == 3);
    let mut columns: Vec<usize> = (0..width).collect();
    let place = |column: usize| match (width, is_late(column)) {
        (9.., true) => width - distance(column),
        _ => distance(column),
    };
    columns.sort_by_key(|&column| (is_late(column), place(column), column));
    columns
}
