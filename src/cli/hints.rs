//! Answers to words that a command does not have.
//!
//! A word that other programs use is answered with the word of this one, and a word for something
//! that this program does not do is answered with exactly that. Only a word that is in neither
//! table gets the most similar word of the definition, and only if it looks like a slip of the
//! keys.

use super::quantity::parse_board;
use super::shell::quoted;

/// The words that were typed after the name of the program.
#[derive(Debug, Clone, Default)]
pub struct Typed {
    /// The command, if there is one.
    pub command: Option<String>,
    /// All words.
    pub words: Vec<String>,
}

impl Typed {
    /// The typed words; `commands` are the names of all commands.
    pub fn new(words: Vec<String>, commands: &[String]) -> Self {
        let command = words.iter().find(|word| commands.contains(word)).cloned();
        Self { command, words }
    }

    /// The value that an option was given, in either spelling.
    fn value(&self, option: &str) -> Option<&str> {
        let joined = format!("{option}=");
        let mut words = self.words.iter();
        while let Some(word) = words.next() {
            if word == option {
                return words.next().map(String::as_str);
            }
            if let Some(value) = word.strip_prefix(&joined) {
                return Some(value);
            }
        }
        None
    }
}

/// The answer to some words.
pub struct Answer {
    /// Options and commands that are not there.
    words: &'static str,
    /// The commands that it is for, or none for all; `count` is also what runs without a command.
    commands: &'static str,
    says: &'static str,
}

const fn answer(words: &'static str, commands: &'static str, says: &'static str) -> Answer {
    Answer { words, commands, says }
}

/// Commands that take a board by `--size`.
const WITH_A_BOARD: &str =
    "count list random nth rank prepare shard estimate status find check show stats";

