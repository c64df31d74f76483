//! Units compared with lists of tours, and parts of the engine with naive implementations.

use super::block::{Blocks, Halt, Planner, pack, packed_blocks};
use super::classes::Class;
use super::halves::Slicing;
use super::*;
use crate::alone::counted;
use crate::board::{MoveOrder, Square};
use crate::states::count::Count;
use crate::states::matching::{Rank, matchings};
use crate::states::tests::{any_states, moved_about};
use crate::walk::{self, Listing};
use fastrand::Rng;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).expect("in range")
}

// Units

/// The numbers of tours of a question, by the degrees of the sliced squares of a cut.
struct Seen {
    work: Frontier,
    /// The vertex of each square.
    vertices: Vec<usize>,
    sliced: Vec<Square>,
    tours: BTreeMap<Pattern, u64>,
}

impl Seen {
    /// Returns `None` if the question cannot be cut in this way.
    fn new(question: Question, split: Option<Split>) -> Option<Self> {
        let work = Frontier::new(question.clone(), split).ok()?;
        let halves = work.halves()?;
        let graph = &halves.graph;
        let mut vertices = vec![0; question.board.squares()];
        for (vertex, square) in graph.squares.iter().enumerate() {
            vertices[square.index()] = vertex;
        }
        let sliced = halves.sliced.iter().map(|&vertex| graph.squares[vertex]).collect();
        Some(Self { sliced, vertices, work, tours: BTreeMap::new() })
    }

    fn halves(&self) -> &Halves {
        self.work.halves().expect("is cut")
    }

    /// Returns a pattern with some degrees of the sliced squares.
    fn pattern(&self, degrees: impl Iterator<Item = u64>) -> Pattern {
        let slots =
            self.halves().sliced.iter().map(|&vertex| self.halves().sweeps[TOP].slots[vertex]);
        let slots = slots.map(|slot| slot.expect("a sliced square has a slot"));
        Pattern(degrees.zip(slots).map(|(degree, slot)| degree << (2 * slot)).sum())
    }

    fn see(&mut self, tour: &[Square]) {
        let halves = self.halves();
        let mut cycle: Vec<usize> =
            tour.iter().map(|square| self.vertices[square.index()]).collect();
        cycle.extend(halves.graph.apex);
        let degree = |sliced: &Square| {
            let vertex = self.vertices[sliced.index()];
            let place = cycle.iter().position(|&other| other == vertex);
            let place = place.expect("a tour has every square");
            let next = |step: usize| cycle[(place + step) % cycle.len()];
            let others = [next(1), next(cycle.len() - 1)];
            let is_above = |other: &&usize| halves.is_above(vertex, **other);
            others.iter().filter(is_above).count() as u64
        };
        let pattern = self.pattern(self.sliced.iter().map(degree));
        *self.tours.entry(pattern).or_default() += 1;
    }

    /// Reads the degrees from a label, in the order of the sliced squares.
    fn degrees(&self, label: &str) -> Vec<u64> {
        if self.sliced.is_empty() {
            assert_eq!(label, "all");
            return Vec::new();
        }
        let board = &self.work.question.board;
        let degree = |(word, square): (&str, &Square)| {
            let (name, degree) = word.split_once(':').expect("name:degree");
            assert_eq!(board.parse_square(name).ok(), Some(*square), "{label}");
            degree.parse().expect("a number")
        };
        label.split(' ').zip(&self.sliced).map(degree).collect()
    }

    /// Checks the count of every unit.
    fn check(&self) {
        let units = counted(&self.work);
        let what = format!("{} {}", self.work.question, self.work.split);
        // A list has each closed tour once, and open ones in all directions that are asked for.
        let directions = if self.work.question.is_closed() { 2 } else { 1 };
        for (label, count) in &units.counts {
            let own = self.pattern(self.degrees(label).into_iter());
            let images = self.halves().images(own).into_iter();
            let tours = images.map(|(image, _)| self.tours.get(&image).copied().unwrap_or(0));
            let expected = directions * tours.sum::<u64>();
            assert_eq!(*count, Tally::from(expected), "{what}: {label}");
        }
        let all = directions * self.tours.values().sum::<u64>();
        assert_eq!(units.directed(), Tally::from(all), "{what}");
    }
}

