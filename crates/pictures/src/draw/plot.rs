//! Plots as SVG: lines and bars.
//!
//! Each is 420 units wide, so that its text can be read on a phone and beside another on a desk.
//! What is negative or not a number, or 0 on a logarithmic axis, is not drawn. Series differ by the
//! shape of their marks as well as by colour, and every mark says its value when it is pointed at.

use super::markup::{MADE_HERE, escaped};
use crate::quantity::{seconds, short};

/// The width of every plot.
pub(super) const WIDTH: f64 = 420.0;
/// The space that a letter of a tick label takes.
pub(super) const LETTER: f64 = 7.2;
const LINE: f64 = 18.0;
const SERIES: usize = 6;
/// Past what is counted or measured.
const MOST: f64 = 1e60;

/// The colours and letters of all plots, light and dark.
pub const STYLE: &str = "\
:root{color-scheme:light dark;--surface:#fff;--ink:#1b1f24;--soft:#57606a;--grid:#d8dee4;--mark:#174ea6;\
--s0:#1f5fbf;--s1:#b45309;--s2:#0f7b4f;--s3:#7c3fb8;--s4:#b42345;--s5:#0b7285}\
@media (prefers-color-scheme:dark){:root{--surface:#15171b;--ink:#e8edf2;--soft:#a3adb8;--grid:#343c46;--mark:#7db4ff;\
--s0:#7db4ff;--s1:#f0a35c;--s2:#55c995;--s3:#c7a0ff;--s4:#ff8fa0;--s5:#5cc8dc}}\
.plot text{fill:var(--soft);font:13px system-ui,sans-serif;font-variant-numeric:tabular-nums}\
.plot .name{fill:var(--ink);font-weight:600}\
.plot .grid{stroke:var(--grid);fill:none}\
.plot .cut{stroke:var(--soft);fill:none;stroke-dasharray:4 3}\
.plot .bar,.plot .heat{fill:var(--mark);shape-rendering:crispEdges}\
.plot .cell{fill:none;stroke:var(--grid)}\
.plot .edge{stroke:var(--mark);stroke-linecap:round}\
.plot .off{fill:var(--ink)}\
.plot .mid{fill:#14181d}.plot .on{fill:var(--surface)}\
.plot .line{fill:none;stroke-width:2;stroke-linejoin:round}\
.plot .ground{fill:var(--surface)}\
.plot .s0{stroke:var(--s0)}.plot .s1{stroke:var(--s1)}.plot .s2{stroke:var(--s2)}\
.plot .s3{stroke:var(--s3)}.plot .s4{stroke:var(--s4)}.plot .s5{stroke:var(--s5)}\
.plot .dot{stroke-width:1.5;fill:var(--surface)}";

/// A plot, ready to be put on a page or into a file of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    title: String,
    height: f64,
    body: String,
}

impl Plot {
    pub(super) fn new(title: &str, height: f64, body: String) -> Self {
        Self { title: title.to_owned(), height, body }
    }

    /// The plot as part of a page that has [`STYLE`].
    pub fn inline(&self) -> String {
        self.svg(0.0, "")
    }

    /// The plot as an SVG file, under its title.
    pub fn document(&self) -> String {
        const HEAD: f64 = 30.0;
        let head = format!(
            "{MADE_HERE}<style>{STYLE}</style><rect class=\"ground\" y=\"{:.0}\" width=\"{WIDTH}\" height=\"{:.0}\"/>{}",
            -HEAD,
            self.height + HEAD,
            label(WIDTH / 2.0, -9.0, "middle", "name", &self.title)
        );
        self.svg(HEAD, &head) + "\n"
    }

    fn svg(&self, above: f64, head: &str) -> String {
        let title = escaped(&self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" aria-label=\"{title}\" \
             viewBox=\"0 {:.0} {WIDTH} {:.0}\"><title>{title}</title>{head}{}</svg>",
            -above,
            self.height + above,
            self.body
        )
    }
}