/// The first answer that fits the command is given.
pub const ANSWERS: &[Answer] = &[
    // Things that the program does not do.
    answer(
        "--holes --hole --without --remove --blocked --forbidden --exclude --missing --mask --board",
        "",
        "boards are whole rectangles: no square can be left out",
    ),
    answer(
        "--torus --toroidal --wrap --cylinder --periodic --klein --moebius",
        "",
        "boards have edges on all four sides: none is wrapped into a torus or a cylinder",
    ),
    answer(
        "--piece --leaper --camel --zebra --giraffe --king --queen --rook --bishop --pawn",
        "",
        "the piece is always a knight: there are no tours of other pieces",
    ),
    answer("--3d --cube --layers --depths", "", "boards are flat: rows and columns only"),
    answer(
        "--graph --edges-file --adjacency",
        "",
        "tours are those of a board: no other graph is read",
    ),
    answer(
        "--symmetry --symmetric --symmetries --asymmetric --rotational --central",
        "",
        "tours cannot be chosen by their symmetry; --classes of count and list takes one tour \
         per symmetry class, and the page of kt-enum show --format html filters tours by symmetry",
    ),
    answer(
        "--magic --semimagic --semi-magic --uncrossed --non-intersecting",
        "",
        "tours cannot be chosen by a property such as being magic or uncrossed",
    ),
    answer(
        "--given --givens --clue --clues --fixed --hint --hints --pinned solve puzzle sudoku hidoku",
        "",
        "part-filled boards are neither solved nor made into puzzles",
    ),
    answer(
        "--unique --distinct",
        "",
        "each tour is counted and listed once, and --classes takes one per symmetry class; \
         whether a puzzle has a unique solution is not asked here",
    ),
    answer(
        "--theme --themes --palette --style --dark --light --colors --colours",
        "show stats report",
        "pictures have no themes: they follow the light or dark scheme of the reader",
    ),
    answer(
        "--png --pdf --gif --jpg --jpeg --animate --animation --video",
        "",
        "pictures are SVG, and the page of kt-enum show --format html plays tours: \
         rsvg-convert turns SVG into PNG or PDF",
    ),
    answer(
        "--gpu --cuda --opencl --mpi --distributed --hosts --nodes",
        "",
        "a count runs on the cores of one machine; kt-enum shard and merge share it out over several",
    ),
    answer(
        "play game gui serve web",
        "",
        "there is no game; kt-enum show --format html makes a page that plays tours",
    ),
    answer(
        "--config config init",
        "",
        "there is no configuration file: everything is on the command line",
    ),
    // A size or a number.
    answer(
        "-n --n -N",
        "find",
        "the board is --size N; find gives one tour, kt-enum list --limit K the first K",
    ),
    answer(
        "--n -N",
        "list",
        "the board is --size N, and --limit K, or -n K, lists the first K tours",
    ),
    answer("-n --n -N", "random", "the board is --size N, and --count K draws K tours"),
    answer(
        "-n --n -N",
        "nth",
        "the board is --size N, and the numbers stand alone: kt-enum nth 1 2 3 --size 6",
    ),
    answer(
        "-n --n -N",
        "table",
        "--rows R is the number of rows, --up-to N that of the columns of the last board",
    ),
    answer(
        "-n --n -N",
        "compare",
        "the boards are --sizes N, and --trials K runs each search K times",
    ),
    answer(
        "-n --n -N",
        "estimate",
        "the board is --size N, and --probes K is the number of random probes",
    ),
    answer(
        "-n --n -N",
        "audit",
        "--sample K is the number of units to recount; the board is in the file",
    ),
    answer("-n --n -N", "show", "the board is --size N, and --tour K draws the K-th tour alone"),
    answer("-n --n -N", WITH_A_BOARD, "for a board of N x N say --size N"),
    // Words of other programs.
    answer(
        "--moves --steps",
        "find compare",
        "--max-moves M ends a search after so many moves tried",
    ),
    answer(
        "--limit --max --first --head --number --num --samples -k",
        "random",
        "--count K draws K tours",
    ),
    answer(
        "--max --first --head --count --number --num -k",
        "list",
        "--limit K lists the first K tours; kt-enum count counts them",
    ),
    answer(
        "--limit --max --first --head --count --number --num -k --all",
        "find",
        "find gives one tour: kt-enum list --limit K lists the first K, kt-enum count counts all",
    ),
    answer(
        "--count --number --num --samples -k",
        "audit",
        "--sample K is the number of units to recount",
    ),
    answer(
        "--limit --first --head --count --all",
        "count shard",
        "this counts all tours: kt-enum list --limit K lists the first K",
    ),
    answer("--all", "list", "all tours are listed unless --limit K is given"),
    answer("--random --shuffle", "", "kt-enum random draws random tours"),
    answer("--nth", "", "kt-enum nth writes the tours with given numbers"),
    answer("--rank", "", "kt-enum rank prints the numbers of tours"),
    answer("--seed", "", "a seed is for what is random: kt-enum random, audit and estimate"),
    answer("--start --begin --start-square --source", "", "the start is --from SQUARE"),
    answer(
        "--end --finish --end-square --target",
        "find",
        "find has a start only: kt-enum list --from a1 --to b3 --limit 1 gives a tour with both ends",
    ),
    answer("--end --finish --end-square --target", "", "the end is --to SQUARE, of count and list"),
    answer(
        "--cycle --cycles --circuit --reentrant --re-entrant --hamiltonian --kind --type",
        "",
        "closed tours are --closed, open ones are the default",
    ),
    answer(
        "--width --height --columns --column --col -w -c",
        WITH_A_BOARD,
        "the board is --size RxC, or --rows R --cols C",
    ),
    answer(
        "--row -r --board-size --dimensions --dimension --dim --dims --side -s -b",
        WITH_A_BOARD,
        "the board is --size N or --size RxC",
    ),
    answer(
        "--size --cols",
        "table",
        "the boards are --rows R --up-to N: R rows, and 1 to N columns",
    ),
    answer(
        "--size --rows --cols --board-sizes",
        "compare",
        "the boards are --sizes LIST, such as 8, 3..=8 or 3x10",
    ),
    answer(
        "--cores --workers --parallel --procs --processes --nproc --cpus -t -p -T",
        "",
        "the number of worker threads is --threads T, or -j T",
    ),
    answer(
        "--timeout --time --time-limit --limit-time --deadline --duration",
        "",
        "the time is bounded by --max-time, such as 8h or 90s, of count, shard and find",
    ),
    answer("--depth --prefix", "", "the depth of the units of a count is --split-depth D"),
    answer(
        "--algorithm --heuristic --method --solver --warnsdorff --blind --pohl --roth",
        "find",
        "the rule of a search is --strategy, such as warnsdorff",
    ),
    answer(
        "--algorithm --method --solver",
        "",
        "the way to count is --engine walk, edges or frontier; kt-enum find has --strategy",
    ),
    answer(
        "--strategy --warnsdorff --heuristic",
        "",
        "rules of thumb find one tour: kt-enum find --strategy warnsdorff",
    ),
    answer("--engine", "find", "a search for one tour has --strategy; --engine is of a count"),
    answer(
        "--engine",
        "random nth rank list",
        "this command has one way to work: --engine is of a count",
    ),
    answer(
        "--svg --html --text --ascii --draw --plot",
        "",
        "kt-enum show draws tours: --format text, svg or html",
    ),
    answer("--csv --tsv", "", "kt-enum compare --format csv writes CSV; the others have --json"),
    answer("--silent", "", "--quiet, or -q, prints the bare answer"),
    answer(
        "--verbose -v --debug",
        "",
        "--progress plain says how far a run is; the version is --version, or -V",
    ),
    answer("--dry-run --cost", "", "kt-enum estimate says what a count will take"),
    answer(
        "--restart --reset --clean --no-resume --force",
        "count shard table prepare",
        "--fresh gives up the state of an earlier run and starts over",
    ),
    answer(
        "--input --infile -i",
        "check show stats rank",
        "the file stands alone, without a flag: kt-enum show FILE",
    ),
    answer("-o --output", "shard prepare", "--out DIR is the folder of the parts"),
    answer(
        "-o --output --outfile --save",
        "count",
        "this command prints its answer, so write > FILE; --keep-units FILE keeps the units of a count",
    ),
    answer("-o --output", "", "this command prints its answer, so write > FILE"),
    answer(
        "--out --outfile --out-file --save --file -f",
        "",
        "the file to write is -o FILE, where a command writes one",
    ),
    answer(
        "--classes --keep-units",
        "",
        "that is of a whole: kt-enum count and kt-enum merge take it",
    ),
    answer(
        "--starts",
        "",
        "that is a run for each kind of square: kt-enum count takes it; give each shard its --from",
    ),
    answer(
        "--resume resume continue",
        "",
        "type the command of the run again, and it continues; kt-enum status lists the runs that wait",
    ),
    answer(
        "stop pause kill cancel abort",
        "",
        "Ctrl-C or kill PID saves and stops a run; kt-enum status tells its pid, and --discard gives it up",
    ),
    answer("draw print plot picture view display", "", "kt-enum show draws tours"),
    answer("enumerate generate ls all", "", "kt-enum list lists tours, kt-enum count counts them"),
    answer("sample", "", "kt-enum random draws random tours"),
    answer("unrank", "", "kt-enum nth writes the tours with given numbers"),
    answer(
        "verify validate test",
        "",
        "kt-enum check reads tours and tells whether they are; kt-enum audit recounts a part of a run",
    ),
    answer(
        "bench benchmark",
        "",
        "kt-enum compare compares ways to find a tour, kt-enum estimate measures the rate of a count",
    ),
    answer("search tour", "", "kt-enum find finds one tour"),
    answer("version", "", "the version is --version, or -V"),
    answer(
        "convert export",
        "",
        "kt-enum show draws tours, and list, find, random and nth write them in the --format of your choice",
    ),
];

