//! `--test`: the engines against published counts, and so against each other.

use crate::board::Board;
use crate::cli::args::CountArgs;
use crate::cli::counting::unfinished;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::signals::Listener;
use crate::job::{Job, Name};
use crate::quantity::grouped;
use crate::question::Question;
use crate::run::Silent;
use crate::tally::Tally;

/// Published counts with their sources: rows, columns, what, start, value and source.
const PUBLISHED: &str = include_str!("../../../tests/golden/counts.tsv");

/// The most squares of a board on which each engine takes a second or a few.
const MOST_WALKED: usize = 36;
const MOST_OPEN: usize = 49;
const MOST_CLOSED: usize = 64;

/// The most squares of the boards of a quick test.
const QUICK: usize = 36;

pub fn run(is_quick: bool, args: CountArgs) -> Result<(), Failure> {
    let most = if is_quick { QUICK } else { usize::MAX };
    let signals = Listener::start()?;
    let mut out = Output::standard()?;
    let (mut checks, mut wrong) = (0, 0);
    let limits = args.job.search.machine.limits(args.job.run.time.max_time);
    for published in PUBLISHED.lines().filter_map(Published::read) {
        let squares = published.question.board.squares();
        let longest = if published.question.is_closed() { MOST_CLOSED } else { MOST_OPEN };
        if squares > longest.min(most) {
            continue;
        }
        let is_walked = squares <= MOST_WALKED;
        let mut counts = Vec::new();
        for engine in is_walked.then_some(Name::Walk).into_iter().chain([Name::Frontier]) {
            let mut job = Job::new(published.question.clone());
            (job.wishes.engine, job.limits) = (Some(engine.clone()), limits.clone());
            let plan = job.plan(&mut Silent)?;
            let counted = plan.count(&signals.control, &mut Silent);
            let units = counted.map_err(|error| unfinished(&signals, error))?.units;
            let is_directed = published.is_directed;
            counts.push((engine, if is_directed { units.directed() } else { units.undirected() }));
        }
        let (is_right, line) = published.verdict(&counts);
        (checks, wrong) = (checks + 1, wrong + u32::from(!is_right));
        out.write(line.as_bytes())?;
        if out.is_closed() {
            break;
        }
    }
    out.end()?;
    Failure::mismatch_if(wrong > 0, || format!("{wrong} of {checks} published counts are not met"))
}

/// A published count.
struct Published {
    question: Question,
    /// True if a tour and its reverse are counted as two.
    is_directed: bool,
    value: Tally,
    source: &'static str,
}

impl Published {
    /// Reads a line of the table; `None` for remarks and for counts of classes and the like.
    fn read(line: &'static str) -> Option<Self> {
        let [rows, cols, what, from, value, source] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let board = Board::new(rows.parse().ok()?, cols.parse().ok()?).ok()?;
        let question = match what {
            "open directed" | "open undirected" => Question::open(board),
            "open directed from" => {
                let from = board.parse_square(from).ok();
                Question::open_between(board, from, None)
            }
            "closed undirected" => Question::closed(board),
            _ => return None,
        };
        let is_directed = what.contains(" directed");
        Some(Self { question, is_directed, value: value.parse().ok()?, source })
    }

    /// True if all engines have counted what is published, and a line that says so.
    fn verdict(&self, counts: &[(Name, Tally)]) -> (bool, String) {
        let is_right = counts.iter().all(|(_, count)| *count == self.value);
        let verdict = if is_right { "ok   " } else { "WRONG" };
        let engines = counts.iter().map(|(engine, count)| {
            let wrong = (*count != self.value).then(|| format!(" (which has {})", grouped(count)));
            format!("{engine}{}", wrong.unwrap_or_default())
        });
        let engines = engines.collect::<Vec<_>>().join(", ");
        let kind = if self.is_directed { "directed" } else { "undirected" };
        let (value, source) = (self.value.grouped(), self.source.split(';').next().unwrap_or(""));
        let line = format!("{verdict} {value} {kind} {}: {engines}; {source}\n", self.question);
        (is_right, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_does_not_meet_what_is_published_is_named_with_its_count() {
        let line = "5\t5\topen directed\t\t1728\tOEIS A165134; and others";
        let published = Published::read(line).expect("a count");
        let count = |tours: u32| Tally::from(tours);
        let right = [(Name::Walk, count(1_728)), (Name::Frontier, count(1_728))];
        let expected = "ok    1,728 directed open tours of 5x5: walk, frontier; OEIS A165134\n";
        assert_eq!(published.verdict(&right), (true, expected.to_owned()));
        let wrong = [(Name::Walk, count(1_728)), (Name::Frontier, count(864))];
        let (is_right, line) = published.verdict(&wrong);
        assert!(!is_right && line.starts_with("WRONG"), "{line}");
        assert!(line.contains("walk, frontier (which has 864)"), "{line}");
        let rows = PUBLISHED.lines().filter_map(Published::read).count();
        assert!(rows > 50, "{rows}");
    }
}
