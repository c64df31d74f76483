//! Numbers, sizes and times as people read them, in a few digits and a unit, and as they type them.
//!
//! What is printed can be typed: numbers with the separators of their groups, and sizes that are
//! advised.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// A number in three digits at most, as `12.3 k` or `1.96e16`.
///
/// ```
/// use kt_enum_board::quantity::short;
/// assert_eq!([0.0025, 7.0, 12_345.0, 6.5e11].map(short), ["0.0025", "7", "12.3 k", "650 G"]);
/// ```
pub fn short(number: f64) -> String {
    shortened(number, 3)
}

/// A number with at most this many digits, but with all digits before the point.
pub fn shortened(number: f64, digits: usize) -> String {
    const LETTERS: [(f64, &str); 4] = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    match LETTERS.into_iter().find(|(size, _)| number >= *size) {
        _ if number.is_infinite() => "more than 1e308".to_owned(),
        _ if number >= 1e15 => format!("{number:.2e}"),
        Some((size, letter)) => rounded(number / size, digits) + letter,
        None => rounded(number, digits),
    }
}

/// Bytes, as `12.3 MB`: with the prefixes of the SI as far as they go, and past them as a power of
/// ten.
///
/// ```
/// use kt_enum_board::quantity::bytes;
/// let texts = [512.0, 231e6, 1.37e17, 3e35].map(bytes);
/// assert_eq!(texts, ["512 B", "231 MB", "137 PB", "3 x 10^35 bytes"]);
/// ```
pub fn bytes(number: f64) -> String {
    const PREFIXES: [&str; 11] = ["", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"];
    if number.is_infinite() {
        return "more than 10^308 bytes".to_owned();
    }
    // A number that three digits round up to 1000 gets the next prefix.
    let is_below = |place: &i32| number / 1e3_f64.powi(*place) < 999.5;
    match (0..).zip(PREFIXES).find(|(place, _)| is_below(place)) {
        Some((place, prefix)) => rounded(number / 1e3_f64.powi(place), 3) + " " + prefix + "B",
        None => {
            let power = number.log10().floor();
            format!("{} x 10^{power} bytes", rounded(number / 10_f64.powf(power), 2))
        }
    }
}

/// A time in three digits at most, as `12.3 ms`.
pub fn seconds(value: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1.0, " s"), (1e-3, " ms"), (1e-6, " µs")];
    // A power of ten may come out just below itself.
    let is_reached = |(size, _): &(f64, &str)| value * (1.0 + 1e-9) >= *size;
    match UNITS.into_iter().find(is_reached) {
        Some((size, unit)) => rounded(value / size, 3) + unit,
        None if value > 0.0 => rounded(value / 1e-9, 3) + " ns",
        None => "0 s".to_owned(),
    }
}

