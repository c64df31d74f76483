//! Every decoder of external bytes, given random input: it accepts or refuses the input, but never
//! panics, hangs or allocates without limit.
//!
//! The input is random with a seed, so that a failure can be repeated: `KT_FUZZ_SEED=7
//! KT_FUZZ_ROUNDS=100000 cargo test --profile fast --test faults fuzz::`. Input that fails is
//! printed in hexadecimal. `scripts/fuzz` runs these tests for any time. Half of the rounds correct
//! the checksum after the damage, so that the code behind the checksum is reached: the checksum
//! protects against accidents, not against intent.

use crate::merge;
use bincode::Options as _;
use fastrand::Rng;
use kt_enum::board::{Board, GraphFile, Layout, Network, drawings};
use kt_enum::question::Question;
use kt_enum::solve::{Clue, Puzzle};
use kt_enum::tally::Tally;
use kt_enum::tour::{KnownBoard, PartFilled, PartFilledReader, TourFormat, TourReader, TourWriter};
use kt_enum::units::{Shard, Units};
use kt_enum_engines::walk::{MemoSize, Options, Walk};
use kt_enum_engines::work::Work;
use kt_enum_runs::run::checkpoint::{Header, Spent, Store, UnitState, peek, read};
use kt_enum_runs::run::{self, Building, RunError, Saving, Settings, Silent, Status};
use kt_enum_runs::units::history::{History, Sample, Session};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A piece in its stored form: its path and the length of the fixed part.
type RawPiece = (Vec<u16>, u16);

/// The version of the format of checkpoints.
const VERSION: u32 = 10;

/// The time after which a round counts as hanging; even a slow machine needs less. It is noticed
/// before twice this time.
const HANGS_AFTER: Duration = Duration::from_secs(120);

/// The number of rounds between two checks of the memory of the process; a check costs more than
/// many rounds.
const ROUNDS_A_LOOK: u64 = 64;

/// A duration longer than any run has spent.
const LONG_AGO: Duration = Duration::from_secs(u64::MAX / 2);

fn from_environment(name: &str, otherwise: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.map_or(otherwise, |text| text.parse().unwrap())
}

/// Runs rounds, and prints the bytes of the first that panics, hangs or uses too much memory.
fn fuzz(rounds: u64, round: impl Fn(&mut Rng, &mut Vec<u8>)) {
    let seed = from_environment("KT_FUZZ_SEED", 1);
    let rounds = from_environment("KT_FUZZ_ROUNDS", rounds);
    let begun = watch(seed);
    for number in 0..rounds {
        let mut random = Rng::with_seed(seed.wrapping_mul(1 << 32).wrapping_add(number));
        let mut bytes = Vec::new();
        begun.store(number, Ordering::Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| round(&mut random, &mut bytes)));
        let where_ = || format!("seed {seed}, round {number}, bytes {}", hex(&bytes));
        assert!(outcome.is_ok(), "panic: {}", where_());
        let is_looked_at = number % ROUNDS_A_LOOK == ROUNDS_A_LOOK - 1 || number + 1 == rounds;
        assert!(
            !is_looked_at || !has_swollen(),
            "too much memory in one of the {ROUNDS_A_LOOK} rounds up to {}",
            where_()
        );
    }
}

/// Ends the process if a round takes too long. A round stores its start in the returned value, and
/// watching ends once that value is dropped.
fn watch(seed: u64) -> Arc<AtomicU64> {
    let begun = Arc::new(AtomicU64::new(u64::MAX));
    let watched = Arc::downgrade(&begun);
    std::thread::spawn(move || {
        let mut before = None;
        while let Some(number) = watched.upgrade().map(|begun| begun.load(Ordering::Relaxed)) {
            if before == Some(number) {
                let line = format!("a decoder hangs: seed {seed}, round {number}\n");
                let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
                std::process::abort();
            }
            before = Some(number);
            std::thread::sleep(HANGS_AFTER);
        }
    });
    begun
}

/// Returns true if the process has allocated more than 4 GiB, on systems that show it.
fn has_swollen() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
    let kibibytes = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kibibytes.is_some_and(|kibibytes| kibibytes > 4 << 20)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a folder in memory if there is one, because thousands of files are flushed.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Damages bytes several times, in ways that are known to cause errors in decoders.
