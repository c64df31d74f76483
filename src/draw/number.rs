//! Numbers and times as they are read: a few digits and a unit.

/// A number in three digits at most, as `12.3 k` or `1.96e16`.
///
/// ```
/// use kt_enum::internals::draw::short;
/// assert_eq!([0.0025, 7.0, 12_345.0, 6.5e11].map(short), ["0.0025", "7", "12.3 k", "650 G"]);
/// ```
pub fn short(number: f64) -> String {
    shortened(number, 3)
}

/// A number with at most this many digits, but with all digits before the point.
pub(super) fn shortened(number: f64, digits: usize) -> String {
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
/// use kt_enum::internals::draw::bytes; assert_eq!([512.0, 231e6, 1.37e17, 3e35].map(bytes), ["512 B",
/// "231 MB", "137 PB", "3 x 10^35 bytes"]);
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
}