fn rounded(number: f64, digits: usize) -> String {
    // 1 for 1 to 9, 2 for 10 to 99, -2 for 0.001 to 0.009.
    let before = match number.abs() {
        0.0 => 1,
        size => size.log10().floor() as i32 + 1,
    };
    let decimals = (digits as i32 - before).clamp(0, 12) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A whole number of any size in groups of three digits.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with a noun, as `1 unit` and `1,166 units`.
pub fn counted(number: impl Display, thing: &str) -> String {
    let number = grouped(number);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// A number out of a total, as `0 of 1,166 units`.
pub fn counted_of(number: impl Display, all: impl Display, thing: &str) -> String {
    format!("{} of {}", grouped(number), counted(all, thing))
}

/// The seconds of a year.
pub const YEAR: u64 = 31_557_600;

/// The seconds from which no estimate is near enough to say more: a million years.
const LONGEST: f64 = 1e6 * YEAR as f64;

/// A time of any length: below a minute with three digits, as `1.25 ms`, below a month in its two
/// largest units, as `3h 12m`, then in days and years, up to [`LONGEST`].
pub fn time(seconds: f64) -> String {
    const DAY: u64 = 86_400;
    const UNITS: [(u64, &str); 4] = [(DAY, "d"), (3_600, "h"), (60, "m"), (1, "s")];
    let (years, whole) = (seconds / YEAR as f64, seconds as u64);
    match whole {
        0..60 => return self::seconds(seconds),
        60..YEAR if whole >= YEAR / 12 => return format!("{} days", whole / DAY),
        60..YEAR => {}
        _ if seconds < LONGEST => {
            let years = short(years);
            return format!("{years} year{}", if years == "1" { "" } else { "s" });
        }
        _ => return "more than a million years".to_owned(),
    }
    let mut rest = seconds.round() as u64;
    let parts = UNITS.map(|(size, unit)| {
        let number = rest / size;
        rest %= size;
        let is_days = size == DAY;
        (number, if is_days { counted(number, "day") } else { format!("{number}{unit}") })
    });
    let is_none = |(number, _): &(u64, String)| *number == 0;
    let two = parts.into_iter().skip_while(is_none).take(2).filter(|part| !is_none(part));
    two.map(|(_, text)| text).collect::<Vec<_>>().join(" ")
}

/// A time that is expected, with what is said of it, and its bounds: `about 3h 12m left (2h to 5h)`.
/// A lower bound of 0 says nothing and is left out.
pub fn about(expected: f64, of: &str, bounds: Option<[f64; 2]>) -> String {
    let said = time(expected);
    if expected >= LONGEST {
        return said;
    }
    let between = bounds.map(|[least, most]| between(least, most, time));
    format!("about {said}{of}{}", between.unwrap_or_default())
}

/// The bounds of an estimate in brackets, as `say` writes them, without a lower bound of 0. What is
/// known has none.
pub fn between(least: f64, most: f64, say: impl Fn(f64) -> String) -> String {
    if least == most {
        String::new()
    } else if least > 0.0 {
        format!(" ({} to {})", say(least), say(most))
    } else {
        format!(" (up to {})", say(most))
    }
}

/// A share, as `12.5 %`. It is 100 % only when nothing is left.
pub fn percent(share: f64) -> String {
    const LEAST: f64 = 0.001;
    const MOST: f64 = 0.999;
    match share {
        _ if share < LEAST => "less than 0.1 %".to_owned(),
        _ if share < 1.0 => format!("{:.1} %", share.min(MOST) * 100.0),
        _ => "100.0 %".to_owned(),
    }
}

/// A rate, as `12.3 M/s`.
pub fn rate(per_second: f64) -> String {
    format!("{}/s", short(per_second))
}

/// The digits of a number, without the separators of its groups. There is one separator, `,` or
/// `_`, and all groups but the first have three digits: `1,00` may be a slip, or a decimal comma.
pub fn digits(text: &str) -> Option<String> {
    let text = text.trim();
    let separator = if text.contains('_') { '_' } else { ',' };
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = text.split(separator);
    let first = groups.next().filter(|first| !first.is_empty() && are_digits(first))?;
    let rest: Vec<&str> = groups.collect();
    let is_grouped =
        first.len() <= 3 && rest.iter().all(|group| group.len() == 3 && are_digits(group));
    (rest.is_empty() || is_grouped).then(|| first.to_owned() + &rest.concat())
}

/// Reads a whole number, with or without separators between groups of three digits: `1000000`,
/// `1,000,000` or `1_000_000`, as this program prints numbers and as programming languages write
/// them. The bounds of the type are part of the message, because a number of 30 digits is a whole
/// number too.
pub fn parse_number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let digits = digits(text).ok_or_else(|| NO_NUMBER.to_owned())?;
    let number = digits.parse().ok().and_then(|number: u64| number.try_into().ok());
    let largest = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    number.ok_or_else(|| format!("{text} is too large: the largest is {largest}"))
}

/// Reads a whole number that may not be below the first or above the last.
pub fn parse_number_within(text: &str, within: RangeInclusive<u32>) -> Result<u32, String> {
    let number: u32 = parse_number(text)?;
    let wrong = || match (within.start(), within.end()) {
        (first, &u32::MAX) => format!("give {first} or more"),
        (first, last) => format!("give a number from {first} to {last}"),
    };
    within.contains(&number).then_some(number).ok_or_else(wrong)
}

/// Reads a whole number that is not zero.
pub fn parse_positive(text: &str) -> Result<u32, String> {
    parse_number_within(text, 1..=u32::MAX)
}

const NO_NUMBER: &str = "give a whole number, such as 1000 or 1,000";

/// Reads a number of bytes, also as `2G`, `1.5G` or `64K` in powers of 1024.
///
/// # Errors
/// The sentence that says how to write it.
pub fn parse_size(text: &str) -> Result<u64, &'static str> {
    let upper = text.trim().to_ascii_uppercase();
    let number = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let (number, power) = match "KMGT".find(|letter| number.ends_with(letter)) {
        None => (number, 0),
        Some(place) => (&number[..number.len() - 1], place + 1),
    };
    bytes_of(number.trim_end(), 1 << (10 * power)).ok_or("write a size as 2G, 1.5G or 64K")
}

