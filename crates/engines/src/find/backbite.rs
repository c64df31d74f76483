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
//! Moves that would part two squares which a *link* joins are left out: a link that is met stays.
//! That keeps the moves equally likely in both directions, among the tours with all links; but
//! fewer of them may be reached.
//!
//! A move costs as much as the part of the tour that it reverses. A closed tour is an open one whose
//! ends are joined by a move. The walk looks for such a tour once per round: those that it would
//! meet first are not all equally likely.

use crate::board::{Board, Square, Symmetry};
use fastrand::Rng;

/// The rounds of a walk, of a move per square each. After a tenth of them, tours of 30x30 still show
/// the strips or the rows that they were constructed from.
const ROUNDS: usize = 100;

/// The rounds after which links that were not met are given up, and after which a closed tour with
/// links is. On 64x64 about one round in 256 should end in a closed tour: a knight's move leads from
/// the last square to 8 of 2,048 of the other colour.
const ROUNDS_FOR_LINKS: usize = 2_000;

/// An open tour that backbite moves change, one after the other.
struct Biting<'a> {
    tour: Vec<Square>,
    /// The pairs of squares that are not parted, each in ascending order.
    links: &'a [[Square; 2]],
    /// By square, its place in the tour and the squares that a move leads to.
    places: Vec<usize>,
    targets: Vec<Vec<Square>>,
    /// The most moves of a square.
    most: usize,
    random: Rng,
}

impl<'a> Biting<'a> {
    fn from(board: &Board, tour: Vec<Square>, links: &'a [[Square; 2]], seed: u64) -> Self {
        let targets: Vec<Vec<Square>> =
            board.all_squares().map(|square| board.moves(square).collect()).collect();
        let most = targets.iter().map(Vec::len).max().unwrap_or_default().max(1);
        let mut places = vec![0; tour.len()];
        tour.iter().zip(0..).for_each(|(square, place)| places[square.index()] = place);
        Self { tour, links, places, targets, most, random: Rng::with_seed(seed) }
    }

    /// Joins the last square, or else the first, to a random one, unless that parts a link.
    fn bite(&mut self, is_last: bool) {
        let n = self.tour.len();
        let end = self.tour[if is_last { n - 1 } else { 0 }];
        let choice = self.random.usize(..self.most);
        let Some(to) = self.targets[end.index()].get(choice) else { return };
        let at = self.places[to.index()];
        let (part, beside) = if is_last { (at + 1..n, at + 1) } else { (0..at, at - 1) };
        let mut parted = [*to, self.tour[beside]];
        parted.sort_unstable();
        if self.links.contains(&parted) {
            return;
        }
        self.tour[part.clone()].reverse();
        for place in part {
            self.places[self.tour[place].index()] = place;
        }
    }

    /// True if a move leads from the last square to the first.
    fn is_closed(&self) -> bool {
        let Self { tour, targets, .. } = self;
        tour.last().is_none_or(|last| tour.len() < 2 || targets[last.index()].contains(&tour[0]))
    }

    /// True if the tour has all links.
    fn has_links(&self) -> bool {
        let place = |square: &Square| self.places[square.index()];
        self.links.iter().all(|[one, other]| place(one).abs_diff(place(other)) == 1)
    }
}

/// Returns the tour at the end of a random walk from a tour, given by the squares in order, with
/// moves between the squares of each link, in ascending order. `None` if `stop` returned true, or
/// if no such tour was met: that does not mean that there is none.
pub fn shuffled(
    board: &Board,
    tour: Vec<Square>,
    links: &[[Square; 2]],
    is_closed: bool,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Square>> {
    let n = tour.len();
    let mut walk = Biting::from(board, tour, links, seed);
    // The rounds with all links, which stay once they are met, and those before.
    let (mut rounds, mut before) = (0, 0);
    while rounds < ROUNDS || is_closed && !walk.is_closed() {
        if stop() || !links.is_empty() && [rounds, before].contains(&ROUNDS_FOR_LINKS) {
            return None;
        }
        for _ in 0..n {
            let is_last = walk.random.bool();
            walk.bite(is_last);
        }
        *(if walk.has_links() { &mut rounds } else { &mut before }) += 1;
    }
    if walk.random.bool() {
        walk.tour.reverse();
    }
    if !links.is_empty() {
        return Some(walk.tour);
    }
    let symmetry = walk.random.choice(Symmetry::of(board))?;
    Some(walk.tour.into_iter().map(|square| symmetry.apply(board, square)).collect())
}

/// Returns a random tour from the first square of a tour to `end`, or to any square. `None` if
/// `stop` returned true, or if no such tour was met: that does not mean that there is none.
pub fn led_to(
    board: &Board,
    tour: Vec<Square>,
    end: Option<Square>,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Square>> {
    let n = tour.len();
    let mut walk = Biting::from(board, tour, &[], seed);
    for round in 0..ROUNDS {
        for _ in 0..n {
            walk.bite(true);
            if round > 0 && end.is_none_or(|end| walk.tour[n - 1] == end) {
                return Some(walk.tour);
            }
        }
        if stop() {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::{Find, FindOutcome};
    use crate::tour::Tour;

    #[test]
    fn links_that_no_closed_tour_has_are_given_up() {
        let board = Board::new(12, 12).expect("in range");
        let find = Find { closed: true, ..Find::open(&board, Square::from_index(0)) };
        let (FindOutcome::Found(route), _) = find.run(&|| false) else { panic!("it has a tour") };
        let square = |name| board.parse_square(name).expect("a square");
        // Where b3 leads to both, a1 has a single neighbour left.
        for (ends, has_tour) in [(["d4", "c5"], false), (["d4", "a1"], true)] {
            let mut links = ends.map(|end| [square("b3"), square(end)]);
            links.iter_mut().for_each(|link| link.sort_unstable());
            let found = shuffled(&board, route.squares().collect(), &links, true, 1, &|| false);
            assert_eq!(found.is_some(), has_tour, "{ends:?}");
            let Some(mut tour) = found else { continue };
            tour.push(tour[0]);
            let has = |&[one, other]: &[Square; 2]| {
                let mut steps = tour.windows(2);
                steps.any(|step| [[one, other], [other, one]].contains(&[step[0], step[1]]))
            };
            assert!(links.iter().all(has));
        }
    }

    #[test]
    fn a_walk_leads_from_the_first_square_to_any_other_that_a_tour_can_end_on() {
        for (board, ends) in [("8x8", ["b1", "g8"]), ("6x9", ["b1", "d3"]), ("7x7", ["c1", "g7"])] {
            let board: Board = board.parse().expect("a board");
            let find = Find::open(&board, Square::from_index(0));
            let (FindOutcome::Found(route), _) = find.run(&|| false) else {
                panic!("{board} has a tour")
            };
            for end in ends {
                let end = board.parse_square(end).expect("a square");
                for seed in 0..5 {
                    let tour = route.squares().collect();
                    let led = led_to(&board, tour, Some(end), seed, &|| false).expect("it is met");
                    assert_eq!((led[0].index(), led.last()), (0, Some(&end)), "{board}");
                    Tour::new(&board, led).expect("a tour");
                }
            }
        }
    }
}