/// The count on the graph of a question whose rows run along a side.
fn count_along(question: Question, side: u32) -> Option<Tally> {
    let work = Frontier::on(Graph::along(&question, side), question, None).ok()?;
    Some(counted(&work).directed())
}

#[test]
fn slices_in_parts_down_to_single_states_and_stage_by_stage_have_the_same_units() {
    let size = |rows, cols| board(rows, cols);
    let square = |board: Board, name| board.parse_square(name).ok();
    for question in [
        Question::closed(size(6, 6)),
        Question::closed(size(5, 6)),
        Question::open(size(5, 6)),
        Question::open_between(size(5, 6), square(size(5, 6), "b2"), None),
        Question::open_between(size(5, 6), square(size(5, 6), "a1"), square(size(5, 6), "f3")),
    ] {
        let units = |most: MostAtOnce| {
            let mut work = Frontier::new(question.clone(), None).expect("fits");
            work.most = most;
            let counted = counted(&work);
            (counted.counts, counted.nodes)
        };
        let whole = units(MostAtOnce::default());
        let work = Frontier::new(question.clone(), None).expect("fits");
        let is_paired = work.halves().is_some_and(|halves| halves.paired > 0);
        for (divided, whole_at, output) in
            [(0, 0, usize::MAX), (0, usize::MAX, 0), (300, 900, 400), (usize::MAX, 0, 0)]
        {
            let dense = divided as u64 / 10;
            let most =
                MostAtOnce { divided, whole: whole_at, output, dense, ..MostAtOnce::default() };
            let (counts, states) = units(most);
            assert_eq!(counts, whole.0, "{question} {most:?}");
            // A slice that is joined in chunks may have some states in two of them: so has one that
            // is its own mirror image, before paired edges.
            let is_joined_whole = whole_at == usize::MAX && !is_paired;
            assert!(
                states >= whole.1 && (states == whole.1 || !is_joined_whole),
                "{question} {most:?}: {states} of {}",
                whole.1
            );
        }
        // Down to single states takes long.
        let all: &[usize] = if whole.1 < 10_000 { &[0, 100] } else { &[5_000] };
        for &bytes in all {
            let (unpacked, between, unit) = (8 * bytes, bytes, bytes);
            let most = MostAtOnce { unpacked, between, unit, ..MostAtOnce::default() };
            let (counts, states) = units(most);
            assert_eq!(counts, whole.0, "{question} {most:?}");
            assert!(states >= whole.1, "{question} {most:?}");
        }
    }
}

#[test]
fn each_unit_has_the_same_tours_if_the_squares_of_the_first_level_choose_as_early_as_they_can() {
    for (rows, cols) in [(8, 7), (7, 8)] {
        let question = Question::closed(board(rows, cols));
        let work = Frontier::new(question.clone(), None).expect("fits");
        let halves = work.halves().expect("is cut");
        let exchange = halves.exchange.as_ref().map(|exchange| &exchange.of[..]);
        let slicing = Slicing { given: &halves.sliced, most: halves.sliced.len() };
        let (classes, level) = (halves.classes.clone(), &halves.levels()[0]);
        let early = Halves::with_early(&halves.graph, classes, exchange, slicing, level);
        let early = early.expect("has enough slots");
        let steps = |halves: &Halves| {
            let stages = halves.sweeps[TOP].rounds.iter().flat_map(|round| &round.stages);
            stages.map(|stage| stage.vertex).collect::<Vec<_>>()
        };
        assert_ne!(steps(&early), steps(halves), "{rows}x{cols}");
        let early = Frontier::with(question, work.split, Shape::Halves(Box::new(early)));
        assert_eq!(counted(&early).counts, counted(&work).counts, "{rows}x{cols}");
    }
}

