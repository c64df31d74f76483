//! How many states a count will meet and what they take, from boards that were counted.
//!
//! What a sweep meets after so many squares hardly depends on how long the board is, so one board of each
//! width stands for all: `scripts/frontier-profile` counts them and prints the table below. Past its end
//! its last row is repeated. Off by a factor of 2 at worst on the boards of `results/counts.tsv`.

use super::half::balanced_cut;
use super::step::Stage;
use crate::question::Question;

/// States that the squares of a sweep take on, in the order of the squares; in three digits.
struct Profile {
    width: u32,
    is_closed: bool,
    states: &'static [u64],
}

#[rustfmt::skip]
const PROFILES: &[Profile] = &[
    // No tours, but for the smallest boards.
    Profile { width: 1, is_closed: true, states: &[1] },
    Profile { width: 1, is_closed: false, states: &[1] },
    Profile { width: 2, is_closed: true, states: &[1, 1] },
    Profile { width: 2, is_closed: false, states: &[1, 3] },
    // 3x24
    Profile { width: 3, is_closed: true, states: &[1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 5, 10, 12, 17, 27, 33, 44, 68, 48, 65, 99, 68, 79, 120, 69, 87, 132, 69, 81, 122, 69, 87, 132, 37, 59, 94] },
    // 4x20
    Profile { width: 4, is_closed: true, states: &[1, 1, 3, 7, 6, 8, 23, 62, 69, 80, 111, 142, 111, 129, 272, 423, 321, 312, 555, 732, 449, 374, 619, 743, 450, 374, 621, 745, 451, 375, 621, 745, 451, 375, 621, 745, 244, 231, 432, 807] },
    // 5x16
    Profile { width: 5, is_closed: true, states: &[1, 1, 3, 18, 34, 29, 36, 95, 95, 223, 268, 376, 640, 1_140, 1_730, 1_760, 2_380, 5_120, 11_400, 15_300, 11_300, 11_300, 17_900, 34_200, 41_400, 16_300, 16_400, 26_200, 36_800, 41_500, 17_100, 15_800, 24_800, 44_700, 52_800, 8_570, 8_850, 15_100, 25_700] },
    // 6x14
    Profile { width: 6, is_closed: true, states: &[1, 1, 3, 18, 90, 225, 218, 316, 759, 1_190, 1_980, 4_020, 4_760, 7_200, 13_200, 20_700, 35_000, 51_000, 47_800, 60_700, 128_000, 263_000, 490_000, 560_000, 303_000, 291_000, 504_000, 705_000, 1_100_000, 1_110_000, 477_000, 407_000, 656_000, 812_000, 1_220_000, 1_190_000, 249_000, 225_000, 381_000, 537_000, 756_000] },
    // 7x10
    Profile { width: 7, is_closed: true, states: &[1, 1, 3, 18, 90, 528, 1_300, 1_260, 1_780, 4_870, 10_500, 19_500, 39_900, 82_500, 94_800, 125_000, 212_000, 348_000, 521_000, 851_000, 1_150_000, 847_000, 1_050_000, 2_140_000, 4_470_000, 7_860_000, 12_400_000, 14_600_000, 3_410_000, 3_160_000, 5_210_000, 8_120_000, 12_700_000] },
    // 8x8
    Profile { width: 8, is_closed: true, states: &[1, 1, 3, 18, 90, 528, 3_150, 7_780, 7_530, 10_700, 28_700, 60_400, 132_000, 272_000, 538_000, 1_160_000, 1_300_000, 1_690_000, 2_900_000, 4_810_000, 7_640_000, 11_400_000, 17_900_000, 23_200_000, 8_890_000, 11_300_000, 23_100_000, 48_600_000, 98_900_000, 117_000_000] },
    // 3x20
    Profile { width: 3, is_closed: false, states: &[1, 3, 9, 15, 29, 43, 49, 73, 98, 91, 127, 212, 199, 260, 421, 306, 395, 614, 361, 469, 725, 395, 473, 727, 399, 501, 772, 210, 340, 550] },
    // 4x16
    Profile { width: 4, is_closed: false, states: &[1, 3, 18, 66, 120, 186, 560, 1_460, 1_550, 1_610, 2_590, 3_460, 2_420, 2_480, 5_060, 7_730, 5_020, 4_330, 7_860, 10_200, 5_740, 4_670, 8_280, 10_400, 5_800, 4_720, 8_370, 10_500, 2_980, 2_760, 5_690, 11_800] },
    // 5x14
    Profile { width: 5, is_closed: false, states: &[1, 3, 18, 132, 518, 714, 1_100, 2_980, 5_360, 11_100, 11_200, 13_500, 21_600, 37_600, 49_700, 35_700, 45_800, 87_800, 163_000, 217_000, 123_000, 121_000, 193_000, 346_000, 432_000, 139_000, 140_000, 225_000, 316_000, 390_000, 73_000, 72_500, 125_000, 217_000] },
    // 6x10
    Profile { width: 6, is_closed: false, states: &[1, 3, 18, 132, 1_010, 3_390, 5_450, 8_640, 24_300, 50_500, 98_400, 190_000, 190_000, 247_000, 430_000, 630_000, 1_020_000, 1_320_000, 952_000, 1_110_000, 2_180_000, 3_770_000, 6_740_000, 7_450_000, 1_790_000, 1_750_000, 3_070_000, 4_630_000, 6_990_000] },
    // 7x8
    Profile { width: 7, is_closed: false, states: &[1, 3, 18, 132, 1_010, 6_980, 25_600, 35_200, 57_900, 171_000, 414_000, 824_000, 1_690_000, 3_350_000, 3_470_000, 4_170_000, 6_930_000, 10_800_000, 15_100_000, 23_700_000, 29_900_000, 8_690_000, 10_600_000, 20_700_000, 36_900_000, 65_500_000] },
    // 8x8; the last as the halves have it between them
    Profile { width: 8, is_closed: false, states: &[1, 3, 18, 132, 1_010, 6_980, 50_800, 167_000, 248_000, 388_000, 1_150_000, 2_900_000, 6_670_000, 13_700_000, 28_400_000, 58_400_000, 57_800_000, 69_600_000, 117_000_000, 179_000_000, 272_000_000, 375_000_000, 574_000_000, 695_000_000, 219_000_000, 261_000_000, 517_000_000, 954_000_000, 1_790_000_000, 2_650_000_000] },
];