/// The bytes of a number of units, rounded down. Only a unit of several bytes can be divided.
fn bytes_of(number: &str, unit: u64) -> Option<u64> {
    let (whole, part) = match number.split_once('.') {
        Some((whole, part)) if unit > 1 => (whole, part),
        _ => (number, "0"),
    };
    // More digits than these are less than a byte.
    let is_part = (1..=15).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let places = u32::try_from(part.len()).ok().filter(|_| is_part)?;
    let part = part.parse::<u128>().ok()? * u128::from(unit) / 10_u128.pow(places);
    digits(whole)?.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(part.try_into().ok()?)
}

/// A size as it may be typed.
pub fn typed_size(bytes: u64) -> String {
    let powers = [(30, "G"), (20, "M"), (10, "K")];
    let fits = |&&(power, _): &&(u32, &str)| bytes > 0 && bytes.is_multiple_of(1 << power);
    match powers.iter().find(fits) {
        Some((power, letter)) => format!("{}{letter}", bytes >> power),
        None => bytes.to_string(),
    }
}

/// A size that is not smaller and can be typed, in a few digits: `3G`, `1536M`.
pub fn typable_size(bytes: u64) -> String {
    /// The number of a unit below which the next smaller unit is used, so that rounding up adds
    /// little.
    const FEWEST: u64 = 3;
    let units = [(40, "T"), (30, "G"), (20, "M"), (10, "K")];
    let unit = units.into_iter().find(|(power, _)| bytes >> power >= FEWEST);
    let (power, letter) = unit.unwrap_or((10, "K"));
    format!("{}{letter}", bytes.div_ceil(1 << power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_their_digits() {
        let numbers = [0.0, 0.01, 0.0075, 0.25, 9.996, 12.34, 999.9];
        let texts = ["0", "0.01", "0.0075", "0.25", "10", "12.3", "1000"];
        assert_eq!(numbers.map(short), texts);
    }

    #[test]
    fn times_and_bytes_have_three_digits_and_a_unit() {
        let times = [0.0, 1.5e-8, 0.00125, 0.52, 1.52, 59.96];
        let texts = ["0 s", "15 ns", "1.25 ms", "520 ms", "1.52 s", "60 s"];
        assert_eq!(times.map(seconds), texts);
        let sizes = [0.0, 512.0, 999.6, 231e6, 1.37e17, 5e31, 3e35, f64::INFINITY];
        let texts = [
            "0 B",
            "512 B",
            "1 kB",
            "231 MB",
            "137 PB",
            "50 QB",
            "3 x 10^35 bytes",
            "more than 10^308 bytes",
        ];
        assert_eq!(sizes.map(bytes), texts);
    }

    #[test]
    fn what_is_begun_is_neither_nothing_nor_all() {
        for (share, said) in [
            (0.0, "less than 0.1 %"),
            (1e-130, "less than 0.1 %"),
            (0.001, "0.1 %"),
            (0.125, "12.5 %"),
            (0.9999, "99.9 %"),
            (1.0, "100.0 %"),
        ] {
            assert_eq!(percent(share), said);
        }
    }

    #[test]
    fn a_time_of_any_length_is_given_up_to_a_million_years_and_a_lower_bound_only_if_there_is_one()
    {
        let said = [90.0, 1e9, 1e12, 3.16e187, f64::INFINITY].map(time);
        assert_eq!(said[..3], ["1m 30s", "31.7 years", "31.7 k years"]);
        assert!(said[3..].iter().all(|said| said == "more than a million years"), "{said:?}");
        assert_eq!(about(90.0, " more", Some([60.0, 120.0])), "about 1m 30s more (1m to 2m)");
        assert_eq!(about(90.0, "", Some([0.0, 120.0])), "about 1m 30s (up to 2m)");
        assert_eq!(about(1e30, " more", Some([0.0, 1e33])), "more than a million years");
    }
}