/// The kind of the numbers on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Written as `12 k`.
    Count,
    /// Seconds, written as `12 ms`.
    Seconds,
    /// Whole numbers, written in full.
    Whole,
}

/// An axis.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    /// The quantity that it shows, with its unit.
    pub label: &'a str,
    /// The form in which its numbers are written.
    pub quantity: Quantity,
    /// True if the axis is logarithmic: equal steps are equal ratios.
    pub is_logarithmic: bool,
    /// True if a linear axis starts at 0.
    pub is_from_zero: bool,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The text of the legend, if there are several series.
    pub name: String,
    /// In the order in which they are joined.
    pub points: Vec<(f64, f64)>,
}

/// A plot of lines.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// The axis to the right.
    pub x: Axis<'a>,
    /// The axis upward.
    pub y: Axis<'a>,
    /// The lines.
    pub series: &'a [Series],
    /// Moments that are marked by an upright line, with what happened.
    pub cuts: &'a [(f64, String)],
}

impl Lines<'_> {
    /// The plot.
    pub fn plot(&self) -> Plot {
        let drawn = |&(x, y): &(f64, f64)| self.x.takes(x) && self.y.takes(y);
        let points = |series: &Series| -> Vec<(f64, f64)> {
            series.points.iter().copied().filter(drawn).collect()
        };
        let series: Vec<_> = self.series.iter().map(points).collect();
        let all = || series.iter().flatten();
        let xs = Range::of(self.x, all().map(|point| point.0), false);
        let ys = Range::of(self.y, all().map(|point| point.1), true);
        let (legend, above) = self.legend();
        let frame = PlotFrame::new(above, &ys);
        let mut body = frame.grid(&ys, self.x.label);
        for &tick in &xs.ticks {
            if let Some(share) = xs.share(tick) {
                body += &frame.tick(frame.x(share), &self.x.says(tick));
            }
        }
        for (at, what) in self.cuts.iter().filter(|(at, _)| self.x.takes(*at)) {
            if let Some(x) = xs.share(*at).filter(|share| (0.0..=1.0).contains(share)) {
                let (x, top, bottom) = (frame.x(x), frame.top, frame.bottom);
                body += &format!(
                    "<path class=\"cut\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"><title>{}</title></path>",
                    escaped(what)
                );
            }
        }
        for (place, points) in series.iter().enumerate() {
            let at = |&(x, y): &(f64, f64)| Some((frame.x(xs.share(x)?), frame.y(ys.share(y)?)));
            let line = points.iter().filter_map(at).map(|(x, y)| format!("{x:.1},{y:.1}"));
            let (series, line) = (place % SERIES, line.collect::<Vec<_>>().join(" "));
            body += &format!("<polyline class=\"line s{series}\" points=\"{line}\"/>");
            // Many marks hide the line that they are on.
            if points.len() <= 40 {
                for point in points {
                    if let Some(at) = at(point) {
                        let says = format!("{}, {}", self.x.says(point.0), self.y.says(point.1));
                        body += &dot(place, at, &says);
                    }
                }
            }
        }
        for (place, (series, (x, y))) in self.series.iter().zip(legend).enumerate() {
            body += &dot(place, (x + 6.0, y), &series.name);
            body += &label(x + 16.0, y + 4.0, "start", "off", &series.name);
        }
        frame.plot(self.title, body)
    }

    /// The place of each series in the legend, and its height. A single series has no legend.
    fn legend(&self) -> (Vec<(f64, f64)>, f64) {
        const MARGIN: f64 = 2.0;
        let (mut places, mut x, mut y) = (Vec::new(), MARGIN, 10.0);
        if self.series.len() < 2 {
            return (places, 0.0);
        }
        for series in self.series {
            let width = 30.0 + LETTER * series.name.chars().count() as f64;
            if x > MARGIN && x + width > WIDTH {
                (x, y) = (MARGIN, y + LINE);
            }
            places.push((x, y));
            x += width;
        }
        (places, y + 14.0)
    }
}

