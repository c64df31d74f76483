//! Errors of the library as exceptions: what was given is wrong (`ValueError`), the system refused
//! something (`OSError`), memory is short (`MemoryError`), or a limit came first (`Undecided`).

use crate::prelude::*;
use pyo3::create_exception;

create_exception!(
    kt_enum,
    Undecided,
    PyException,
    "A limit on time or effort was reached before there was an answer."
);

create_exception!(
    kt_enum,
    Cancelled,
    Undecided,
    "The event that was given as `cancel` was set before there was an answer."
);

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

/// The exception for a job without a result, whose state is in what a keyword names.
pub fn of_kept(name: &str, error: impl Into<JobError>) -> PyErr {
    let error = error.into();
    let (raise, advice): (fn(String) -> PyErr, _) = match &error {
        JobError::Run(RunError::Stopped { saved: Some(path), .. }) => {
            let path = path.display();
            return undecided(format!(
                "{error}; the state is saved in {path}: the same call resumes"
            ));
        }
        JobError::Run(RunError::Stopped { .. }) => {
            (Undecided::new_err, "; nothing is saved, for there is no checkpoint")
        }
        JobError::Forecasting { .. } => (Undecided::new_err, ""),
        JobError::Run(RunError::Conflict { .. }) => {
            (wrong, ": name another checkpoint, or give this one up with fresh=True")
        }
        JobError::Run(RunError::Checkpoint(error)) if error.is_replaceable() => {
            (PyOSError::new_err, "; name another checkpoint, or start over with fresh=True")
        }
        JobError::Run(RunError::Checkpoint(_)) => (PyOSError::new_err, "; name another checkpoint"),
        JobError::Run(RunError::Memory(_) | RunError::Threads(_)) | JobError::NoRoom(_) => {
            (PyMemoryError::new_err, "")
        }
        JobError::Run(RunError::Layers(error)) if error.is_for_room() => {
            (PyMemoryError::new_err, ": give more memory=")
        }
        JobError::Run(_) => (PyOSError::new_err, ""),
        JobError::Memory { .. } | JobError::Memo { .. } => (wrong, ": give more memory="),
        _ => (wrong, ""),
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