/// Cuts at every place in the order, and those of exchanged classes by both rules.
fn cuts(question: &Question) -> impl Iterator<Item = Option<Split>> {
    let first = (1..question.board.squares() as u32).map(EdgeClass::First);
    let rules = [false, true].map(|second_rule| EdgeClass::Nearer { second_rule });
    let cut = |class| [2, 4, 6, 10].map(|sliced| Some(Split::Cut { class, sliced }));
    rules.into_iter().chain([EdgeClass::Beside]).chain(first).flat_map(cut)
}

/// Checks the units of a question with the default cut, and with one in `every` of many others.
fn every_unit_is_what_a_list_says(question: Question, every: usize) {
    let elsewhere = cuts(&question).filter(|&cut| Seen::new(question.clone(), cut).is_some());
    let cuts: Vec<Option<Split>> = [None].into_iter().chain(elsewhere.step_by(every)).collect();
    units_are_what_a_list_says(&question, &cuts);
}

/// Checks the units of a question with some cuts.
fn units_are_what_a_list_says(question: &Question, cuts: &[Option<Split>]) {
    let seen = cuts.iter().filter_map(|&cut| Seen::new(question.clone(), cut));
    let mut all: Vec<Seen> = seen.collect();
    assert!(!all.is_empty(), "{question} cannot be cut");
    let listing = Listing::new(question.clone(), MoveOrder::default()).expect("small enough");
    let listed = walk::visit(&listing, |tour| {
        all.iter_mut().for_each(|seen| seen.see(tour));
        ControlFlow::<()>::Continue(())
    });
    assert!(listed.is_continue());
    all.iter().for_each(Seen::check);
}

#[test]
fn every_unit_of_every_board_of_up_to_20_squares_has_as_many_tours_as_a_list_with_its_degrees() {
    check_units(20);
}

#[test]
#[ignore = "lists for ten seconds"]
fn every_unit_of_every_board_of_up_to_30_squares_has_as_many_tours_as_a_list_with_its_degrees() {
    check_units(30);
}

fn check_units(most_squares: u32) {
    let mut random = Rng::with_seed(5);
    for rows in 3..=10 {
        for cols in 3..=most_squares / rows {
            let board = board(rows, cols);
            let square = |number: usize| Some(Square::from_index(number % board.squares()));
            let (one, other) = (random.usize(..), random.usize(..));
            for question in [
                Question::open(board.clone()),
                Question::closed(board.clone()),
                Question::open_between(board.clone(), square(0), None),
                Question::open_between(board.clone(), square(one), None),
                Question::open_between(board.clone(), None, square(other)),
                Question::open_between(board.clone(), square(one), square(other)),
                Question::open_between(board.clone(), square(0), square(board.squares() / 2)),
            ] {
                every_unit_is_what_a_list_says(question, 7);
            }
        }
    }
}

#[test]
fn every_unit_of_a_cut_beside_the_middle_has_as_many_tours_as_a_list_with_its_degrees() {
    let beside = |sliced| Some(Split::Cut { class: EdgeClass::Beside, sliced });
    for (rows, cols) in [(7, 3), (7, 4), (9, 3)] {
        let board = board(rows, cols);
        for question in [Question::open(board.clone()), Question::closed(board)] {
            units_are_what_a_list_says(&question, &[2, 4, 8].map(beside));
        }
    }
}

#[test]
fn every_unit_of_6x6_has_as_many_tours_as_a_list_with_its_degrees() {
    let board = board(6, 6);
    let square = |name| board.parse_square(name).ok();
    every_unit_is_what_a_list_says(Question::closed(board.clone()), 4);
    every_unit_is_what_a_list_says(Question::open_between(board.clone(), square("b2"), None), 15);
    every_unit_is_what_a_list_says(Question::open_between(board.clone(), None, square("a3")), 15);
    let ends = Question::open_between(board.clone(), square("a1"), square("f1"));
    every_unit_is_what_a_list_says(ends, 15);
}

