//! `find`: one tour on a board of any size.

use crate::board::{Board, MoveOrder, Square};
use crate::cli::args::{FindArgs, FindFormat, LimitArgs, ProgressStyle, form};
use crate::cli::board::{check_order, required_board};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Document, Output, note};
use crate::cli::place::{OutputPlace, TOURS};
use crate::cli::selected::{self, SelectedSearch};
use crate::cli::signals::Listener;
use crate::cli::watch::{Cancelled, Watch};
use crate::find::{Find, FindEffort, FindLimits, FindOutcome, GaveUp, NoTour, Route, Strategy};
use crate::job::{Selected, look_on};
use crate::machine;
use crate::quantity::{counted, grouped};
use crate::question::Question;
use crate::solve::Extent;
use crate::tour::{TourFormat, stream};
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The limits that were typed, or those that a strategy has.
pub fn limits(args: &LimitArgs, strategy: Strategy) -> FindLimits {
    let limits = FindLimits { moves: args.max_moves, backtracks: args.max_backtracks };
    limits.or_usual(strategy, args.time.max_time.is_some())
}

/// Refuses a board whose tours do not fit into memory.
pub fn check_memory(board: &Board) -> Result<(), Failure> {
    // Its square, and its number where it is written as a grid.
    let bytes = board.squares().saturating_mul(6);
    machine::check_gives(bytes, format_args!("a tour of {board}")).map_err(Failure::failed)
}

/// A search that has ended.
struct Searched<'a> {
    args: &'a FindArgs,
    format: FindFormat,
    find: Find,
    outcome: FindOutcome,
    effort: FindEffort,
    elapsed: Duration,
    /// True if the tour may start anywhere, and there is no first square to try.
    is_free: bool,
}

/// Watches a search, whose effort others write.
fn watch(
    question: &Question,
    strategy: Strategy,
    style: ProgressStyle,
    signals: &Listener,
    effort: &Arc<Mutex<FindEffort>>,
) -> Result<Watch, Failure> {
    let advice = match strategy {
        Strategy::Auto => "run the same command to start over",
        _ => "a search for one tour cannot be resumed; --strategy auto finds most tours at once",
    };
    let (exit, advice) = (Exit::Failed, advice.to_owned());
    let cancelled = Cancelled { exit, before: ", ", advice, may_leave: true };
    let effort = Arc::clone(effort);
    let how_far = move || {
        let effort = *effort.lock().unwrap_or_else(PoisonError::into_inner);
        let tried = format!("{} tried", counted(effort.moves_tried, "move"));
        match strategy {
            // A construction tries next to nothing.
            Strategy::Auto => (None, vec!["building a tour".to_owned()]),
            _ => (None, vec![tried, counted(effort.dead_ends, "dead end")]),
        }
    };
    Watch::start("find", question, style, signals, cancelled, how_far)
}