/// The answer to a word that this command does not have.
pub fn hint(word: &str, typed: &Typed) -> Option<String> {
    if word.parse::<f64>().is_ok_and(|number| number < 0.0) {
        return Some("numbers are not negative here".to_owned());
    }
    if let Ok(board) = parse_board(word) {
        return Some(board_hint(word, &board.to_string(), typed));
    }
    if word == "--to" && typed.command.as_deref() == Some("find") {
        return Some(both_ends(typed));
    }
    let answer = ANSWERS.iter().find(|answer| answer.is_for(word, typed))?;
    Some(answer.says.to_owned())
}

impl Answer {
    fn is_for(&self, word: &str, typed: &Typed) -> bool {
        let command = typed.command.as_deref().unwrap_or("count");
        let mut commands = self.commands.split_whitespace().peekable();
        let is_of_command = commands.peek().is_none() || commands.any(|known| known == command);
        is_of_command && self.words.split_whitespace().any(|known| known == word)
    }
}

fn board_hint(word: &str, board: &str, typed: &Typed) -> String {
    let board = if word.bytes().all(|byte| byte.is_ascii_digit()) { word } else { board };
    match typed.command.as_deref() {
        Some("compare") => format!("for boards of {board} say --sizes {board}"),
        Some("table") => "the boards are --rows R --up-to N".to_owned(),
        _ => format!("for a board of {board} say --size {board}"),
    }
}

/// `find` has no `--to`: the list of tours between two squares begins with one.
fn both_ends(typed: &Typed) -> String {
    let option = |name| typed.value(name).map(|value| format!(" {name} {}", quoted(value)));
    let board: String = ["--size", "--rows", "--cols"].into_iter().filter_map(option).collect();
    let from = option("--from").unwrap_or_else(|| " --from a1".to_owned());
    let to = option("--to").unwrap_or_else(|| " --to b3".to_owned());
    let closed = match typed.words.iter().any(|word| word == "--closed") {
        true => ", and closed tours have no ends",
        false => "",
    };
    format!(
        "find takes no end{closed}: kt-enum list{board}{from}{to} --limit 1 gives a tour with both ends"
    )
}

