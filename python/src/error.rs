//! Errors of the library as exceptions: what was given is wrong (`ValueError`), the system refused
//! something (`OSError`), memory is short (`MemoryError`), or a limit came first (`Undecided`).

use crate::prelude::*;
use pyo3::create_exception;

create_exception!(kt_enum, Undecided, PyException, "A limit came before there was an answer.");
create_exception!(kt_enum, Cancelled, Undecided, "`cancel` was set before there was an answer.");

/// The exception for a wrong value, with the sentence of the library.
pub fn wrong(why: impl Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// Refuses what is wrong.
pub fn refuse(is_wrong: bool, why: impl Display) -> PyResult<()> {
    if is_wrong { Err(wrong(why)) } else { Ok(()) }
}

/// The exception for a search that ended at a limit.
pub fn undecided(why: impl Display) -> PyErr {
    Undecided::new_err(why.to_string())
}

/// The exception for a job without a result, whose state is in a checkpoint.
pub fn of_job(error: impl Into<JobError>) -> PyErr {
    of_kept("checkpoint", error)
}

type Raise = fn(String) -> PyErr;

const MORE: &str = ": give more memory=";

/// The exception for a job without a result, whose state is in what a keyword names.
pub fn of_kept(name: &str, error: impl Into<JobError>) -> PyErr {
    let (error, advice): (JobError, &str) = (error.into(), "");
    let [over, lost, short]: [Raise; 3] =
        [Undecided::new_err, PyOSError::new_err, PyMemoryError::new_err];
    let unsaved = "; nothing is saved, for there is no checkpoint";
    let conflict = ": name another checkpoint, or give this one up with fresh=True";
    let (raise, advice): (Raise, _) = match &error {
        JobError::Run(RunError::Stopped { saved: Some(path), .. }) => {
            let saved = format!("{error}; the state is saved in {}", path.display());
            return undecided(format!("{saved}: the same call resumes"));
        }
        JobError::Run(RunError::Stopped { .. }) => (over, unsaved),
        JobError::Forecasting { .. } => (over, advice),
        JobError::Run(RunError::Conflict { .. }) => (wrong, conflict),
        JobError::Run(RunError::Checkpoint(error)) if error.is_replaceable() => {
            (lost, "; name another checkpoint, or start over with fresh=True")
        }
        JobError::Run(RunError::Checkpoint(_)) => (lost, "; name another checkpoint"),
        JobError::Run(RunError::Memory(_) | RunError::Threads(_) | RunError::TooLittle(_))
        | JobError::NoRoom(_) => (short, advice),
        JobError::Run(RunError::Layers(error)) if error.is_for_room() => (short, MORE),
        JobError::Run(_) => (lost, advice),
        JobError::Memory { .. } | JobError::Memo { .. } => (wrong, MORE),
        _ => (wrong, advice),
    };
    raise(format!("{error}{}", advice.replace("checkpoint", name)))
}

/// The exception for numbers that were not found.
pub fn of_numbers(error: NumbersError) -> PyErr {
    match error {
        NumbersError::Stopped => undecided(error),
        NumbersError::StatesUnavailable(_) => PyOSError::new_err(error.to_string()),
        _ => wrong(error),
    }
}

/// The exception for an estimate that was not made.
pub fn of_estimate(error: EstimateError) -> PyErr {
    match error {
        EstimateError::Job(error) => of_job(error),
        EstimateError::TooShort(_) => undecided(format!("{error}: give more with within=")),
        _ => undecided(error),
    }
}
