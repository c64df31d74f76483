//! Compares a published claim about Warnsdorff's rule with all 40,320 orders of the eight knight
//! moves, from the corner of boards of 5x5 to 100x100.
//!
//! L. Paris, Heuristic strategies for the knight tour problem, says that Warnsdorff's rule (h1b)
//! fails on ten sizes up to 100 if ties are broken by a move order that the scan of the paper does
//! not show. This example looks for a move order that fails on the same sizes. `cargo run --release
//! --example move_orders` takes some minutes; its output is kept in results/seeds/move-orders.txt.
#![allow(clippy::print_stdout)]

use kt_enum::board::{Board, KNIGHT_MOVES, MoveOrder, Square};
use kt_enum::find::{Find, FindLimits, FindOutcome, Strategy};
use rayon::prelude::*;

/// The sizes of boards up to 100 on which the paper's h1b fails.
const PAPER: [u32; 10] = [41, 52, 59, 60, 66, 74, 79, 87, 88, 94];
const SIZES: std::ops::RangeInclusive<u32> = 5..=100;
/// The number of moves that a search with a small budget may take back.
const SMALL_BUDGET: u64 = 1_000;

/// Returns the number of moves taken back before a tour was found, or `None` if none was found.
fn taken_back(order: MoveOrder, size: u32) -> Option<u64> {
    let board = Board::new(size, size).ok()?;
    let find = Find {
        board,
        from: Square::from_index(0),
        closed: false,
        strategy: Strategy::Warnsdorff,
        order,
        limits: FindLimits { moves: None, backtracks: Some(SMALL_BUDGET) },
    };
    match find.run(&|| false) {
        (FindOutcome::Found(_), effort) => Some(effort.backtracks),
        _ => None,
    }
}

/// All orders of the moves, in the lexicographic order of their indices.
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

/// Returns the sizes on which an order fails: first without taking back a move, then with a small
/// budget of such moves.
fn failures(order: MoveOrder) -> [Vec<u32>; 2] {
    let results: Vec<(u32, Option<u64>)> =
        SIZES.map(|size| (size, taken_back(order, size))).collect();
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
    for (budget, name) in ["no move taken back", "up to 1,000 moves taken back"].iter().enumerate()
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
            println!("  differs in {} sizes: {} fails on {list:?}", distance(list), orders[index]);
        }
    }
}

fn main() {
    warnsdorff(&all_orders());
}