fn mutate(random: &mut Rng, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    /// Bytes that mark longer numbers in bincode, ends of ranges, and bytes that separate fields of
    /// text.
    const TELLING: [u8; 15] = *b"\x00\x01\x7f\x80\xfa\xfb\xfc\xfd\xfe\xff\n\t\"/#";
    const HUGE: [&str; 8] = [
        "4294967295",
        "4294967296",
        "18446744073709551615",
        "18446744073709551616",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "-1",
        "00000000000000000000000000000000000000000000000000000000001",
    ];
    for _ in 0..random.usize(1..=4) {
        let at = random.usize(0..=bytes.len());
        let end = (at + random.usize(0..=16)).min(bytes.len());
        match random.u8(0..10) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.u8(0..8),
            1 if at < bytes.len() => bytes[at] = TELLING[random.usize(0..TELLING.len())],
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..end)),
            4 => bytes.insert(at, TELLING[random.usize(0..TELLING.len())]),
            5 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            6 => {
                // A bincode number with all its bytes.
                let number = [u64::MAX, 1 << 63, 1 << 40, 1 << 31, 65_536, 0][random.usize(0..6)];
                let written = [&[253][..], &number.to_le_bytes()].concat();
                let end = (at + random.usize(0..=1)).min(bytes.len());
                bytes.splice(at..end, written);
            }
            7 => {
                // A decimal digit in text.
                let digits = |&at: &usize| bytes[at].is_ascii_digit();
                let places: Vec<usize> = (0..bytes.len()).filter(digits).collect();
                if let Some(&at) = random.choice(&places) {
                    let after = bytes[at..].iter().position(|byte| !byte.is_ascii_digit());
                    let end = after.map_or(bytes.len(), |after| at + after);
                    bytes.splice(at..end, HUGE[random.usize(0..HUGE.len())].bytes());
                }
            }
            8 => {
                if let Some(other) = random.choice(others) {
                    let from = random.usize(0..=other.len());
                    bytes.truncate(at);
                    bytes.extend(&other[from..]);
                }
            }
            _ => bytes.extend((0..random.usize(0..16)).map(|_| random.u8(..))),
        }
    }
}

// Checkpoints

/// Returns a question each count of which takes only milliseconds.
fn small(random: &mut Rng) -> Walk {
    let board = Board::new(5, 5).unwrap();
    let question = match random.u8(0..3) {
        0 => Question::open(board),
        1 => Question::open_between(board.clone(), board.parse_square("a1").ok(), None),
        _ => Question::closed(Board::new(5, 6).unwrap()),
    };
    let options = Options { split_depth: Some(random.u32(0..3)), memo: MemoSize::Off };
    Walk::new(question, &options).unwrap()
}

/// Returns the content of a possible checkpoint of this work: some units are done, some partly
/// done, some not started.
fn sound(random: &mut Rng, work: &Walk) -> (Header, Vec<UnitState>) {
    let units: Vec<UnitState> = (0..work.units())
        .map(|unit| match random.u8(0..3) {
            0 => UnitState::Untouched,
            1 => UnitState::Done(random.u128(0..1 << 40).into()),
            _ => UnitState::Begun {
                found: random.u128(0..1 << 40).into(),
                pieces: vec![work.begin(unit)],
            },
        })
        .collect();
    let header = Header {
        identity: work.identity(),
        shard: Shard::WHOLE,
        done: 1,
        begun: 1,
        status: Status {
            share: Some(random.f64()),
            left: random.bool().then(|| Duration::from_millis(random.u64(0..1 << 40))),
            building: any_building(random),
            found: Tally::from(7_u32),
        },
        spent: Spent {
            time: Duration::from_secs(random.u64(0..1 << 20)),
            before: Duration::from_secs(random.u64(0..1 << 20)),
            nodes: random.u64(..),
        },
        saved: SystemTime::UNIX_EPOCH + Duration::from_nanos(random.u64(0..1 << 61)),
        history: any_history(random),
    };
    (header, units)
}

fn any_building(random: &mut Rng) -> Option<Building> {
    random.bool().then(|| Building {
        round: random.usize(..),
        rounds: random.usize(..),
        slices: random.usize(..),
        slices_of: random.usize(..),
        states: random.u64(..),
        bytes: random.u64(..),
        most_states: random.u64(..),
    })
}

fn any_history(random: &mut Rng) -> History {
    let mut history = History::default();
    for _ in 0..random.u8(0..4) {
        let spent = Duration::from_millis(random.u64(..));
        let at = Sample::new(spent, Some(random.f64()), random.u128(..).into());
        history.begin(Session::beginning(random.usize(..), 1, at));
    }
    history
}

fn encode<T: serde::Serialize + ?Sized>(value: &T) -> Vec<u8> {
    bincode::DefaultOptions::new().serialize(value).unwrap()
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let options = bincode::DefaultOptions::new().with_limit(1 << 20);
    options.deserialize(bytes).ok()
}

