//! `stats`: what tours look like on average.

use crate::cli::args::{StatsArgs, StatsFormatArgument, ToursArgument};
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use crate::cli::tour_file::TourFile;
use kt_enum::board::Board;
use kt_enum::draw::edges::{UsedEdge, edge_map};
use kt_enum::draw::heat::heat_map;
use kt_enum::draw::plot::{Axis, Bar, Bars, Quantity};
use kt_enum::draw::report::{Figure, Page};
use kt_enum::stats::{Mean, Stats};
use kt_enum::tally::{Tally, grouped};
use kt_enum::tour::Tour;
use serde_json::{Value, json};

pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    let stats = read(args)?;
    let view = View {
        stats: &stats,
        is_all: args.all,
    };
    let text = match args.format() {
        StatsFormatArgument::Text => view.text(),
        StatsFormatArgument::Json => format!("{}\n", view.json()),
        StatsFormatArgument::Html => view.page().html(),
    };
    let mut out = Output::to(args.output.as_deref())?;
    out.write(text.as_bytes())?;
    out.end()
}

/// All tours of a file: as cycles if every one can be closed, unless it was said how they are meant.
fn read(args: &StatsArgs) -> Result<Stats, Failure> {
    let mut tours = TourFile::open(args.file.as_deref(), config::board(&args.board)?)?;
    let name = tours.name().to_owned();
    let mut taken: Option<Taken> = None;
    while let Some(read) = tours.next().transpose()? {
        let line = read.line;
        let wrong =
            |why: String| Failure::saying(Exit::Mismatch, format!("line {line} of {name}: {why}"));
        let (board, tour) = read.tour.map_err(|why| wrong(why.to_string()))?;
        let taken = taken.get_or_insert_with(|| Taken::new(board, args.tours));
        taken.add(board, &tour).map_err(wrong)?;
    }
    let nothing = || Failure::saying(Exit::Failed, format!("there is no tour in {name}"));
    taken.and_then(Taken::stats).ok_or_else(nothing)
}

/// Tours as paths, and as cycles as long as they can be.
struct Taken {
    paths: Option<Stats>,
    cycles: Option<Stats>,
}

impl Taken {
    fn new(board: Board, tours: Option<ToursArgument>) -> Self {
        let wanted =
            |other| (tours != Some(other)).then(|| Stats::new(board, other == ToursArgument::Open));
        Self {
            paths: wanted(ToursArgument::Closed),
            cycles: wanted(ToursArgument::Open),
        }
    }

    fn add(&mut self, board: Board, tour: &Tour) -> Result<(), String> {
        let first = self
            .paths
            .iter()
            .chain(&self.cycles)
            .map(Stats::board)
            .next();
        if let Some(first) = first.filter(|first| *first != board) {
            return Err(format!("a tour of {board}, where the first is of {first}"));
        }
        if let Some(paths) = &mut self.paths {
            paths.add(tour);
        }
        let is_cycle = self.cycles.as_mut().is_none_or(|cycles| cycles.add(tour));
        match (is_cycle, &self.paths) {
            (true, _) => Ok(()),
            (false, Some(_)) => {
                self.cycles = None;
                Ok(())
            }
            (false, None) => {
                Err("the tour is not closed: its ends are not a knight's move apart".to_owned())
            }
        }
    }

    fn stats(self) -> Option<Stats> {
        self.cycles.or(self.paths)
    }
}

/// Stats as they are shown.
struct View<'a> {
    stats: &'a Stats,
    /// Whether there are no other tours, so that nothing has an error.
    is_all: bool,
}

