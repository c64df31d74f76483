//! Values of options as people type them: boards, ranges, tables and durations.

use crate::board::Board;
use crate::job::MemoSize;
use crate::quantity::{digits, parse_number, parse_size};
use crate::solve::Grade;
use crate::tally::Tally;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Reads `8` or `6x8`.
pub fn parse_board(text: &str) -> Result<Board, String> {
    let (rows, cols) = text.split_once(CROSSES).unwrap_or((text, text));
    let side = |text: &str| digits(text)?.parse().ok();
    let (rows, cols) = side(rows).zip(side(cols)).ok_or(BOARDS)?;
    Board::new(rows, cols).map_err(|error| error.to_string())
}

/// The characters between the sides of a board.
pub const CROSSES: [char; 3] = ['x', 'X', '×'];

/// The forms of boards.
const BOARDS: &str = "write 8, 6x8, 3..5, or 101..600:20";

/// The boards of `--size`, or of an item of `--sizes`.
pub type Boards = Vec<Board>;

/// The ends of a range, both of which are included: `3..8`, or `3..=8` as Rust writes it.
fn ends(text: &str) -> Option<(&str, &str)> {
    let (first, last) = text.split_once("..")?;
    Some((first, last.strip_prefix('=').unwrap_or(last)))
}

/// Reads an item, or the first and the last of some.
fn range<T: PartialOrd>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<RangeInclusive<T>> {
    let (first, last) = ends(text).unwrap_or((text, text));
    Some(item(first)?..=item(last)?).filter(|range| !range.is_empty())
}

/// Reads `8`, `6x8`, `3..8` or `101..600:20`.
pub fn parse_boards(text: &str) -> Result<Boards, String> {
    let Some((first, rest)) = ends(text) else {
        return Ok(vec![parse_board(text)?]);
    };
    let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let number = |text: &str| parse_number::<u32>(text).map_err(|_| BOARDS.to_owned());
    let (first, last, step) = (number(first)?, number(last)?, number(step)?);
    if first > last || step == 0 {
        return Err(format!("there is no board in {text}: {BOARDS}"));
    }
    let sizes = (first..=last).step_by(step as usize);
    let board = |size| Board::new(size, size).map_err(|error| error.to_string());
    sizes.map(board).collect()
}

/// Reads a side of boards: `7`, or `1..7` for 1 to 7.
pub fn parse_sides(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = ends(text).unwrap_or((text, text));
    let sides = parse_number(first)?..=parse_number(last)?;
    let sides = Some(sides).filter(|sides| !sides.is_empty());
    sides.ok_or_else(|| "give the smaller side first, such as 1..7".to_owned())
}

/// The grades of `--difficulty`, from the easiest.
pub type Grades = Vec<Grade>;

/// Reads a grade, or a range such as `gentle..medium`.
pub fn parse_grades(text: &str) -> Result<Grades, String> {
    let place = |text: &str| Grade::NAMED.iter().position(|(_, name)| *name == text);
    let places = range(text, place);
    let places =
        places.ok_or("give gentle, easy, medium or hard, or a range such as easy..hard")?;
    Ok(Grade::NAMED[places].iter().map(|(grade, _)| *grade).collect())
}

/// Reads numbers of tours: `4711`, or `1..100` for the first hundred.
pub fn parse_numbers(text: &str) -> Result<RangeInclusive<Tally>, String> {
    let numbers = range(text, |text| digits(text)?.parse().ok());
    numbers.ok_or_else(|| "give a number, or a range such as 1..1,000".to_owned())
}

/// Reads a size for the transposition table, or `off`.
pub fn parse_memo(text: &str) -> Result<MemoSize, String> {
    match text {
        "off" => Ok(MemoSize::Off),
        _ => parse_size(text).map(MemoSize::Bytes).map_err(|message| format!("{message}, or off")),
    }
}

