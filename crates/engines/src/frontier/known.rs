//! The sizes of counts that were made: whole knight's boards by the default cut.
//!
//! The states of a count are the same on every machine, but a sample tells them within a factor of
//! three, and the time of the joins hardly at all: a state takes ten times as long on one board as
//! on another. So the sizes of the boards that people ask for most are kept in a table, which a
//! test compares with counts. The times in it are those of a machine with the usual
//! [rates](crate::rates::Rates::USUAL).

use super::forecast::Forecast;
use super::{BOTTOM, TOP};
use crate::board::Board;
use crate::question::Question;
use crate::rates::Rates;
use crate::work::{EdgeClass, Split};

const TABLE: &str = include_str!("known.tsv");

/// Returns the sizes of a count by a cut, if they are known. Those of a cut beside the middle are
/// about those of the boards next to it together. Sweeps that were handed over take no work.
pub(super) fn sizes(question: &Question, cut: Split, handed_over: &[usize]) -> Option<Forecast> {
    let board = &question.board;
    let (rows, cols) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    if let Split::Cut { class: EdgeClass::Beside, sliced } = cut {
        let class = EdgeClass::Nearer { second_rule: false };
        let of = |(sweep, long)| {
            let board = Board::new(long, rows).ok()?;
            let of = Question::of_kind(board, question.is_closed(), [None, None]);
            let is_done = handed_over.contains(&sweep);
            sizes(&of, Split::Cut { class, sliced }, if is_done { &[TOP] } else { &[] })
        };
        let both = [(TOP, cols - 1), (BOTTOM, cols + 1)].map(of);
        // They are right within a factor of two.
        let guess = Forecast { is_whole: false, fill: 0.6, ..both[TOP]? };
        return Some(guess.plus(both[BOTTOM]?));
    }
    let kind = if question.is_closed() { "closed" } else { "open" };
    let row = format!("{rows}\t{cols}\t{kind}\t{cut}\t");
    let is_whole = board.is_plain() && question.is_whole();
    let row = TABLE.lines().filter(|_| is_whole).find_map(|line| line.strip_prefix(&row))?;
    let fields: Vec<f64> = row.split('\t').filter_map(|field| field.parse().ok()).collect();
    let [before, within, bytes, unit_bytes, before_s, within_s] = fields[..] else { return None };
    // A forecast that is continued to a wider board needs states where the table has a time.
    let joined = (within_s / Rates::USUAL.within() - within).max(0.0);
    let is_done = handed_over.contains(&TOP);
    let [before, before_s] = [before, before_s].map(|of| if is_done { 0.0 } else { of });
    Some(Forecast {
        before,
        within,
        joined,
        bytes,
        unit_bytes,
        fill: 1.0,
        is_whole: true,
        usual_seconds: Some([before_s, within_s]),
        ..Forecast::default()
    })
}
