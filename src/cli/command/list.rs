//! `list`: every tour, streamed in order.

use crate::cli::args::{ListArgs, TourFormatArgument};
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use kt_enum::run::RunError;
use kt_enum::run::list::file::{self, Begun, ResumeError};
use kt_enum::run::list::{self, ListError, Settings};
use kt_enum::walk::Listing;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

pub fn run(args: &ListArgs) -> Result<(), Failure> {
    let mut listing = config::listing(&args.question, args.order)?;
    if args.classes {
        listing = listing.classes();
    }
    if args.resume && args.format == TourFormatArgument::Grid {
        return Err(Failure::saying(
            Exit::Usage,
            "--resume needs a line for each tour: say --format squares or json",
        ));
    }
    let after = args.after.as_deref().map(|line| {
        let refused = |why| format!("--after is not a tour of this list: {why}");
        let tour = file::listed(&listing, line);
        tour.map_err(|why| Failure::saying(Exit::Usage, refused(why)))
    });
    let mut settings = Settings {
        threads: Some(config::threads(args.threads)),
        limit: args.limit,
        after: after.transpose()?,
        format: args.format.into(),
    };
    let (name, mut out): (String, Box<dyn Write>) = match &args.output {
        None => ("standard output".to_owned(), Box::new(io::stdout().lock())),
        Some(path) => {
            let file = match args.resume {
                true => resume(path, &listing, &mut settings)?,
                false => File::create(path).map_err(|error| cannot_write(path, &error))?,
            };
            (path.display().to_string(), Box::new(file))
        }
    };
    match list::list(&listing, &settings, &mut out) {
        Ok(_) => Ok(()),
        // The reader has seen enough.
        Err(ListError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(ListError::Write(error)) => Err(Failure::saying(
            Exit::Failed,
            format!("cannot write the list to {name}: {error}"),
        )),
        Err(ListError::Threads(error)) => Err(RunError::from(error).into()),
    }
}

/// Opens the file of an earlier run; the settings then go on where it ends.
fn resume(path: &Path, listing: &Listing, settings: &mut Settings) -> Result<File, Failure> {
    let Begun { file, last } = file::resume(path, listing).map_err(|error| match error {
        ResumeError::Io(error) => cannot_write(path, &error),
        error => Failure::saying(
            Exit::Usage,
            format!(
                "{}: {error}; type the options it was begun with, or name another file",
                path.display()
            ),
        ),
    })?;
    settings.after = last;
    if let Some(limit) = &mut settings.limit {
        let lines = file::lines(path).map_err(|error| cannot_write(path, &error))?;
        *limit = limit.saturating_sub(lines);
    }
    Ok(file)
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write the list to {}: {error}", path.display());
    Failure::saying(Exit::Failed, message)
}
