//! The words of the page about a run.

use super::Report;
use crate::quantity::{counted, grouped};
use crate::run::checkpoint::Header;
use crate::starts::{Meaning, Starts};
use crate::units::Shard;
use crate::words::{at_split, before_units, counts, duration, liveness, moment, units_done};
use std::time::Duration;

impl Report<'_> {
    /// The large number at the top, the quantity that it counts, and the text below it.
    pub(super) fn words(&self) -> ([String; 2], Vec<String>) {
        let (question, directed) = (self.question(), self.units().directed());
        if let Some((header, holder)) = self.found.saved.as_ref().filter(|_| !self.is_finished()) {
            return unfinished(header, holder.as_ref());
        }
        let sentences = match self.units().shard {
            Shard::WHOLE => counts(question, &directed, self.units().undirected(), None),
            shard => {
                let directed = counted(&directed, "directed tour");
                vec![format!("{directed} in shard {shard} of the {question}")]
            }
        };
        let mut sentences = sentences.into_iter();
        let first = sentences.next().unwrap_or_default();
        let (number, counts) = first.split_once(' ').unwrap_or((&first, ""));
        ([number, counts].map(str::to_owned), sentences.collect())
    }

    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let identity = &self.units().identity;
        let of_shard = match self.units().shard {
            Shard::WHOLE => String::new(),
            shard => {
                format!(", {} of them in shard {shard}", grouped(self.units().counts.len()))
            }
        };
        let (units, split) = (grouped(identity.units), at_split(identity.split));
        let fingerprint = if self.is_finished() {
            self.units().fingerprint()
        } else {
            "none before the last is done".to_owned()
        };
        let mut facts = vec![
            ("question", self.question().to_string()),
            ("engine", identity.engine.to_string()),
            ("units", format!("{units}{of_shard}, {split}")),
            ("fingerprint", fingerprint),
        ];
        let newest = self.found.kept.history.as_ref().and_then(|history| history.samples.last());
        let spent = match &self.found.saved {
            Some(saved) => Some(saved.0.spent.time),
            None => newest.map(|sample| Duration::from_millis(sample.spent_ms)),
        };
        facts.extend(spent.map(|spent| ("time spent", duration(spent))));
        facts.extend(
            self.found.kept.provenance.as_ref().map(|origin| ("counted by", origin.to_string())),
        );
        facts.push(("file", self.path.display().to_string()));
        let owned = facts.into_iter().map(|(name, value)| (name.to_owned(), value));
        owned.collect()
    }

    /// The heading and text of the map of a board.
    pub(super) fn about_map(&self, starts: Option<&Starts>) -> (String, String) {
        let (question, by_start) = (self.question(), self.by_start);
        let end = question.from().or(question.to());
        let end = end.map_or(String::new(), |end| question.board.name(end));
        let so_far = if self.is_finished() { "" } else { " so far" };
        match starts.map(|starts| starts.meaning) {
            None if question.is_closed() => (
                "By start square".to_owned(),
                "A closed tour has no start, so there is no map.".to_owned(),
            ),
            None if self.is_table() => (
                "By start square".to_owned(),
                "The units are of boards of several sizes, so there is no map.".to_owned(),
            ),
            None if question.is_whole() => (
                "By start square".to_owned(),
                format!(
                    "The units are slices of states, which do not tell where tours start; of a \
                     finished count, {by_start} makes a map."
                ),
            ),
            None => (
                "By first move".to_owned(),
                format!(
                    "All tours have their end {end}, and the units are not cut by the next square."
                ),
            ),
            Some(Meaning::Start) => (
                "Tours by start square".to_owned(),
                "Directed tours by their start, counted again for each start. They add up to the \
                 total of the run, which checks it."
                    .to_owned(),
            ),
            Some(Meaning::EarlierEnd) => (
                format!("Tours by one of their ends{so_far}"),
                format!(
                    "A tour and its reverse are counted together, from the end that comes first (a1, \
                     b1 ..., symmetric squares as one), and stand there. So this is where the units \
                     begin and no table of starts; of a finished count, {by_start} makes one."
                ),
            ),
            Some(Meaning::FirstMove) => (
                format!("Tours by their first move{so_far}"),
                format!("Directed tours from {end} by the square that they go to first."),
            ),
            Some(Meaning::LastMove) => (
                format!("Tours by their last move{so_far}"),
                format!("Directed tours to {end} by the square that they come from last."),
            ),
        }
    }
}

/// The words of a run that is not finished.
fn unfinished(header: &Header, holder: Option<&String>) -> ([String; 2], Vec<String>) {
    let of_shard = match header.shard {
        Shard::WHOLE => String::new(),
        shard => format!("shard {shard} of "),
    };
    let question = &header.identity.question;
    let state = liveness(holder);
    let saved = format!("saved {}; {state}", moment(header.saved));
    if let Some(building) = header.status.building.as_ref().filter(|_| header.done == 0) {
        let headline = ["No tours yet".to_owned(), format!("of {of_shard}the {question}")];
        let how_far = format!("The run is {}.", before_units(building, 0));
        return (headline, vec![how_far, saved]);
    }
    let headline = [
        header.status.found.grouped(),
        format!("directed tours so far, of {of_shard}the {question}"),
    ];
    let units = header.units();
    (headline, vec![units_done(header, units, None), saved])
}
