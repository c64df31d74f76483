//! Text from files as a terminal may show it.

use std::fmt::Write;

/// The text with its control characters, and those that change the direction of writing, replaced
/// by their escapes. A text of more than `most` characters is cut in its middle.
///
/// Files that others made may hold names that rewrite a terminal or hide what follows them. Line
/// ends are kept where `lines` is true.
///
/// ```
/// use kt_enum_board::legible::legible;
/// assert_eq!(legible("a1\u{1b}[2J\n", 40, false), r"a1\u{1b}[2J\n");
/// assert_eq!(legible("a1 c2 e3 d5", 6, false), "a1 [5 characters left out] d5");
/// ```
pub fn legible(text: &str, most: usize, lines: bool) -> String {
    let mut shown = String::new();
    let length = text.chars().count();
    let left_out = length.saturating_sub(most);
    let from = most.div_ceil(2);
    for (place, letter) in text.chars().enumerate() {
        if left_out > 0 && place == from {
            // A string takes all that is written to it.
            let _ = write!(shown, "[{left_out} characters left out]");
        }
        if (from..from + left_out).contains(&place) {
            continue;
        }
        if is_harmful(letter) && !(lines && letter == '\n') {
            shown.extend(letter.escape_default())
        } else {
            shown.push(letter)
        }
    }
    shown
}

/// True for control characters, for marks of the direction of writing, and for line separators.
pub fn is_harmful(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