/// Returns a checkpoint with these parts, with correct lengths and checksum.
fn sealed(version: u32, header: &[u8], units: &[u8]) -> Vec<u8> {
    let mut bytes = b"KT-ENUM\n".to_vec();
    bytes.extend(version.to_le_bytes());
    for part in [header, units] {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

/// Reads a checkpoint in every possible way: as `status` does, and as a run that resumes from it.
fn read_checkpoint(path: &Path, bytes: &[u8], work: &Walk) -> Result<Tally, RunError> {
    fs::write(path, bytes).unwrap();
    if let Ok(Some(header)) = peek(path) {
        let _ = (header.identity.question.to_string(), format!("{header:?}"));
        assert!(header.history.rates().iter().all(|(at, rate)| at.is_finite() && *rate >= 0.0));
    }
    if let Ok(Some((header, units))) = read(path) {
        assert_eq!(units.len() as u64, header.identity.units);
    }
    // The run is saved at every tick and at the end.
    let saving = Saving { interval: Duration::ZERO, ..Store::hold(path).unwrap().into() };
    let settings = Settings { saving, ..Settings::on_threads(1) };
    let counted = run::count(work, settings, &mut Silent);
    let is_refused = matches!(counted, Err(RunError::Checkpoint(_) | RunError::Conflict { .. }));
    if is_refused {
        assert_eq!(fs::read(path).unwrap(), bytes, "it was refused and changed");
    }
    Ok(counted?.units.directed())
}

#[test]
fn a_sound_checkpoint_of_these_tests_is_read_so_that_the_others_are_refused_for_their_content() {
    let folder = folder();
    let path = folder.path().join("run.kt");
    fuzz(20, |random, bytes| {
        let work = small(random);
        let (header, units) = sound(random, &work);
        *bytes = sealed(VERSION, &encode(&header), &encode(&units));
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(read(&path), Ok(Some(_))));
    });
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = folder();
    let path = folder.path().join("run.kt");
    fuzz(2_000, |random, bytes| {
        let work = small(random);
        let others = [(); 3].map(|()| {
            let (header, units) = sound(random, &work);
            sealed(VERSION, &encode(&header), &encode(&units))
        });
        bytes.clone_from(random.choice(&others).unwrap());
        mutate(random, bytes, &others);
        if !others.contains(bytes) {
            assert!(read_checkpoint(&path, bytes, &work).is_err());
        }
    });
}

#[test]
fn a_checkpoint_of_any_content_under_a_sound_checksum_is_refused_or_resumed() {
    let folder = folder();
    let path = folder.path().join("run.kt");
    fuzz(3_000, |random, bytes| {
        let work = small(random);
        let (header, units) = sound(random, &work);
        let (mut header, mut units) = (encode(&header), encode(&units));
        let others = [header.clone(), units.clone()];
        // Behind a valid header, more of the decoder is reached.
        match random.u8(0..8) {
            0 => mutate(random, &mut header, &others),
            // The first bytes are the sides of the board.
            2 | 3 => header[random.usize(0..2)] = random.u8(0..9),
            1 => {
                mutate(random, &mut header, &others);
                mutate(random, &mut units, &others);
            }
            _ => mutate(random, &mut units, &others),
        }
        let version = *random.choice(&[1, 3, VERSION, VERSION, VERSION]).unwrap();
        *bytes = sealed(version, &header, &units);
        let _ = read_checkpoint(&path, bytes, &work);
    });
}

#[test]
fn a_checkpoint_of_made_up_values_under_a_sound_checksum_is_refused_or_resumed() {
    let folder = folder();
    let path = folder.path().join("run.kt");
    fuzz(3_000, |random, bytes| {
        let work = small(random);
        let (mut header, mut units) = sound(random, &work);
        if random.u8(0..4) == 0 {
            let numbers = [0, 1, u64::MAX / 2, u64::MAX];
            header.done = *random.choice(&numbers).unwrap();
            header.begun = *random.choice(&numbers).unwrap();
            header.status.share =
                *random.choice(&[None, Some(f64::NAN), Some(-1.0), Some(1e308)]).unwrap();
            header.status.found = Tally::from(u128::MAX) * u128::MAX;
            header.spent.time = *random.choice(&[Duration::ZERO, LONG_AGO, Duration::MAX]).unwrap();
            header.saved = SystemTime::UNIX_EPOCH;
        }
        for unit in &mut units {
            if random.bool() {
                make_up(random, unit);
            }
        }
        *bytes = sealed(VERSION, &encode(&header), &encode(&units));
        let _ = read_checkpoint(&path, bytes, &work);
    });
}

#[test]
fn a_checkpoint_that_claims_to_have_spent_all_time_is_refused_or_resumed() {
    let folder = folder();
    fuzz(1, |random, bytes| {
        let work = small(random);
        let (mut header, units) = sound(random, &work);
        header.spent.time = Duration::MAX;
        *bytes = sealed(VERSION, &encode(&header), &encode(&units));
        let _ = read_checkpoint(&folder.path().join("run.kt"), bytes, &work);
    });
}

#[test]
fn a_checkpoint_of_a_board_without_columns_is_refused() {
    let folder = folder();
    fuzz(1, |random, bytes| {
        let board = Board::new(5, 5).unwrap();
        let question = Question::open_between(board.clone(), board.parse_square("a1").ok(), None);
        let work = Walk::new(question, &Options::default()).unwrap();
        let (header, units) = sound(random, &work);
        let mut header = encode(&header);
        header[1] = 0;
        *bytes = sealed(VERSION, &header, &encode(&units));
        assert!(read_checkpoint(&folder.path().join("run.kt"), bytes, &work).is_err());
    });
}

/// Changes the state of a unit slightly or completely.
fn make_up(random: &mut Rng, unit: &mut UnitState) {
    let squares = 25;
    match unit {
        UnitState::Untouched => {}
        UnitState::Done(count) => *count = Tally::from(random.u128(..)) * random.u128(..),
        UnitState::Begun { found, pieces } => {
            if random.u8(0..8) == 0 {
                *found = u128::MAX.into();
            }
            let again = pieces[0].clone();
            pieces.resize(random.usize(0..4), again);
            for piece in pieces {
                let (mut path, mut floor): RawPiece = decode(&encode(piece)).unwrap();
                let board = Board::new(5, 5).unwrap();
                for _ in 0..random.usize(0..squares) {
                    let last = usize::from(*path.last().unwrap_or(&0));
                    let here = kt_enum::board::Square::from_index(last);
                    let free = board.moves(here).map(|to| to.index() as u16);
                    let free: Vec<u16> = free.filter(|to| !path.contains(to)).collect();
                    path.extend(random.choice(&free));
                }
                match random.u8(0..8) {
                    0 => path.push(random.u16(0..squares as u16)),
                    1 => path.push(random.u16(..)),
                    2 => path.clear(),
                    _ => {}
                }
                floor = match random.u8(0..3) {
                    0 => random.u16(..),
                    1 => random.u16(0..=path.len() as u16),
                    _ => floor,
                };
                *piece = decode(&encode(&(path, floor))).unwrap();
            }
        }
    }
}

// Parts and files of units

/// Returns the stored parts of a small count, and the work of its question.
fn parts(folder: &Path) -> (Walk, Vec<Vec<u8>>) {
    let options = Options { split_depth: Some(1), memo: MemoSize::Off };
    let question = Question::open(Board::new(5, 5).unwrap());
    let work = Walk::new(question, &options).unwrap();
    let part = |index| {
        let settings = Settings { shard: Shard::new(index, 3).unwrap(), ..Settings::on_threads(1) };
        let counted = run::count(&work, settings, &mut Silent).unwrap();
        let path = folder.join(format!("part-{index}-of-3"));
        counted.units.write(&path).unwrap();
        fs::read(path).unwrap()
    };
    let parts = (0..3).map(part).collect();
    (work, parts)
}

const CHECKSUM_LINE: &str = "# sha256 ";

/// Returns the file with its last line corrected to the checksum of the lines before.
fn mended(bytes: &[u8]) -> Vec<u8> {
    let mark = CHECKSUM_LINE.as_bytes();
    let last = bytes.windows(mark.len()).rposition(|window| window == mark);
    let body = &bytes[..last.unwrap_or(bytes.len())];
    let checksum = hex(&Sha256::digest(body));
    [body, mark, checksum.as_bytes(), b"\n"].concat()
}

#[test]
fn a_damaged_part_is_refused() {
    let folder = folder();
    let (_, samples) = parts(folder.path());
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        if !samples.contains(bytes) {
            assert!(Units::decode(bytes).is_err());
        }
    });
}