pub fn run(args: &FindArgs) -> Result<(), Failure> {
    let board = required_board(&args.board)?;
    check_memory(&board)?;
    check_order(&board, args.moves.order)?;
    let square = |end: &Option<String>| end.as_deref().map(|end| board.parse_square(end));
    let (from, to) = (square(&args.from).transpose()?, square(&args.to).transpose()?);
    Failure::usage_if(
        args.kind.is_closed() && to.is_some(),
        || "closed tours end where they start: leave out --to, or find --tours open",
    )?;
    let asked = args.kind.question(board.clone(), None, to);
    let selected = match to {
        Some(_) => Some(selected::between(&args.select, &asked, from)?),
        None => selected::of(&args.select, &asked, from)?,
    };
    Failure::usage_if(
        selected.is_none() && args.draw.seed.is_some(),
        || "--seed is for tours with --given, --symmetry or --to: leave it out",
    )?;
    let is_built = selected.is_none() && args.strategy == Strategy::Auto && board.is_plain();
    Failure::usage_if(is_built && args.moves.order != MoveOrder::default(), || {
        "--order is for strategies that try moves, and this one builds a tour: add --strategy \
         warnsdorff or another"
    })?;
    if selected.is_some() {
        selected::check_options(&[
            ("--strategy", args.strategy != Strategy::Auto),
            ("--order", args.moves.order != MoveOrder::default()),
            ("--max-moves", args.limits.max_moves.is_some()),
            ("--max-backtracks", args.limits.max_backtracks.is_some()),
        ])?;
    }
    let mut find = Find {
        board: board.clone(),
        from: from.unwrap_or(Square::from_index(0)),
        closed: args.kind.is_closed(),
        strategy: args.strategy,
        order: args.moves.order,
        limits: limits(&args.limits, args.strategy),
    };
    let format = form(args.format, &args.write.output).unwrap_or(FindFormat::Grid);
    Failure::usage_if(
        format == FindFormat::Boards && !board.is_plain(),
        || "--format boards is for whole rectangles with a knight: use --format grid",
    )?;
    let wanted = args.write.wanted(TOURS, args.format.is_some(), args.board.files());
    let mut out = Output::to(OutputPlace::of_tours(&wanted)?)?;
    if let Some(selected) = selected {
        return by_solver(args, &selected, find, format, out);
    }
    let signals = Listener::start()?;
    let so_far = Arc::<Mutex<FindEffort>>::default();
    let question = find.looked_for(from);
    let watched = |style| watch(&question, args.strategy, style, &signals, &so_far);
    let watch = watched(args.progress.style)?;
    let (began, max_time) = (Instant::now(), args.limits.time.max_time);
    let is_over = |at: &FindEffort| {
        *so_far.lock().unwrap_or_else(PoisonError::into_inner) = *at;
        signals.control.is_stopped() || max_time.is_some_and(|most| began.elapsed() >= most)
    };
    let is_free = find.is_free(from);
    let (mut outcome, effort) = look_on(&find, from, max_time, &signals.control, &is_over);
    let elapsed = began.elapsed();
    match &outcome {
        FindOutcome::Found(route) if is_free => {
            find.from = route.squares().next().unwrap_or(find.from);
        }
        FindOutcome::GaveUp(_) if max_time.is_some_and(|most| elapsed >= most) => {
            outcome = FindOutcome::GaveUp(GaveUp::Stopped);
        }
        FindOutcome::GaveUp(_) if signals.control.is_stopped() => return Err(watch.stopped()),
        _ => {}
    }
    // The bar is gone before anything is printed. A reader may still keep the tour waiting.
    drop(watch);
    let _watch = (!out.is_to_file()).then(|| watched(ProgressStyle::None)).transpose()?;
    let has_no_first = is_free && board.is_graph();
    let searched = Searched { args, format, find, outcome, effort, elapsed, is_free: has_no_first };
    match &searched.outcome {
        FindOutcome::Found(route) => searched.write(route, &mut out)?,
        FindOutcome::None(reason) => {
            out.write(searched.none(reason).as_bytes())?;
            note(&format!("there is no {}: {reason}", searched.wanted(is_free)));
        }
        FindOutcome::GaveUp(limit) => {
            if format == FindFormat::Json {
                out.write(searched.none(format!("gave up: {limit}")).as_bytes())?;
                out.end()?;
            }
            return Err(Failure::failed(searched.gave_up(*limit, is_free)));
        }
    }
    out.end()
}

/// Finds one of some selected tours.
fn by_solver(
    args: &FindArgs,
    selected: &Selected,
    mut find: Find,
    format: FindFormat,
    mut out: Output,
) -> Result<(), Failure> {
    let began = Instant::now();
    let searching = SelectedSearch::start("find", selected, &args.limits.time, args.progress)?;
    let (mut squares, control) = (None, &searching.signals.control);
    if let Some(met) = selected.by_walk(args.draw.seed.unwrap_or_default(), control) {
        squares = Some(met);
    } else if let Some(seed) = args.draw.seed {
        squares = selected.any(seed, control);
    } else {
        let extent = Extent { solutions: 1, ..Extent::default() };
        selected.solve(extent, control, &mut |found| squares = Some(found.to_vec()));
    }
    if squares.is_none() && control.is_stopped() {
        return Err(searching.watch.stopped());
    }
    drop(searching);
    let route = squares.map(|squares| Route::of(&find.board, &squares));
    find.from = route.iter().flat_map(Route::squares).next().unwrap_or(find.from);
    let outcome = route.map_or(FindOutcome::None(NoTour::Exhausted), FindOutcome::Found);
    let (effort, elapsed, is_free) = (FindEffort::default(), began.elapsed(), true);
    let searched = Searched { args, format, find, outcome, effort, elapsed, is_free };
    if let FindOutcome::Found(route) = &searched.outcome {
        searched.write(route, &mut out)?;
    } else {
        let reason = selected.none();
        out.write(searched.none(&reason).as_bytes())?;
        note(&reason);
    }
    out.end()
}

