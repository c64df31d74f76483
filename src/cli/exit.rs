//! Every way in which the program ends.

use clap::error::{ContextKind, ContextValue};
use kt_enum::board::{BoardError, SquareError};
use kt_enum::classes::ClassesError;
use kt_enum::edges::EdgesError;
use kt_enum::engine::EngineError;
use kt_enum::frontier::FrontierError;
use kt_enum::run::checkpoint::{CheckpointError, StoreError};
use kt_enum::run::estimate::NoRoom;
use kt_enum::run::merge::MergeError;
use kt_enum::run::starts::StartsError;
use kt_enum::run::units::UnitsError;
use kt_enum::run::{DurableError, LayersError, RunError};
use kt_enum::walk::WalkError;
use std::fmt;
use std::io::Write;
use std::process::ExitCode;

/// The exit codes that scripts rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Could not finish: the system refused, or memory or room was short.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A check found a mismatch.
    Mismatch = 3,
    /// A checkpoint is damaged, or of another version.
    Damaged = 65,
    /// Another live process holds the checkpoint.
    Held = 73,
    /// Stopped on request, with the state saved.
    Stopped = 75,
    /// Stopped by SIGINT.
    Interrupted = 130,
}

/// An end that is not success: what to say and with which code to leave.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    error: anyhow::Error,
}

impl Failure {
    /// An end with this code.
    pub fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        let error = error.into();
        Self { exit, error }
    }

    /// An end with this code and message.
    pub fn saying(exit: Exit, message: impl Into<String>) -> Self {
        Self::new(exit, anyhow::Error::msg(message.into()))
    }

    /// An end with this code, which says after the error what to type.
    fn advising(exit: Exit, error: &impl fmt::Display, advice: &str) -> Self {
        Self::saying(exit, format!("{error}{advice}"))
    }

    /// Says on standard error what there is to say, and gives the code.
    pub fn report(&self) -> ExitCode {
        // Every message names its cause itself. When standard error is closed no one is left to tell.
        let _ = writeln!(std::io::stderr(), "kt-enum: {}", self.error);
        ExitCode::from(self.exit as u8)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(out)
    }
}

/// How clap ends: help and version are success, a wrong command line is not.
pub fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if let Some(hint) = board_hint(error) {
        let _ = writeln!(std::io::stderr(), "\n{hint}");
    }
    match error.use_stderr() {
        true => ExitCode::from(Exit::Usage as u8),
        false => ExitCode::SUCCESS,
    }
}

/// The way out for who types a board without its flags: `kt-enum 6` or `kt-enum 6x8`.
fn board_hint(error: &clap::Error) -> Option<String> {
    let kinds = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    let words = kinds.iter().filter_map(|&kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    });
    let mut sides_of = words.filter_map(|word| {
        let sides: Result<Vec<u32>, _> = word.split('x').map(str::parse).collect();
        sides.ok()
    });
    sides_of.find_map(|sides| match sides[..] {
        [size] => Some(format!("for a {size}x{size} board say --size {size}")),
        [rows, cols] => Some(format!(
            "for a {rows}x{cols} board say --rows {rows} --cols {cols}"
        )),
        _ => None,
    })
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let (exit, advice) = match error {
            RunError::Stopped { .. } => (Exit::Stopped, ""),
            RunError::Conflict { .. } => (
                Exit::Usage,
                ": type that one's options to go on with it, or --fresh to give it up and start over",
            ),
            RunError::Checkpoint(checkpoint) => return checkpoint.into(),
            RunError::Layers(layers) => return layers.into(),
            RunError::Lost(_) => (
                Exit::Damaged,
                "; what was counted is kept: start over with --fresh",
            ),
            RunError::Threads(_) => (Exit::Failed, "; try fewer with --threads"),
        };
        Self::advising(exit, &error, advice)
    }
}

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Self {
        let (exit, advice) = match error {
            CheckpointError::Store(error) => return error.into(),
            CheckpointError::Damaged { .. } => (
                Exit::Damaged,
                " (copy it over to go on from there), or start over with --fresh",
            ),
            CheckpointError::Version { .. } => (
                Exit::Damaged,
                "; go on with the kt-enum that wrote it, or start over with --fresh",
            ),
        };
        Self::advising(exit, &error, advice)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (exit, advice) = match error {
            StoreError::Held { .. } => (
                Exit::Held,
                ": wait for it, stop it, or name another place with --checkpoint PATH",
            ),
            StoreError::NotACheckpoint(_) => (
                Exit::Usage,
                ", and --fresh would remove it: name another place with --checkpoint PATH",
            ),
            StoreError::Io(_) => (
                Exit::Failed,
                "; name another place with --checkpoint PATH, or run without one with --no-checkpoint",
            ),
        };
        Self::advising(exit, &error, advice)
    }
}

