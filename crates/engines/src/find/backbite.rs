//! Random tours, by a walk from tour to tour.
//!
//! A *backbite* move joins an end of an open tour to another square that a move leads to, and cuts
//! the tour beside that square, so that a new end arises (Mansfield, Monte Carlo studies of polymer
//! chain dimensions in the melt, 1982). Each of these moves can be taken back with the same
//! probability, if an end that has fewer moves than others sometimes stays. So after many moves
//! every tour that can be reached is equally likely.
//!
//! No move changes the colour of an end, and a knight's tour of 5x5 never becomes its mirror image.
//! So the result is reversed or not and mapped by a symmetry of the board, at random. Then all
//! tours are equally likely where all were listed, for kings and wazirs up to 5x5 and knights on
//! 5x5. On 4x5 a knight reaches a part of the tours. Nothing is proved for larger boards.
//!
//! A move costs as much as the part of the tour that it reverses. A closed tour is an open one whose
//! ends are joined by a move. The walk looks for such a tour once per round: those that it would
//! meet first are not all equally likely.

use crate::board::{Board, Square, Symmetry};
use fastrand::Rng;

/// The rounds of a walk, of a move per square each. After a tenth of them, tours of 30x30 still show
/// the strips or the rows that they were constructed from.
const ROUNDS: usize = 100;

/// Returns the tour at the end of a random walk from a tour, given by the squares in order. `None`
/// if `stop` returned true.
pub fn shuffled(
    board: &Board,
    mut tour: Vec<Square>,
    is_closed: bool,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Square>> {
    let n = tour.len();
    let targets: Vec<Vec<Square>> =
        board.all_squares().map(|square| board.moves(square).collect()).collect();
    let most = targets.iter().map(Vec::len).max().unwrap_or_default();
    let mut places = vec![0; n];
    tour.iter().zip(0..).for_each(|(square, place)| places[square.index()] = place);
    let mut random = Rng::with_seed(seed);
    let is_wanted =
        |tour: &[Square]| !is_closed || n < 2 || targets[tour[n - 1].index()].contains(&tour[0]);
    let mut round = 0;
    while round < ROUNDS || !is_wanted(&tour) {
        if stop() {
            return None;
        }
        round += 1;
        for _ in 0..n {
            let is_last = random.bool();
            let end = if is_last { tour[n - 1] } else { tour[0] };
            let Some(to) = targets[end.index()].get(random.usize(..most.max(1))) else { continue };
            let at = places[to.index()];
            let part = if is_last { at + 1..n } else { 0..at };
            tour[part.clone()].reverse();
            for place in part {
                places[tour[place].index()] = place;
            }
        }
    }
    if random.bool() {
        tour.reverse();
    }
    let symmetry = random.choice(Symmetry::of(board))?;
    Some(tour.into_iter().map(|square| symmetry.apply(board, square)).collect())
}
