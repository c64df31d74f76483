//! `compare`: many searches for a tour side by side.

use super::find::{check_memory, limits};
use crate::board::{Board, Square};
use crate::cli::args::{CompareArgs, Format};
use crate::cli::exit::Failure;
use crate::cli::output::{self, Output, csv_line};
use crate::cli::place::{OutputPlace, Wanted};
use crate::draw::plot::{Axis, Lines, Plot, Quantity, Series};
use crate::find::{Find, FindEffort, FindOutcome, GaveUp};
use crate::words::duration;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

pub fn run(args: &CompareArgs) -> Result<(), Failure> {
    let finds = finds(args)?;
    let (path, overwrite) = (args.plot.as_deref(), args.place.overwrite);
    let picture = Wanted { path, overwrite, forms: &["svg"], ..Wanted::default() };
    let picture = args.plot.as_ref().map(|_| OutputPlace::of_page(&picture, true)).transpose()?;
    let is_csv = args.format == Format::Csv;
    let mut out = Output::standard()?;
    if is_csv {
        out.write(format!("{COLUMNS}\n").as_bytes())?;
    }
    let mut rows = Vec::new();
    for find in finds {
        let row = Row::new(find, args);
        if is_csv {
            out.write(row.csv().as_bytes())?;
        }
        rows.push(row);
        if out.is_closed() {
            break;
        }
    }
    if !is_csv {
        let mut lines = vec![HEADER.split(',').map(str::to_owned).collect()];
        let cells = |row: &Row| row.cells(vec![row.find.board.to_string()], duration);
        lines.extend(rows.iter().map(cells));
        out.write(aligned(&lines).as_bytes())?;
    }
    out.end()?;
    picture.map_or(Ok(()), |place| output::write(place, plot(&rows).document().as_bytes()))
}

/// The median times by board, a line for each strategy and order, over all starts; searches that
/// were given up have no time.
fn plot(rows: &[Row]) -> Plot {
    const WIDE: usize = 10;
    let are_square = rows.iter().all(|row| row.find.board.is_square());
    let size = |row: &Row| {
        let board = &row.find.board;
        if are_square { board.rows() as usize } else { board.squares() }
    };
    let has_orders = rows.iter().any(|row| row.find.order != rows[0].find.order);
    let name = |row: &Row| {
        let (strategy, order) = (row.find.strategy, row.find.order);
        if has_orders { format!("{strategy}, {order}") } else { strategy.to_string() }
    };
    let mut times: Vec<(String, BTreeMap<usize, Vec<Duration>>)> = Vec::new();
    for row in rows.iter().filter(|row| !["gave up", "too large"].contains(&row.result)) {
        let name = name(row);
        let place = times.iter().position(|(other, _)| *other == name).unwrap_or(times.len());
        if place == times.len() {
            times.push((name, BTreeMap::new()));
        }
        times[place].1.entry(size(row)).or_default().extend(&row.times);
    }
    let point = |(size, mut times): (usize, Vec<Duration>)| {
        times.sort();
        (size as f64, times[(times.len() - 1) / 2].as_secs_f64())
    };
    let series = times.into_iter();
    let series = series
        .map(|(name, by_size)| Series { name, points: by_size.into_iter().map(point).collect() });
    let sizes = || rows.iter().map(size);
    let is_wide = sizes().max() >= sizes().min().map(|least| WIDE * least);
    let axis = |label, quantity, is_logarithmic| {
        let is_from_zero = false;
        Axis { label, quantity, is_logarithmic, is_from_zero }
    };
    let squares = if are_square { "N, of boards of N x N" } else { "squares of the board" };
    let lines = Lines {
        title: "Time to find one tour",
        x: axis(squares, Quantity::Whole, is_wide),
        y: axis("median time", Quantity::Seconds, true),
        series: &series.collect::<Vec<_>>(),
        cuts: &[],
    };
    lines.plot()
}

/// The columns of the comparison, in the order of the table.
fn finds(args: &CompareArgs) -> Result<Vec<Find>, Failure> {
    let mut finds = Vec::new();
    for board in args.sizes.iter().flatten() {
        check_memory(board)?;
        for from in starts(board, &args.from)? {
            for &strategy in &args.strategies {
                finds.extend(args.order.iter().map(|&order| Find {
                    board: board.clone(),
                    from,
                    closed: args.kind.is_closed(),
                    strategy,
                    order,
                    limits: limits(&args.limits, strategy),
                }));
            }
        }
    }
    Ok(finds)
}

fn starts(board: &Board, names: &[String]) -> Result<Vec<Square>, Failure> {
    let mut starts = Vec::new();
    for name in names {
        match name.as_str() {
            "all" => starts.extend(board.all_squares()),
            "top-left" => starts.extend(board.at(i64::from(board.rows()) - 1, 0)),
            _ => starts.push(board.parse_square(name)?),
        }
    }
    Ok(starts)
}

/// A line of the comparison.
struct Row {
    find: Find,
    result: &'static str,
    effort: FindEffort,
    /// The times of the trials, ascending.
    times: Vec<Duration>,
}

const HEADER: &str =
    "board,from,strategy,order,result,dead ends,taken back,generated,tried,median,least,most";

const COLUMNS: &str = "rows,cols,from,strategy,order,result,dead_ends,backtracks,moves_generated,moves_tried,\
                       median_ns,least_ns,most_ns";

impl Row {
    fn new(find: Find, args: &CompareArgs) -> Self {
        let run = |_| {
            let began = Instant::now();
            let is_over = || args.limits.time.max_time.is_some_and(|most| began.elapsed() >= most);
            let found = find.run(&is_over);
            (began.elapsed(), found)
        };
        let mut trials: Vec<_> = (0..args.trials).map(run).collect();
        trials.sort_by_key(|(elapsed, _)| *elapsed);
        let (_, (outcome, effort)) = &trials[trials.len() - 1];
        let result = match outcome {
            FindOutcome::Found(_) => "found",
            FindOutcome::None(_) => "none",
            FindOutcome::GaveUp(GaveUp::TooLarge) => "too large",
            FindOutcome::GaveUp(_) => "gave up",
        };
        let times = trials.iter().map(|(elapsed, _)| *elapsed).collect();
        Self { result, effort: *effort, times, find }
    }

    /// The board, the search and its result, with the times as `time` writes them.
    fn cells(&self, board: Vec<String>, time: impl Fn(Duration) -> String) -> Vec<String> {
        let (find, effort, times) = (&self.find, &self.effort, &self.times);
        let names = [
            find.board.name(find.from),
            find.strategy.to_string(),
            find.order.to_string(),
            self.result.to_owned(),
        ];
        let counts =
            [effort.dead_ends, effort.backtracks, effort.moves_generated, effort.moves_tried];
        let counts = counts.map(|count| count.to_string());
        let last = times.len() - 1;
        let [median, least, most] = [times[last / 2], times[0], times[last]].map(time);
        [board, names.into(), counts.into(), vec![median, least, most]].concat()
    }

    fn csv(&self) -> String {
        let sides = [self.find.board.rows(), self.find.board.cols()].map(|side| side.to_string());
        let cells = self.cells(sides.into(), |time| time.as_nanos().to_string());
        csv_line(cells) + "\n"
    }
}

/// Columns as wide as they need to be, names to the left and numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    const NAMES: usize = 5;
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..rows[0].len()).filter_map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| {
            if column < NAMES { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