/// A bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The text that appears when the pointer rests on it.
    pub says: String,
    /// Its height.
    pub value: f64,
}

/// A plot of bars side by side.
#[derive(Debug, Clone, Copy)]
pub struct Bars<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// The quantity of the bars.
    pub x_label: &'a str,
    /// Labels below, at a number of bars from the left.
    pub x_ticks: &'a [(f64, String)],
    /// The axis upward.
    pub y: Axis<'a>,
    /// The bars.
    pub bars: &'a [Bar],
}

impl Bars<'_> {
    /// The plot.
    pub fn plot(&self) -> Plot {
        const GAP: f64 = 1.5;
        let values = self.bars.iter().map(|bar| bar.value);
        let ys = Range::of(self.y, values, true);
        let frame = PlotFrame::new(0.0, &ys);
        let mut body = frame.grid(&ys, self.x_label);
        let width = (frame.right - frame.left) / self.bars.len().max(1) as f64;
        for (place, bar) in self.bars.iter().enumerate() {
            let Some(share) = ys.share(bar.value) else {
                continue;
            };
            let (x, y) = (frame.left + width * place as f64, frame.y(share));
            body += &format!(
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
                x + GAP / 2.0,
                (width - GAP).max(0.5),
                frame.bottom - y,
                escaped(&bar.says)
            );
        }
        for (place, text) in self.x_ticks {
            body += &frame.tick(frame.left + width * place, text);
        }
        frame.plot(self.title, body)
    }
}

/// The place of the axes.
struct PlotFrame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl PlotFrame {
    /// Below a legend of this height.
    fn new(legend: f64, ys: &Range) -> Self {
        let longest = ys.ticks.iter().map(|&tick| ys.axis.says(tick).chars().count());
        let top = legend + 26.0;
        Self {
            left: 14.0 + LETTER * longest.max().unwrap_or(1) as f64,
            right: WIDTH - 22.0,
            top,
            bottom: top + 180.0,
        }
    }

    fn plot(&self, title: &str, body: String) -> Plot {
        Plot::new(title, self.bottom + 44.0, body)
    }

    fn x(&self, share: f64) -> f64 {
        self.left + (self.right - self.left) * share
    }

    fn y(&self, share: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * share
    }

    /// The lines and labels of the axis upward, and the label of the axis to the right.
    fn grid(&self, ys: &Range, x_label: &str) -> String {
        let Self { left, right, top, bottom } = *self;
        let mut drawn = label(2.0, top - 12.0, "start", "name", ys.axis.label);
        for &tick in &ys.ticks {
            if let Some(share) = ys.share(tick) {
                let at = self.y(share);
                drawn += &format!("<path class=\"grid\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>");
                drawn += &label(left - 6.0, at + 4.5, "end", "", &ys.axis.says(tick));
            }
        }
        drawn + &label((left + right) / 2.0, bottom + 37.0, "middle", "name", x_label)
    }

    fn tick(&self, x: f64, text: &str) -> String {
        label(x, self.bottom + 17.0, "middle", "", text)
    }
}

/// The numbers that an axis goes over.
struct Range<'a> {
    axis: Axis<'a>,
    low: f64,
    high: f64,
    ticks: Vec<f64>,
}

impl<'a> Range<'a> {
    /// Of an axis that goes upward there is a tick above all values, so that they have room.
    fn of(axis: Axis<'a>, values: impl Iterator<Item = f64>, is_upward: bool) -> Self {
        let values: Vec<f64> = values.filter(|&value| axis.takes(value)).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let least = values.iter().copied().fold(most, f64::min);
        if axis.is_logarithmic {
            Self::ratios(axis, least, most)
        } else {
            Self::steps(axis, if axis.is_from_zero { 0.0 } else { least }, most, is_upward)
        }
    }