/// Reads `8h`, `90m`, `1h 30m`, or a bare number of seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let ungrouped = digits(text);
    if let Ok(seconds) = ungrouped.as_deref().unwrap_or(text).parse::<f64>() {
        let duration = Duration::try_from_secs_f64(seconds);
        return duration.map_err(|_| format!("{text} seconds is out of range"));
    }
    humantime::parse_duration(text).map_err(|_| "write a duration as 8h, 90m or 30s".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::{grouped, rate, typable_size};
    use crate::words::duration;
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
            let _ = (rate(number), parse_boards(&number.to_string()));
        }
    }

    #[test]
    fn numbers_are_read_with_the_separators_they_are_printed_with() {
        for text in ["1000000", "1,000,000", "1_000_000", " 1,000,000 ", "001000000"] {
            assert_eq!(parse_number::<u64>(text), Ok(1_000_000), "{text}");
        }
        for number in [0, 7, 999, 1_000, 123_456, u64::MAX] {
            assert_eq!(parse_number(&grouped(number)), Ok(number));
        }
        for wrong in "|,|1,|,100|1,00|1,0000|1000,000|1,000_000|1.5|-1|+1|x".split('|') {
            assert_eq!(
                parse_number::<u64>(wrong),
                Err("give a whole number, such as 1000 or 1,000".to_owned()),
                "{wrong}"
            );
        }
        let too_large = parse_number::<u32>("4,294,967,296").expect_err("it has 33 bits");
        assert!(too_large.contains("4294967295"), "{too_large}");
        for text in ["1,000..2_000", "1,000..=2_000"] {
            let range = parse_numbers(text).expect("a range");
            assert_eq!([range.start(), range.end()].map(Tally::to_string), ["1000", "2000"]);
        }
        assert!(parse_numbers("1,00").is_err() && parse_numbers("+1").is_err());
        assert_eq!(parse_size("1,024K"), Ok(1 << 20));
        assert_eq!(parse_duration("1,000"), Ok(Duration::from_secs(1_000)));
    }

    #[test]
    fn sizes_are_read_in_powers_of_1024() {
        assert_eq!(parse_size("65536"), Ok(65_536));
        assert_eq!(parse_size("64K"), Ok(65_536));
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size("2.5G"), Ok(5 << 29));
        assert_eq!(parse_size("0.1 KiB"), Ok(102));
        for wrong in ["", "G", "-1", "1.5", ".G", "1.G", "1.-5G", "1.5.0G", "99999999999T", "off"] {
            assert!(parse_size(wrong).is_err(), "{wrong} was taken");
        }
        assert_eq!(parse_memo("off"), Ok(MemoSize::Off));
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
    fn a_size_that_is_advised_can_be_typed_and_is_no_less() {
        assert_eq!(typable_size(38_481_541_250), "36G");
        assert_eq!(typable_size(3 << 30), "3G");
        assert_eq!(typable_size((3 << 30) - 1), "3072M");
        for bytes in [0, 1, 1_000, 4_095, 12_345_678, u64::MAX / 2] {
            let size = parse_size(&typable_size(bytes)).expect("it can be typed");
            assert!(size >= bytes && size <= bytes / 4 * 5 + 4_096, "{bytes}: {size}");
        }
    }

    #[test]
    fn sizes_of_boards_are_read_with_every_cross_or_in_ranges_that_are_not_empty() {
        let expected = Board::new(6, 8).map_err(|error| error.to_string());
        for text in ["6x8", "6X8", "6×8", "6 × 8"] {
            assert_eq!(parse_board(text), expected, "{text}");
        }
        let boards = |text| parse_boards(text).map(|boards| boards.len());
        assert_eq!(boards("8"), Ok(1));
        assert_eq!(boards("3x10"), Ok(1));
        for text in ["3..8", "3..=8"] {
            assert_eq!(boards(text), Ok(6));
        }
        assert_eq!(boards("101..600:20"), Ok(25));
        for wrong in ["8..5", "3..5:0", "3..", "x", "0", "8:2", "6x6x6"] {
            let refusal = parse_boards(wrong).expect_err(wrong);
            assert!(refusal.contains("3..5") || wrong == "0", "{wrong}: {refusal}");
        }
    }
}
