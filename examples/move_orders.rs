//! All 40,320 orders of the eight knight moves, from the corner of boards of 5 to 100: which of them
//! make a heuristic fail where a paper says that it fails?
//!
//! L. Paris, Heuristic strategies for the knight tour problem, says that Warnsdorff's rule (h1b) fails on
//! ten sizes up to 100, with ties broken by a move order that its scan does not show, and that the
//! rule with ties to the nearest corner (h2) never fails. `cargo run --release --example move_orders`
//! takes a quarter of an hour on two cores (with `-- h1b` or `-- h2` half of it) and prints the answers that stand
//! in results/seeds.
#![allow(clippy::print_stdout)]

use kt_enum::board::{Board, KNIGHT_MOVES, MoveOrder, Square};
use kt_enum::find::{Distance, Find, Limits, Outcome, Strategy};
use rayon::prelude::*;

/// The sizes of boards up to 100 on which the paper's h1b fails.
const PAPER: [u32; 10] = [41, 52, 59, 60, 66, 74, 79, 87, 88, 94];
const SIZES: std::ops::RangeInclusive<u32> = 5..=100;
/// The largest size on which the paper says that h2 never fails.
const LARGEST_OF_H2: u32 = 300;
/// Moves that may be taken back, where some may be.
const SMALL_BUDGET: u64 = 1_000;

/// Moves taken back on the way to a tour; `None` without one.
fn taken_back(strategy: Strategy, order: MoveOrder, size: u32, budget: u64) -> Option<u64> {
    let board = Board::new(size, size).ok()?;
    let find = Find {
        board,
        from: Square::from_index(0),
        closed: false,
        strategy,
        order,
        limits: Limits {
            moves: None,
            backtracks: Some(budget),
        },
    };
    match find.run(&|| false) {
        (Outcome::Found(_), effort) => Some(effort.backtracks),
        _ => None,
    }
}

/// The orders of the moves, in the lexicographic order of their indices.
fn all_orders() -> Vec<MoveOrder> {
    fn extend(begun: &mut Vec<(i32, i32)>, orders: &mut Vec<MoveOrder>) {
        if let Ok(order) = MoveOrder::new(begun) {
            orders.push(order);
        }
        for step in KNIGHT_MOVES {
            if !begun.contains(&step) {
                begun.push(step);
                extend(begun, orders);
                begun.pop();
            }
        }
    }
    let mut orders = Vec::new();
    extend(&mut Vec::new(), &mut orders);
    orders
}

/// The sizes on which an order fails: without a step back, and with a small budget of them.
fn failures(order: MoveOrder) -> [Vec<u32>; 2] {
    let results: Vec<(u32, Option<u64>)> = SIZES
        .map(|size| {
            (
                size,
                taken_back(Strategy::Warnsdorff, order, size, SMALL_BUDGET),
            )
        })
        .collect();
    let fails = |is_failure: fn(Option<u64>) -> bool| {
        let failed = results.iter().filter(|(_, back)| is_failure(*back));
        failed.map(|&(size, _)| size).collect()
    };
    [fails(|back| back != Some(0)), fails(|back| back.is_none())]
}

fn distance(fails: &[u32]) -> usize {
    let common = fails.iter().filter(|size| PAPER.contains(size)).count();
    fails.len() + PAPER.len() - 2 * common
}

fn warnsdorff(orders: &[MoveOrder]) {
    let fails: Vec<[Vec<u32>; 2]> = orders.par_iter().map(|&order| failures(order)).collect();
    for (budget, name) in ["no move taken back", "up to 1,000 moves taken back"]
        .iter()
        .enumerate()
    {
        let lists = || fails.iter().map(|both| &both[budget]);
        let mean = lists().map(Vec::len).sum::<usize>() as f64 / orders.len() as f64;
        let exact = lists().filter(|list| list[..] == PAPER).count();
        let never = lists().filter(|list| list.is_empty()).count();
        println!("h1b on {} orders, {name}:", orders.len());
        println!("  fail on exactly the paper's ten sizes: {exact}");
        println!("  fail on none of {SIZES:?}: {never}; on {mean:.1} sizes in the mean");
        let mut near: Vec<usize> = (0..orders.len()).collect();
        near.sort_by_key(|&index| distance(&fails[index][budget]));
        for &index in &near[..3] {
            let list = &fails[index][budget];
            println!(
                "  differs in {} sizes: {} fails on {list:?}",
                distance(list),
                orders[index]
            );
        }
    }
}

fn h2(orders: &[MoveOrder], distance: Distance) {
    println!("h2, nearest by {distance:?} distance, no move taken back:");
    let mut left = orders.to_vec();
    for size in *SIZES.start()..=LARGEST_OF_H2 {
        let succeeds =
            |order: &MoveOrder| taken_back(Strategy::H2(distance), *order, size, 0).is_some();
        let last = left[0];
        left = left.into_par_iter().filter(succeeds).collect();
        if left.is_empty() {
            return println!(
                "  no order succeeds on all sizes to {size}; {last} does to {}",
                size - 1
            );
        }
        if size == *SIZES.end() {
            println!("  {} orders succeed on all of {SIZES:?}", left.len());
        }
    }
    println!(
        "  {} orders succeed on all sizes to {LARGEST_OF_H2}, among them {}",
        left.len(),
        left[0]
    );
}

fn main() {
    let orders = all_orders();
    warnsdorff(&orders);
    for distance in [
        Distance::Euclidean,
        Distance::Manhattan,
        Distance::Chebyshev,
    ] {
        h2(&orders, distance);
    }
}