impl Searched<'_> {
    /// The tour that was looked for, with any start or with its own.
    fn wanted(&self, is_free: bool) -> String {
        let Find { board, from, closed, .. } = &self.find;
        let is_free = is_free || board.is_graph() && *closed;
        let from = if is_free { String::new() } else { format!(" from {}", board.name(*from)) };
        match (board.is_graph(), closed) {
            (true, _) => format!("{} in this {board}{from}", self.hamiltonian()),
            (false, true) => format!("closed tour of {board}{from}"),
            (false, false) => format!("open tour of {board}{from}"),
        }
    }

    /// The name of a tour in a graph.
    fn hamiltonian(&self) -> &'static str {
        if self.find.closed { "Hamiltonian cycle" } else { "Hamiltonian path" }
    }

    fn gave_up(&self, limit: GaveUp, is_free: bool) -> String {
        if limit == GaveUp::TooLarge {
            return limit.to_string();
        }
        let advice = match (self.find.board.is_plain(), self.find.strategy) {
            (true, _) => "--strategy auto finds one wherever there is one",
            (false, Strategy::Auto) => {
                "there may be one: kt-enum count tells, if it can be counted"
            }
            (false, _) => "--strategy auto tries several methods",
        };
        format!(
            "no {} found by {}: {limit}, with {} tried, {} taken back and {} in {:.3} s; {advice}",
            self.wanted(is_free),
            self.find.strategy,
            counted(self.effort.moves_tried, "move"),
            grouped(self.effort.backtracks),
            counted(self.effort.dead_ends, "dead end"),
            self.elapsed.as_secs_f64(),
        )
    }

    fn write(&self, route: &Route, out: &mut Output) -> Result<(), Failure> {
        match self.format {
            FindFormat::Squares => self.write_tour(route, TourFormat::Squares, out),
            FindFormat::Grid => {
                self.write_tour(route, TourFormat::Grid, out)?;
                out.write(self.cost().as_bytes())
            }
            FindFormat::Json => {
                let fields = self.document().line();
                out.write(fields.trim_end_matches("}\n").as_bytes())?;
                out.write(b",")?;
                self.write_tour(route, TourFormat::Json, out)
            }
            FindFormat::Boards => {
                let numbers = route.numbers();
                let solved = |index: usize| format!("{:02}", numbers[index]);
                let (before, after) = (self.initial_state(), cells(&self.find.board, solved));
                let (cost, seconds) = (self.cost(), self.elapsed.as_secs_f64());
                let text = format!(
                    "{before}\nFINAL STATE:\n{after}\n{cost}Runtime: {seconds:.9} seconds\n"
                );
                out.write(text.as_bytes())
            }
        }
    }

    /// Streams a tour, whose object in JSON follows the fields of the search without its first
    /// brace.
    fn write_tour(&self, route: &Route, form: TourFormat, out: &mut Output) -> Result<(), Failure> {
        let (squares, numbers) = (route.squares(), || route.numbers());
        let mut skipped = usize::from(form == TourFormat::Json);
        stream(&route.board(), form, self.find.closed, squares, numbers, &mut |portion| {
            out.write(&portion[std::mem::take(&mut skipped)..])
        })
    }

    fn none(&self, reason: impl Display) -> String {
        let board = &self.find.board;
        let (rows, cols) = (board.rows(), board.cols());
        let no_solution = if board.is_graph() {
            format!("No {} found for this graph!\n", self.hamiltonian())
        } else {
            format!("No solution found for {rows} rows and {cols} columns!\n")
        };
        match self.format {
            FindFormat::Squares => String::new(),
            FindFormat::Grid => no_solution + &self.cost(),
            FindFormat::Boards => self.initial_state() + "\n" + &no_solution + &self.cost(),
            FindFormat::Json => {
                let document = self.document().optional("board", board.unusual());
                document
                    .field("tour", ())
                    .field("closed", false)
                    .field("reason", reason.to_string())
                    .line()
            }
        }
    }

    /// The cost of the search as a course project prints it; nothing where it is not wanted, or a
    /// construction made no moves.
    fn cost(&self) -> String {
        let has_moves = self.effort.moves_generated > 0 || self.find.strategy.is_exhaustive();
        if self.args.quiet || !has_moves {
            return String::new();
        }
        format!(
            "Number of moves generated: {}\nNumber of moves tried: {}\n",
            self.effort.moves_generated, self.effort.moves_tried
        )
    }

    fn initial_state(&self) -> String {
        let start = self.find.from.index();
        let cell = |index: usize| if index == start { "01" } else { "XX" }.to_owned();
        format!("INITIAL STATE:\n{}", cells(&self.find.board, cell))
    }

    /// The document of the search, which that of its tour continues.
    fn document(&self) -> Document {
        let Find { board, from, strategy, order, .. } = &self.find;
        let side = |side: u32| (!board.is_graph()).then_some(side);
        let is_found = matches!(self.outcome, FindOutcome::Found(_));
        Document::default()
            .field("rows", side(board.rows()))
            .field("cols", side(board.cols()))
            .field("from", (!self.is_free || is_found).then(|| board.name(*from)))
            .field("strategy", strategy.name())
            .field("order", order.to_string())
            .all(&self.effort)
            .field("elapsed_s", self.elapsed.as_secs_f64())
    }
}

/// A board with a cell of two characters for each square, by its index, the top row first.
fn cells(board: &Board, cell: impl Fn(usize) -> String) -> String {
    let cols = board.cols() as usize;
    let rows = (0..board.rows() as usize).rev();
    let line = |row: usize| {
        let cells: Vec<String> = (row * cols..(row + 1) * cols).map(&cell).collect();
        cells.join(" ") + "\n"
    };
    rows.map(line).collect()
}
