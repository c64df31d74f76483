//! `stats`: what tours look like on average.

use crate::board::{Board, Square};
use crate::cli::args::{StatsArgs, StatsFormatArgument, ToursArgument, form};
use crate::cli::board::{board_of_tours, check_has_places, sides};
use crate::cli::exit::Failure;
use crate::cli::output::{self, fields_of, more};
use crate::cli::place::{Place, Wanted};
use crate::cli::quantity::counted;
use crate::cli::shell::{board_options, quoted};
use crate::cli::tour_file::{NOT_CLOSED, TourFile};
use crate::draw::edges::{UsedEdge, edge_map};
use crate::draw::heat::heat_map;
use crate::draw::plot::{Axis, Bar, Bars, Quantity};
use crate::draw::report::{Figure, Page};
use crate::stats::{Mean, Stats, Unfit};
use crate::tally::{Tally, grouped};
use crate::tour::{Read, Tour};
use serde_json::{Value, json};

pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    let json = args.json.then_some(StatsFormatArgument::Json);
    let form = form(json.or(args.format), &args.output).unwrap_or(StatsFormatArgument::Text);
    let place = Place::of_page(&Wanted {
        path: args.output.as_deref(),
        overwrite: args.overwrite,
        form: match form {
            StatsFormatArgument::Text => "txt",
            StatsFormatArgument::Json => "json",
            StatsFormatArgument::Html => "html",
        },
        forms: &["txt", "json", "html"],
        is_chosen: json.or(args.format).is_some(),
        inputs: args.board.files().chain(args.file.as_deref()).collect(),
    })?;
    let stats = read(args)?;
    let view = View { stats: &stats, is_all: args.all, args };
    let text = match form {
        StatsFormatArgument::Text => view.text(),
        StatsFormatArgument::Json => view.json(),
        StatsFormatArgument::Html => view.page().html(),
    };
    output::write(place, text.as_bytes())
}

/// All tours of a file: as cycles if every one can be closed, unless it was said how they are
/// meant.
fn read(args: &StatsArgs) -> Result<Stats, Failure> {
    let board = board_of_tours(&args.board, args.file.as_deref())?;
    board.iter().try_for_each(|board| check_has_places(board, "stats"))?;
    let mut tours = TourFile::open(args.file.as_deref(), board)?;
    let mut taken: Option<Taken> = None;
    while let Some(Read { line, tour }) = tours.next().transpose()? {
        let tour = tour.map_err(|why| tours.wrong(line, why))?;
        let taken = taken.get_or_insert_with(|| Taken::new(&tour.board(), args.kind.typed()));
        let added = taken.add(&tour);
        added.map_err(|why| tours.wrong(line, why))?;
    }
    let stats = taken.and_then(|taken| taken.cycles.or(taken.paths));
    stats.ok_or_else(|| tours.nothing())
}

/// Tours as paths, and as cycles as long as they can be.
struct Taken {
    paths: Option<Stats>,
    cycles: Option<Stats>,
}

impl Taken {
    fn new(board: &Board, tours: Option<ToursArgument>) -> Self {
        let wanted =
            |other| (tours != Some(other)).then(|| Stats::new(board, other == ToursArgument::Open));
        Self { paths: wanted(ToursArgument::Closed), cycles: wanted(ToursArgument::Open) }
    }

    fn add(&mut self, tour: &Tour) -> Result<(), String> {
        if let Some(paths) = &mut self.paths {
            paths.add(tour).map_err(|unfit| unfit.to_string())?;
        }
        match self.cycles.as_mut().map(|cycles| cycles.add(tour)) {
            Some(Err(Unfit::Open)) if self.paths.is_none() => Err(NOT_CLOSED.to_owned()),
            Some(Err(Unfit::Open)) => {
                self.cycles = None;
                Ok(())
            }
            Some(Err(unfit)) => Err(unfit.to_string()),
            None | Some(Ok(())) => Ok(()),
        }
    }
}

