//! The table of rates behind every forecast: how long one thread takes for a node of a search and
//! for a state of the frontier.
//!
//! A forecast multiplies a size by a rate. The sizes come from samples; the rates are those of this
//! table, which a machine replaces by its own once it has counted for some time. The choice of the
//! engine takes the usual rates on every machine, so that it does not depend on the machine.

/// The seconds of one thread for one of each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// A node of a search without a transposition table.
    pub node: f64,
    /// A state before the units, with packing and unpacking.
    pub before: f64,
}

/// The first words of a text with rates.
pub const TITLE: &str = "kt-enum rates 1";

/// The least seconds of a count: to start a process and its threads takes so long.
pub const LEAST: f64 = 0.003;

impl Default for Rates {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Rates {
    /// The rates of the machine of `results/figures.tsv`, an AMD EPYC with 2 cores. Before the
    /// units: 1.7 s of processor time for the 113 M states of 8x8 closed, 12 s for the 0.90 G of
    /// 10x8 closed, with both cores at work. A node is one of the searches of
    /// `results/estimate.tsv` that took more than a second.
    pub const USUAL: Self = Self { node: 1.7e-8, before: 1.5e-8 };

    /// The seconds for a state that is computed within the units, with joining, or joined as the
    /// sweeps leave it. It is a multiple of a state before them and not measured for itself: what a
    /// join takes differs by ten from board to board; 10x8 closed takes 3.9 s for the 116 M states
    /// that its sweeps leave.
    pub fn within(self) -> f64 {
        1.8 * self.before
    }

    /// The rates with their names.
    fn named(&mut self) -> [(&'static str, &mut f64); 2] {
        let Self { node, before } = self;
        [("node", node), ("state before the units", before)]
    }

    /// Reads what [`Rates::text`] has written. The usual rates stand for what is missing, and for
    /// numbers that no machine has.
    pub fn parse(text: &str) -> Self {
        let mut rates = Self::USUAL;
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return rates;
        }
        for line in lines {
            let Some((name, seconds)) = line.rsplit_once(' ') else { continue };
            let known = rates.named().into_iter().find(|(known, _)| *known == name);
            if let Some((_, rate)) = known
                && let Ok(seconds) = seconds.parse()
                && is_possible(seconds, *rate)
            {
                *rate = seconds;
            }
        }
        rates
    }

    /// A line for each rate.
    pub fn text(mut self) -> String {
        let line = |(name, seconds): (&str, &mut f64)| format!("{name} {seconds:e}\n");
        format!("{TITLE}\n{}", self.named().map(line).concat())
    }

    /// Moves the rates half of the way, on a logarithmic scale, to those of a run, of which some
    /// may be unknown. So one run beside other work does not spoil the forecasts.
    pub fn learn(&mut self, run: Measured) {
        for ((_, rate), measured) in self.named().into_iter().zip(run.seconds()) {
            if let Some(seconds) = measured.filter(|&seconds| is_possible(seconds, *rate)) {
                *rate = (*rate * seconds).sqrt();
            }
        }
    }
}

/// True if a rate may be that of a machine where another rate is known.
fn is_possible(seconds: f64, known: f64) -> bool {
    const FURTHEST: f64 = 300.0;
    (known / FURTHEST..=known * FURTHEST).contains(&seconds)
}

/// The work of a run and the seconds of processor time for it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measured {
    /// The expected nodes of a search, and their seconds.
    pub nodes: (f64, f64),
    /// The states before the units.
    pub before: (f64, f64),
}

impl Measured {
    /// Less than this says little of a rate.
    const LEAST_SECONDS: f64 = 1.0;

    /// The seconds for one of each, where there was enough of it.
    fn seconds(self) -> [Option<f64>; 2] {
        let rate = |(work, seconds): (f64, f64)| {
            (seconds >= Self::LEAST_SECONDS && work > 0.0).then(|| seconds / work)
        };
        [self.nodes, self.before].map(rate)
    }

    /// True if it tells a rate.
    pub fn tells(self) -> bool {
        self.seconds().iter().any(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_that_are_written_are_read_back_and_anything_else_is_the_usual_rate() {
        let rates = Rates { node: 4e-8, before: 1.25e-8 };
        assert_eq!(Rates::parse(&rates.text()), rates);
        for text in ["", "something else", "kt-enum rates 1\nnode 0\nnode x\nother 1e-8\n"] {
            assert_eq!(Rates::parse(text), Rates::USUAL);
        }
    }

    #[test]
    fn a_machine_comes_to_its_own_rates_in_a_few_runs_of_some_length() {
        let (mut rates, slow) = (Rates::USUAL, 3.0 * Rates::USUAL.before);
        let run =
            |seconds: f64| Measured { before: (seconds / slow, seconds), ..Measured::default() };
        rates.learn(run(0.5));
        assert_eq!(rates, Rates::USUAL);
        (0..4).for_each(|_| rates.learn(run(20.0)));
        assert!((0.9..=1.0).contains(&(rates.before / slow)), "{rates:?}");
        assert_eq!(rates.node, Rates::USUAL.node);
    }
}
