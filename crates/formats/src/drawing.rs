//! Drawings of boards: a text with a line for each row, the top row first.
//!
//! A `.` is a square and a `#` is a hole. Blanks between them are allowed and mean nothing. Empty
//! lines separate drawings. There are no comments, so that a slip cannot pass for one.
//!
//! ```text
//! # . . #
//! . . . .
//! . . . .
//! ```

use crate::board::{Board, Layout};

/// A text is not a drawing of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct DrawingError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason why the line cannot be part of a drawing, in words.
    fault: String,
}

/// The largest number of holes of a drawing.
const MOST_HOLES: usize = 16_384;

/// Reads all drawings of a text, at least one, with these characters for a square and for a hole:
/// the rectangles with their holes, for a knight.
///
/// ```
/// # use kt_enum_formats as kt_enum;
/// use kt_enum::board::drawings;
/// let layouts = drawings(b"..#\n...\n", *b".#")?;
/// assert_eq!(layouts[0].to_string(), "2x3 without=c2");
/// # Ok::<(), kt_enum::board::DrawingError>(())
/// ```
///
/// # Errors
/// [`DrawingError`] with the first line that is wrong.
pub fn drawings(text: &[u8], legend: [u8; 2]) -> Result<Vec<Layout>, DrawingError> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let (mut drawings, mut rows, mut last) = (Vec::new(), Rows::default(), 0);
    let lines = || text.split(|&byte| byte == b'\n');
    // One more empty line ends the last drawing.
    for (number, line) in (1..).zip(lines().chain([&[][..]])) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().all(|&byte| is_blank(byte)) {
            drawings.extend(rows.end().map_err(|fault| DrawingError { line: last, fault })?);
        } else {
            last = number;
            rows.add(line, legend).map_err(|fault| DrawingError { line: last, fault })?;
        }
    }
    if drawings.is_empty() {
        let fault = "the text ends without a drawing of a board".to_owned();
        Err(DrawingError { line: lines().count(), fault })
    } else {
        Ok(drawings)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The rows of a drawing that is being read, from the top.
#[derive(Default)]
struct Rows {
    count: usize,
    cols: usize,
    /// The row from the top and the column of each hole.
    holes: Vec<(usize, usize)>,
}

impl Rows {
    fn add(&mut self, line: &[u8], [square, hole]: [u8; 2]) -> Result<(), String> {
        let mut cols = 0;
        for (place, &byte) in line.iter().enumerate().filter(|(_, byte)| !is_blank(**byte)) {
            if byte == hole {
                if self.holes.len() == MOST_HOLES {
                    return Err(format!("the drawing has more than {} holes", MOST_HOLES));
                }
                self.holes.push((self.count, cols));
            } else if byte != square {
                let [square, hole] = [square, hole].map(char::from);
                let other = String::from_utf8_lossy(&line[place..]);
                let other: String = other.chars().take(1).flat_map(char::escape_debug).collect();
                return Err(format!(
                    "`{other}` is neither a square ({square}) nor a hole ({hole})"
                ));
            }
            cols += 1;
        }
        if self.count == 0 {
            self.cols = cols;
        }
        self.count += 1;
        let most = Board::LONGEST_SIDE;
        if self.count.max(cols) > most as usize {
            return Err(format!("the drawing has more than {most} rows or columns"));
        }
        if cols != self.cols {
            let wanted = self.cols;
            return Err(format!("a row of {cols} where the first row of the drawing has {wanted}"));
        }
        Ok(())
    }

    /// The drawing of the rows so far, if there are any. The next row begins another.
    fn end(&mut self) -> Result<Option<Layout>, String> {
        let Self { count, cols, holes } = std::mem::take(self);
        if count == 0 {
            return Ok(None);
        }
        if holes.len() == count * cols {
            return Err("the drawing that ends here has no square".to_owned());
        }
        let place = |(row, col): (usize, usize)| ((count - 1 - row) as u32, col as u32);
        let without = holes.into_iter().map(place).collect();
        Ok(Some(Layout { without, ..Layout::new(count as u32, cols as u32) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_all(text: &[u8]) -> Result<Vec<Layout>, DrawingError> {
        drawings(text, *b".#")
    }

    fn drawn(layout: &Layout) -> String {
        let row = |row| {
            let cell = |col| if layout.without.contains(&(row, col)) { '#' } else { '.' };
            (0..layout.cols).map(cell).chain(['\n']).collect::<String>()
        };
        (0..layout.rows).rev().map(row).collect()
    }

    fn any_layout() -> impl Strategy<Value = Layout> {
        let sides = (1..9_u32, 1..9_u32);
        let drawing = sides.prop_flat_map(|(rows, cols)| {
            let holes =
                proptest::collection::btree_set((0..rows, 0..cols), 0..(rows * cols) as usize);
            holes.prop_map(move |without| Layout { without, ..Layout::new(rows, cols) })
        });
        drawing.prop_filter("it has a square", |drawing| {
            drawing.without.len() < (drawing.rows * drawing.cols) as usize
        })
    }

    proptest! {
        #[test]
        fn drawings_read_back_with_any_blanks_and_line_ends(
            drawings in proptest::collection::vec(any_layout(), 1..5),
            between in prop::sample::select(vec!["", " ", "\t "]),
            end in prop::sample::select(vec!["\n", "\r\n"]),
        ) {
            let drawn: Vec<String> = drawings.iter().map(drawn).collect();
            let text = drawn.join("\n").replace('.', &format!("{between}.{between}"));
            let text = text.replace('\n', end);
            prop_assert_eq!(read_all(text.as_bytes()), Ok(drawings.clone()));
            prop_assert_eq!(read_all(text.trim_end().as_bytes()), Ok(drawings));
        }

        #[test]
        fn any_bytes_are_drawings_or_refused_with_a_line_of_the_text(
            bytes in proptest::collection::vec(
                prop_oneof![Just(b'.'), Just(b'#'), Just(b'\n'), Just(b' '), any::<u8>()],
                0..60,
            ),
        ) {
            let lines = bytes.split(|&byte| byte == b'\n').count();
            match read_all(&bytes) {
                Ok(drawings) => prop_assert!(!drawings.is_empty()),
                Err(error) => prop_assert!((1..=lines).contains(&error.line), "{}", error),
            }
        }
    }

    #[test]
    fn a_legend_names_other_characters() {
        let read = |legend, text: &[u8]| drawings(text, legend);
        assert_eq!(read(*b"01", b"0 0\n10\n"), read_all(b"..\n#.\n"));
        let error = read(*b"oX", b"oo\no.\n").expect_err("a dot");
        assert_eq!(error.to_string(), "line 2: `.` is neither a square (o) nor a hole (X)");
    }

    #[test]
    fn the_first_line_is_the_top_row() {
        let drawings = read_all(b"\n\n#..\r\n...\r\n\n \n. #\n").expect("two drawings");
        let texts: Vec<String> = drawings.iter().map(Layout::to_string).collect();
        assert_eq!(texts, ["2x3 without=a2", "1x2 without=b1"]);
    }

    #[test]
    fn texts_that_are_not_drawings_are_refused_with_the_line() {
        let long = ".\n".repeat(10_001);
        let holes = "#".repeat(9_000) + "\n" + &"#".repeat(9_000);
        for (text, message) in [
            ("", "line 1: the text ends without a drawing of a board"),
            ("\n\n", "line 3: the text ends without a drawing of a board"),
            ("..\n...\n", "line 2: a row of 3 where the first row of the drawing has 2"),
            ("..\n..\n\n...\n.\n", "line 5: a row of 1 where the first row of the drawing has 3"),
            ("..\n% 2\n", "line 2: `%` is neither a square (.) nor a hole (#)"),
            ("// a board\n..", "line 1: `/` is neither a square (.) nor a hole (#)"),
            (".é", "line 1: `é` is neither a square (.) nor a hole (#)"),
            (".\u{7}", "line 1: `\\u{7}` is neither a square (.) nor a hole (#)"),
            ("..\n\n##\n##\n\n..", "line 4: the drawing that ends here has no square"),
            (&long, "line 10001: the drawing has more than 10000 rows or columns"),
            (&holes, "line 2: the drawing has more than 16384 holes"),
        ] {
            let error = read_all(text.as_bytes()).expect_err(text);
            assert_eq!(error.to_string(), message);
        }
    }
}
