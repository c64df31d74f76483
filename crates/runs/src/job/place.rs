//! The places where counts keep their state, and their names.
//!
//! A count whose checkpoint is not named keeps it in the state folder of the user, under a name
//! that says which question it is of and which kind of count. The name is the same whatever the
//! engine and its split: two runs of one question are a conflict that the user should hear of.

use crate::board::Board;
use crate::durable;
use crate::question::Question;
use crate::run::checkpoint::{CheckpointError, Header, Store, StoreError, peek};
use crate::run::{Event, Observer};
use crate::units::{Shard, sha256};
use crate::work::{Identity, Split};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The extension of checkpoints in the state folder.
pub const EXTENSION: &str = "kt";

/// The name of the count in the folder of an index.
const INDEX: &str = "index.kt";

/// The checkpoint beside which the states for all shards lie, in the folder of the shards.
pub const PREPARED: &str = "prepared.kt";

/// The most processes that do the same work at once, each with a checkpoint.
const MOST_AT_ONCE: u32 = 9;

/// The place of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointPlace {
    /// The file.
    pub path: PathBuf,
    /// True if the user named it: then it must work.
    pub is_named: bool,
    /// True if two processes may do the same work: then the second gets a checkpoint of its own.
    pub is_shared: bool,
}

impl CheckpointPlace {
    /// A place that the user named.
    pub fn named(path: PathBuf) -> Self {
        Self { path, is_named: true, is_shared: false }
    }

    /// The place beside which the states for all shards lie, in their folder.
    pub fn prepared(folder: &Path) -> Self {
        Self::named(folder.join(PREPARED))
    }

    /// The place of a count in the state folder; `None` where there is no such folder.
    pub fn usual(kind: JobKind, question: &Question) -> Option<Self> {
        let file = format!("{}{}.{EXTENSION}", kind.prefix(), name(question));
        let path = state_folder()?.join(file);
        Some(Self { path, is_named: false, is_shared: false })
    }

    /// The same place, for one of several processes that may do the same work.
    pub fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// The places for further processes that do the same work at once.
    fn others(&self) -> impl Iterator<Item = PathBuf> {
        let numbers = (2..=MOST_AT_ONCE).filter(|_| self.is_shared);
        numbers.map(|number| self.path.with_extension(format!("{number}.{EXTENSION}")))
    }

    /// The head of the checkpoint, if it can be resumed.
    pub(super) fn saved(&self) -> Result<Option<Header>, CheckpointError> {
        match peek(&self.path) {
            // The run reports it when it starts.
            Err(CheckpointError::Store(StoreError::Io(_))) if !self.is_named => Ok(None),
            header => header,
        }
    }

    /// Holds the checkpoint. `None`, and the observer is told, where it is not named and cannot be
    /// kept.
    pub(super) fn hold(
        &self,
        fresh: bool,
        observer: &mut dyn Observer,
    ) -> Result<Option<Store>, StoreError> {
        match self.hold_free(fresh, observer) {
            Err(StoreError::Io(error))
                if !fresh && durable::is_read_only(&error.source) && self.is_finished_index() =>
            {
                Ok(Some(Store::read_only(&self.path)))
            }
            Err(StoreError::Io(error)) if !self.is_named => {
                observer.notice(&Event::Unkept(StoreError::Io(error).to_string()));
                Ok(None)
            }
            held => held.map(Some),
        }
    }

    /// True if this is the place of an index whose tours are counted.
    fn is_finished_index(&self) -> bool {
        let saved = peek(&self.path).ok().flatten();
        is_index(&self.path) && saved.is_some_and(|saved| saved.done == saved.identity.units)
    }

    /// Holds the checkpoint; where two processes may do the same work, the next free one of its
    /// kind.
    fn hold_free(&self, fresh: bool, observer: &mut dyn Observer) -> Result<Store, StoreError> {
        let mut held = Store::hold(&self.path);
        for other in self.others() {
            let Err(StoreError::Held { holder, .. }) = &held else { break };
            observer.notice(&Event::Twin(holder.clone()));
            held = Store::hold(&other);
        }
        let store = held?;
        if fresh {
            store.start_over()?;
        }
        Ok(store)
    }