/// Stats as they are shown.
struct View<'a> {
    stats: &'a Stats,
    /// True if these are all tours, so that the means have no error.
    is_all: bool,
    args: &'a StatsArgs,
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
        match self.stats.is_closed() {
            true => "closed",
            false => "open",
        }
    }

    /// The kind of the tours in words.
    fn subject(&self) -> String {
        let sample = if self.is_all { "all " } else { "" };
        let tours = counted(self.stats.tours(), &format!("{} tour", self.kind()));
        format!("{sample}{tours} of {}", self.stats.board())
    }

    /// Names and values, those of edges and ends left out.
    fn facts(&self) -> Vec<(String, String)> {
        let stats = self.stats;
        let crossings = stats.crossings().map(|mean| ("crossings".to_owned(), mean));
        let slopes = self.steps().map(|(step, mean)| (format!("moves {step}"), mean));
        let turns = self.angles().map(|(angle, mean)| (format!("turns by {angle}"), mean));
        let means = crossings.into_iter().chain(slopes).chain(turns);
        let mut facts: Vec<_> = means.map(|(name, mean)| (name, self.number(mean))).collect();
        if !stats.is_closed() {
            facts.push(("re-entrant".to_owned(), self.number(stats.reentrant().1)));
        }
        facts.push(("symmetric".to_owned(), self.number(stats.symmetric().1)));
        for (name, tours, share) in stats.symmetries().filter(|(_, tours, _)| *tours > 0) {
            let value = format!("{} ({})", self.number(share), grouped(tours));
            facts.push((format!("by {name}"), value));
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
        for (ends, _, share) in edges {
            let edge = edge_name(&board, ends);
            text += &format!("{edge:width$}  {}\n", self.number(share));
        }
        if !self.stats.is_closed() {
            let mut ends: Vec<_> = self.stats.ends().iter().zip(board.all_squares()).collect();
            ends.sort_by_key(|&(ends, square)| (std::cmp::Reverse(ends), square));
            text += "ends of tours on each square, the most first\n";
            for (ends, square) in ends {
                text += &format!("{:width$}  {}\n", board.name(square), grouped(ends));
            }
        }
        text
    }

    fn json(&self) -> String {
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
        fields_of(&sides(&board))
            + &more!(
                "tours": self.kind(),
                "count": stats.tours().to_string(), "all": self.is_all,
                "crossings": stats.crossings().map(mean),
                "by_crossings": by_crossings.map(|(crossings, tours)| json!([crossings, tours.to_string()])).collect::<Value>(),
                "slopes": slopes.collect::<Value>(), "turns": turns.collect::<Value>(),
                "reentrant": shared(stats.reentrant()), "symmetric": shared(stats.symmetric()),
                "symmetries": symmetries.collect::<serde_json::Map<_, _>>(),
                "ends": (!stats.is_closed()).then(|| ends.collect::<serde_json::Map<_, _>>()),
                "edges": edges.collect::<Value>(),
            )
            + "}\n"
    }

    fn page(&self) -> Page {
        let mut figures = vec![self.edges()];
        if let Some(mean) = self.stats.crossings() {
            figures.extend([self.crossings(mean), self.slopes(), self.turns()]);
        }
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
            command: self.command(),
        }
    }

    /// The command that makes the page again. What standard input was is not known.
    fn command(&self) -> String {
        let file = self.args.file.as_ref().map(|file| quoted(&file.to_string_lossy()));
        let board = self.stats.board();
        let board = match board.is_plain() {
            true => String::new(),
            false => format!(" {}", board_options(&board)),
        };
        let all = if self.is_all { " --all" } else { "" };
        format!(
            "kt-enum stats {}{board} --tours {}{all} --format html",
            file.as_deref().unwrap_or("TOURS"),
            self.kind()
        )
    }

    fn edges(&self) -> Figure {
        let board = self.stats.board();
        let edge = |(ends, _, share): ([_; 2], u64, Mean)| UsedEdge {
            ends,
            share: share.mean,
            says: format!("{}: {}", edge_name(&board, ends), self.number(share)),
        };
        let edges: Vec<UsedEdge> = self.stats.edges().map(edge).collect();
        let map = edge_map("the share of tours that use each edge", &board, &edges);
        Figure::new("Edges", map.ok(), "The wider and darker an edge, the more tours use it.")
    }

    fn ends(&self) -> Figure {
        let ends = self.stats.ends().iter().map(|&ends| Tally::from(ends));
        let ends: Vec<Tally> = ends.collect();
        let map = heat_map("ends of tours by square", &self.stats.board(), &ends);
        Figure::new("Ends", map.ok(), "How many of the tours start or end on each square.")
    }

    fn crossings(&self, mean: Mean) -> Figure {
        const LABELS: u64 = 8;
        let by_crossings = self.stats.by_crossings();
        let mut crossings = by_crossings.keys().copied();
        let least = crossings.next().unwrap_or(0);
        let most = crossings.next_back().unwrap_or(least);
        let bar = |crossings: u64| {
            let tours = by_crossings.get(&crossings).copied().unwrap_or(0);
            Bar { says: format!("{crossings} crossings: {}", grouped(tours)), value: tours as f64 }
        };
        let every = (most - least).div_ceil(LABELS).max(1);
        let ticks = (least..=most).step_by(every as usize);
        let ticks =
            ticks.map(|crossings| ((crossings - least) as f64 + 0.5, crossings.to_string()));
        let (bars, ticks) = ((least..=most).map(bar).collect(), ticks.collect());
        let text = format!("{} pairs of moves cross each other.", self.number(mean));
        let labels = ["crossings in a tour", "tours"];
        figure("Crossings", labels, bars, ticks, &text)
    }

    /// The slopes of moves by their names.
    fn steps(&self) -> impl Iterator<Item = (String, Mean)> {
        self.stats.slopes().map(|((right, up), mean)| (format!("{right:+}:{up:+}"), mean))
    }

    /// The turns by their names.
    fn angles(&self) -> impl Iterator<Item = (String, Mean)> {
        self.stats.turns().map(|(angle, mean)| (degrees(angle), mean))
    }

    fn slopes(&self) -> Figure {
        let text =
            "Moves in a tour by their step, to the right and up; a move and its reverse are one.";
        self.means("Slopes", ["step", "moves"], self.steps(), text)
    }

    fn turns(&self) -> Figure {
        let text = "Turns in a tour by the angle between a move and the next; 0 is straight on.";
        self.means("Turns", ["angle", "turns"], self.angles(), text)
    }

    fn means(
        &self,
        heading: &str,
        labels: [&str; 2],
        of: impl Iterator<Item = (String, Mean)>,
        text: &str,
    ) -> Figure {
        let bar = |(place, (name, mean)): (usize, (String, Mean))| {
            let (says, value) = (format!("{name}: {}", self.number(mean)), mean.mean);
            (Bar { says, value }, (place as f64 + 0.5, name))
        };
        let (bars, ticks) = of.enumerate().map(bar).unzip();
        figure(heading, labels, bars, ticks, text)
    }
}

fn figure(
    heading: &str,
    [x_label, y_label]: [&str; 2],
    bars: Vec<Bar>,
    x_ticks: Vec<(f64, String)>,
    text: &str,
) -> Figure {
    let y = Axis::from_zero(y_label, Quantity::Count);
    let bars = Bars { title: heading, x_label, x_ticks: &x_ticks, y, bars: &bars };
    Figure::new(heading, Some(bars.plot()), text)
}

fn edge_name(board: &Board, [one, other]: [Square; 2]) -> String {
    format!("{}-{}", board.name(one), board.name(other))
}

/// Tenths of a degree in words.
fn degrees(tenths: u32) -> String {
    match tenths % 10 {
        0 => format!("{}°", tenths / 10),
        tenth => format!("{}.{tenth}°", tenths / 10),
    }
}