#[test]
#[ignore = "lists for ten seconds"]
fn every_unit_of_the_open_tours_of_6x6_has_as_many_as_a_list_with_its_degrees() {
    every_unit_is_what_a_list_says(Question::open(board(6, 6)), 40);
}

#[test]
fn every_unit_of_boards_of_other_kinds_has_as_many_tours_as_a_list_with_its_degrees() {
    // This torus has 548,511,120 open tours, which take minutes to list.
    for text in OTHER_BOARDS.into_iter().filter(|text| *text != "3x5 wrap=torus") {
        let board: Board = text.parse().expect("a board");
        let square = |number: usize| Some(Square::from_index(number % board.squares()));
        for question in [
            Question::open(board.clone()),
            Question::closed(board.clone()),
            Question::open_between(board.clone(), square(7), None),
            Question::open_between(board.clone(), square(1), square(11)),
        ] {
            every_unit_is_what_a_list_says(question, 13);
        }
    }
}

/// Boards with holes, other pieces, joined edges and explicit graphs, each with symmetries.
const OTHER_BOARDS: [&str; 11] = [
    "5x5 without=c3",
    "4x6 without=a1,f4",
    "3x4 piece=king",
    "4x5 piece=wazir",
    "5x5 piece=wazir",
    "5x5 piece=zebra",
    "4x4 wrap=cylinder",
    "3x5 wrap=cylinder",
    "3x5 wrap=torus",
    "4x4 piece=wazir wrap=torus",
    "graph 1-2,2-3,3-4,4-5,5-6,6-1,1-7,2-8,3-9,4-10,5-11,6-12,7-8,8-9,9-10,10-11,11-12,12-7",
];

/// Returns the halves of all cuts of many boards.
fn many_halves() -> Vec<(String, Frontier)> {
    let plain = ["3x4", "4x5", "5x5", "5x6", "6x6", "6x7"];
    let mut all = Vec::new();
    for text in plain.into_iter().chain(OTHER_BOARDS) {
        let board: Board = text.parse().expect("a board");
        let from = Some(Square::from_index(3));
        for question in [
            Question::open(board.clone()),
            Question::closed(board.clone()),
            Question::open_between(board.clone(), from, None),
        ] {
            let frontiers =
                cuts(&question).filter_map(|cut| Frontier::new(question.clone(), cut).ok());
            let cut = frontiers.filter(|frontier| frontier.halves().is_some());
            all.extend(cut.step_by(3).map(|cut| (format!("{question} {}", cut.split), cut)));
        }
    }
    all
}

#[test]
fn every_combination_of_degrees_is_an_image_of_exactly_one_unit() {
    let mut symmetric = 0;
    for (what, frontier) in many_halves() {
        let halves = frontier.halves().expect("is cut");
        let mut seen = BTreeMap::new();
        for &unit in &halves.units {
            let images = halves.images(unit);
            assert_eq!(images[0].0, unit);
            symmetric += usize::from(images.len() == 4);
            for (image, _) in images {
                assert!(unit <= image, "{what}: the unit is not the smallest of its images");
                assert_eq!(seen.insert(image, unit), None, "{what}: two units have one image");
                let back = halves.images(image);
                assert!(back.iter().any(|(other, _)| *other == unit), "{what}");
            }
        }
        // Every unit and image has degrees that its squares can have, and there are no others.
        let ways = |&vertex: &usize| {
            let of = |class| halves.classes.degree(vertex, class);
            let most = (of(Class::First) + of(Class::LeftOut)).min(2);
            (most + 1).saturating_sub(2 - of(Class::Second).min(2))
        };
        let all: usize = halves.sliced.iter().map(ways).product();
        assert_eq!(seen.len(), all, "{what}");
    }
    assert!(symmetric > 100, "only {symmetric} units have four images");
}