#[test]
fn a_part_of_any_content_under_a_sound_checksum_is_refused_or_read_for_what_it_says() {
    let folder = folder();
    let (work, samples) = parts(folder.path());
    let path = folder.path().join("forged");
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        *bytes = mended(bytes);
        let Ok(units) = Units::decode(bytes) else {
            return;
        };
        let _ = (units.directed(), units.undirected(), units.fingerprint());
        let _ = units.check_against(&work);
        units.write(&path).unwrap();
        let written = fs::read(&path).unwrap();
        assert_eq!(Units::decode(&written), Ok(units));
    });
}

#[test]
fn parts_of_any_content_under_sound_checksums_are_put_together_or_refused() {
    let folder = folder();
    let (work, samples) = parts(folder.path());
    let paths: Vec<PathBuf> =
        (0..3).map(|index| folder.path().join(format!("part-{index}-of-3"))).collect();
    let whole = merge(&paths).unwrap();
    fuzz(3_000, |random, bytes| {
        let place = random.usize(0..paths.len());
        bytes.clone_from(&samples[place]);
        mutate(random, bytes, &samples);
        *bytes = mended(bytes);
        fs::write(&paths[place], &bytes).unwrap();
        if let Ok(units) = merge(&paths) {
            let _ = units.check_against(&work);
            assert_eq!(units.counts.len(), whole.counts.len());
        }
        let _ = merge(&paths[place..=place]);
        fs::write(&paths[place], &samples[place]).unwrap();
    });
}