    /// Removes what processes that did the same work and were killed have left; a live one keeps
    /// its checkpoint.
    ///
    /// # Errors
    /// [`StoreError`] if something cannot be removed.
    pub fn clear_left_behind(&self) -> Result<(), StoreError> {
        for path in std::iter::once(self.path.clone()).chain(self.others()) {
            // A process that was killed early has left its sweeps and no checkpoint yet.
            if (path.exists() || Store::folder_of_states(&path).exists())
                && let Ok(store) = Store::hold(&path)
            {
                store.clear()?;
            }
        }
        Ok(())
    }
}

/// The first checkpoint of the kind, if a checkpoint is that of a process that did the same work as
/// another one at once.
pub fn of_twin(path: &Path) -> Option<PathBuf> {
    let stem = path.with_extension("");
    let number = stem.extension()?.to_str()?.parse().ok()?;
    let is_other = (2..=MOST_AT_ONCE).contains(&number) && path.extension()? == EXTENSION;
    is_other.then(|| stem.with_extension(EXTENSION))
}

/// The checkpoint of one of several counts that are made together: it has a word more before its
/// extension, `r.starts-a1.kt` for `r.kt`.
pub(super) fn of_one(path: &Path, kind: JobKind, question: &Question) -> PathBuf {
    let file = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let extension = path.extension().map(|extension| format!(".{}", file(Some(extension))));
    let extension = extension.unwrap_or_default();
    path.with_file_name(format!("{}{}{extension}", file(path.file_stem()), kind.word(question)))
}

/// The kind of several counts that are made together, and the checkpoint that names them all, if a
/// checkpoint is that of one of them.
pub fn of_several(path: &Path, question: &Question) -> Option<(JobKind, PathBuf)> {
    let file = path.file_name()?.to_str()?;
    [JobKind::ByStart, JobKind::OfTable].into_iter().find_map(|kind| {
        let (named, extension) = file.rsplit_once(&kind.word(question))?;
        let is_extension = extension.strip_prefix('.').is_some_and(|rest| !rest.contains('.'));
        let is_one = extension.is_empty() || is_extension;
        is_one.then(|| (kind, path.with_file_name(format!("{named}{extension}"))))
    })
}

/// The folder of checkpoints that were not named, by the XDG base directory specification.
pub fn state_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(|| set("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("kt-enum"))
}

/// The checkpoint in the folder of an index.
pub fn file_of_index(folder: &Path) -> PathBuf {
    folder.join(INDEX)
}

/// True if a checkpoint has the name of those in the folders of indexes.
fn is_index(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == INDEX)
}

/// True if a checkpoint has the name of those in the folders of indexes and of prepared states.
pub fn is_of_folder(path: &Path) -> bool {
    is_index(path) || path.file_name().is_some_and(|name| name == PREPARED)
}

/// The checkpoint of a shard in the folder of the shards.
pub fn file_of_shard(folder: &Path, shard: Shard) -> PathBuf {
    folder.join(format!("checkpoint-{}-of-{}.{EXTENSION}", shard.index(), shard.of()))
}

/// True if the name of a checkpoint is one that runs of a question have, of any kind.
pub fn is_of(question: &Question, checkpoint: &Path) -> bool {
    let name = format!("{}.", name(question));
    let file = checkpoint.file_name().unwrap_or_default().to_string_lossy();
    let of_kind = |kind: JobKind| {
        file.strip_prefix(kind.prefix()).is_some_and(|file| file.starts_with(&name))
    };
    JobKind::IN_STATE_FOLDER.into_iter().any(of_kind)
}

/// The kind of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// All tours of a question.
    Count,
    /// The open tours from one of several starts.
    ByStart,
    /// One of the shards of a count.
    Shard,
    /// The states that all shards of a count need.
    Preparation,
    /// One of the boards of a table that are counted one after the other.
    OfTable,
    /// Boards of all lengths.
    Table,
    /// Boards of all numbers of squares.
    PartialTable,
    /// A count that keeps all its layers, for tours by number.
    Numbers,
}

impl JobKind {
    const IN_STATE_FOLDER: [Self; 4] =
        [Self::Count, Self::Table, Self::PartialTable, Self::Numbers];

    /// What the name of the checkpoint of one of several counts says about its question.
    fn word(self, question: &Question) -> String {
        let [_, from, _] = question.words();
        match self {
            Self::ByStart => format!(".starts-{from}"),
            _ => format!(".table-{}x{}", question.board.rows(), question.board.cols()),
        }
    }