    /// From one of 1, 2, 5, 10, 20 ... to another.
    fn ratios(axis: Axis<'a>, least: f64, most: f64) -> Self {
        const MOST_TICKS: usize = 8;
        const ROUNDING: f64 = 1e-9;
        let powers = least.log10().floor() as i32..=most.log10().ceil() as i32;
        let power = |power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power));
        let sizes: Vec<f64> = powers.clone().flat_map(power).collect();
        let is_below = |&size: &f64| size <= least * (1.0 + ROUNDING);
        let is_above = |&size: &f64| size >= most * (1.0 - ROUNDING);
        let low = sizes.iter().rposition(is_below).unwrap_or(0);
        let high = sizes.iter().position(is_above).unwrap_or(sizes.len() - 1);
        let sizes = &sizes[low..=high.max(low + 1)];
        let (low, high) = (sizes[0], sizes[sizes.len() - 1]);
        let mut ticks = sizes.to_vec();
        if sizes.len() > MOST_TICKS {
            let decades = powers.map(|power| 10f64.powi(power));
            let decades: Vec<f64> = decades.filter(|size| (low..=high).contains(size)).collect();
            let every = decades.len().div_ceil(MOST_TICKS).max(1);
            ticks = decades.into_iter().step_by(every).collect();
        }
        Self { axis, low, high, ticks }
    }

    fn steps(axis: Axis<'a>, low: f64, most: f64, is_upward: bool) -> Self {
        const MOST_TICKS: f64 = 5.0;
        let span = if most > low { most - low } else { 1.0 };
        let rough = span / MOST_TICKS;
        let decade = 10f64.powf(rough.log10().floor());
        let nice = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade);
        let mut step = nice.into_iter().find(|&step| step >= rough).unwrap_or(rough);
        if axis.quantity == Quantity::Whole {
            step = step.ceil().max(1.0);
        }
        let high = if is_upward { (most / step).ceil().max(1.0) * step } else { low + span };
        let first = (low / step).ceil();
        // None where no multiple of the step lies in between.
        let number = ((high / step + 1e-9).floor() - first + 1.0).clamp(0.0, 101.0) as u32;
        let ticks = (0..number).map(|tick| (first + f64::from(tick)) * step).collect();
        Self { axis, low, high, ticks }
    }

    /// The place of a value on the axis, from 0 to 1.
    fn share(&self, value: f64) -> Option<f64> {
        let share = if self.axis.is_logarithmic {
            (value / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.is_finite().then_some(share)
    }
}

impl<'a> Axis<'a> {
    /// A linear axis that starts at 0.
    pub fn from_zero(label: &'a str, quantity: Quantity) -> Self {
        Self { label, quantity, is_logarithmic: false, is_from_zero: true }
    }

    fn takes(self, value: f64) -> bool {
        let least = if self.is_logarithmic { 1.0 / MOST } else { 0.0 };
        (least..=MOST).contains(&value)
    }

    fn says(self, value: f64) -> String {
        match self.quantity {
            Quantity::Count => short(value),
            Quantity::Whole => format!("{value:.0}"),
            Quantity::Seconds => seconds(value),
        }
    }
}

pub(super) fn label(x: f64, y: f64, anchor: &str, class: &str, text: &str) -> String {
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{class}>{}</text>",
        escaped(text)
    )
}

/// A mark: a circle, a square, a triangle, a diamond, a triangle upside down or a cross.
fn dot(place: usize, (x, y): (f64, f64), says: &str) -> String {
    const SHAPES: [&str; SERIES] = [
        "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        "m-3.5 -3.5h7v7h-7z",
        "m0 -4.5l4.5 8h-9z",
        "m0 -5l5 5l-5 5l-5 -5z",
        "m0 4.5l4.5 -8h-9z",
        "m-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    ];
    let series = place % SERIES;
    let shape = SHAPES[series];
    format!(
        "<path class=\"dot s{series}\" d=\"M{x:.1} {y:.1}{shape}\"><title>{}</title></path>",
        escaped(says)
    )
}
