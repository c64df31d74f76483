//! Sizes and durations as people type and read them.

use kt_enum::board::Board;
use kt_enum::work::Split;
use num_bigint::BigUint;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Some boards, as an item of `--sizes`.
pub type Boards = Vec<Board>;

/// Reads `8`, `3..=8`, `101..=600:20` or `3x10`.
pub fn parse_boards(text: &str) -> Result<Boards, String> {
    let form = || "write 8, 3..=8, 101..=600:20 or 3x10".to_owned();
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| form());
    let board = |rows, cols| Board::new(rows, cols).map_err(|error| error.to_string());
    if let Some((rows, cols)) = text.split_once('x') {
        return Ok(vec![board(number(rows)?, number(cols)?)?]);
    }
    let (range, step) = text.split_once(':').unwrap_or((text, "1"));
    let (first, last) = match range.split_once("..") {
        None => (number(range)?, number(range)?),
        Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
    };
    let step = number(step)?.max(1) as usize;
    (first..=last)
        .step_by(step)
        .map(|size| board(size, size))
        .collect()
}

/// What `--memo` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoArgument {
    /// No table.
    Off,
    /// This many bytes for each thread.
    Bytes(u64),
}

/// Reads numbers of tours: `4711`, or `1..=100` for the first hundred.
pub fn parse_numbers(text: &str) -> Result<RangeInclusive<BigUint>, String> {
    let number = |text: &str| text.parse::<BigUint>().ok();
    let ends = match text.split_once("..=") {
        None => number(text).map(|number| number.clone()..=number),
        Some((first, last)) => number(first)
            .zip(number(last))
            .map(|(first, last)| first..=last),
    };
    let ends = ends.filter(|ends| !ends.is_empty());
    ends.ok_or_else(|| "give a number, or a range such as 1..=100".to_owned())
}

/// Where a board is cut, as `30:4:6`.
pub fn parse_cut(text: &str) -> Result<Split, String> {
    Split::parse_cut(text).ok_or_else(|| {
        "write C:S:Q, such as 30:4:6: squares before the cut, steps of the last round, squares sliced by".to_owned()
    })
}

/// Reads `2G`, `512M`, `64K` (powers of 1024) or a bare number of bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let number = upper.trim_end_matches("IB").trim_end_matches('B');
    let (digits, shift) = match number.strip_suffix(['K', 'M', 'G', 'T']) {
        None => (number, 0),
        Some(digits) => match number.as_bytes()[digits.len()] {
            b'K' => (digits, 10),
            b'M' => (digits, 20),
            b'G' => (digits, 30),
            _ => (digits, 40),
        },
    };
    let bytes = digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "write a size as 2G, 512M or 64K".to_owned())
}

/// Reads a size for the memo, or `off`.
pub fn parse_memo(text: &str) -> Result<MemoArgument, String> {
    match text {
        "off" => Ok(MemoArgument::Off),
        _ => parse_size(text)
            .map(MemoArgument::Bytes)
            .map_err(|message| format!("{message}, or off")),
    }
}

/// Reads `8h`, `90m`, `1h 30m`, or a bare number of seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse::<f64>() {
        let duration = Duration::try_from_secs_f64(seconds);
        return duration.map_err(|_| format!("{text} seconds is out of range"));
    }
    humantime::parse_duration(text)
        .map_err(|error| format!("{error}; write a duration as 8h, 90m or 30s"))
}

/// Seconds.
const YEAR: u64 = 31_557_600;

/// A duration in its two largest units, as `3h 12m`.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let coarse = match seconds {
        0..60 => return format!("{:.1} s", duration.as_secs_f64()),
        60..3_600 => seconds,
        3_600..86_400 => seconds / 60 * 60,
        86_400..YEAR => seconds / 3_600 * 3_600,
        _ => return format!("{} years", approximate(seconds as f64 / YEAR as f64)),
    };
    humantime::format_duration(Duration::from_secs(coarse)).to_string()
}

/// A short time in three digits and a unit, as `1.25 ms`.
pub fn short_duration(duration: Duration) -> String {
    let nanoseconds = duration.as_nanos() as f64;
    let (value, unit) = match nanoseconds {
        short if short < 1e3 => return format!("{short:.0} ns"),
        short if short < 1e6 => (short / 1e3, "us"),
        short if short < 1e9 => (short / 1e6, "ms"),
        long => (long / 1e9, "s"),
    };
    let decimals = if value < 10.0 {
        2
    } else {
        usize::from(value < 100.0)
    };
    format!("{value:.decimals$} {unit}")
}

/// A rate in three digits and a letter, as `12.3 M/s`.
pub fn rate(per_second: f64) -> String {
    let (value, letter) = match per_second {
        rate if rate >= 1e12 => (rate / 1e12, " T"),
        rate if rate >= 1e9 => (rate / 1e9, " G"),
        rate if rate >= 1e6 => (rate / 1e6, " M"),
        rate if rate >= 1e3 => (rate / 1e3, " k"),
        rate => (rate, " "),
    };
    format!("{value:.1}{letter}/s")
}

/// A guessed number in about three digits: `3.4`, `304`, `1.23e9`.
pub fn approximate(number: f64) -> String {
    match number {
        small if small < 100.0 => format!("{small:.1}"),
        medium if medium < 1e6 => format!("{medium:.0}"),
        large => format!("{large:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_text_is_a_quantity_or_refused_and_never_a_panic(
            text in "[-+0-9.eKMGTiBoffhmsday \\PC]{0,24}",
            number in any::<f64>(),
        ) {
            for text in [text, number.to_string(), format!("{number:e}"), format!("{number}h")] {
                let _ = (parse_size(&text), parse_memo(&text));
                if let Ok(read) = parse_duration(&text) {
                    let _ = duration(read);
                }
            }
            let _ = (rate(number), approximate(number), parse_boards(&number.to_string()));
        }
    }

    #[test]
    fn sizes_are_read_in_powers_of_1024() {
        assert_eq!(parse_size("65536"), Ok(65_536));
        assert_eq!(parse_size("64K"), Ok(65_536));
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        for wrong in ["", "G", "-1", "1.5G", "99999999999T", "off"] {
            assert!(parse_size(wrong).is_err(), "{wrong} was taken");
        }
        assert_eq!(parse_memo("off"), Ok(MemoArgument::Off));
    }

    #[test]
    fn durations_are_read_with_units_or_as_seconds() {
        assert_eq!(parse_duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("1h 30m"), Ok(Duration::from_secs(5_400)));
        for wrong in ["", "-1", "soon", "NaN", "inf"] {
            assert!(parse_duration(wrong).is_err(), "{wrong} was taken");
        }
    }

    #[test]
    fn durations_and_rates_are_written_short() {
        assert_eq!(duration(Duration::from_millis(1_520)), "1.5 s");
        assert_eq!(duration(Duration::from_secs(61)), "1m 1s");
        assert_eq!(duration(Duration::from_secs(3_725)), "1h 2m");
        assert_eq!(duration(Duration::from_secs(90_061)), "1day 1h");
        assert_eq!(duration(Duration::from_secs(123_456_789)), "3.9 years");
        assert_eq!(rate(12_345_678.0), "12.3 M/s");
        assert_eq!(rate(0.0), "0.0 /s");
        assert_eq!(approximate(9_566_681.0), "9.57e6");
        assert_eq!(approximate(304.2), "304");
    }
}
