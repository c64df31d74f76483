//! Commands as a person can type them in a shell.

use crate::board::{Board, Layout};
use crate::question::Question;

/// A word as a POSIX shell reads it back: in single quotes where it has characters that mean
/// something to a shell.
pub fn quoted(word: &str) -> String {
    const PLAIN: &str = "-_./:=,+@%";
    let is_plain = |letter: char| letter.is_alphanumeric() || PLAIN.contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The board, the kind of tours and their ends, as options.
pub fn question_options(question: &Question) -> String {
    let [_, from, to] = question.words();
    let mut options = board_options(&question.board);
    if question.is_closed() {
        options += " --closed";
    }
    for (option, end) in [("--from", from), ("--to", to)] {
        if end != "all" {
            options += &format!(" {option} {end}");
        }
    }
    options
}

/// The board as options. The file of an explicit graph is not known.
pub fn board_options(board: &Board) -> String {
    let Some(layout) = board.layout() else {
        return "--graph FILE".to_owned();
    };
    let mut options = format!("--size {}x{}", layout.rows, layout.cols);
    let whole = Layout::new(layout.rows, layout.cols);
    if layout.piece != whole.piece {
        options += &format!(" --piece {}", layout.piece);
    }
    if layout.wrap != whole.wrap {
        options += &format!(" --wrap {}", layout.wrap.name());
    }
    if !layout.without.is_empty() {
        options += &format!(" --without {}", layout.holes().collect::<Vec<_>>().join(","));
    }
    options
}

/// The command that finds one tour of a question, on a board of any size.
pub fn one_tour(question: &Question) -> String {
    let options = question_options(question);
    match question.to() {
        None => format!("kt-enum find {options}"),
        // `find` takes no end.
        Some(_) => format!("kt-enum list {options} --limit 1"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        for plain in ["a1", "/tmp/open-6x6.kt", "30:4:6"] {
            assert_eq!(quoted(plain), plain);
        }
        for (word, typed) in [
            ("", "''"),
            ("my runs/x.kt", "'my runs/x.kt'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("~", "'~'"),
            ("a\nb", "'a\nb'"),
        ] {
            assert_eq!(quoted(word), typed);
        }
    }

    #[test]
    fn the_options_of_a_board_are_those_that_it_can_be_typed_with() {
        for (text, options) in [
            ("6x8", "--size 6x8"),
            ("4x4 piece=0,1+1,2 wrap=torus", "--size 4x4 --piece 0,1+1,2 --wrap torus"),
            ("3x4 piece=king without=a1,d3", "--size 3x4 --piece king --without a1,d3"),
            ("graph 1-2,3", "--graph FILE"),
        ] {
            let board: Board = text.parse().expect("a board");
            assert_eq!(board_options(&board), options);
        }
    }

    #[test]
    fn one_tour_is_found_by_a_command_that_takes_the_ends_of_the_question() {
        let board = Board::new(12, 13).expect("a board");
        let square = |name| board.parse_square(name).ok();
        assert_eq!(
            one_tour(&Question::closed(board.clone())),
            "kt-enum find --size 12x13 --closed"
        );
        let from = Question::open_between(board.clone(), square("c2"), None);
        assert_eq!(one_tour(&from), "kt-enum find --size 12x13 --from c2");
        let between = Question::open_between(board.clone(), square("c2"), square("m12"));
        let expected = "kt-enum list --size 12x13 --from c2 --to m12 --limit 1";
        assert_eq!(one_tour(&between), expected);
    }
}
