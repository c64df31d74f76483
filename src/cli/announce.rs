//! The words about what a user should know before a count.

use super::config::OUT_OF_REACH;
use super::retype;
use crate::job::Name;
use crate::quantity::{about, bytes, counted, typed_size};
use crate::question::Question;
use crate::run::{Event, Price, Upcoming};
use crate::words::duration;

/// The expected duration from which a count gets a warning.
const WEEK: f64 = (7 * 24 * 3600) as f64;

/// The notes that a user gets whether or not progress is shown; `elsewhere` is the advice where no
/// checkpoint can be kept.
pub fn warning(event: &Event, elsewhere: &str) -> Option<String> {
    Some(match event {
        Event::MoreThanFree { given, free } => format!(
            "--memory {} is more than the {} that the system leaves for this process: it may be killed",
            typed_size(*given),
            bytes(*free as f64),
        ),
        Event::LittleMemory { least, free, threads } => format!(
            "this count takes up to {} of memory on {}, and the system leaves {} for it: it may be killed",
            typed_size(*least),
            counted(threads, "thread"),
            bytes(*free as f64),
        ),
        Event::Twin(holder) => format!("{holder} does the same: counting it here too"),
        Event::Unkept(why) => {
            format!("no checkpoint is kept, the run cannot be resumed: {why}; {elsewhere}")
        }
        _ => return None,
    })
}

/// The lines about what a count is expected to take.
pub fn forecast(event: &Event) -> Vec<String> {
    vec![match event {
        Event::Forecasting(of, within) => format!(
            "{} on {}; forecasting what it takes, for {} at most",
            title(of),
            counted(of.threads, "thread"),
            duration(*within),
        ),
        Event::Forecast(of, price) => return expected(of, price),
        Event::ForecastOfNumbers(of, price) => format!(
            "{}: counting them before they are numbered takes {} on {}, and at least {} of memory \
             and disk",
            of.question,
            how_long(price),
            counted(of.threads, "thread"),
            bytes(price.bytes.unwrap_or_default()),
        ),
        Event::Unforeseen { of, is_whole } => {
            let of_whole = if *is_whole { "it takes" } else { "the whole takes" };
            format!("{}: how long {of_whole} is unknown; kt-enum estimate may tell", title(of))
        }
        Event::MayLackRoom { bytes: most, room, is_for_others } => {
            let (leave, what_then) = if *is_for_others {
                ("--disk leaves", "the run stops and can be resumed with more")
            } else {
                ("--memory and --disk leave", "the units are counted in groups, which takes longer")
            };
            format!(
                "its states may take up to {}, and {leave} {} for them: if that is too little, {what_then}",
                bytes(*most),
                bytes(*room),
            )
        }
        _ => return Vec::new(),
    }]
}

/// The engine and the question in short.
fn title(of: &Upcoming) -> String {
    let ([tours, ..], ends) = (of.question.words(), of.question.fixed_ends(" ", " "));
    format!("{}: {} {tours}{ends}", of.engine, of.question.board)
}

/// The expected time in words, with its bounds where they are far apart.
fn how_long(price: &Price) -> String {
    let rest = if price.is_rest { " more" } else { "" };
    let unknown = || "for an unknown time".to_owned();
    price.seconds.map_or_else(unknown, |seconds| about(seconds, rest, price.between))
}

/// The announcement of a count with its expected seconds.
fn expected(of: &Upcoming, price: &Price) -> Vec<String> {
    let (title, threads) = (title(of), counted(of.threads, "thread"));
    let size = price.bytes.map_or(String::new(), |size| format!(", {}", bytes(size)));
    let price_of_all = format!("{title}, {} on {threads}{size}", how_long(price));
    let advice = match price.seconds {
        None => one_tour(&of.question),
        Some(seconds) if seconds > OUT_OF_REACH => {
            format!("a count that long is out of reach; {}", one_tour(&of.question))
        }
        Some(seconds) if seconds > WEEK => {
            // Subsets are a single unit.
            let is_one = of.engine == Name::Subsets;
            let shared = if is_one { "" } else { ", and shared out with kt-enum shard" };
            format!(
                "this is more than a week: the run can be stopped and resumed{shared}; \
                 kt-enum estimate tells more"
            )
        }
        _ => return vec![price_of_all],
    };
    vec![price_of_all, advice]
}

/// The advice for a question whose tours cannot be counted. A tour with any end is surely found on
/// a full knight's board alone.
pub fn one_tour(question: &Question) -> String {
    let is_sure = question.board.is_plain() && question.to().is_none();
    let finds = if is_sure { "finds" } else { "looks for" };
    format!("`kt-enum find {}` {finds} one tour", retype::question_options(question))
}