/// Bytes of a packed state (3.3 on 6x10), of one in a table with its empty slots, and what is in flight on top.
const PACKED: f64 = 4.0;
const IN_A_TABLE: f64 = 20.0;
const IN_FLIGHT: f64 = 1.25;

/// The bottom half has so many times the states of the top one at a balanced cut: 0.5 to 2.7 on the boards
/// of the table, 0.6 on 8x8.
const BOTTOM_OF_TOP: f64 = 1.2;

/// What share of the states a fixed end leaves: 0.12 to 0.3 on 5x8, 6x6 and 6x7.
const OF_A_FIXED_END: f64 = 0.25;

/// What a count will meet, as a guess.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    states: &'static [u64],
    width: usize,
    squares: usize,
    cut: usize,
    share: f64,
}

impl Expected {
    /// `None` for a board of a width that was not measured.
    pub fn new(question: &Question) -> Option<Self> {
        let board = question.board;
        let width = board.rows().min(board.cols());
        let is_ours = |profile: &&Profile| {
            profile.width == width && profile.is_closed == question.is_closed()
        };
        let fixed = [question.from(), question.to()]
            .into_iter()
            .flatten()
            .count() as i32;
        PROFILES.iter().find(is_ours).map(|profile| Self {
            states: profile.states,
            width: width as usize,
            squares: board.squares(),
            cut: balanced_cut(question),
            share: OF_A_FIXED_END.powi(fixed),
        })
    }

    /// States that the first squares of a sweep leave.
    pub fn after(&self, squares: usize) -> f64 {
        let last = self.states.len();
        let index = match squares {
            within if within < last => within,
            past => last - self.width + (past - last) % self.width,
        };
        self.states[index] as f64 * self.share
    }

    /// States of the top half.
    pub fn top(&self) -> f64 {
        self.after(self.cut)
    }

    /// States of the bottom half.
    pub fn bottom(&self) -> f64 {
        self.top() * BOTTOM_OF_TOP
    }

    /// States that a stage takes on, if it closes a square.
    pub fn of_stage(&self, stage: &Stage) -> Option<f64> {
        stage.closes().map(|square| self.after(square))
    }

    /// Bytes of memory that will do when nothing goes to disk.
    pub fn bytes(&self) -> f64 {
        let (before, top, bottom) = (self.after(self.cut - 1), self.top(), self.bottom());
        let in_halves = before * PACKED + top * IN_A_TABLE + bottom * PACKED;
        let at_once = in_halves.max(bottom * IN_A_TABLE);
        IN_FLIGHT * at_once.max((self.squares * self.width) as f64)
    }
}