#[test]
fn a_unit_takes_every_slice_from_which_left_out_edges_lead_to_its_degrees() {
    let mut tried = 0;
    for (what, frontier) in many_halves() {
        let halves = frontier.halves().expect("is cut");
        let (graph, classes) = (&halves.graph, &halves.classes);
        let edges: Vec<[usize; 2]> = (0..graph.neighbours.len())
            .flat_map(|one| graph.neighbours[one].iter().map(move |&other| [one, other]))
            .filter(|[one, other]| one < other)
            .filter(|&[one, other]| classes.of(graph, one, other) == Class::LeftOut)
            .collect();
        if edges.len() > 12 {
            continue;
        }
        // The degrees of the sliced squares from every choice of left-out edges.
        let mut added = std::collections::BTreeSet::new();
        'choice: for chosen in 0..1_u32 << edges.len() {
            let mut degrees = vec![0_u64; graph.neighbours.len()];
            for (_, edge) in edges.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1) {
                for &vertex in edge {
                    degrees[vertex] += 1;
                    if degrees[vertex] > 2 {
                        continue 'choice;
                    }
                }
            }
            added.insert(halves.sliced.iter().map(|&vertex| degrees[vertex]).collect::<Vec<_>>());
        }
        for &unit in halves.units.iter().step_by(1 + halves.units.len() / 20) {
            let tops = halves.tops(unit);
            assert!(tops.is_sorted() && tops.iter().all(|top| top.0 <= unit.0), "{what}");
            let degrees = halves.degrees(unit);
            for added in &added {
                let left = degrees
                    .iter()
                    .zip(added)
                    .map(|(&(_, has), &more)| u64::from(has).checked_sub(more));
                let Some(left) = left.collect::<Option<Vec<u64>>>() else { continue };
                let slots = halves.sliced.iter().map(|&one| halves.sweeps[TOP].slots[one]);
                let bits = left.iter().zip(slots).map(|(degree, slot)| {
                    degree << (2 * slot.expect("a sliced square has a slot"))
                });
                assert!(tops.contains(&Pattern(bits.sum())), "{what}: {unit:?} lacks a slice");
                tried += 1;
            }
        }
    }
    assert!(tried > 1_000, "only {tried} slices");
}

#[test]
fn every_board_of_up_to_ten_columns_is_cut_somewhere() {
    for (cols, most_rows) in
        [(3, 60), (4, 45), (5, 36), (6, 30), (7, 25), (8, 24), (9, 24), (10, 24)]
    {
        for rows in cols..=most_rows {
            let board = board(rows, cols);
            for question in [Question::open(board.clone()), Question::closed(board)] {
                assert!(Frontier::new(question.clone(), None).is_ok(), "{question}");
            }
        }
    }
}

/// The tours of a unit counted at another cut, if there is one.
fn counted_at_another_cut(frontier: &Frontier, unit: usize) -> Option<Tally> {
    let Recut { work, images, .. } = frontier.recut(unit)?;
    Some(counted(&*work).directed() * u128::from(images))
}

