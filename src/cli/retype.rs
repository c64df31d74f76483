//! Commands that a person can type: to resume a run, to repeat one, to count a part again, or to
//! find one tour. They are built from the identity of a run.

use crate::board::{Board, Layout};
use crate::durable::folder_of;
use crate::job::{
    CheckpointPlace, JobKind, Wishes, fewest_wishes, file_of_shard, of_several, of_twin,
    state_folder,
};
use crate::question::Question;
use crate::units::Shard;
use crate::work::{Identity, Split};
use std::path::{Path, PathBuf};

/// A word as a shell reads it back: in single quotes where it has characters that mean something to
/// a shell. What a terminal would not show is written by numbers, as Bash and newer shells read it.
pub fn quoted(word: &[u8]) -> String {
    const PLAIN: &str = "-_./:=,+@%";
    let is_plain = |letter: char| letter.is_alphanumeric() || PLAIN.contains(letter);
    match str::from_utf8(word) {
        Ok(text) if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        Ok(text) if !text.contains(char::is_control) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => {
            let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"'\\".contains(&byte);
            let written = |&byte: &u8| match byte {
                byte if is_plain(byte) || byte == b' ' => char::from(byte).to_string(),
                byte => format!("\\{byte:03o}"),
            };
            format!("$'{}'", word.iter().map(written).collect::<String>())
        }
    }
}

/// A path as a shell reads it back, and no command takes it for an option.
pub fn quoted_path(path: &Path) -> String {
    let word = path.as_os_str().as_encoded_bytes();
    let here: &[u8] = if word.starts_with(b"-") && word != b"-" { b"./" } else { b"" };
    quoted(&[here, word].concat())
}

/// The board as options. The file of an explicit graph is not known.
pub fn board_options(board: &Board) -> String {
    // A layout says the same in other signs: 4x4 piece=0,1+1,2 wrap=torus.
    let options = |layout: Layout| layout.to_string().replace(' ', " --").replace('=', " ");
    let sized = |layout| format!("--size {}", options(layout));
    board.layout().map_or("--graph FILE".to_owned(), sized)
}

/// The board, the kind of tours and their ends, as options.
pub fn question_options(question: &Question) -> String {
    let closed = if question.is_closed() { " --closed" } else { "" };
    board_options(&question.board) + closed + &question.fixed_ends(" --", " ")
}

/// The options that choose the engine and the split, or the command that implies them.
pub fn engine_options(identity: &Identity) -> String {
    match identity.split {
        Split::Lengths { every_square: false } => "kt-enum table".to_owned(),
        Split::Lengths { every_square: true } => "kt-enum table --partial".to_owned(),
        Split::Depth(depth) => format!("--engine {} --split-depth {depth}", identity.engine),
        Split::Cut { class, sliced } => {
            format!("--engine {} --cut {class}:{sliced}", identity.engine)
        }
        _ => format!("--engine {}", identity.engine),
    }
}

/// The command of a run, which resumes from its checkpoint if there is one. Options that only shape
/// the answer, such as `--classes`, are not part of a checkpoint.
pub fn command(identity: &Identity, shard: Shard, checkpoint: Option<&Path>) -> String {
    let path = checkpoint.unwrap_or(Path::new(""));
    let kind = JobKind::of(path, identity, shard);
    let question = question_options(&identity.question);
    let (rows, cols) = (identity.question.board.rows(), identity.question.board.cols());
    let closed = if identity.question.is_closed() { " --closed" } else { "" };
    let whole = format!("{question} {}", engine_options(identity));
    let folder = checkpoint.map_or("parts".to_owned(), |path| quoted_path(folder_of(path)));
    let is_in_state_folder = state_folder().is_some_and(|folder| path.starts_with(folder));
    // A checkpoint in its usual place need not be named.
    let named = |path: &Path| format!(" --checkpoint {}", quoted_path(path));
    let unless = |default: Option<PathBuf>| {
        checkpoint.filter(|path| default.as_deref() != Some(path)).map_or(String::new(), named)
    };
    let unusual = || unless(CheckpointPlace::usual(kind, &identity.question).map(|at| at.path));
    let all_of_several = || match of_several(path, &identity.question) {
        Some((_, all)) if !is_in_state_folder => named(&all),
        _ => String::new(),
    };
    match kind {
        JobKind::Count => format!("kt-enum count {whole}{}", unusual()),
        JobKind::ByStart => {
            let engine = match fewest_wishes(identity) {
                Wishes { engine: None, .. } => String::new(),
                Wishes { split: None, .. } => format!(" --engine {}", identity.engine),
                _ => format!(" {}", engine_options(identity)),
            };
            let board = board_options(&identity.question.board);
            format!("kt-enum count {board}{engine} --starts{}", all_of_several())
        }
        JobKind::Shard => {
            let by = shard.unusual(identity);
            let by = by.map_or(String::new(), |by| format!(" --by {}", by.as_str()));
            // Beside a checkpoint of another name, the folder of the parts is not known.
            let beside = file_of_shard(folder_of(path), shard);
            let is_beside = checkpoint.is_none()
                || of_twin(path).as_deref().unwrap_or(path) == beside.as_path();
            let out = if is_beside { folder } else { "DIR".to_owned() };
            let named = unless(Some(beside));
            format!("kt-enum shard {shard}{by} {whole} --out {out}{named}")
        }
        JobKind::Preparation => format!("kt-enum prepare {whole} --out {folder}"),
        JobKind::OfTable => {
            format!("kt-enum table --rows {rows} --cols {cols}{closed}{}", all_of_several())
        }
        JobKind::Table | JobKind::PartialTable => {
            let partial = if kind == JobKind::PartialTable { " --partial" } else { "" };
            format!("kt-enum table --rows {rows} --up-to {cols}{closed}{partial}{}", unusual())
        }
        // Which of the three commands it was does not matter to what they build.
        JobKind::Numbers if is_in_state_folder => format!("kt-enum nth 1 {question}"),
        JobKind::Numbers => format!("kt-enum nth 1 {question} --index {folder}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        for plain in ["a1", "/tmp/open-6x6.kt", "middle:8"] {
            assert_eq!(quoted(plain.as_bytes()), plain);
        }
        for (word, typed) in [
            ("", "''"),
            ("my runs/x.kt", "'my runs/x.kt'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("~", "'~'"),
            ("a\nb's", r"$'a\012b\047s'"),
        ] {
            assert_eq!(quoted(word.as_bytes()), typed);
        }
        assert_eq!(quoted(b"\xff \x1b"), r"$'\377 \033'");
        assert_eq!(quoted_path(Path::new("-a.kt")), "./-a.kt");
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
}