    /// The beginning of the names of its checkpoints in the state folder.
    fn prefix(self) -> &'static str {
        match self {
            Self::Count | Self::Shard | Self::Preparation | Self::ByStart | Self::OfTable => "",
            Self::Table => "table-",
            Self::PartialTable => "partial-",
            Self::Numbers => "numbers-",
        }
    }

    /// The kind of the run that a checkpoint is of: the run says so, else the name of the file.
    pub fn of(path: &Path, identity: &Identity, shard: Shard) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        // Elsewhere the user named the file.
        let real = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
        let is_named_here = state_folder().is_some_and(|state| real(folder) == real(&state));
        let begins = |kind: Self| is_named_here && file.starts_with(kind.prefix());
        match identity.split {
            Split::Lengths { every_square: true } => Self::PartialTable,
            Split::Lengths { every_square: false } => Self::Table,
            _ if shard != Shard::WHOLE
                || of_twin(path).as_deref().unwrap_or(path)
                    == file_of_shard(folder, Shard::WHOLE) =>
            {
                Self::Shard
            }
            _ if file == PREPARED => Self::Preparation,
            _ if begins(Self::Numbers) || is_index(path) => Self::Numbers,
            _ => of_several(path, &identity.question).map_or(Self::Count, |(kind, _)| kind),
        }
    }
}

/// A question as a file is named after it.
fn name(question: &Question) -> String {
    let [tours, ..] = question.words();
    format!("{tours}-{}{}", name_of_board(&question.board), question.fixed_ends("-", "-"))
}

/// A board as a file is named after it: `8x8`, `8x8-piece-king-without-a1_h8`. A long description,
/// and that of a graph, is replaced by the first digits of its SHA-256.
fn name_of_board(board: &Board) -> String {
    const LONGEST: usize = 80;
    const DIGITS: usize = 16;
    let text = board.description();
    if !board.is_graph() && text.len() <= LONGEST {
        return text.replace([' ', '='], "-").replace(',', "_");
    }
    let digits = &sha256(text.as_bytes())[..DIGITS];
    if board.is_graph() {
        format!("graph-{}-{digits}", board.squares())
    } else {
        format!("{}x{}-{digits}", board.rows(), board.cols())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_question_has_a_file_name_of_its_own() {
        let long: Vec<String> = (1..=8).map(|row| format!("a{row},c{row},e{row},g{row}")).collect();
        let boards = [
            "8x8".to_owned(),
            "8x8 piece=king".to_owned(),
            "8x8 piece=0,1+1,2 wrap=torus".to_owned(),
            "8x8 without=a1".to_owned(),
            "8x8 without=a1,h8".to_owned(),
            format!("8x8 without={}", long.join(",")),
            format!("8x8 piece=king without={}", long.join(",")),
            "graph 1-2,2-3".to_owned(),
            "graph 1_2,2_3".to_owned(),
            "graph a-b,c".to_owned(),
        ];
        let question = |text: &String| Question::closed(text.parse().expect("a board"));
        let names: Vec<String> = boards.iter().map(|text| name(&question(text))).collect();
        assert_eq!(names[0], "closed-8x8");
        assert_eq!(names[2], "closed-8x8-piece-0_1+1_2-wrap-torus");
        assert!(names[7].starts_with("closed-graph-3-"), "{}", names[7]);
        for name in &names {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+".contains(&byte);
            assert!(name.len() < 120 && name.bytes().all(is_plain), "{name}");
        }
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for (text, own) in boards.iter().zip(&names) {
            let of = |name: &&String| is_of(&question(text), Path::new(&format!("{name}.kt")));
            assert_eq!(names.iter().filter(of).collect::<Vec<_>>(), [own]);
        }
    }

    #[test]
    fn the_checkpoint_of_one_of_several_counts_tells_their_kind_and_the_name_of_all() {
        let board: Board = "graph v.1-b,b-c".parse().expect("a graph");
        let from = board.parse_square("v.1").expect("a vertex");
        let by_start = Question::open_between(board, Some(from), None);
        let of_table = Question::closed("8x12".parse().expect("a board"));
        for all in ["r.kt", "r", "my.run.kt", "a folder/r.starts-old.kt"].map(Path::new) {
            for (kind, question) in [(JobKind::ByStart, &by_start), (JobKind::OfTable, &of_table)] {
                let one = of_one(all, kind, question);
                assert_eq!(of_several(&one, question), Some((kind, all.to_owned())), "{one:?}");
                assert_eq!(of_several(all, question), None);
            }
        }
        let one = of_one(Path::new("r.kt"), JobKind::OfTable, &of_table);
        assert_eq!(one, Path::new("r.table-8x12.kt"));
    }
}