impl From<UnitsError> for Failure {
    fn from(error: UnitsError) -> Self {
        Self::new(of_units(&error), error)
    }
}

fn of_units(error: &UnitsError) -> Exit {
    match error {
        UnitsError::Io(_) | UnitsError::Missing(_) => Exit::Failed,
        UnitsError::Damaged { .. } => Exit::Damaged,
        UnitsError::Foreign { .. } => Exit::Mismatch,
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        let (exit, advice) = match &error {
            MergeError::Part(part) => (of_units(part), String::new()),
            MergeError::Folder { .. } => (Exit::Failed, String::new()),
            MergeError::NoPart(_) => (
                Exit::Failed,
                ": `kt-enum shard I/N ... --out DIR` makes them, named part-I-of-N".to_owned(),
            ),
            MergeError::Missing { of, .. } => (
                Exit::Failed,
                format!("; run `kt-enum shard I/{of}` for each"),
            ),
            MergeError::Foreign { .. } | MergeError::Differ { .. } => {
                (Exit::Mismatch, String::new())
            }
        };
        Self::advising(exit, &error, &advice)
    }
}

impl From<DurableError> for Failure {
    fn from(error: DurableError) -> Self {
        Self::new(Exit::Failed, error)
    }
}

impl From<ClassesError> for Failure {
    fn from(error: ClassesError) -> Self {
        let exit = match error {
            ClassesError::FixedEnds | ClassesError::TooLarge(_) => Exit::Usage,
            ClassesError::Remainder { .. } => Exit::Mismatch,
        };
        Self::new(exit, error)
    }
}

impl From<WalkError> for Failure {
    fn from(error: WalkError) -> Self {
        let exit = match error {
            WalkError::Memory { .. } => Exit::Failed,
            WalkError::TooLarge { .. } | WalkError::Split(_) => Exit::Usage,
        };
        Self::new(exit, error)
    }
}

impl From<EdgesError> for Failure {
    fn from(error: EdgesError) -> Self {
        Self::new(Exit::Usage, error)
    }
}

impl From<FrontierError> for Failure {
    fn from(error: FrontierError) -> Self {
        let advice = match error {
            FrontierError::TooWide(_) => "; --engine walk takes any board",
            FrontierError::Cut { .. } => {
                ": leave out --cut, or try one of the whole first columns of a row"
            }
        };
        Self::advising(Exit::Usage, &error, advice)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Walk(error) => error.into(),
            EngineError::Edges(error) => error.into(),
            EngineError::Frontier(error) => error.into(),
            EngineError::Split { .. } => Self::advising(
                Exit::Usage,
                &error,
                ": --split-depth is for walk and edges, --cut for frontier",
            ),
            EngineError::Unknown(_) | EngineError::Units { .. } => Self::new(Exit::Mismatch, error),
        }
    }
}

impl From<LayersError> for Failure {
    fn from(error: LayersError) -> Self {
        let (exit, advice) = match error {
            LayersError::Io(_) => (Exit::Failed, ""),
            LayersError::Damaged { .. } => (
                Exit::Damaged,
                "; nothing was changed: start over with --fresh",
            ),
            LayersError::Room { .. } => (
                Exit::Failed,
                ": give more with --memory or --disk; what was saved is kept",
            ),
        };
        Self::advising(exit, &error, advice)
    }
}

impl From<NoRoom> for Failure {
    fn from(error: NoRoom) -> Self {
        let disk = error
            .enough_disk
            .map_or(String::new(), |disk| format!(" or --disk {disk}"));
        let advice = format!(": give at least --memory {}{disk}", error.enough_memory);
        Self::advising(Exit::Failed, &error, &advice)
    }
}

impl From<StartsError> for Failure {
    fn from(error: StartsError) -> Self {
        Self::new(Exit::Mismatch, error)
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        Self::new(Exit::Usage, error)
    }
}

impl From<SquareError> for Failure {
    fn from(error: SquareError) -> Self {
        Self::new(Exit::Usage, error)
    }
}