/// The tours of a unit counted by states in a plain hash table.
fn counted_in_a_hash_table(frontier: &Frontier, unit: usize) -> Tally {
    let halves = frontier.halves().expect("is cut");
    let pattern = halves.units[unit];
    let degrees = &halves.degrees(pattern)[..];
    let is_above = &|one, other| halves.is_above(one, other);
    let claim = cycles::Claim { graph: &halves.graph, is_above, degrees };
    let cycles = cycles::by_states(&claim, u64::MAX, &|| false).expect("nothing stops it");
    frontier.directed(cycles * halves.images(pattern).len())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn a_unit_has_as_many_tours_at_another_cut_as_by_states_in_a_plain_hash_table(
        (rows, cols) in (3..=6_u32, 3..=6_u32),
        (kind, one, other) in (0..5, any::<usize>(), any::<usize>()),
        cut in any::<prop::sample::Index>(),
        unit in any::<prop::sample::Index>(),
    ) {
        let board = board(rows, cols);
        let square = |number: usize| Some(Square::from_index(number % board.squares()));
        let question = match kind {
            0 | 1 => Question::open(board.clone()),
            2 | 3 => Question::closed(board.clone()),
            _ => Question::open_between(board.clone(), square(one), square(other)),
        };
        let cuts: Vec<_> = cuts(&question).collect();
        let frontier = Frontier::new(question.clone(), *cut.get(&cuts))
            .or_else(|_| Frontier::new(question, None))
            .expect("is cut by default");
        // Squares that no tour can pass through leave no unit.
        prop_assume!(frontier.units() > 0);
        let unit = unit.index(frontier.units());
        let count = counted_at_another_cut(&frontier, unit);
        prop_assume!(count.is_some());
        prop_assert_eq!(count, Some(counted_in_a_hash_table(&frontier, unit)));
    }
}

#[test]
fn a_unit_of_every_default_cut_of_more_than_five_columns_can_be_counted_at_another() {
    for (rows, cols) in [(6, 6), (6, 7), (7, 7), (7, 8), (8, 8), (9, 8), (9, 9), (9, 10), (10, 10)]
    {
        for question in [Question::open(board(rows, cols)), Question::closed(board(rows, cols))] {
            let frontier = Frontier::new(question.clone(), None).expect("is cut");
            let halves = frontier.halves().expect("is cut");
            let recut = halves.recut(halves.units[halves.units.len() / 2]);
            let recut = recut.unwrap_or_else(|| panic!("{question} has no other cut"));
            let is_interior =
                |halves: &Halves, vertex| halves.classes.is_interior(vertex, Class::First);
            let interior = |halves: &Halves| {
                (0..halves.graph.len()).filter(|&vertex| is_interior(halves, vertex)).count()
            };
            assert!(interior(&recut) < interior(halves));
            assert_eq!(recut.sliced[..halves.sliced.len()], halves.sliced);
        }
    }
}

#[test]
fn the_long_side_as_the_short_one_makes_no_difference() {
    check_long_sides(30);
}

#[test]
#[ignore = "counts for a minute or two"]
fn the_long_side_as_the_short_one_makes_no_difference_up_to_45_squares() {
    check_long_sides(45);
}

fn check_long_sides(most_squares: u32) {
    let mut random = Rng::with_seed(6);
    for rows in 3..=6 {
        for cols in rows + 1..=10.min(most_squares / rows) {
            let board = board(rows, cols);
            let square = |number: usize| Some(Square::from_index(number % board.squares()));
            let (one, other) = (random.usize(..), random.usize(..));
            for question in [
                Question::closed(board.clone()),
                Question::open(board.clone()),
                Question::open_between(board.clone(), square(one), None),
                Question::open_between(board.clone(), square(one), square(other)),
            ] {
                let (expected, other) =
                    (count_along(question.clone(), rows), count_along(question.clone(), cols));
                // Three long rows have no place for a cut where both sides have something to do.
                assert!(other.is_some() || rows < 4, "{question}");
                assert_eq!(other.or(expected.clone()), expected, "{question}");
            }
        }
    }
}

// Blocks

/// Random degrees of all slots, with an even number of endpoints up to a limit.
fn any_pattern(random: &mut Rng, most_ends: usize) -> Pattern {
    let mut pattern = 0;
    let mut ends = 0;
    for slot in 0..32 {
        let degree = match random.u8(0..6) {
            0 | 1 if ends < most_ends => 1,
            2 => 2,
            _ => 0,
        };
        ends += usize::from(degree == 1);
        pattern |= degree << (2 * slot);
    }
    // Every endpoint has a mate, so their number is even.
    let pattern = Pattern(pattern);
    match (0..32).find(|&slot| pattern.degree(slot) == 1) {
        Some(slot) if ends % 2 == 1 => pattern.without(slot),
        _ => pattern,
    }
}