// Typed text

#[test]
fn a_text_is_not_a_square_or_is_the_square_whose_name_reads_back() {
    let samples = ["a1", "z9", "aa10", "0,0", "1,2", "zzzzz999999999", "A1"];
    let samples = samples.map(|text| text.as_bytes().to_vec());
    let boards = [(1, 1), (5, 6), (30, 30), (1, 10_000), (10_000, 10_000)];
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        let &(rows, cols) = random.choice(&boards).unwrap();
        let board = Board::new(rows, cols).unwrap();
        match board.parse_square(&String::from_utf8_lossy(bytes)) {
            Ok(square) => assert_eq!(board.parse_square(&board.name(square)), Ok(square)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}

#[test]
fn a_text_is_not_a_shard_or_is_the_shard_that_is_written_so() {
    let samples = ["0/1", "3/8", "999/1000", "4294967294/4294967295"];
    let samples = samples.map(|text| text.as_bytes().to_vec());
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        let text = String::from_utf8_lossy(bytes);
        match text.parse::<Shard>() {
            Ok(shard) => {
                assert_eq!(shard.to_string().parse(), Ok(shard));
                assert!(shard.index() < shard.of());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}

// Files and texts of boards

#[test]
fn a_text_is_refused_as_a_drawing_or_the_drawings_are_boards_whose_description_reads_back() {
    let samples = [".\n", "...\n.#.\n...\n", ". . #\r\n# . .\r\n\r\n..\n..\n", "#.#\n\n\n..#"];
    let samples = samples.map(|text| text.as_bytes().to_vec());
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        match drawings(bytes, *b".#") {
            Ok(layouts) => {
                for layout in layouts {
                    assert_eq!(layout.board().unwrap().squares() as u64, squares(&layout));
                    assert_eq!(layout.to_string().parse(), Ok(layout));
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}

/// Returns the number of squares of a drawing.
fn squares(layout: &Layout) -> u64 {
    u64::from(layout.rows) * u64::from(layout.cols) - layout.without.len() as u64
}

/// Forms of tours and of boards with some steps given, of 3x4.
const FORMS: [&str; 15] = [
    "3 6 9 12\n8 11 2 5\n1 4 7 10\n",
    "3 . . 12\n# 11 _ ?\n1 -1 7 00\n\n",
    "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3\n",
    "1. Na1 2. Nc2 3. Na3 4. Nb1 5. Nd2 6. Nb3 7. Nc1 8. Na2 9. Nc3 10. Nd1 11. Nb2 12. Nd3\n",
    "[[3,6,9,12],[8,11,2,5],[1,4,7,10]]\n",
    "{\"board\": [[3,0,0,12],[8,0,2,5],[0,0,7,10]]}\n",
    "{\"tour\":[\"a1\",\"c2\",\"a3\",\"b1\",\"d2\",\"b3\",\"c1\",\"a2\",\"c3\",\"d1\",\"b2\",\"d3\"]}\n",
    "3| 3 6 9 12 |\n2| 8 11 2 5 |\n1| 1 4 7 10 |\n   a b c d\n",
    "+---+---+\n| 1 | . |\n+---+---+\n| . | 4 |\n+---+---+\n",
    "1=a1 18=e7 4: (2, 3)\n",
    "{1: \"a1\", 7: \"c1\"}\n",
    "(0, 0)\n(1, 2)\n(2, 0)\n",
    "[0, 0], [1, 2], [2, 0]\n",
    "Tour 1:\n# a title\n 3; 6; 9; 12 / 8; 11; 2; 5 / 1; 4; 7; 10\n",
    "N1\ta1\t2\tc2\n",
];

#[test]
fn a_text_is_refused_as_a_tour_or_the_tour_is_written_and_read_back() {
    let samples = FORMS.map(|text| text.as_bytes().to_vec());
    let boards = [None, Some(Board::new(3, 4).unwrap())];
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        let text = String::from_utf8_lossy(bytes);
        let reader = TourReader::new(random.choice(&boards).unwrap().clone());
        for read in reader.read_all(&text) {
            assert!((1..=text.lines().count()).contains(&read.line));
            let tour = match read.tour {
                Ok(tour) => tour,
                Err(wrong) => return assert!(!wrong.to_string().is_empty()),
            };
            let mut grid = Vec::new();
            let mut writer = TourWriter::new(tour.board().clone(), TourFormat::Grid);
            writer.write(tour.squares(), &mut grid);
            let reader = TourReader::new(Some(tour.board().clone()));
            let again = reader.read_all(&String::from_utf8(grid).unwrap());
            assert_eq!(again[0].tour, Ok(tour));
        }
    });
}

#[test]
fn a_text_is_refused_as_a_puzzle_or_its_grid_reads_back() {
    let read = |known: Option<Board>, text: &str| {
        let known = KnownBoard { board: known, ..KnownBoard::default() };
        PartFilledReader::new(known).read_all(text)
    };
    let samples = FORMS.map(|text| text.as_bytes().to_vec());
    let boards = [None, Some(Board::new(3, 4).unwrap())];
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        let text = String::from_utf8_lossy(bytes);
        for found in read(random.choice(&boards).unwrap().clone(), &text) {
            let found = match found {
                Ok(found) => found,
                Err(wrong) => return assert!(!wrong.to_string().is_empty()),
            };
            let clues = found.steps.iter().map(|&(step, square)| Clue { step, square });
            let Ok(puzzle) = Puzzle::new(found.board.clone(), false, clues) else { continue };
            // A line of a single `#` is an empty comment, and a hole of a board with one column.
            if puzzle.grid().lines().any(|line| line == "#") {
                continue;
            }
            let again = read(Some(found.board), &puzzle.grid()).remove(0).unwrap();
            assert_eq!(again.steps, found.steps);
        }
    });
}

/// A board of numbers and signs as a text whose columns of characters stand under each other.
fn drawn_board(random: &mut Rng) -> Vec<String> {
    let (rows, cols) = (random.usize(1..=6), random.usize(2..=6));
    let signs: [&str; 2] = [[".", "#"], [".", " "], ["_", "X"], ["0", "#"], ["-", " "], [".", "."]]
        [random.usize(0..6)];
    let width = random.usize(1..=3);
    let mut numbers: Vec<usize> = (1..=rows * cols).collect();
    random.shuffle(&mut numbers);
    let cell = |number: usize| match random.u8(0..6) {
        0 | 1 if number < 10_usize.pow(width as u32) => number.to_string(),
        2 => signs[1].to_owned(),
        _ => signs[0].to_owned(),
    };
    let cells: Vec<String> = numbers.into_iter().map(cell).collect();
    let line = |row: &[String]| {
        let cells: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
        cells.join(" ").trim_end().to_owned()
    };
    cells.chunks(cols).map(line).collect()
}

/// Damages lines of a board as people and programs do: shifted and cut rows, other signs, and
/// characters that are lost or doubled.
fn mangle(random: &mut Rng, lines: &mut Vec<String>) {
    for _ in 0..random.usize(0..=3) {
        let at = random.usize(0..lines.len());
        let (line, other) = (lines[at].clone(), lines[random.usize(0..lines.len())].clone());
        let place = random.usize(0..=line.len());
        let (before, after) = line.split_at(place);
        let rest = after.get(1..).unwrap_or_default();
        lines[at] = match random.u8(0..9) {
            0 => " ".repeat(random.usize(1..=4)) + &line,
            1 => line.trim_start().to_owned(),
            2 => before.to_owned(),
            3 => after.to_owned(),
            4 => format!("{before} {after}"),
            5 => format!("{before}{rest}"),
            6 => {
                before.to_owned()
                    + random.choice([".", "#", "0", "X", "7", "-", "_", " "]).unwrap()
                    + rest
            }
            7 => other,
            _ => format!("{before}{}{after}", " ".repeat(random.usize(2..=3))),
        };
    }
    match random.u8(0..12) {
        0 => drop(lines.remove(random.usize(0..lines.len()))),
        1 => lines.insert(0, format!("{}", lines.len())),
        2 => lines.iter_mut().enumerate().for_each(|(row, line)| {
            *line = " ".repeat(row % 2) + line;
        }),
        3 => lines.iter_mut().enumerate().for_each(|(row, line)| *line = " ".repeat(row) + line),
        _ => {}
    }
}

/// The words of a line with their first column of characters and the one after the last.
fn words(line: &str) -> Vec<(usize, usize, &str)> {
    let word = |word: &'_ str| {
        let from = word.as_ptr() as usize - line.as_ptr() as usize;
        (from, from + word.len())
    };
    line.split_whitespace().map(|text| (word(text).0, word(text).1, text)).collect()
}

/// Asserts that a board that was read is the one that a person sees in its lines.
///
/// Words that stand under each other are in one column, and blanks are between columns, unless all
/// lines have as many words and the same blanks. Each cell has the number that is written there.
/// Each sign is a hole everywhere or nowhere, and places without a word are holes.
fn assert_seen(found: &PartFilled, lines: &[&str]) {
    if found.board.is_hexagonal() {
        return assert_staggered(found, lines);
    }
    let (board, form) = (&found.board, found.form.as_deref().unwrap_or_default());
    let first = u64::from(!form.contains("numbered from 0"));
    let rows: Vec<_> = found.rows.iter().map(|line| words(lines[line - 1])).collect();
    let gaps = rows.iter().flat_map(|row| row.windows(2).map(|two| two[1].0 - two[0].1));
    let indents = rows.iter().filter_map(|row| row.first()).map(|word| word.0);
    let is_plain = gaps.collect::<BTreeSet<_>>().len() < 2
        && indents.collect::<BTreeSet<_>>().len() < 2
        && rows.iter().all(|row| row.len() == rows[0].len());
    let covered: BTreeSet<usize> = rows.iter().flatten().flat_map(|word| word.0..word.1).collect();
    // A column begins where no word covers the character before.
    let begins = |at: &&usize| **at == 0 || !covered.contains(&(*at - 1));
    let columns: Vec<usize> = covered.iter().filter(begins).copied().collect();
    assert_eq!(rows.len(), board.rows() as usize);
    assert_eq!(if is_plain { rows[0].len() } else { columns.len() }, board.cols() as usize);
    let mut signs: BTreeMap<&str, bool> = BTreeMap::new();
    for (row, up) in rows.iter().rev().zip(0..) {
        let mut cells = vec![None; board.cols() as usize];
        for (place, word) in row.iter().enumerate() {
            let column = columns.iter().rposition(|column| *column <= word.0).unwrap();
            let cell = &mut cells[if is_plain { place } else { column }];
            assert!(cell.replace(word.2).is_none(), "two words of a line in one column");
        }
        for (col, word) in (0..).zip(cells) {
            let square = board.at(up, col);
            let step = found.steps.iter().find(|step| Some(step.1) == square);
            let number = step.map(|step| step.0 as u64 - 1 + first);
            let Some(word) = word else {
                assert!(square.is_none(), "a blank is a square");
                continue;
            };
            match word.parse::<f64>().map(|number| number as u64) {
                Ok(written) if written > 0 || number.is_some() => assert_eq!(number, Some(written)),
                _ => {
                    let is_hole = square.is_none();
                    assert_eq!(*signs.entry(word).or_insert(is_hole), is_hole, "{word}");
                    assert!(number.is_none(), "{word} is {number:?}");
                }
            }
        }
    }
    let is_sign = |sign: &str, is_hole| signs.get(sign).is_none_or(|known| *known == is_hole);
    assert!(is_sign("#", true) && is_sign("_", false), "{signs:?}");
}

/// Asserts that the words of lines are the hexagons of a board: two words are neighbours if they
/// stand beside each other in a line, or half as far apart in two lines one below the other, by
/// their first characters or by their last ones.
fn assert_staggered(found: &PartFilled, lines: &[&str]) {
    let (board, form) = (&found.board, found.form.as_deref().unwrap_or_default());
    let first_number = usize::from(!form.contains("numbered from 0"));
    let rows = found.rows.iter().map(|line| words(lines[line - 1]));
    let seen: Vec<(usize, (usize, usize, &str))> = rows
        .enumerate()
        .flat_map(|(row, words)| words.into_iter().map(move |w| (row, w)))
        .collect();
    // The words of a line are squares and holes of a row from its first one on.
    let at = |index: usize, first: &dyn Fn(usize) -> i64| {
        let (row, _) = seen[index];
        let place = seen[..index].iter().filter(|word| word.0 == row).count() as i64;
        (board.rows() as i64 - 1 - row as i64, first(row) + place)
    };
    let by = |end: fn(&(usize, usize, &str)) -> usize| {
        let x = |index: usize| end(&seen[index].1) as i64;
        let pitch = (1..seen.len()).find(|i| seen[*i].0 == seen[i - 1].0).map(|i| x(i) - x(i - 1));
        let pitch = pitch.filter(|pitch| pitch % 2 == 0)?;
        let column =
            |i: usize| 2 * (x(i) - x(0)) / pitch + board.rows() as i64 - 1 - seen[i].0 as i64;
        let least = (0..seen.len()).map(column).min()?;
        let first = |row: usize| {
            let index = seen.iter().position(|word| word.0 == row).unwrap();
            (column(index) - least) / 2
        };
        for i in 0..seen.len() {
            for j in 0..i {
                let apart = (x(i) - x(j)).abs();
                let are_beside = match seen[i].0 - seen[j].0 {
                    0 => apart == pitch,
                    1 => 2 * apart == pitch,
                    _ => false,
                };
                let ((up, right), (other_up, other_right)) = (at(i, &first), at(j, &first));
                let [one, other] = [board.at(up, right), board.at(other_up, other_right)];
                let (Some(one), Some(other)) = (one, other) else { continue };
                if board.are_neighbours(one, other) != are_beside {
                    return None;
                }
            }
            let (up, right) = at(i, &first);
            let step = found.steps.iter().find(|step| Some(step.1) == board.at(up, right));
            let number = seen[i].1.2.parse::<usize>().ok().filter(|number| *number >= first_number);
            if number.is_some() && number != step.map(|step| step.0 - 1 + first_number) {
                return None;
            }
        }
        Some(())
    };
    assert!(by(|word| word.0).or_else(|| by(|word| word.1)).is_some());
}

#[test]
fn a_mangled_board_is_refused_or_the_one_that_is_seen() {
    let read = std::cell::Cell::new(0);
    fuzz(10_000, |random, bytes| {
        let mut drawn = drawn_board(random);
        mangle(random, &mut drawn);
        *bytes = drawn.join("\n").into_bytes();
        let lines: Vec<&str> = drawn.iter().map(String::as_str).collect();
        for found in PartFilledReader::new(KnownBoard::default()).read_all(&drawn.join("\n")) {
            match found {
                Ok(found) => {
                    read.set(read.get() + 1);
                    assert_seen(&found, &lines);
                }
                Err(wrong) => assert!(!wrong.to_string().is_empty()),
            }
        }
        for tour in TourReader::new(None).read_all(&drawn.join("\n")) {
            let numbers = drawn
                .iter()
                .flat_map(|line| words(line))
                .filter(|word| word.2.parse::<f64>().is_ok());
            let squares = tour.tour.map(|tour| tour.squares().len()).unwrap_or_default();
            assert!(squares <= numbers.count());
        }
    });
    assert!(read.get() > 2_000, "{} boards were read", read.get());
}

#[test]
fn a_file_is_refused_as_a_graph_or_the_graph_has_a_text_that_reads_back() {
    let samples = [
        "1 2\n2 3\n3 1\n",
        "# names\na,b\nb\tc # an edge\n\nd\n",
        "c DIMACS\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n",
        "p col 2 0\n",
        "D?{\n",
        ">>graph6<<DQc",
        "~?@?AAAA",
        "~~???????",
        "3 2\n1 2\n2 3\n",
        "0 1 {}\n1 2 {'weight': 3}\n",
        "0: 1 2\n1: 2\n",
        "3 2\n2\n1 3\n2\n",
        "0 1 1\n1 0 1\n1 1 0\n",
        "# a\nb\n# b\nc\n",
        "NAME : x\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n-1\nEOF\n",
        "{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1}]}",
        ">>sparse6<<:Fa@x^\n:Bn\n",
        "\"New York\" Saint-Lo\n",
    ];
    let samples = samples.map(|text| text.as_bytes().to_vec());
    fuzz(20_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        match GraphFile::read(bytes, None) {
            Ok(file) => {
                for network in file.graphs {
                    assert!(network.names().len() <= Network::MOST_VERTICES);
                    assert_eq!(network.to_string().parse(), Ok(network));
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}

#[test]
fn a_text_describes_no_board_or_the_board_whose_description_reads_back() {
    let samples = [
        "6x8",
        "4x4 piece=king wrap=torus",
        "5x5 piece=0,1+1,2 wrap=moebius without=a1,e5",
        "3x4 wrap=cylinder without=b2",
        "graph 1-2,2-3,4",
        "graph a-b,b-c_d",
    ];
    let samples = samples.map(|text| text.as_bytes().to_vec());
    fuzz(2_000, |random, bytes| {
        bytes.clone_from(random.choice(&samples).unwrap());
        mutate(random, bytes, &samples);
        match String::from_utf8_lossy(bytes).parse::<Board>() {
            Ok(board) => {
                let text = board.description();
                assert_eq!(text.parse().as_ref(), Ok(&board));
                assert!(board.is_plain() || board.squares() <= 16_384);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}