impl View<'_> {
    fn error(&self, mean: Mean) -> Option<f64> {
        mean.error.filter(|_| !self.is_all)
    }

    fn number(&self, mean: Mean) -> String {
        match self.error(mean) {
            Some(error) => format!("{:.4} ± {error:.4}", mean.mean),
            None => format!("{:.4}", mean.mean),
        }
    }

    fn kind(&self) -> &'static str {
        if self.stats.is_closed() {
            "closed"
        } else {
            "open"
        }
    }

    /// What the tours are, in words.
    fn subject(&self) -> String {
        let sample = if self.is_all { "all " } else { "" };
        let tours = grouped(self.stats.tours());
        format!(
            "{sample}{tours} {} tours of {}",
            self.kind(),
            self.stats.board()
        )
    }

    /// Names and values, those of edges and ends left out.
    fn facts(&self) -> Vec<(String, String)> {
        let stats = self.stats;
        let mut facts = vec![("crossings".to_owned(), self.number(stats.crossings()))];
        for ((right, up), mean) in stats.slopes() {
            facts.push((format!("moves {right:+}:{up:+}"), self.number(mean)));
        }
        for (angle, mean) in stats.turns() {
            facts.push((format!("turns by {}", degrees(angle)), self.number(mean)));
        }
        if !stats.is_closed() {
            facts.push(("re-entrant".to_owned(), self.number(stats.reentrant().1)));
        }
        facts.push(("symmetric".to_owned(), self.number(stats.symmetric().1)));
        for (name, tours, share) in stats.symmetries().filter(|(_, tours, _)| *tours > 0) {
            facts.push((
                format!("by {name}"),
                format!("{} ({})", self.number(share), grouped(tours)),
            ));
        }
        facts
    }

    fn text(&self) -> String {
        let (facts, board) = (self.facts(), self.stats.board());
        let mut text = format!("{}, means of a tour\n", self.subject());
        let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in &facts {
            text += &format!("{name:width$}  {value}\n");
        }
        let mut edges: Vec<_> = self.stats.edges().collect();
        edges.sort_by_key(|&(ends, uses, _)| (std::cmp::Reverse(uses), ends));
        text += "edges by their share of tours, the most used first\n";
        for ([one, other], _, share) in edges {
            let edge = format!("{}-{}", board.name(one), board.name(other));
            text += &format!("{edge:width$}  {}\n", self.number(share));
        }
        text
    }

    fn json(&self) -> Value {
        let (stats, board) = (self.stats, self.stats.board());
        let mean = |mean: Mean| json!({"mean": mean.mean, "error": self.error(mean)});
        let shared = |(tours, share): (u64, Mean)| json!({"tours": tours.to_string(), "share": share.mean, "error": self.error(share)});
        let edges = stats.edges().map(|([one, other], uses, share)| {
            json!({
                "from": board.name(one), "to": board.name(other), "tours": uses.to_string(),
                "share": share.mean, "error": self.error(share),
            })
        });
        let slopes = stats.slopes().map(|((right, up), value)| {
            json!({"right": right, "up": up, "mean": value.mean, "error": self.error(value)})
        });
        let turns = stats.turns().map(|(angle, value)| {
            json!({"degrees": f64::from(angle) / 10.0, "mean": value.mean, "error": self.error(value)})
        });
        let symmetries = stats
            .symmetries()
            .map(|(name, tours, share)| (name.to_owned(), shared((tours, share))));
        let ends = board.all_squares().zip(stats.ends());
        let ends = ends.map(|(square, ends)| (board.name(square), json!(ends.to_string())));
        let by_crossings = stats.by_crossings().iter();
        json!({
            "schema": 1, "rows": board.rows(), "cols": board.cols(), "tours": self.kind(),
            "count": stats.tours().to_string(), "all": self.is_all,
            "crossings": mean(stats.crossings()),
            "by_crossings": by_crossings.map(|(crossings, tours)| json!([crossings, tours.to_string()])).collect::<Value>(),
            "slopes": slopes.collect::<Value>(), "turns": turns.collect::<Value>(),
            "reentrant": shared(stats.reentrant()), "symmetric": shared(stats.symmetric()),
            "symmetries": symmetries.collect::<serde_json::Map<_, _>>(),
            "ends": (!stats.is_closed()).then(|| ends.collect::<serde_json::Map<_, _>>()),
            "edges": edges.collect::<Value>(),
        })
    }

    fn page(&self) -> Page {
        let mut figures = vec![self.edges(), self.crossings(), self.slopes(), self.turns()];
        if !self.stats.is_closed() {
            figures.insert(1, self.ends());
        }
        let errors = match self.is_all {
            true => "These are all tours, so that the means are exact.",
            false => "After each mean is its standard error, as of a random sample.",
        };
        Page {
            title: self.subject(),
            number: grouped(self.stats.tours()),
            counts: format!(
                "{} tours of {}, and what they look like on average",
                self.kind(),
                self.stats.board()
            ),
            notes: vec![errors.to_owned()],
            facts: self.facts(),
            figures,
            table: None,
            command: format!("kt-enum stats --tours {} --format html", self.kind()),
        }
    }

    fn edges(&self) -> Figure {
        let board = self.stats.board();
        let edge = |([one, other], _, share): ([_; 2], u64, Mean)| UsedEdge {
            ends: [one, other],
            share: share.mean,
            says: format!(
                "{}-{}: {}",
                board.name(one),
                board.name(other),
                self.number(share)
            ),
        };
        let edges: Vec<UsedEdge> = self.stats.edges().map(edge).collect();
        Figure {
            heading: "Edges".to_owned(),
            plot: Some(edge_map(
                "the share of tours that use each edge",
                board,
                &edges,
            )),
            text: "The wider and darker an edge, the more tours use it.".to_owned(),
        }
    }

    fn ends(&self) -> Figure {
        let ends = self.stats.ends().iter().map(|&ends| Tally::from(ends));
        let map = heat_map(
            "ends of tours by square",
            self.stats.board(),
            &ends.collect::<Vec<_>>(),
        );
        Figure {
            heading: "Ends".to_owned(),
            plot: Some(map),
            text: "How many of the tours start or end on each square.".to_owned(),
        }
    }

    fn crossings(&self) -> Figure {
        const LABELS: u64 = 8;
        let by_crossings = self.stats.by_crossings();
        let ends = by_crossings
            .keys()
            .next()
            .zip(by_crossings.keys().next_back());
        let (least, most) = ends.map_or((0, 0), |(least, most)| (*least, *most));
        let bar = |crossings: u64| {
            let tours = by_crossings.get(&crossings).copied().unwrap_or(0);
            (
                format!("{crossings} crossings: {}", grouped(tours)),
                tours as f64,
            )
        };
        let every = (most - least).div_ceil(LABELS).max(1);
        let ticks = (least..=most).step_by(every as usize);
        let ticks =
            ticks.map(|crossings| ((crossings - least) as f64 + 0.5, crossings.to_string()));
        let bars = (least..=most).map(bar).collect();
        let text = format!(
            "{} pairs of moves cross each other.",
            self.number(self.stats.crossings())
        );
        figure(
            "Crossings",
            ["crossings in a tour", "tours"],
            bars,
            ticks.collect(),
            text,
        )
    }

    fn slopes(&self) -> Figure {
        let of = self
            .stats
            .slopes()
            .map(|((right, up), mean)| (format!("{right:+}:{up:+}"), mean));
        let text =
            "Moves in a tour by their step, to the right and up; a move and its reverse are one.";
        self.means("Slopes", ["step", "moves"], of.collect(), text)
    }

    fn turns(&self) -> Figure {
        let of = self
            .stats
            .turns()
            .map(|(angle, mean)| (degrees(angle), mean));
        let text = "Turns in a tour by the angle between a move and the next; 0 is straight on.";
        self.means("Turns", ["angle", "turns"], of.collect(), text)
    }

    fn means(
        &self,
        heading: &str,
        labels: [&str; 2],
        of: Vec<(String, Mean)>,
        text: &str,
    ) -> Figure {
        let ticks = of
            .iter()
            .enumerate()
            .map(|(place, (name, _))| (place as f64 + 0.5, name.clone()));
        let bars = of
            .iter()
            .map(|(name, mean)| (format!("{name}: {}", self.number(*mean)), mean.mean));
        figure(
            heading,
            labels,
            bars.collect(),
            ticks.collect(),
            text.to_owned(),
        )
    }
}

fn figure(
    heading: &str,
    [x_label, y_label]: [&str; 2],
    bars: Vec<(String, f64)>,
    x_ticks: Vec<(f64, String)>,
    text: String,
) -> Figure {
    let bars = bars.into_iter().map(|(says, value)| Bar { says, value });
    let y = Axis {
        label: y_label,
        quantity: Quantity::Count,
        is_logarithmic: false,
        is_from_zero: true,
    };
    let bars = Bars {
        title: heading,
        x_label,
        x_ticks: &x_ticks,
        y,
        bars: &bars.collect::<Vec<_>>(),
    };
    Figure {
        heading: heading.to_owned(),
        plot: Some(bars.plot()),
        text,
    }
}

/// Tenths of a degree in words.
fn degrees(tenths: u32) -> String {
    match tenths % 10 {
        0 => format!("{}°", tenths / 10),
        tenth => format!("{}.{tenth}°", tenths / 10),
    }
}