type Unpacked<C> = Vec<(Pattern, Vec<u64>, Vec<C>)>;

fn unpacked<C: Count>(bytes: &[u8], itself: bool, image: bool) -> Result<Unpacked<C>, Halt> {
    let mut planner = Planner::new(Arc::default());
    let layer =
        Blocks::<C>::default().unpacked([bytes], usize::MAX, &mut planner, |_| [itself, image])?;
    let block = |(pattern, (ranks, counts)): (Pattern, (&[C::Rank], &[C]))| {
        let ranks = ranks.iter().map(|&rank| rank.into()).collect();
        (pattern, ranks, counts.to_vec())
    };
    Ok(layer.blocks().map(block).collect())
}

fn packed<C: Count>(blocks: &Unpacked<C>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (pattern, ranks, counts) in blocks {
        let ranks: Vec<C::Rank> = ranks.iter().map(|&rank| Rank::of(rank)).collect();
        pack(*pattern, &ranks, counts, &mut bytes);
    }
    bytes
}

fn comes_back<C: Count + PartialEq>(
    blocks: &Unpacked<BigUint>,
    of: impl Fn(&BigUint) -> Option<C>,
) {
    let bytes = packed(blocks);
    let fits = blocks.iter().all(|(pattern, _, counts)| {
        pattern.ends() <= C::Rank::MOST_ENDS && counts.iter().all(|count| of(count).is_some())
    });
    let alone = blocks.iter().map(|block| {
        let bytes = packed(&[block.clone()].into_iter().collect());
        (block.0, bytes)
    });
    let told_apart = packed_blocks(&bytes).map(|(pattern, bytes)| (pattern, bytes.to_vec()));
    assert!(told_apart.eq(alone), "each block is found as it is packed");
    let read = unpacked::<C>(&bytes, true, false);
    if !fits {
        assert_eq!(read.err(), Some(Halt::TooNarrow));
        return;
    }
    let read = read.expect("fits");
    let narrow = |(pattern, ranks, counts): &(Pattern, Vec<u64>, Vec<BigUint>)| {
        (*pattern, ranks.clone(), counts.iter().filter_map(&of).collect())
    };
    assert!(read == blocks.iter().map(narrow).collect::<Unpacked<C>>());
    assert!(packed(&read) == bytes, "every width is packed alike");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn blocks_that_are_packed_come_back_and_those_too_wide_are_noticed(
        bits in proptest::sample::select(vec![3_u64, 31, 32, 33, 64, 65, 127, 128, 129, 300]),
        seed in any::<u64>(),
    ) {
        let mut random = Rng::with_seed(seed);
        let blocks: Unpacked<BigUint> = (0..random.usize(1..5))
            .map(|_| {
                let most_ends = if random.u8(0..9) == 0 { 32 } else { 10 };
                let pattern = any_pattern(&mut random, most_ends);
                let all = matchings(pattern.ends());
                let share = random.f64() * 2000.0_f64.min(all as f64) / all as f64;
                let mut ranks: Vec<u64> = match all {
                    ..=945 => (0..all).filter(|_| random.f64() < share).collect(),
                    _ => any_states(&mut random, pattern.ends(), 300).into_iter().map(|state| state.0).collect(),
                };
                if ranks.is_empty() {
                    ranks.push(all - 1);
                }
                let count = |_: &u64| BigUint::from(random.u64(1..)) << bits >> 64_u32;
                let counts = ranks.iter().map(count).collect();
                (pattern, ranks, counts)
            })
            .collect();
        comes_back(&blocks, |count| u32::try_from(count).ok());
        comes_back(&blocks, |count| u64::try_from(count).ok());
        comes_back(&blocks, |count| u128::try_from(count).ok());
        comes_back(&blocks, |count| Some(count.clone()));
    }

    #[test]
    fn blocks_are_had_in_the_mirror_images_that_are_wanted(seed in any::<u64>()) {
        let mut random = Rng::with_seed(seed);
        let pattern = any_pattern(&mut random, 10);
        let ends = pattern.ends();
        let states = any_states(&mut random, ends, 50);
        let (ranks, counts): (Vec<u64>, Vec<u32>) = states.into_iter().unzip();
        let bytes = packed(&vec![(pattern, ranks.clone(), counts.clone())]);
        let images: Vec<u64> = ranks
            .iter()
            .map(|&rank| moved_about(pattern.mirror(), rank, ends))
            .collect();
        let (own, image) = (
            (pattern, ranks.clone(), counts.clone()),
            (pattern.mirrored(), images.clone(), counts.clone()),
        );
        prop_assert_eq!(pattern.mirrored().mirrored(), pattern);
        prop_assert_eq!(unpacked::<u32>(&bytes, true, false), Ok(vec![own.clone()]));
        prop_assert_eq!(unpacked::<u32>(&bytes, false, true), Ok(vec![image.clone()]));
        prop_assert_eq!(unpacked::<u32>(&bytes, true, true), Ok(vec![own, image]));
    }
}