/// True if an existing word is likely to be meant: the typed word is its beginning, or one or two
/// slips of the keys away from it, and not merely similar.
pub fn is_slip(typed: &str, meant: &str) -> bool {
    const BEGINNING: usize = 3;
    let bare =
        |word: &str| word.trim_matches(['-', '\'']).to_lowercase().chars().collect::<Vec<_>>();
    let (typed, meant) = (bare(typed), bare(meant));
    let slips = match typed.len().min(meant.len()) {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let is_beginning = typed.len() >= BEGINNING && meant.starts_with(&typed)
        || meant.len() >= BEGINNING && typed.starts_with(&meant);
    is_beginning || distance(&typed, &meant) <= slips
}

/// The number of letters to insert, delete, replace or swap with the next one: the optimal string
/// alignment distance.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, &letter) in one.iter().enumerate() {
        let mut now = vec![row + 1];
        for (col, &theirs) in other.iter().enumerate() {
            let replaced = last[col] + usize::from(letter != theirs);
            let mut least = replaced.min(last[col + 1] + 1).min(now[col] + 1);
            if row > 0 && col > 0 && letter == other[col - 1] && one[row - 1] == theirs {
                least = least.min(before[col - 1] + 1);
            }
            now.push(least);
        }
        before = std::mem::replace(&mut last, now);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Args;
    use clap::CommandFactory;

    /// Every pair of a command and a word that has an answer in it and is not one of its own.
    fn unknown_words() -> Vec<(Vec<String>, String, &'static str)> {
        let definition = Args::command();
        let all: Vec<String> =
            definition.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let mut cases = Vec::new();
        for answer in ANSWERS {
            for word in answer.words.split_whitespace() {
                let commands: Vec<&str> = match answer.commands {
                    "" if word.starts_with('-') => all.iter().map(String::as_str).collect(),
                    "" => vec![""],
                    commands => commands.split_whitespace().collect(),
                };
                for command in commands {
                    let mut words: Vec<String> = [command, word].map(str::to_owned).into();
                    words.retain(|word| !word.is_empty());
                    cases.push((words, word.to_owned(), answer.says));
                }
            }
        }
        cases
    }

    #[test]
    fn every_word_of_the_table_gets_an_answer_wherever_it_is_not_an_option() {
        let definition = Args::command();
        let commands: Vec<String> =
            definition.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let mut answered = std::collections::BTreeSet::new();
        for (words, word, says) in unknown_words() {
            let line = std::iter::once("kt-enum".to_owned()).chain(words.clone());
            let Err(error) = definition.clone().try_get_matches_from(line) else { continue };
            let typed = Typed::new(words, &commands);
            if super::super::exit::typed_wrong(&error).as_deref() != Some(&word) {
                continue;
            }
            let hint = hint(&word, &typed).unwrap_or_default();
            assert!(!hint.is_empty(), "{typed:?}");
            if hint == says {
                answered.insert((word.clone(), says));
            }
        }
        let words = |answer: &'static Answer| {
            answer.words.split_whitespace().map(|word| (word.to_owned(), answer.says))
        };
        let never: Vec<_> =
            ANSWERS.iter().flat_map(words).filter(|one| !answered.contains(one)).collect();
        assert!(never.is_empty(), "options everywhere, or answered before: {never:#?}");
    }

    #[test]
    fn answers_name_options_and_commands_that_are_there() {
        let definition = Args::command();
        let commands: Vec<&clap::Command> = definition.get_subcommands().collect();
        let options: Vec<&str> = commands
            .iter()
            .flat_map(|command| command.get_arguments().filter_map(clap::Arg::get_long))
            .chain(["version", "help"])
            .collect();
        for answer in ANSWERS {
            let words = answer.says.split([' ', ',', ';', ':']);
            for option in words.clone().filter_map(|word| word.strip_prefix("--")) {
                assert!(options.contains(&option), "{}: --{option}", answer.says);
            }
            let words: Vec<&str> = words.collect();
            for pair in words.windows(2).filter(|pair| pair[0] == "kt-enum") {
                let is_command = commands.iter().any(|command| command.get_name() == pair[1]);
                assert!(is_command, "{}: {}", answer.says, pair[1]);
            }
        }
    }

    #[test]
    fn only_slips_of_the_keys_are_taken_for_the_word_they_resemble() {
        for (typed, meant) in [
            ("--szie", "--size"),
            ("--stratgy", "--strategy"),
            ("cuont", "count"),
            ("close", "closed"),
            ("--check", "--checkpoint"),
            ("warnsdorf", "warnsdorff"),
            ("--sampel", "--sample"),
        ] {
            assert!(is_slip(typed, meant), "{typed} {meant}");
        }
        for (typed, other) in [
            ("--holes", "--cols"),
            ("--symmetry", "--memory"),
            ("--unique", "--quiet"),
            ("--given", "--engine"),
            ("--n", "--engine"),
            ("--count", "--output"),
            ("--theme", "--threads"),
            ("fly", "find"),
        ] {
            assert!(!is_slip(typed, other), "{typed} {other}");
        }
    }
}
