//! The command that a checkpoint belongs to, and how to type it again.

use super::config::{
    CHECKPOINT_EXTENSION, INDEX, NUMBERS, PARTIAL, STARTS, TABLE, in_state_folder, name,
    state_folder,
};
use super::shell::{board_options, question_options, quoted};
use super::typed::{self, engine_options};
use crate::durable::folder_of;
use crate::run::checkpoint::Header;
use crate::units::Shard;
use crate::work::Split;
use std::path::{Path, PathBuf};

/// The checkpoint beside which the states for all shards lie, in the folder of the shards.
pub const PREPARED: &str = "prepared.kt";

/// The name of a shard's checkpoint in the folder of the shards.
pub fn name_of_shard(shard: Shard) -> String {
    format!("checkpoint-{}-of-{}.kt", shard.index(), shard.of())
}

/// The kind of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Count,
    ByStart,
    Shard,
    Preparation,
    Table,
    Numbers,
}

impl Kind {
    /// The kind of the run that a checkpoint is of: its content says so, else its name.
    pub fn of(path: &Path, header: &Header) -> Self {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let index = format!("{INDEX}.{CHECKPOINT_EXTENSION}");
        match header.identity.split {
            Split::Lengths { .. } => Self::Table,
            _ if header.shard != Shard::WHOLE || file == name_of_shard(Shard::WHOLE) => Self::Shard,
            _ if file == PREPARED => Self::Preparation,
            _ if file.starts_with(NUMBERS) || file == index => Self::Numbers,
            _ if file.starts_with(STARTS) => Self::ByStart,
            _ => Self::Count,
        }
    }

    /// Its name in JSON: the command that resumes it.
    pub fn command(self) -> &'static str {
        match self {
            Self::Count | Self::ByStart => "count",
            Self::Shard => "shard",
            Self::Preparation => "prepare",
            Self::Table => "table",
            Self::Numbers => "nth",
        }
    }

    /// The kind of the run, in words that the question follows.
    pub fn words(self, header: &Header) -> String {
        match self {
            Self::Count => "count of the".to_owned(),
            Self::ByStart => "count by start square, at the".to_owned(),
            Self::Shard => format!("shard {} of a count of the", header.shard),
            Self::Preparation => "preparation of the shards of the".to_owned(),
            Self::Table => "table of the".to_owned(),
            Self::Numbers => "numbering, for random, nth and rank, of the".to_owned(),
        }
    }
}

/// The command that resumes the run of a checkpoint. Options that only shape the answer, such as
/// `--classes`, are not part of a checkpoint.
pub fn command(path: &Path, header: &Header) -> String {
    let identity = &header.identity;
    let question = question_options(&identity.question);
    let whole = format!("{question} {}", engine_options(identity));
    let folder = quoted(&folder_of(path).to_string_lossy());
    let kind = Kind::of(path, header);
    let (typed, default) = match kind {
        Kind::Count => (format!("count {whole}"), in_state_folder(&name(&identity.question))),
        Kind::ByStart => {
            let board = board_options(&identity.question.board);
            let named = by_start(path, header);
            let named =
                named.map(|path| format!(" --checkpoint {}", quoted(&path.to_string_lossy())));
            return format!("kt-enum count {board} --starts{}", named.unwrap_or_default());
        }
        Kind::Shard => {
            let part = header.shard;
            let default = folder_of(path).join(name_of_shard(part));
            let by = typed::by(identity, part);
            (format!("shard {part}{by} {whole} --out {folder}"), Some(default))
        }
        Kind::Preparation => return format!("kt-enum prepare {whole} --out {folder}"),
        Kind::Table => table(header),
        Kind::Numbers if path.starts_with(state_folder().unwrap_or_default()) => {
            // Which of the three commands it was does not matter to what they build.
            return format!("kt-enum nth 1 {question}");
        }
        Kind::Numbers => return format!("kt-enum nth 1 {question} --index {folder}"),
    };
    match default.is_some_and(|default| default == path) {
        true => format!("kt-enum {typed}"),
        false => format!("kt-enum {typed} --checkpoint {}", quoted(&path.to_string_lossy())),
    }
}

fn table(header: &Header) -> (String, Option<PathBuf>) {
    let question = &header.identity.question;
    let (rows, cols) = (question.board.rows(), question.board.cols());
    let closed = if question.is_closed() { " --closed" } else { "" };
    let every_square = matches!(header.identity.split, Split::Lengths { every_square: true });
    let (partial, kind) = match every_square {
        true => (" --partial", PARTIAL),
        false => ("", TABLE),
    };
    let typed = format!("table --rows {rows} --up-to {cols}{closed}{partial}");
    (typed, in_state_folder(&(kind.to_owned() + &name(question))))
}

/// The checkpoint that a count by start was given, without the square that is added for each start;
/// none where it is in the state folder.
fn by_start(path: &Path, header: &Header) -> Option<PathBuf> {
    let is_in_state_folder = state_folder().is_some_and(|folder| path.starts_with(folder));
    let [_, from, _] = header.identity.question.words();
    let file = path.file_name()?.to_string_lossy().replace(&format!(".{from}."), ".");
    (!is_in_state_folder).then(|| path.with_file_name(file))
}