// Boards of one width

#[test]
fn sweeps_of_boards_of_one_width_begin_alike_until_they_come_near_the_middle() {
    let work = |rows, cols| Frontier::new(Question::closed(board(rows, cols)), None).expect("cut");
    for cols in [6, 7, 8] {
        let of: Vec<Frontier> = (cols..=cols + 6).map(|rows| work(rows, cols)).collect();
        let in_common: Vec<usize> =
            of.windows(2).map(|pair| pair[0].rounds_in_common(&pair[1])[0].rounds).collect();
        assert!(in_common.is_sorted(), "{in_common:?}");
        assert!(in_common[0] > 0 && in_common[5] >= in_common[1] + 2, "{in_common:?}");
    }
    assert_eq!(work(8, 8).rounds_in_common(&work(8, 7))[0].rounds, 0);
}

#[test]
fn a_board_between_two_others_joins_the_results_of_their_sweeps() {
    let questions: [fn(Board) -> Question; 2] = [Question::closed, Question::open];
    for (question, rows, cols) in
        [(questions[0], 9, 8), (questions[0], 13, 6), (questions[1], 7, 6)]
    {
        let question = |rows| question(board(rows, cols));
        let work = |rows| Frontier::new(question(rows), None).expect("can be cut");
        let cut = cut_between(&question(rows)).expect("is between");
        let between = Frontier::new(question(rows), Some(cut)).expect("can be cut so");
        let rounds = between.rounds();
        let common = work(rows - 1).rounds_in_common(&between)[TOP];
        assert_eq!(common, InCommon { sweep: TOP, rounds: rounds[TOP], has_same_slices: true });
        let common = between.rounds_in_common(&work(rows + 1));
        let all = InCommon { sweep: BOTTOM, rounds: rounds[BOTTOM], has_same_slices: true };
        assert_eq!(common, [all]);
    }
}

#[test]
fn six_stages_of_10x10_come_after_the_degrees_of_the_first_level_are_final() {
    let frontier = Frontier::new(Question::closed(board(10, 10)), None).expect("can be cut");
    let halves = frontier.halves().expect("is cut");
    let stages: Vec<&stage::Stage> =
        halves.sweeps[TOP].rounds.iter().flat_map(|round| &round.stages).collect();
    let last = |vertex: usize| stages.iter().rposition(|stage| stage.most_edges(vertex) > 0);
    let last_of_level = halves.levels()[0].iter().filter_map(|&vertex| last(vertex)).max();
    assert_eq!((stages.len(), last_of_level), (46, Some(39)));
    let rounds = &halves.sweeps[TOP].rounds;
    let sliced: Vec<u32> = rounds.iter().map(|round| round.key.count_ones() / 2).collect();
    assert_eq!(sliced, [0, 4, 6, 6, 2, 6, 6, 10, 10]);
}
